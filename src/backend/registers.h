/* Registers, which hold what was last computed until somebody saves them to memory. */
#ifndef GECC_BACKEND_REGISTERS_H
#define GECC_BACKEND_REGISTERS_H

/* Registers that only some instruction sets have: a compiler that may use them has to be told that they change, and
 * takes their names; another one takes no such names, and keeps nothing in them. */
#ifdef __AVX512F__
#define AVX512_REGISTERS                                                                                               \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",        \
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define AVX512_REGISTERS "memory"
#endif
#if defined(__APX_F__) || defined(__ARM_FEATURE_SVE)
#error "registers_wipe leaves secrets in registers of APX and SVE: do not compile for those (-march=native)"
#endif

/* Zero every register that a call may change: the vector registers in full, masks, the general registers. Those that a
 * call preserves have the caller's values again. Processors of other kinds keep what they hold. */
static inline void registers_wipe(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        __asm__ volatile(".irp r, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                         "vpxord %%zmm\\r, %%zmm\\r, %%zmm\\r\n\t"
                         ".endr\n\t"
                         ".irp r, 0,1,2,3,4,5,6,7\n\t"
                         "kxorw %%k\\r, %%k\\r, %%k\\r\n\t"
                         ".endr"
                         :
                         :
                         : AVX512_REGISTERS);
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroall"
                         :
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                           "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    else
        __asm__ volatile(".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
                         "pxor %%xmm\\r, %%xmm\\r\n\t"
                         ".endr"
                         :
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                           "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    __asm__ volatile(".irp r, rax,rcx,rdx,rsi,rdi,r8,r9,r10,r11\n\t"
                     "movq $0, %%\\r\n\t"
                     ".endr"
                     :
                     :
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
#elif defined(__aarch64__)
    __asm__ volatile(".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "movi v\\r\\().2d, #0\n\t"
                     ".endr\n\t"
                     ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17\n\t"
                     "mov x\\r, #0\n\t"
                     ".endr"
                     :
                     :
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
                       "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                       "v29", "v30", "v31", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                       "x12", "x13", "x14", "x15", "x16", "x17");
#endif
}

#endif
