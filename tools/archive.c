#include "archive.h"

#include "level.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef SIDLE_HAVE_ZIP
#include <ctype.h>
#include <zip.h>
#endif

bool file_fail(char *message, int message_size, const char *format, ...)
{
    if (message_size > 0)
    {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, (size_t)message_size, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool file_name_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

/* Opening a directory for reading succeeds on Linux and the first read fails. So the check reads. */
static FILE *open_checked(const char *path, char *message, int message_size)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
    {
        file_fail(message, message_size, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    int first = fgetc(file);
    if (first != EOF)
    {
        ungetc(first, file);
        return file;
    }
    if (ferror(file))
        file_fail(message, message_size, "%s: cannot be read: %s", path, strerror(errno));
    else
        file_fail(message, message_size, "%s: the file is empty", path);
    fclose(file);
    return NULL;
}

bool file_check(const char *path, char *message, int message_size)
{
    FILE *file = open_checked(path, message, message_size);
    if (!file)
        return false;
    fclose(file);
    return true;
}

/* Reads to the end instead of asking for the size first: that also works for pipes. */
static bool read_to_end(FILE *file, FileBytes *bytes)
{
    size_t capacity = (size_t)1 << 16;
    for (;;)
    {
        unsigned char *larger = realloc(bytes->data, capacity + 1);
        if (!larger)
            return false;
        bytes->data = larger;
        bytes->size += fread(bytes->data + bytes->size, 1, capacity - bytes->size, file);
        bytes->data[bytes->size] = 0;
        if (bytes->size < capacity)
            return !ferror(file);
        if (capacity >= FILE_SIZE_LIMIT)
        {
            errno = EFBIG;
            return false;
        }
        capacity *= 2;
    }
}

bool file_read(const char *path, FileBytes *out, char *message, int message_size)
{
    FILE *file = open_checked(path, message, message_size);
    if (!file)
        return false;
    FileBytes bytes = {NULL, 0};
    errno = 0;
    bool complete = read_to_end(file, &bytes);
    int reason = errno;
    fclose(file);
    if (!complete)
    {
        free(bytes.data);
        return file_fail(message, message_size, "%s: cannot be read: %s", path,
                         reason ? strerror(reason) : "input error");
    }
    *out = bytes;
    return true;
}

void file_orient(Level *level, double scale, char up)
{
    for (uint32_t i = 0; i < level->vertex_count; ++i)
    {
        double *vertex = level->vertices + (size_t)i * 3;
        double x = vertex[0] * scale, y = vertex[1] * scale, z = vertex[2] * scale;
        vertex[0] = up == 'x' ? -y : x;
        vertex[1] = up == 'x' ? x : up == 'z' ? z : y;
        vertex[2] = up == 'z' ? -y : z;
    }
}

#ifdef SIDLE_HAVE_ZIP

static bool matches_ignoring_case(const char *text, const char *other, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)other[i]))
            return false;
    return true;
}

/* The NAME inside `maps/NAME.bsp`, or false for any other path. */
static bool map_name_within(const char *path, const char **name, size_t *length)
{
    size_t path_length = strlen(path);
    if (path_length > 5 && matches_ignoring_case(path, "maps/", 5))
    {
        path += 5;
        path_length -= 5;
    }
    if (path_length > 4 && matches_ignoring_case(path + path_length - 4, ".bsp", 4))
        path_length -= 4;
    *name = path;
    *length = path_length;
    return path_length > 0;
}

static bool is_map_entry(const char *path)
{
    size_t length = strlen(path);
    return length > 9 && matches_ignoring_case(path, "maps/", 5) &&
           matches_ignoring_case(path + length - 4, ".bsp", 4);
}

static zip_int64_t find_map(zip_t *archive, const char *map)
{
    const char *wanted;
    size_t wanted_length;
    if (!map_name_within(map, &wanted, &wanted_length))
        return -1;
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; ++i)
    {
        const char *path = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        if (!path || !is_map_entry(path))
            continue;
        const char *name;
        size_t length;
        if (map_name_within(path, &name, &length) && length == wanted_length &&
            matches_ignoring_case(name, wanted, length))
            return i;
    }
    return -1;
}

/* Lists the maps that the user could have meant: "it holds a, b, c", as many as fit. */
static bool report_maps(zip_t *archive, const char *path, const char *map, char *message, int message_size)
{
    char list[160] = "";
    size_t used = 0;
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; ++i)
    {
        const char *entry = zip_get_name(archive, (zip_uint64_t)i, ZIP_FL_ENC_RAW);
        const char *name;
        size_t length;
        if (!entry || !is_map_entry(entry) || !map_name_within(entry, &name, &length))
            continue;
        if (used + length + 8 > sizeof list)
        {
            snprintf(list + used, sizeof list - used, ", ...");
            break;
        }
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", used ? ", " : "", (int)length, name);
    }
    if (list[0] == 0)
        return file_fail(message, message_size, "%s: the archive holds no maps", path);
    if (map[0] == 0)
        return file_fail(message, message_size, "%s: which map? write FILE.pk3:NAME; it holds %s", path,
                         list);
    return file_fail(message, message_size, "%s: the archive holds no map '%s'; it holds %s", path, map,
                     list);
}

static bool read_entry(zip_t *archive, zip_uint64_t index, FileBytes *out)
{
    zip_stat_t stat;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE) ||
        stat.size > FILE_SIZE_LIMIT)
        return false;
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    if (!file)
        return false;
    unsigned char *data = malloc((size_t)stat.size + 1);
    zip_int64_t got = data ? zip_fread(file, data, stat.size) : -1;
    /* The checksum is compared when a read meets the end, so ask for one byte more. */
    bool complete = got >= 0 && (zip_uint64_t)got == stat.size && zip_fread(file, &data[stat.size], 1) == 0;
    zip_fclose(file);
    if (!complete)
    {
        free(data);
        return false;
    }
    data[stat.size] = 0;
    *out = (FileBytes){data, (size_t)stat.size};
    return true;
}

bool archive_read_map(const char *path, const char *map, FileBytes *out, char *message, int message_size)
{
    if (!file_check(path, message, message_size))
        return false;
    int code = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
    if (!archive)
    {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        file_fail(message, message_size, "%s: not a readable zip archive: %s", path,
                  zip_error_strerror(&error));
        zip_error_fini(&error);
        return false;
    }
    zip_int64_t index = find_map(archive, map);
    bool read = index >= 0 && read_entry(archive, (zip_uint64_t)index, out);
    if (index < 0)
        report_maps(archive, path, map, message, message_size);
    else if (!read)
        file_fail(message, message_size, "%s: map '%s' is damaged inside the archive", path, map);
    zip_discard(archive);
    return read;
}

#else

bool archive_read_map(const char *path, const char *map, FileBytes *out, char *message, int message_size)
{
    (void)map;
    (void)out;
    return file_fail(message, message_size,
                     "%s: this build reads no archives; build it with libzip (Debian package libzip-dev)",
                     path);
}

#endif

/* The colon of `FILE.pk3:NAME` comes after the extension; a drive letter's colon comes before it. */
bool archive_read_named(const char *name, FileBytes *file, char *message, int message_size)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + 4 <= length; ++i)
    {
        bool is_end = i + 4 == length || name[i + 4] == ':';
        bool is_pk3 =
            name[i] == '.' && (name[i + 1] | 32) == 'p' && (name[i + 2] | 32) == 'k' && name[i + 3] == '3';
        if (!is_pk3 || !is_end)
            continue;
        char *path = malloc(length + 1);
        if (!path)
            return file_fail(message, message_size, "%s: out of memory", name);
        memcpy(path, name, i + 4);
        path[i + 4] = 0;
        bool read = archive_read_map(path, i + 4 == length ? "" : name + i + 5, file, message, message_size);
        free(path);
        return read;
    }
    return file_read(name, file, message, message_size);
}
