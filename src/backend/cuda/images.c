/* The images of kernels, as nvcc wrote them to the folder IMAGES. A build with fewer of them defines EACH_IMAGE. */
#include "backend/cuda/launch.h"

#ifndef EACH_IMAGE
#define EACH_IMAGE(I)                                                                                                  \
    I(secp256k1)                                                                                                       \
    I(p256) I(p384) I(sm2) I(mod_128) I(mod_192) I(mod_256) I(mod_320) I(mod_384) I(mod_448) I(mod_512) I(hash)
#endif

#define IMAGE_BYTES(name)                                                                                              \
    extern const char gecc_image_##name[];                                                                             \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".balign 64\n"                                                                                             \
            ".global gecc_image_" #name "\n"                                                                           \
            ".hidden gecc_image_" #name "\n"                                                                           \
            "gecc_image_" #name ":\n"                                                                                  \
            ".incbin \"" IMAGES "/" #name ".fatbin\"\n"                                                                \
            ".popsection\n");
EACH_IMAGE(IMAGE_BYTES)

#define IMAGE(name) {#name, gecc_image_##name},
const struct image gecc_cuda_images[] = {EACH_IMAGE(IMAGE){NULL, NULL}};
