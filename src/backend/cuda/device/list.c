#include "backend/cuda/device/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/device/open.h"

/* Every device that is usable; if none is, the reason is the first one's. */
static gecc_result take_all(struct device_list *list, const struct driver *driver, int count, char *reason,
                            size_t size) {
    char other[sizeof((gecc_backend_info *)NULL)->reason];
    gecc_result result = GECC_OK;
    for (int i = 0; i < count && list->count < DEVICES_MOST; i++) {
        gecc_result here = gecc_device_is_usable(driver, i, i == 0 ? reason : other, i == 0 ? size : sizeof other);
        if (here == GECC_OK)
            list->number[list->count++] = i;
        else if (i == 0)
            result = here;
    }
    return list->count != 0 ? GECC_OK : result;
}

/* The number that the text starts with, and in *end where it ends; -1: none, or none of `count`. */
static int read_number(const char *text, int count, const char **end) {
    char *rest;
    long number = strtol(text, &rest, 10);
    *end = rest;
    return *text >= '0' && *text <= '9' && number < count ? (int)number : -1;
}

/* Numbers with commas between them. */
static gecc_result take_named(struct device_list *list, const struct driver *driver, int count, const char *text,
                              char *reason, size_t size) {
    for (const char *at = text;; at++) {
        int number = read_number(at, count, &at);
        if (number < 0 || (*at != ',' && *at != 0)) {
            (void)snprintf(reason, size, "there is no device \"%.20s\": devices are 0 to %d", text, count - 1);
            return GECC_ERROR_NO_BACKEND;
        }
        if (list->count == DEVICES_MOST) {
            (void)snprintf(reason, size, "a context has at most %d devices", DEVICES_MOST);
            return GECC_ERROR_NO_BACKEND;
        }
        gecc_result result = gecc_device_is_usable(driver, number, reason, size);
        if (result != GECC_OK)
            return result;
        list->number[list->count++] = number;
        if (*at == 0)
            return GECC_OK;
    }
}

gecc_result gecc_device_list(struct device_list *list, const struct driver *driver, const char *text, char *reason,
                             size_t size) {
    const bool all = text == NULL || strcmp(text, "all") == 0;
    int count;
    *list = (struct device_list){.named = !all};
    gecc_result result = gecc_device_count(driver, &count, reason, size);
    if (result != GECC_OK)
        return result;
    return all ? take_all(list, driver, count, reason, size) : take_named(list, driver, count, text, reason, size);
}
