/* Which jobs multiply G, and by what: the column `base` of programs.def. */
#ifndef GECC_BACKEND_BASE_USES_H
#define GECC_BACKEND_BASE_USES_H

#include "scheme/job.h"

enum { BASE_USES_SECRET = 1, BASE_USES_PUBLIC = 2 };

static inline unsigned job_base_uses(const struct job *job) {
    enum { USES_NONE = 0, USES_SECRET = BASE_USES_SECRET, USES_PUBLIC = BASE_USES_PUBLIC, USES_BY_FLAG = 4 };
    static const unsigned uses_of[OPERATION_COUNT] = {
#define PROGRAM(name, function, family, secrets, base) [OPERATION_##name] = USES_##base,
#include "scheme/programs.def"
#undef PROGRAM
    };
    unsigned uses = uses_of[job->operation];
    if (uses == USES_BY_FLAG)
        uses = (job->flags & GECC_PUBLIC_SCALARS) != 0 ? BASE_USES_PUBLIC : BASE_USES_SECRET;
    if ((job->flags & GECC_VERIFY_SIGNATURES) != 0)
        uses |= BASE_USES_PUBLIC;
    return uses;
}

#endif
