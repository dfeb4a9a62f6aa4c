#define _GNU_SOURCE /* memrchr */

#include "files/magic.h"
#include "files/decompress.h"

#include <string.h>
#include <strings.h>

#define OF_THE_PACKAGE "the program `gecc` of the Python package reads and writes it (docs/python.md)"

static const struct {
    const char *bytes;
    size_t size;
    const char *refusal;
} magics[] = {
    {"\x1f\x8b", 2, "compressed with gzip; decompress it: gzip -dc FILE | gecc ..."},
    {"\x28\xb5\x2f\xfd", 4, "compressed with zstd; decompress it: zstd -dc FILE | gecc ..."},
    {"BZh", 3, "compressed with bzip2; decompress it: bzip2 -dc FILE | gecc ..."},
    {"\xfd"
     "7zXZ",
     5, "compressed with xz; decompress it: xz -dc FILE | gecc ..."},
    {"\x04\x22\x4d\x18", 4, "compressed with lz4; decompress it: lz4 -dc FILE | gecc ..."},
    {"PK\x03\x04", 4, "a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV"},
    {"7z\xbc\xaf", 4, "an archive of 7-Zip; unpack it"},
    {"PAR1", 4, "Parquet; " OF_THE_PACKAGE},
    {"ARROW1", 6, "an Arrow file; " OF_THE_PACKAGE},
    {"\xff\xff\xff\xff", 4, "a stream of Arrow; " OF_THE_PACKAGE},
    {"ORC", 3, "ORC; write it as CSV or JSON Lines"},
    {"Obj\x01", 4, "Avro; write it as CSV or JSON Lines"},
    {"SQLite f", 8, "an SQLite database; write the table as CSV: sqlite3 -header -csv FILE 'select ...' | gecc ..."},
    {"%PDF", 4, "PDF, which is no table"},
    {"\xff\xfe", 2, "UTF-16; write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE | gecc ..."},
    {"\xfe\xff", 2, "UTF-16; write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE | gecc ..."},
};

const char *magic_refusal(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= magics[i].size && memcmp(text, magics[i].bytes, magics[i].size) == 0)
            return magics[i].refusal;
    /* Every other byte of ASCII in UTF-16 is a zero. */
    if (size >= 4 && text[0] && !text[1] && text[2] && !text[3])
        return "UTF-16 without a byte-order mark; write it as UTF-8: iconv -f UTF-16LE -t UTF-8 FILE | gecc ...";
    if (size >= 4 && !text[0] && text[1] && !text[2] && text[3])
        return "UTF-16 without a byte-order mark; write it as UTF-8: iconv -f UTF-16BE -t UTF-8 FILE | gecc ...";
    return NULL;
}

/* What files may be called, and why those are not written, or neither read nor written. */
static const char parquet[] = "Parquet; " OF_THE_PACKAGE, arrow[] = "Arrow; " OF_THE_PACKAGE,
                  compressed[] = "files are not written compressed; without -o: gecc ... | gzip > FILE",
                  other[] = "tables are written as CSV or JSON Lines, .csv or .jsonl";
static const struct {
    const char *ending, *refusal;
    bool may_be_read;
} endings[] = {
    {".parquet", parquet, false}, {".pq", parquet, false},    {".parq", parquet, false},   {".arrow", arrow, false},
    {".arrows", arrow, false},    {".feather", arrow, false}, {".ipc", arrow, false},      {".gz", compressed, true},
    {".gzip", compressed, true},  {".zst", compressed, true}, {".zstd", compressed, true}, {".bz2", compressed, true},
    {".xz", compressed, true},    {".lz4", compressed, true}, {".zip", compressed, true},  {".xlsx", other, true},
    {".xls", other, true},        {".ods", other, true},      {".orc", other, true},       {".avro", other, true}};

const char *name_refusal(const char *name, bool written) {
    size_t length;
    compression_of_name(name, &length);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i].ending), end = endings[i].may_be_read ? strlen(name) : length;
        if (end > size && strncasecmp(name + end - size, endings[i].ending, size) == 0)
            return written || !endings[i].may_be_read ? endings[i].refusal : NULL;
    }
    return NULL;
}

enum format format_of_name(const char *name) {
    static const struct name formats[] = {{".csv", FORMAT_CSV},
                                          {".jsonl", FORMAT_JSONL},
                                          {".ndjson", FORMAT_JSONL},
                                          {".json", FORMAT_JSONL},
                                          {".raw", FORMAT_RAW},
                                          {".bin", FORMAT_RAW},
                                          {NULL, 0}};
    size_t length;
    compression_of_name(name, &length);
    const char *ending = memrchr(name, '.', length);
    int format = ending ? name_find(formats, ending, (size_t)(name + length - ending)) : -1;
    return format < 0 ? FORMAT_UNKNOWN : (enum format)format;
}

size_t byte_order_mark(const char *text, size_t size) {
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
