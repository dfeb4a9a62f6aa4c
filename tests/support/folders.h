/* Where tests find what they read: files of the repository, and cases with known answers that were written for them. */
#ifndef TESTS_SUPPORT_FOLDERS_H
#define TESTS_SUPPORT_FOLDERS_H

#include <stddef.h>

enum { NOT_RUN = 77, PATH_BYTES = 4096 };

/* A file of the repository, as "tests/data/small_groups.json". */
const char *repository_path(char path[PATH_BYTES], const char *file);
/* A file of the folder that tests/known_answers/write.py fills: the one that GECC_ANSWERS names, or the build
 * tree's. */
const char *answers_path(char path[PATH_BYTES], const char *file);
/* The folder that an environment variable names, or NULL and a line that says why a test is not run. */
const char *data_folder(const char *variable);

#endif
