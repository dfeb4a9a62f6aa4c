#include "api/arguments.h"

#include <string.h>

#include "api/context.h"
#include "api/sized.h"

#define OR_FLAG(name, bit, text, what) | name
enum { KNOWN_FLAGS = 0 GECC_FLAG_LIST(OR_FLAG) };
#undef OR_FLAG

/* Do `count` rows, `stride` apart, fit in the address space? */
static bool extent_fits(size_t count, size_t stride, size_t width) {
    return width <= PTRDIFF_MAX && (count <= 1 || stride <= (PTRDIFF_MAX - width) / (count - 1));
}

bool gecc_on_device(const gecc_context *context, const void *address) {
    if (context == NULL || address == NULL)
        return false;
    const struct instance *instance = &context->instance;
    return instance->backend->on_device != NULL && instance->backend->on_device(instance->state, address);
}

static void check_status(struct call *call, gecc_out status, size_t count, size_t most) {
    if (count > most)
        refuse(call, "count: %zu rows are more than %s", count,
               most == UINT32_MAX ? "numbers of 32 bits count" : "memory can hold");
    else if (status.data == NULL && count != 0)
        refuse(call, "status: data is NULL");
    else if (status.widths != NULL)
        refuse(call, "status: widths is not NULL, and every status has one byte");
    else if ((status.stride == 0 && count > 1) || !extent_fits(count, status.stride, 1))
        refuse(call, "status: %zu rows cannot be %zu bytes apart", count, status.stride);
}

/* What an earlier call left in the statuses must not read as this one's. */
static void clear_status(gecc_out status, size_t count) {
    if (status.stride == 1 && count != 0)
        memset(status.data, GECC_ITEM_NOT_PROCESSED, count);
    else
        for (size_t i = 0; i < count; i++)
            ((uint8_t *)status.data)[i * status.stride] = GECC_ITEM_NOT_PROCESSED;
}

void gecc_take_status(struct call *call, gecc_context *context, gecc_out status, size_t count, size_t most) {
    call->context = context;
    call->job.status = status;
    call->job.count = count;
    check_status(call, status, count, most < ROWS_MOST ? most : ROWS_MOST);
    if (gecc_on_device(context, status.data))
        call->job.on_device = JOB_STATUS_ON_DEVICE;
    else if (call->result == GECC_OK)
        clear_status(status, count);
    if (context == NULL)
        refuse(call, "context is NULL");
}

void gecc_take_struct(struct call *call, const char *name, void *own, size_t own_bytes, size_t least, const void *given,
                      size_t size) {
    if (given != NULL && !gecc_sized_take(own, own_bytes, least, given, size))
        refuse(call, "%s: size is %zu, which this version (%s) does not know", name, size, gecc_version());
}

void gecc_take_report(struct call *call, const gecc_report *report) {
    if (report != NULL && report->size < sizeof report->size)
        refuse(call, "options: report's size is %zu", report->size);
}

/* The identifier of the lowest of the flags. */
static const char *flag_identifier(uint32_t flags) {
#define IDENTIFIER(name, bit, text, what)                                                                              \
    if ((flags & (name)) != 0)                                                                                         \
        return #name;
    GECC_FLAG_LIST(IDENTIFIER)
#undef IDENTIFIER
    return "no flag";
}

void gecc_take_flags(struct call *call, const char *operation, uint32_t flags, uint32_t meant, uint32_t ignored) {
    const uint32_t unknown = flags & ~(uint32_t)KNOWN_FLAGS, meaningless = flags & ~(meant | ignored);
    const uint32_t rules = flags & (uint32_t)(GECC_ACCEPT_REF10 | GECC_ACCEPT_STRICT | GECC_ACCEPT_ZIP215);
    if (unknown != 0)
        refuse(call, "options: flags has unknown bits: 0x%x", unknown);
    else if ((flags & GECC_LOW_S) != 0 && (flags & GECC_ANY_S) != 0)
        refuse(call, "options: flags has both GECC_LOW_S and GECC_ANY_S");
    else if ((flags & GECC_C1C2C3) != 0 && (flags & GECC_DER) != 0)
        refuse(call, "options: flags has both GECC_C1C2C3 and GECC_DER, whose SEQUENCE has one order");
    else if ((rules & (rules - 1)) != 0)
        refuse(call,
               "options: flags has more than one of GECC_ACCEPT_REF10, GECC_ACCEPT_STRICT and GECC_ACCEPT_ZIP215");
    else if (meaningless != 0)
        refuse(call, "options: flags has %s, which means nothing to %s", flag_identifier(meaningless), operation);
}

/* A width that the column's rows cannot all have. */
static void refuse_width(struct call *call, const gecc_column *column, const gecc_widths *widths, size_t width) {
    const char *kind = gecc_kind_name(column->kind), *article = strchr("aeioESx", kind[0]) != NULL ? "an" : "a";
    char text[96];
    refuse(call, "%s: rows of %zu bytes, where %s %s has %s", column->name, width, article, kind,
           gecc_widths_text(widths, text));
}

gecc_rows gecc_take_rows(struct call *call, const gecc_column *column, const gecc_widths *widths, gecc_rows rows,
                         size_t count) {
    const bool varies = rows.widths != NULL;
    if (rows.data == NULL) {
        if (count != 0 && (varies || rows.width != 0 || !gecc_widths_have(widths, 0)))
            refuse(call, "%s: data is NULL", column->name);
        return gecc_rows_same("", 0);
    }
    if (varies && column->kind == GECC_KIND_EXPONENT)
        refuse(call, "%s: widths is not NULL, and all rows of an exponent have one width", column->name);
    else if (!varies && !gecc_widths_have(widths, rows.width))
        refuse_width(call, column, widths, rows.width);
    else if (rows.offsets == NULL && !extent_fits(count, rows.stride, varies ? 0 : rows.width))
        refuse(call, "%s: %zu rows cannot be %zu bytes apart", column->name, count, rows.stride);
    return rows;
}

void gecc_take_out(struct call *call, const gecc_column *column, const gecc_widths *widths, gecc_out out,
                   size_t count) {
    if (out.data == NULL) {
        if (count != 0 && !column->is_optional)
            refuse(call, "%s: data is NULL", column->name);
    } else if (out.widths == NULL && widths->count == 0 && count != 0) {
        refuse(call, "%s: widths is NULL, and rows have widths of their own", column->name);
    } else if (out.stride < widths->most || !extent_fits(count, out.stride, widths->most)) {
        refuse(call, "%s: %zu rows of %zu bytes cannot be %zu bytes apart", column->name, count, widths->most,
               out.stride);
    }
}

void gecc_take_from_host(struct call *call, const char *name, const void *address) {
    if (gecc_on_device(call->context, address))
        refuse(call, "%s: in a GPU's memory", name);
}

void gecc_take_rows_from_host(struct call *call, const char *name, const gecc_rows *rows) {
    gecc_take_from_host(call, name, rows->data);
    gecc_take_from_host(call, name, rows->widths);
    gecc_take_from_host(call, name, rows->offsets);
}
