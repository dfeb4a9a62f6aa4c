/* What the host and the device agree on: images of kernels, and the one argument of each kernel.
 *
 * An image holds the kernels of one program set: a curve, a width of modulus, or the hashes. For every operation of
 * operations.def that the set offers there is a kernel called gecc_kernel_<function>, for instance
 * gecc_kernel_ecdsa_verify, whose one argument is a struct launch; and gecc_info, a constant in device memory. Curves
 * have gecc_kernel_keys_bases, _normalise and _extend besides, which make tables of keys. Of tables of G
 * gecc_tables_bases is the first pass, the same two are the others, and gecc_tables_scan makes the secret one of what
 * they made. Curves and moduli have gecc_measure_multiply and gecc_measure_square besides (measure.h), whose second
 * argument is a uint32_t. Images differ in their contents alone, so the host treats them all alike. Plain C and CUDA
 * C. */
#ifndef GECC_BACKEND_CUDA_KERNELS_LAUNCH_H
#define GECC_BACKEND_CUDA_KERNELS_LAUNCH_H

#include "scheme/job.h"

/* Changes with anything in this file. */
enum { LAUNCH_ABI = 4 };

/* One way to build the public table: how wide its windows are, how many, how many entries besides infinity there is
 * room for in the last one, and the bytes of both tables. */
struct launch_tables {
    uint32_t width, windows, last;
    uint64_t bytes;
};

/* The secret table: windows and entries of them, and how many bytes it takes before the public one. */
struct launch_secret {
    uint32_t width, windows, entries;
    uint64_t bytes;
};

struct launch_info {
    uint32_t abi;             /* LAUNCH_ABI */
    uint32_t job_bytes;       /* sizeof(struct job) on the device */
    uint32_t threads;         /* of a block, unless the driver says that a kernel has fewer at most */
    uint32_t rows_a_thread;   /* that share an inversion when there are rows enough */
    uint64_t row_bytes;       /* of workspace for each row of a chunk, */
    uint64_t chunk_bytes;     /* and for each chunk besides */
    uint64_t entry_bytes;     /* the same as row_bytes for keys_normalise, keys_extend and gecc_tables_scan */
    uint64_t key_entry_bytes; /* of an entry of tables of keys and of G; 0: there are none */
    struct launch_secret secret;
    uint32_t tables_choices; /* of `tables`; 0: there are none */
    /* The largest first. Before any kernel runs width and windows of the chosen one go to gecc_public_windows,
     * constants. */
    struct launch_tables tables[4];
};

/* The argument of every kernel. All addresses are the device's. */
struct launch {
    struct job job; /* its rows `first` to `first + count - 1` are this chunk; outputs and statuses too */
    size_t first, count;
    void *workspace; /* 256-byte aligned: row_bytes, or entry_bytes, * count + chunk_bytes */
    size_t workspace_bytes;
    void *tables;     /* 256-byte aligned: tables[...].bytes, filled before a kernel of an operation runs */
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
