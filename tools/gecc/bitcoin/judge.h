/* Verdicts on the signatures and commitments of a batch whose digests are there. */
#ifndef TOOL_BITCOIN_JUDGE_H
#define TOOL_BITCOIN_JUDGE_H

#include "bitcoin/inputs.h"

/* Find which keys have made which signatures where that has to be tried; with inputs->verify, judge everything. */
void inputs_judge(struct inputs *inputs, gecc_context *context);

void signature_refuse(struct judged_signature *signature, const char *reason);
/* Refuse all signatures of an input. */
void input_refuse(struct inputs *inputs, const struct judged_input *input, const char *reason);

#endif
