/* What Go calls: every column is an argument, since cgo lets no struct hold an address of Go's memory. */
#ifndef GECC_GO_SHIM_H
#define GECC_GO_SHIM_H

#include <gecc/gecc.h>
#include <gecc/languages.h>

enum { SHIM_INPUTS = 6, SHIM_OUTPUTS = 3 };

/* The numbers of a call; no addresses. */
struct shim_call {
    gecc_result result;
    gecc_curve curve;
    gecc_hash hash;
    gecc_hash nonce_hash;
    gecc_point_format point_format;
    uint32_t flags;
    size_t count;
    size_t modulus_bytes;
    size_t output_bytes;
    size_t stride[SHIM_INPUTS], width[SHIM_INPUTS];
    size_t out_stride[SHIM_OUTPUTS], least[SHIM_OUTPUTS], most[SHIM_OUTPUTS];
};

/* Each that can fail returns NULL, or the library's words in memory of malloc. The words are the thread's, and Go may
 * make its next call on another one. */
char *shim_open(gecc_context **context, const char *backend, const char *device, const gecc_config *config,
                gecc_result *result);

/* Sets call->least and ->most: of each output the widths that its rows can have. */
void shim_widths(struct shim_call *call, const gecc_operation *operation, gecc_keys *keys, const uint8_t *modulus);

/* Runs the operation. A column whose data is NULL is left out. */
char *shim_run(struct shim_call *call, gecc_context *context, const gecc_operation *operation, gecc_keys *keys,
               const uint8_t *modulus, const uint8_t *data0, const uint32_t *widths0, const uint64_t *offsets0,
               const uint8_t *data1, const uint32_t *widths1, const uint64_t *offsets1, const uint8_t *data2,
               const uint32_t *widths2, const uint64_t *offsets2, const uint8_t *data3, const uint32_t *widths3,
               const uint64_t *offsets3, const uint8_t *data4, const uint32_t *widths4, const uint64_t *offsets4,
               const uint8_t *data5, const uint32_t *widths5, const uint64_t *offsets5, uint8_t *out0,
               uint32_t *out_widths0, uint8_t *out1, uint32_t *out_widths1, uint8_t *out2, uint32_t *out_widths2,
               uint8_t *status);

/* gecc_keys_open and, where *keys is a set, gecc_keys_add; the keys are column 0 of the call. */
char *shim_keys(struct shim_call *call, gecc_context *context, gecc_keys **keys, size_t *first,
                const gecc_keys_config *config, const uint8_t *data, const uint32_t *widths, const uint64_t *offsets,
                uint8_t *status);

/* Whether the machine has so many bytes and gives them: Go ends a program that asks for more. */
int shim_has_room(size_t bytes);

#endif
