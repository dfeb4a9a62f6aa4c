#define _GNU_SOURCE /* memrchr */

#include "rows/sd_jwt.h"
#include "text/base64.h"
#include "text/hash.h"
#include "text/json_names.h"

#include <stdlib.h>

enum {
    MOST_DEPTH = 32,    /* of objects and arrays in each other: each is walked over once more, and has its names */
    MOST_PARTS = 3,     /* of a disclosure */
    MOST_DIGESTS = 4096 /* and disclosures, each of which takes more memory than its text */
};

struct disclosure {
    char digest[SD_DIGEST_CHARACTERS + 1];
    bool used;
    size_t count;                         /* of its parts: 2 of an element, 3 of a member */
    struct json_member parts[MOST_PARTS]; /* the salt, of a member its name, the value */
};

struct sd {
    struct arena *arena;
    struct buffer *out;
    struct disclosure *disclosures; /* [count], by digest */
    size_t count;
    struct slice *digests; /* [digest_count], all that were met */
    size_t digest_count, digest_capacity;
};

static const char no_memory[] = "not enough memory";

void sd_digest(char digest[SD_DIGEST_CHARACTERS + 1], const char *text, size_t length) {
    uint8_t hash[HASH_BYTES];
    token_hash(hash, text, length);
    *base64_encode(digest, hash, sizeof hash, true) = 0;
}

bool presentation_split(struct presentation *presentation, const char *text, size_t length) {
    const char *first = memchr(text, '~', length), *last = first ? memrchr(text, '~', length) : NULL;
    if (!last)
        return false;
    *presentation = (struct presentation){{text, (size_t)(first - text)},
                                          {first + 1, (size_t)(last - first)},
                                          {last + 1, length - (size_t)(last + 1 - text)},
                                          {text, (size_t)(last + 1 - text)}};
    return true;
}

static bool is_name(const struct json_member *member, const char *word) {
    return json_string_is(member->name, member->name_length, member->name_escaped, word);
}

/* The JSON of a disclosure's text. */
static const char *read_parts(struct sd *sd, struct disclosure *disclosure, const char *text, size_t length) {
    struct json_walk walk;
    struct json_member element;
    size_t size = 0;
    uint8_t *bytes = arena_take(sd->arena, base64_decoded_most(length) + 1);
    if (!bytes)
        return no_memory;
    if (!length || text[length - 1] == '=' || !base64_decode(bytes, &size, text, length, true))
        return "a disclosure that is not base64url";
    if (!json_is_any((const char *)bytes, size))
        return "a disclosure that is not JSON";
    json_walk_init(&walk, (const char *)bytes, size);
    while (json_walk_next_element(&walk, &element)) {
        if (disclosure->count == MOST_PARTS)
            return "a disclosure that has not two or three parts";
        disclosure->parts[disclosure->count++] = element;
    }
    if (walk.reason || disclosure->count < 2)
        return "a disclosure that has not two or three parts";
    for (size_t i = 0; i + 1 < disclosure->count; i++)
        if (disclosure->parts[i].type != JSON_STRING_VALUE)
            return "a disclosure whose salt or name is no string";
    sd_digest(disclosure->digest, text, length);
    return NULL;
}

static int compare_disclosures(const void *a, const void *b) {
    return memcmp(((const struct disclosure *)a)->digest, ((const struct disclosure *)b)->digest, SD_DIGEST_CHARACTERS);
}

static const char *read_disclosures(struct sd *sd, struct slice text) {
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += text.text[i] == '~';
    if (count > MOST_DIGESTS)
        return "more than 4096 disclosures";
    sd->disclosures = arena_array(sd->arena, count + 1, sizeof *sd->disclosures);
    if (!sd->disclosures)
        return no_memory;
    for (const char *at = text.text, *end = at + text.length; at < end;) {
        const char *tilde = memchr(at, '~', (size_t)(end - at));
        const char *reason = read_parts(sd, &sd->disclosures[sd->count++], at, (size_t)(tilde - at));
        if (reason)
            return reason;
        at = tilde + 1;
    }
    qsort(sd->disclosures, sd->count, sizeof *sd->disclosures, compare_disclosures);
    return NULL;
}

/* Note a digest, and find its disclosure; NULL: there is none. */
static const char *take_digest(struct sd *sd, const struct json_member *value, struct disclosure **found) {
    struct slice digest;
    struct disclosure wanted;
    *found = NULL;
    if (value->type != JSON_STRING_VALUE)
        return "a digest that is no string";
    const char *reason = json_slice(sd->arena, &digest, value->value, value->value_length, value->value_escaped);
    if (reason)
        return reason;
    if (sd->digest_count == MOST_DIGESTS)
        return "more than 4096 digests";
    if (sd->digest_count == sd->digest_capacity) {
        const size_t capacity = 2 * sd->digest_capacity + 16;
        struct slice *more = arena_array(sd->arena, capacity, sizeof *more);
        if (!more)
            return no_memory;
        if (sd->digest_count)
            memcpy(more, sd->digests, sd->digest_count * sizeof *more);
        sd->digests = more;
        sd->digest_capacity = capacity;
    }
    sd->digests[sd->digest_count++] = digest;
    if (digest.length != SD_DIGEST_CHARACTERS)
        return NULL;
    memcpy(wanted.digest, digest.text, SD_DIGEST_CHARACTERS);
    *found = bsearch(&wanted, sd->disclosures, sd->count, sizeof wanted, compare_disclosures);
    if (*found && (*found)->used)
        return "a digest twice";
    if (*found)
        (*found)->used = true;
    return NULL;
}

static const char *put_value(struct sd *sd, const struct json_member *value, unsigned depth);

/* The comma before what comes behind `start`. */
static void put_comma(struct sd *sd, size_t start) {
    if (sd->out->used != start)
        buffer_put(sd->out, ",", 1);
}

/* A member of an object that began before `start`; where a disclosure has it, named like the member's value `name`. */
static const char *put_member(struct sd *sd, struct json_names *names, const struct json_member *member, size_t start,
                              unsigned depth) {
    static const char *const refusals[] = {[JSON_NAME_TWICE] = "a claim twice",
                                           [JSON_NAME_UNREADABLE] = "the name of a claim cannot be read",
                                           [JSON_NAME_TOO_MANY] = "more than 128 claims in an object"};
    const char *reason = refusals[json_names_add(names, member)];
    if (!reason && is_name(member, "_sd_alg"))
        reason = "a claim named _sd_alg that is not the token's own";
    if (reason)
        return reason;
    put_comma(sd, start);
    buffer_put(sd->out, member->name, member->name_length);
    buffer_put(sd->out, ":", 1);
    return put_value(sd, member, depth + 1);
}

static const char *put_disclosed(struct sd *sd, struct json_names *names, const struct json_member *digest,
                                 size_t start, unsigned depth) {
    struct disclosure *disclosure;
    const char *reason = take_digest(sd, digest, &disclosure);
    if (reason || !disclosure)
        return reason;
    if (disclosure->count != 3)
        return "a disclosure of an array's element, whose digest stands in an object";
    struct json_member member = disclosure->parts[2];
    member.name = disclosure->parts[1].value;
    member.name_length = disclosure->parts[1].value_length;
    member.name_escaped = disclosure->parts[1].value_escaped;
    if (is_name(&member, "_sd") || is_name(&member, "..."))
        return "a disclosure that names its claim _sd or ...";
    return put_member(sd, names, &member, start, depth);
}

static const char *put_members(struct sd *sd, struct json_names *names, const struct json_member *object,
                               unsigned depth) {
    const size_t start = sd->out->used;
    struct json_walk walk;
    struct json_member member, digests = {.value = NULL};
    bool has_algorithm = false;
    const char *reason = NULL;
    json_walk_init(&walk, object->value, object->value_length);
    while (!reason && json_walk_next(&walk, &member)) {
        if (is_name(&member, "...")) {
            reason = "a claim named ...";
        } else if (is_name(&member, "_sd")) {
            reason = digests.value ? "a claim twice" : *member.value != '[' ? "_sd is no array" : NULL;
            digests = member;
        } else if (depth == 0 && is_name(&member, "_sd_alg")) {
            if (has_algorithm)
                reason = "a claim twice";
            else if (member.type != JSON_STRING_VALUE ||
                     !json_string_is(member.value, member.value_length, member.value_escaped, "sha-256"))
                reason = "_sd_alg is not sha-256";
            has_algorithm = true;
        } else {
            reason = put_member(sd, names, &member, start, depth);
        }
    }
    if (reason || !digests.value)
        return reason;
    json_walk_init(&walk, digests.value, digests.value_length);
    while (!reason && json_walk_next_element(&walk, &member))
        reason = put_disclosed(sd, names, &member, start, depth);
    return reason;
}

static const char *put_object(struct sd *sd, const struct json_member *object, unsigned depth) {
    struct json_names names;
    names.count = 0;
    buffer_put(sd->out, "{", 1);
    const char *reason = put_members(sd, &names, object, depth);
    json_names_free(&names);
    buffer_put(sd->out, "}", 1);
    return reason;
}

/* Is the element {"...": digest}, and nothing else? */
static bool is_placeholder(const struct json_member *element, struct json_member *digest) {
    struct json_walk walk;
    struct json_member member;
    size_t count = 0;
    bool is = false;
    if (*element->value != '{')
        return false;
    json_walk_init(&walk, element->value, element->value_length);
    for (; json_walk_next(&walk, &member); count++) {
        is |= is_name(&member, "...");
        *digest = member;
    }
    return is && count == 1;
}

static const char *put_array(struct sd *sd, const struct json_member *array, unsigned depth) {
    struct json_walk walk;
    struct json_member element, digest;
    const char *reason = NULL;
    buffer_put(sd->out, "[", 1);
    const size_t start = sd->out->used;
    json_walk_init(&walk, array->value, array->value_length);
    while (!reason && json_walk_next_element(&walk, &element)) {
        struct disclosure *disclosure = NULL;
        const bool is_apart = is_placeholder(&element, &digest);
        if (is_apart)
            reason = take_digest(sd, &digest, &disclosure);
        if (reason || (is_apart && !disclosure))
            continue;
        if (disclosure && disclosure->count != 2)
            return "a disclosure of a claim, whose digest stands in an array";
        put_comma(sd, start);
        reason = put_value(sd, disclosure ? &disclosure->parts[1] : &element, depth + 1);
    }
    buffer_put(sd->out, "]", 1);
    return reason;
}

static const char *put_value(struct sd *sd, const struct json_member *value, unsigned depth) {
    if (depth > MOST_DEPTH)
        return "objects and arrays in each other deeper than 32";
    if (*value->value == '{')
        return put_object(sd, value, depth);
    if (*value->value == '[')
        return put_array(sd, value, depth);
    buffer_put(sd->out, value->value, value->value_length);
    return NULL;
}

static int compare_slices(const void *a, const void *b) {
    const struct slice *x = a, *y = b;
    const int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Each disclosure has a digest, and no digest stands twice, be there a disclosure of it or not. */
static const char *check_digests(struct sd *sd) {
    for (size_t i = 0; i < sd->count; i++)
        if (!sd->disclosures[i].used)
            return "a disclosure without a digest, or twice";
    if (sd->digest_count)
        qsort(sd->digests, sd->digest_count, sizeof *sd->digests, compare_slices);
    for (size_t i = 1; i < sd->digest_count; i++)
        if (slice_is(sd->digests[i - 1], sd->digests[i]))
            return "a digest twice";
    return NULL;
}

const char *sd_jwt_process(struct buffer *out, struct arena *arena, const struct presentation *presentation,
                           const char *payload, size_t size) {
    struct sd sd = {.arena = arena, .out = out};
    const struct json_member value = {.value = payload, .value_length = size, .type = JSON_OTHER_VALUE};
    if (!buffer_reserve(out, 1))
        return no_memory;
    if (!json_is_valid(payload, size))
        return "the payload is not a JSON object";
    const char *reason = read_disclosures(&sd, presentation->disclosures);
    if (!reason)
        reason = put_object(&sd, &value, 0);
    if (!reason)
        reason = check_digests(&sd);
    return reason ? reason : out->failed ? no_memory : NULL;
}
