/* Kernels that show a secret, each in one way; tests/cuda/test_sass.py fails unless each is caught. And two that do
 * not. */
#include <stdint.h>

struct leak {
    const uint32_t *secret;
    const uint32_t *table; /* [256] */
    uint32_t *out;         /* [2] */
};

#define KERNEL extern "C" __global__ void

KERNEL leak_branch(const __grid_constant__ struct leak l) {
    uint32_t r = l.table[0];
    if (*l.secret & 1) {
#pragma unroll 1
        for (uint32_t i = 0; i < l.table[1]; i++)
            r = r * r + i;
    }
    l.out[0] = r;
}

KERNEL leak_index(const __grid_constant__ struct leak l) { l.out[0] = l.table[*l.secret & 255]; }

KERNEL leak_local_index(const __grid_constant__ struct leak l) {
    uint32_t copy[128];
    for (int i = 0; i < 128; i++)
        copy[i] = l.table[i];
    l.out[0] = copy[*l.secret & 127];
}

KERNEL leak_store(const __grid_constant__ struct leak l) { l.out[*l.secret & 1] = 1; }

/* A load that is done or not, which needs no branch. */
KERNEL leak_predicate(const __grid_constant__ struct leak l) {
    if (*l.secret & 1)
        l.out[0] = l.table[0];
}

KERNEL leak_shuffle(const __grid_constant__ struct leak l) {
    l.out[0] = __shfl_sync(0xffffffff, l.table[threadIdx.x], *l.secret & 31);
}

KERNEL leak_vote(const __grid_constant__ struct leak l) {
    l.out[0] = (uint32_t)__any_sync(0xffffffff, (int)(*l.secret & 1));
}

KERNEL leak_exit(const __grid_constant__ struct leak l) {
    uint32_t difference = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < 32; i++) {
        if ((*l.secret >> i & 1) != (l.table[i] & 1)) {
            difference = 1;
            break;
        }
    }
    l.out[0] = difference;
}

KERNEL tight_select(const __grid_constant__ struct leak l) {
    uint32_t secret = *l.secret, a = l.table[0], b = l.table[1], r = secret & 1 ? a ^ secret : b + secret;
    l.out[0] = r;
}

KERNEL tight_scan(const __grid_constant__ struct leak l) {
    uint32_t secret = *l.secret, r = 0;
#pragma unroll 1
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t entry = l.table[i];
        r |= entry & (0 - (uint32_t)(secret == i));
    }
    l.out[0] = r;
}
