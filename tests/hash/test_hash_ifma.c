/* Hashes on the lanes of the IFMA machine. */
#include "limbs/lanes_ifma.h"

<<<<<<< HEAD
#include "../limbs/has_ifma.h"
=======
#include "../limbs/ifma_supported.h"
>>>>>>> a44a209 (Planted leaks in the IFMA machine are reported too)

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hash_cases.h"

int main(void) { return ifma_supported() ? hash_cases() : ifma_skip(); }
