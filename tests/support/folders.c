#include "folders.h"

#include <stdio.h>
#include <stdlib.h>

static const char *join(char path[PATH_BYTES], const char *folder, const char *file) {
    (void)snprintf(path, PATH_BYTES, "%s/%s", folder, file);
    return path;
}

const char *repository_path(char path[PATH_BYTES], const char *file) { return join(path, REPOSITORY, file); }

const char *answers_path(char path[PATH_BYTES], const char *file) {
    const char *folder = getenv("GECC_ANSWERS");
    return join(path, folder && *folder ? folder : ANSWERS, file);
}

const char *data_folder(const char *variable) {
    const char *folder = getenv(variable);
    if (!folder || !*folder) {
        printf("not run: %s is not set\n", variable);
        return NULL;
    }
    return folder;
}
