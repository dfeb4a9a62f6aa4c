/* How fast a GPU multiplies residues when nothing else is asked of it: for benchmarks. The module exports
 * gecc_cuda_measure beside gecc_module; it is no part of the library's interface. Plain C. */
#ifndef GECC_BACKEND_CUDA_CARD_MEASURE_H
#define GECC_BACKEND_CUDA_CARD_MEASURE_H

#include <gecc/mod.h>

/* Modulo p: row i of out is x_i y_i^times or, squaring, x_i^(2^times). Each of the GPU's threads takes a row into its
 * registers, multiplies `times` times and writes the result. All memory is the host's. */
struct gecc_cuda_measurement {
    size_t size;          /* sizeof(struct gecc_cuda_measurement) */
    gecc_curve curve;     /* modulo its prime by the curve's own arithmetic; 0: modulo any odd number, `modulus` */
    gecc_modulus modulus; /* with a curve only `bytes` counts, which is the curve's */
    int squaring;
    uint32_t times;
    const uint8_t *x, *y; /* [rows][modulus.bytes], any numbers; y NULL where squaring */
    uint8_t *out;         /* [rows][modulus.bytes] */
    size_t rows;          /* at least 1. On return those that were used, the first ones: as many as fill the GPU a whole
                             number of times, if there are so many */
    double *seconds;      /* [runs]: of each run, by the GPU's events; one before them does not count */
    unsigned runs;
    char device[48]; /* on return, the GPU's name */
};

/* On the first GPU. GECC_ERROR_ARGUMENT: the structure, or a width, is not one that this module knows;
 * GECC_ERROR_UNSUPPORTED: it has no kernel for this; GECC_ERROR_NO_BACKEND: there is no GPU for it. */
GECC_API gecc_result gecc_cuda_measure(struct gecc_cuda_measurement *measurement);

struct driver;
struct image;
/* The same on the first device of a given driver, by kernels of these images. */
gecc_result gecc_cuda_measure_on(const struct driver *driver, const struct image *images,
                                 struct gecc_cuda_measurement *measurement);

#endif
