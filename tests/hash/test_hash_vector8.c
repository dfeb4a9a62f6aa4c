/* Hashes on eight lanes. */
#include "lanes_vector8.h"

#include "common.h"

#include <cmocka.h>
#include <openssl/evp.h>

#include "hash_cases.h"

int main(void) { return hash_cases(); }
