/* Multiples of G by odd digits on P-256. */
enum { LIMBS = 8, WORDS = 8 };

#define BATCH_WINDOWS "support/small_gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/p256_32.gen.h"

#include "odd_window_cases.h"

int main(void) { return odd_window_cases(); }
