/* Multiples of G by odd digits on P-384. */
enum { LIMBS = 12, WORDS = 12 };

#define BATCH_WINDOWS "support/small_gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/p384_32.gen.h"

#include "odd_window_cases.h"

int main(void) { return odd_window_cases(); }
