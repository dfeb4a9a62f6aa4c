/* What the host and the device agree on: images of kernels, and the one argument of each kernel.
 *
 * An image holds the kernels of one program set: a curve, a width of modulus, or the hashes. For every operation of
 * operations.def that the set offers there is a kernel called gecc_kernel_<function>, for instance
 * gecc_kernel_ecdsa_verify, whose one argument is a struct launch; and gecc_info, a constant in device memory. Curves have
 * gecc_kernel_keys_bases, _normalise and _extend besides, which make tables of keys.
 * Curves and moduli have gecc_measure_multiply and gecc_measure_square besides (measure.h), whose second argument is
 * a uint32_t. Images differ in their contents alone, so the host treats them all alike. Plain C and CUDA C. */
#ifndef GECC_BACKEND_CUDA_LAUNCH_H
#define GECC_BACKEND_CUDA_LAUNCH_H

#include "scheme/job.h"

/* Changes with anything in this file. */
enum { LAUNCH_ABI = 3 };

/* One way to build the tables: how wide the windows of the public one are, and how many. */
struct launch_tables {
    uint32_t width, windows;
    uint64_t bytes;
    uint32_t rows[4]; /* of gecc_tables_<pass> */
};

struct launch_info {
    uint32_t abi;            /* LAUNCH_ABI */
    uint32_t job_bytes;      /* sizeof(struct job) on the device */
    uint32_t threads;        /* of a block, unless the driver says that a kernel has fewer at most */
    uint32_t rows_a_thread;  /* that share an inversion when there are rows enough */
    uint64_t row_bytes;      /* of workspace for each row of a chunk, */
    uint64_t chunk_bytes;    /* and for each chunk besides */
    uint64_t tables_scratch; /* workspace that the kernels gecc_tables_<pass> need */
    uint32_t tables_passes;  /* gecc_tables_0, gecc_tables_1, ...: launched in this order; 0: no tables */
    uint32_t tables_choices; /* of `tables` */
    uint64_t key_row_bytes;  /* of a row of tables of keys; 0: there are none */
    /* The largest first. Before the first pass width and windows of the chosen one go to gecc_public_windows, constants. */
    struct launch_tables tables[4];
};

/* The argument of every kernel. All addresses are the device's. */
struct launch {
    struct job job;      /* its rows `first` to `first + count - 1` are this chunk; outputs and statuses too */
    size_t first, count; /* for gecc_tables_*: 0 and tables[...].rows[pass] */
    void *workspace;     /* 256-byte aligned: row_bytes * count + chunk_bytes */
    size_t workspace_bytes;
    void *tables;     /* 256-byte aligned: tables[...].bytes, filled by gecc_tables_* before any other kernel runs */
    uint32_t *faults; /* is made 1 if a signature failed its check: its row then reads GECC_ITEM_NOT_PROCESSED */
};

/* An image, as nvcc made it (a fat binary), linked into the module. */
struct image {
    const char *name; /* "secp256k1", ..., "mod_256", ..., "hash" */
    const void *bytes;
};

/* The images of the module, until a NULL name; defined where the kernels are built. */
extern const struct image gecc_cuda_images[];

#endif
