/* The hashes as device code: compiled to see that they are the common subset of C11 and CUDA C, not run. */
#include "limbs/lanes_scalar.h"

#include "hash/hmac_drbg.h"
#include "scheme/digest.h"

/* candidate[word][thread] from x, h1 and entropy of the same layout. */
template <gecc_hash kind, int order_bytes, bool hedged>
__global__ void nonces(uint32_t *candidate, const uint32_t *x, const uint32_t *h1, const uint32_t *entropy,
                       size_t stride) {
    const size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const int words = order_bytes / 4;
    struct rfc6979 state;
    uint32_t a[words], b[words], c[8];
    LANE_UNROLL
    for (int i = 0; i < words; i++) {
        a[i] = x[i * stride + thread];
        b[i] = h1[i * stride + thread];
    }
    LANE_UNROLL
    for (int i = 0; hedged && i < 8; i++)
        c[i] = entropy[i * stride + thread];
    rfc6979_init(&state, kind, 8 * order_bytes, a, b, hedged ? c : NULL);
    rfc6979_candidate(&state, kind, 8 * order_bytes, a);
    while (a[0] == ~(uint32_t)0) {
        rfc6979_reject(&state, kind, a[0]);
        rfc6979_candidate(&state, kind, 8 * order_bytes, a);
    }
    LANE_UNROLL
    for (int i = 0; i < words; i++)
        candidate[i * stride + thread] = a[i];
}

template __global__ void nonces<GECC_SHA256, 32, false>(uint32_t *, const uint32_t *, const uint32_t *,
                                                        const uint32_t *, size_t);
template __global__ void nonces<GECC_SHA256, 32, true>(uint32_t *, const uint32_t *, const uint32_t *, const uint32_t *,
                                                       size_t);
template __global__ void nonces<GECC_SM3, 32, false>(uint32_t *, const uint32_t *, const uint32_t *, const uint32_t *,
                                                     size_t);
template __global__ void nonces<GECC_SHA384, 48, true>(uint32_t *, const uint32_t *, const uint32_t *, const uint32_t *,
                                                       size_t);
template __global__ void nonces<GECC_SHA512, 48, false>(uint32_t *, const uint32_t *, const uint32_t *,
                                                        const uint32_t *, size_t);

__global__ void digests(struct job job) { digest(NULL, NULL, &job, blockIdx.x * (size_t)blockDim.x + threadIdx.x, 1); }

__global__ void sm2_digests(uint8_t *e, const uint8_t *constants, const uint8_t *public_key, struct segment id,
                            struct segment message) {
    sm2_digest_lanes(&e, constants, &public_key, &id, &message);
}
