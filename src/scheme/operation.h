/* The table of operations.def, for code that needs to know what an operation takes and gives. Host code. */
#ifndef GECC_SCHEME_OPERATION_H
#define GECC_SCHEME_OPERATION_H

#include <gecc/operations.h>
#include <stdbool.h>

#include "scheme/job.h"

/* Which programs there are: one for each curve, each width of the modulus, or one. */
enum family { FAMILY_CURVE, FAMILY_SUMS, FAMILY_SM2, FAMILY_SECP256K1, FAMILY_CURVE25519, FAMILY_MOD, FAMILY_HASH };

/* By which scalars G is multiplied. */
enum base_scalars {
    BASE_SCALARS_NONE,
    BASE_SCALARS_SECRET,
    BASE_SCALARS_PUBLIC,
    BASE_SCALARS_KEYS,
    BASE_SCALARS_BY_FLAG
};

struct operation_info {
    gecc_operation described;
    enum family family;
    enum base_scalars base;
    const char *function;             /* the lane program */
    gecc_column in[JOB_INPUTS + 1];   /* until one without a name */
    gecc_column out[JOB_OUTPUTS + 1]; /* the same */
};

extern const struct operation_info gecc_operation_table[OPERATION_COUNT];

static inline const struct operation_info *operation_info(const struct job *job) {
    return &gecc_operation_table[job->operation];
}

/* Is a row of the job a group of terms? Only CPUs have programs for such jobs. */
static inline bool job_is_sums(const struct job *job) { return operation_info(job)->family == FAMILY_SUMS; }

/* Are inputs or intermediate values of the job secret? */
static inline bool job_has_secrets(const struct job *job) {
    gecc_secrecy secrecy = operation_info(job)->described.secrecy;
    return secrecy == GECC_SECRET || (secrecy == GECC_SECRET_BY_FLAG && (job->flags & GECC_PUBLIC_SCALARS) == 0);
}

enum { BASE_USES_SECRET = 1, BASE_USES_PUBLIC = 2, BASE_USES_KEYS = 4 };

/* By which scalars the job multiplies G: BASE_USES_*, or'ed. */
static inline unsigned job_base_uses(const struct job *job) {
    static const unsigned uses_of[] = {[BASE_SCALARS_NONE] = 0,
                                       [BASE_SCALARS_SECRET] = BASE_USES_SECRET,
                                       [BASE_SCALARS_PUBLIC] = BASE_USES_PUBLIC,
                                       [BASE_SCALARS_KEYS] = BASE_USES_KEYS};
    enum base_scalars base = operation_info(job)->base;
    if (base == BASE_SCALARS_BY_FLAG)
        base = (job->flags & GECC_PUBLIC_SCALARS) != 0 ? BASE_SCALARS_PUBLIC : BASE_SCALARS_SECRET;
    return uses_of[base] | ((job->flags & GECC_VERIFY_SIGNATURES) != 0 ? BASE_USES_PUBLIC : 0);
}

/* Has the operation an input of this kind? */
static inline bool operation_takes_kind(const struct operation_info *info, gecc_kind kind) {
    bool takes = false;
    for (unsigned i = 0; info->in[i].name != NULL; i++)
        takes |= info->in[i].kind == kind;
    return takes;
}

/* Is the column an input of this kind? false past the last one. */
static inline bool operation_takes(const struct operation_info *info, unsigned column, gecc_kind kind) {
    return info->in[column].name != NULL && info->in[column].kind == kind;
}

#endif
