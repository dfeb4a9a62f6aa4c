/* The binary interface of API 0.2, as programs that were compiled against it know it. Compiling this file is the test: every
 * function still has its parameters, every field its place, every enumerator its value. What is added to the interface
 * is added here, too; nothing here may change while the SONAME stays. */
#include <gecc/gecc.h>

#include <stdint.h>
#include <stdio.h>

/* Functions. That they are exported is for scripts/check-symbols to say. */

#define HAS(result, name, parameters) _Static_assert(_Generic(&(name), result(*) parameters : 1, default : 0), #name)

HAS(size_t, gecc_backends, (const gecc_context *, size_t, gecc_backend_info *));
HAS(void, gecc_close, (gecc_context *));
HAS(gecc_widths, gecc_column_widths,
    (const gecc_operation *, const gecc_column *, const gecc_parameters *, const gecc_options *));
HAS(size_t, gecc_curve_bytes, (gecc_curve));
HAS(const char *, gecc_curve_name, (gecc_curve));
HAS(size_t, gecc_der_bytes, (gecc_curve));
HAS(size_t, gecc_devices, (const gecc_context *, size_t, gecc_device_info *));
HAS(gecc_curve, gecc_curve_named, (const char *));
HAS(const char *, gecc_hash_name, (gecc_hash));
HAS(gecc_hash, gecc_hash_named, (const char *));
HAS(gecc_result, gecc_digest, (gecc_context *, gecc_hash, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_add,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_convert,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_double,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_mul,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_mul_add,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_mul_add_keys,
    (gecc_context *, gecc_keys *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_mul_base,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_public_key,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ec_validate, (gecc_context *, gecc_curve, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ecdh,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ecdsa_recover,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ecdsa_sign,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t,
     const gecc_options *));
HAS(gecc_result, gecc_ecdsa_sign_with_dangerous_nonce,
    (gecc_context *, gecc_curve, gecc_out, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t,
     const gecc_options *));
HAS(gecc_result, gecc_ecdsa_verify,
    (gecc_context *, gecc_curve, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ecdsa_verify_keys,
    (gecc_context *, gecc_keys *, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ed25519_verify_keys,
    (gecc_context *, gecc_keys *, gecc_out, gecc_rows, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(const char *, gecc_error_text, (void));
HAS(size_t, gecc_hash_bytes, (gecc_hash));
HAS(const char *, gecc_item_text, (uint8_t));
HAS(void, gecc_keys_close, (gecc_keys *));
HAS(void, gecc_keys_describe, (const gecc_keys *, gecc_keys_info *));
HAS(gecc_result, gecc_keys_open,
    (gecc_context *, gecc_keys **, gecc_curve, gecc_out, gecc_rows, size_t, const gecc_keys_config *));
HAS(const char *, gecc_kind_name, (gecc_kind));
HAS(const char *, gecc_kind_text, (gecc_kind));
HAS(const char *, gecc_flag_name, (uint32_t));
HAS(const char *, gecc_flag_text, (uint32_t));
HAS(gecc_result, gecc_memory_allocate, (gecc_context *, void **, size_t));
HAS(void, gecc_memory_free, (gecc_context *, void *));
HAS(gecc_result, gecc_ethereum_address, (gecc_context *, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ethereum_authorities,
    (gecc_context *, uint64_t *, gecc_out, gecc_out, size_t, gecc_rows, size_t, const gecc_ethereum_options *));
HAS(gecc_result, gecc_ethereum_block_transactions, (uint64_t *, uint32_t *, size_t, size_t *, const void *, size_t));
HAS(const char *, gecc_ethereum_reason_text, (uint8_t));
HAS(gecc_result, gecc_ethereum_senders,
    (gecc_context *, gecc_out, gecc_out, gecc_out, gecc_out, gecc_out, gecc_out, gecc_rows, size_t,
     const gecc_ethereum_options *));
HAS(gecc_result, gecc_ethereum_recover,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_ethereum_recover_columns,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_add,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_inverse,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_mul,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_power,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_square,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_mod_sub,
    (gecc_context *, gecc_modulus, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_open, (gecc_context **, const gecc_config *));
HAS(const gecc_operation *, gecc_operation_find, (const char *));
HAS(const gecc_column *, gecc_operation_input, (const gecc_operation *, size_t));
HAS(const gecc_column *, gecc_operation_output, (const gecc_operation *, size_t));
HAS(const gecc_operation *, gecc_operations, (size_t));
HAS(size_t, gecc_point_bytes, (gecc_curve, gecc_point_format));
HAS(gecc_result, gecc_poll, (const gecc_job *));
HAS(gecc_result, gecc_prepare,
    (gecc_context *, const gecc_operation *, const gecc_parameters *, size_t, const gecc_options *));
HAS(const char *, gecc_result_text, (gecc_result));
HAS(gecc_result, gecc_run,
    (gecc_context *, const gecc_operation *, const gecc_parameters *, const gecc_out *, gecc_out, const gecc_rows *,
     size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_public_key,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_sign,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_tweak_private_key,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_tweak_public_key,
    (gecc_context *, gecc_out, gecc_out, gecc_out, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_verify,
    (gecc_context *, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_schnorr_verify_keys,
    (gecc_context *, gecc_keys *, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_sm2_digest,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_sm2_sign,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_sm2_sign_with_dangerous_nonce,
    (gecc_context *, gecc_out, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_sm2_verify,
    (gecc_context *, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(gecc_result, gecc_sm2_verify_keys,
    (gecc_context *, gecc_keys *, gecc_out, gecc_rows, gecc_rows, gecc_rows, size_t, const gecc_options *));
HAS(const char *, gecc_version, (void));
HAS(gecc_result, gecc_wait, (gecc_job *));

/* Structs, on machines of 64 bits. Those that begin with their size, and those that the library alone makes, may grow. */

#if UINTPTR_MAX == UINT64_MAX
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)

_Static_assert(sizeof(gecc_rows) == 40, "gecc_rows");
AT(gecc_rows, data, 0);
AT(gecc_rows, stride, 8);
AT(gecc_rows, width, 16);
AT(gecc_rows, widths, 24);
AT(gecc_rows, offsets, 32);
_Static_assert(sizeof(gecc_out) == 24, "gecc_out");
AT(gecc_out, data, 0);
AT(gecc_out, stride, 8);
AT(gecc_out, widths, 16);
_Static_assert(sizeof(gecc_modulus) == 16, "gecc_modulus");
AT(gecc_modulus, value, 0);
AT(gecc_modulus, bytes, 8);
_Static_assert(sizeof(gecc_report) >= 200, "gecc_report");
AT(gecc_report, size, 0);
AT(gecc_report, backend, 8);
AT(gecc_report, detail, 24);
AT(gecc_report, reason, 72);
AT(gecc_report, seconds, 168);
AT(gecc_report, kernel_seconds, 176);
AT(gecc_report, prepared_keys, 184);
AT(gecc_report, prepared_rows, 192);
AT(gecc_report, devices, 200);
_Static_assert(sizeof(gecc_options) >= 48, "gecc_options");
AT(gecc_options, size, 0);
AT(gecc_options, flags, 8);
AT(gecc_options, nonce_hash, 12);
AT(gecc_options, point_format, 16);
AT(gecc_options, report, 24);
AT(gecc_options, job, 32);
AT(gecc_options, stream, 40);
_Static_assert(sizeof(gecc_ethereum_options) >= 32, "gecc_ethereum_options");
AT(gecc_ethereum_options, size, 0);
AT(gecc_ethereum_options, flags, 8);
AT(gecc_ethereum_options, chain_id, 16);
AT(gecc_ethereum_options, report, 24);
_Static_assert(sizeof(gecc_config) >= 48, "gecc_config");
AT(gecc_config, size, 0);
AT(gecc_config, backend, 8);
AT(gecc_config, threads, 16);
AT(gecc_config, device, 24);
AT(gecc_config, device_table_bytes, 32);
AT(gecc_config, key_table_bytes, 40);
AT(gecc_config, staging_bytes, 48);
_Static_assert(sizeof(gecc_keys_config) >= 32, "gecc_keys_config");
AT(gecc_keys_config, size, 0);
AT(gecc_keys_config, rows, 8);
AT(gecc_keys_config, memory, 16);
AT(gecc_keys_config, window, 24);
_Static_assert(sizeof(gecc_keys_info) >= 40, "gecc_keys_info");
AT(gecc_keys_info, size, 0);
AT(gecc_keys_info, curve, 8);
AT(gecc_keys_info, count, 16);
AT(gecc_keys_info, memory, 24);
AT(gecc_keys_info, window, 32);
_Static_assert(sizeof(gecc_backend_info) >= 232, "gecc_backend_info");
AT(gecc_backend_info, size, 0);
AT(gecc_backend_info, name, 8);
AT(gecc_backend_info, device, 24);
AT(gecc_backend_info, available, 88);
AT(gecc_backend_info, chosen, 92);
AT(gecc_backend_info, threads, 96);
AT(gecc_backend_info, reason, 100);
_Static_assert(sizeof(gecc_device_info) >= 336, "gecc_device_info");
AT(gecc_device_info, size, 0);
AT(gecc_device_info, number, 8);
AT(gecc_device_info, available, 12);
AT(gecc_device_info, chosen, 16);
AT(gecc_device_info, open, 20);
AT(gecc_device_info, name, 24);
AT(gecc_device_info, uuid, 88);
AT(gecc_device_info, architecture, 136);
AT(gecc_device_info, bus, 152);
AT(gecc_device_info, numa_node, 184);
AT(gecc_device_info, multiprocessors, 188);
AT(gecc_device_info, memory, 192);
AT(gecc_device_info, reason, 200);
_Static_assert(sizeof(gecc_column) >= 32, "gecc_column");
AT(gecc_column, name, 0);
AT(gecc_column, text, 8);
AT(gecc_column, kind, 16);
AT(gecc_column, secrecy, 20);
AT(gecc_column, is_output, 24);
AT(gecc_column, is_optional, 28);
_Static_assert(sizeof(gecc_operation) >= 32, "gecc_operation");
AT(gecc_operation, name, 0);
AT(gecc_operation, text, 8);
AT(gecc_operation, selector, 16);
AT(gecc_operation, curves, 20);
AT(gecc_operation, flags, 24);
AT(gecc_operation, secrecy, 28);
_Static_assert(sizeof(gecc_parameters) >= 40, "gecc_parameters");
AT(gecc_parameters, size, 0);
AT(gecc_parameters, curve, 8);
AT(gecc_parameters, hash, 12);
AT(gecc_parameters, modulus, 16);
AT(gecc_parameters, keys, 32);
_Static_assert(sizeof(gecc_widths) == 56, "gecc_widths");
AT(gecc_widths, least, 0);
AT(gecc_widths, most, 8);
AT(gecc_widths, count, 16);
AT(gecc_widths, width, 24);
#endif

/* Enumerators. */

#define IS(name, value) _Static_assert((name) == (value), #name)

IS(GECC_OK, 0);
IS(GECC_ERROR_ARGUMENT, 1);
IS(GECC_ERROR_MEMORY, 2);
IS(GECC_ERROR_THREAD, 3);
IS(GECC_ERROR_NO_BACKEND, 4);
IS(GECC_ERROR_UNSUPPORTED, 5);
IS(GECC_ERROR_DEVICE, 6);
IS(GECC_PENDING, 7);
IS(GECC_ERROR_FAULT, 8);
IS(GECC_ITEM_NOT_PROCESSED, 0);
IS(GECC_ITEM_OK, 1);
IS(GECC_ITEM_INVALID, 2);
IS(GECC_ITEM_INFINITY, 3);
IS(GECC_ITEM_MALFORMED_WIDTH, 16);
IS(GECC_ITEM_MALFORMED_POINT_ENCODING, 17);
IS(GECC_ITEM_MALFORMED_POINT_RANGE, 18);
IS(GECC_ITEM_MALFORMED_POINT_OFF_CURVE, 19);
IS(GECC_ITEM_MALFORMED_SCALAR, 20);
IS(GECC_ITEM_MALFORMED_SIGNATURE_ENCODING, 21);
IS(GECC_ITEM_MALFORMED_SIGNATURE_RANGE, 22);
IS(GECC_ITEM_MALFORMED_HIGH_S, 23);
IS(GECC_ITEM_MALFORMED_RECOVERY_ID, 24);
IS(GECC_ITEM_MALFORMED_TRANSACTION, 25);
IS(GECC_ITEM_MALFORMED_KEY_NUMBER, 26);
IS(GECC_ITEM_MALFORMED_SELECTOR, 27);
IS(GECC_ITEM_MALFORMED_TEXT, 28);
IS(GECC_ITEM_NULL, 255);
IS(GECC_ETHEREUM_PARSED, 0);
IS(GECC_ETHEREUM_EMPTY, 1);
IS(GECC_ETHEREUM_TYPE, 2);
IS(GECC_ETHEREUM_TOO_SHORT, 3);
IS(GECC_ETHEREUM_TOO_FEW, 4);
IS(GECC_ETHEREUM_TOO_MANY, 5);
IS(GECC_ETHEREUM_LENGTH, 6);
IS(GECC_ETHEREUM_NO_LIST, 7);
IS(GECC_ETHEREUM_NO_STRING, 8);
IS(GECC_ETHEREUM_ZEROS, 9);
IS(GECC_ETHEREUM_NUMBER, 10);
IS(GECC_ETHEREUM_WIDTH, 11);
IS(GECC_ETHEREUM_SIDECAR, 12);
IS(GECC_ETHEREUM_CHAIN, 13);
IS(GECC_KIND_POINT, 1);
IS(GECC_KIND_PRIVATE_KEY, 2);
IS(GECC_KIND_NONCE, 3);
IS(GECC_KIND_SCALAR, 4);
IS(GECC_KIND_DIGEST, 5);
IS(GECC_KIND_SM2_DIGEST, 6);
IS(GECC_KIND_HASH, 7);
IS(GECC_KIND_SIGNATURE, 8);
IS(GECC_KIND_RECOVERY_ID, 9);
IS(GECC_KIND_ENTROPY, 10);
IS(GECC_KIND_SHARED_SECRET, 11);
IS(GECC_KIND_RESIDUE, 12);
IS(GECC_KIND_EXPONENT, 13);
IS(GECC_KIND_SM2_ID, 14);
IS(GECC_KIND_MESSAGE, 15);
IS(GECC_KIND_X_ONLY_POINT, 16);
IS(GECC_KIND_BIP340_SIGNATURE, 17);
IS(GECC_KIND_AUXILIARY, 18);
IS(GECC_KIND_MERKLE_ROOT, 19);
IS(GECC_KIND_PARITY, 20);
IS(GECC_KIND_DIGEST32, 21);
IS(GECC_KIND_ETHEREUM_SIGNATURE, 22);
IS(GECC_KIND_ETHEREUM_NUMBER, 23);
IS(GECC_KIND_ADDRESS, 24);
IS(GECC_KIND_KEY_NUMBER, 25);
IS(GECC_KIND_PUBLIC_SCALAR, 26);
IS(GECC_KIND_SEED, 27);
IS(GECC_KIND_ED25519_PUBLIC_KEY, 28);
IS(GECC_KIND_ED25519_SIGNATURE, 29);
IS(GECC_KIND_CONTEXT, 30);
IS(GECC_KIND_X25519_PRIVATE_KEY, 31);
IS(GECC_KIND_X25519_PUBLIC_KEY, 32);
IS(GECC_SECP256K1, 1);
IS(GECC_P256, 2);
IS(GECC_P384, 3);
IS(GECC_SM2, 4);
IS(GECC_P521, 5);
IS(GECC_BRAINPOOL_P256R1, 6);
IS(GECC_BRAINPOOL_P384R1, 7);
IS(GECC_BRAINPOOL_P512R1, 8);
IS(GECC_CURVE25519, 16);
IS(GECC_HASH_DEFAULT, 0);
IS(GECC_SHA256, 1);
IS(GECC_SHA384, 2);
IS(GECC_SHA512, 3);
IS(GECC_SM3, 4);
IS(GECC_KECCAK256, 5);
IS(GECC_POINT_UNCOMPRESSED, 0);
IS(GECC_POINT_COMPRESSED, 1);
IS(GECC_POINT_RAW, 2);
IS(GECC_DER, 1u << 0);
IS(GECC_LOW_S, 1u << 1);
IS(GECC_ANY_S, 1u << 2);
IS(GECC_PUBLIC_SCALARS, 1u << 3);
IS(GECC_VERIFY_SIGNATURES, 1u << 4);
IS(GECC_LITTLE_ENDIAN, 1u << 5);
IS(GECC_SIGHASH_BYTE, 1u << 6);
IS(GECC_PREHASH, 1u << 7);
IS(GECC_ACCEPT_REF10, 1u << 8);
IS(GECC_ACCEPT_STRICT, 1u << 9);
IS(GECC_ACCEPT_ZIP215, 1u << 10);
IS(GECC_PUBLIC, 0);
IS(GECC_SECRET, 1);
IS(GECC_SECRET_BY_FLAG, 2);
IS(GECC_SELECT_CURVE, 1);
IS(GECC_SELECT_MODULUS, 2);
IS(GECC_SELECT_HASH, 3);

int main(void) {
    printf("the interface is that of API 0.2; this is %s\n", gecc_version());
    return 0;
}
