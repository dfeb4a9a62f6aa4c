/* The images of kernels, as nvcc wrote them to the folder IMAGES. The build says which: EACH_IMAGE(I) is I(name) for
 * each. */
#include "backend/cuda/kernels/launch.h"

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
