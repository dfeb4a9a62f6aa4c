/* Which jobs have secrets: the column `secrets` of programs.def. */
#ifndef GECC_BACKEND_SECRETS_H
#define GECC_BACKEND_SECRETS_H

#include <stdbool.h>

#include "scheme/job.h"

static inline bool job_has_secrets(const struct job *job) {
    static const enum {
        SECRETS_NONE,
        SECRETS_ALWAYS,
        SECRETS_UNLESS_PUBLIC
    } secrets_of[OPERATION_COUNT] = {
#define PROGRAM(name, function, family, secrets, base) [OPERATION_##name] = secrets,
#include "scheme/programs.def"
#undef PROGRAM
    };
    bool is_public = secrets_of[job->operation] == SECRETS_UNLESS_PUBLIC && (job->flags & GECC_PUBLIC_SCALARS) != 0;
    return secrets_of[job->operation] != SECRETS_NONE && !is_public;
}

#endif
