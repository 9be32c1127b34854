/* Finds faults of OBJ files that Assimp does not report by line. */
#include "readers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ObjScan
{
    const char *name;
    char *message;
    int message_size;
    long line, vertex_count;
    /* Checked at the end, because faces may come before their vertices. */
    long greatest, greatest_line;
} ObjScan;

/* Reads the three numbers of a `v` line. Text that is no number is left to Assimp. */
static bool numbers_are_finite(const char *text, const char *end)
{
    for (int axis = 0; axis < 3 && text < end; ++axis)
    {
        char *after;
        double value = strtod(text, &after);
        if (after == text || after > end)
            return true;
        if (!isfinite((float)value))
            return false;
        text = after;
    }
    return true;
}

/* Reads the vertex numbers of an `f` line, `a/b/c` each: `a` counts from 1, or back from -1. */
static bool check_obj_face(ObjScan *scan, const char *text, const char *end)
{
    for (;;)
    {
        while (text < end && isspace((unsigned char)*text))
            ++text;
        char *after;
        long vertex = text < end ? strtol(text, &after, 10) : 0;
        if (text >= end || after == text)
            return true;
        if (vertex == 0 || vertex < -scan->vertex_count)
            return false;
        if (vertex > scan->greatest)
        {
            scan->greatest = vertex;
            scan->greatest_line = scan->line;
        }
        for (text = after; text < end && !isspace((unsigned char)*text);)
            ++text;
    }
}

static bool check_obj_line(ObjScan *scan, const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        ++text;
    bool has_value = end - text > 2 && (text[1] == ' ' || text[1] == '\t');
    if (has_value && text[0] == 'v')
    {
        ++scan->vertex_count;
        if (!numbers_are_finite(text + 2, end))
            return file_fail(scan->message, scan->message_size,
                             "%s:%ld: a coordinate of vertex %ld is not a finite number", scan->name,
                             scan->line, scan->vertex_count);
    }
    if (has_value && text[0] == 'f' && !check_obj_face(scan, text + 2, end))
        return file_fail(scan->message, scan->message_size,
                         "%s:%ld: the face uses a vertex that does not exist (%ld so far)", scan->name,
                         scan->line, scan->vertex_count);
    return true;
}

bool obj_check(const char *name, const FileBytes *file, char *message, int message_size)
{
    ObjScan scan = {.name = name, .message = message, .message_size = message_size};
    const char *text = (const char *)file->data, *file_end = text + file->size;
    while (text < file_end)
    {
        const char *end = memchr(text, '\n', (size_t)(file_end - text));
        end = end ? end : file_end;
        ++scan.line;
        if (!check_obj_line(&scan, text, end))
            return false;
        text = end + 1;
    }
    return scan.greatest <= scan.vertex_count ||
           file_fail(message, message_size, "%s:%ld: the face uses vertex %ld of only %ld", name,
                     scan.greatest_line, scan.greatest, scan.vertex_count);
}
