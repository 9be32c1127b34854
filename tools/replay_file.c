/* Reads captures, whose lines src/capture/format.h describes. */
#include "console.h"
#include "csv.h"
#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 20

/* The words of a line, without the comment. */
typedef struct Words
{
    char *list[MOST_WORDS];
    int count;
} Words;

static bool read_words(Csv *csv, Words *words)
{
    CsvState state = csv_read(csv);
    if (state != CSV_LINE)
    {
        return state == CSV_END ? csv_wrong(csv, "the file ends too early"), false : false;
    }
    csv->text[strcspn(csv->text, "#")] = '\0';
    words->count = 0;
    for (char *at = csv->text; *(at += strspn(at, " \t")); words->count++)
    {
        if (words->count == MOST_WORDS)
        {
            csv_wrong(csv, "more than %d words in a line", MOST_WORDS);
            return false;
        }
        words->list[words->count] = at;
        at += strcspn(at, " \t");
        at += *at ? (*at = '\0', 1) : 0;
    }
    return true;
}

/* ---- Numbers. ---- */

static bool parse_whole(const char *text, int base, uint64_t limit, uint64_t *out)
{
    const char *digits = base == 10 ? "0123456789" : "0123456789abcdef";
    size_t length = strlen(text);
    if (length == 0 || length > 20 || strspn(text, digits) != length)
    {
        return false;
    }
    errno = 0;
    *out = strtoull(text, NULL, base);
    return errno == 0 && *out <= limit;
}

static bool parse_real(const char *text, double *out)
{
    size_t length = strlen(text);
    char *end;
    if (length == 0 || length > 40 || strspn(text, "0123456789abcdefABCDEFxXpP+-.") != length)
    {
        return false;
    }
    *out = strtod(text, &end);
    return *end == '\0' && end != text && isfinite(*out);
}

static bool parse_float(const char *text, float *out)
{
    uint64_t bits;
    double value;
    if (strncmp(text, "bits:", 5) == 0 && parse_whole(text + 5, 16, UINT32_MAX, &bits))
    {
        uint32_t half = (uint32_t)bits;
        memcpy(out, &half, sizeof half);
        return true;
    }
    if (!parse_real(text, &value) || fabs(value) >= 0x1.ffffffp127)
    {
        return false;
    }
    *out = (float)value;
    return true;
}

static bool parse_double(const char *text, double *out)
{
    uint64_t bits;
    if (strncmp(text, "bits:", 5) == 0 && parse_whole(text + 5, 16, UINT64_MAX, &bits))
    {
        memcpy(out, &bits, sizeof bits);
        return true;
    }
    return parse_real(text, out);
}

/* Writes the i-th number of a field of this kind to its place. */
static bool parse_into(const char *text, CaptureKind kind, void *field, uint32_t i)
{
    static const uint64_t limits[] = {
        [CAPTURE_16] = UINT16_MAX, [CAPTURE_32] = UINT32_MAX, [CAPTURE_64] = UINT64_MAX};
    uint64_t whole = 0;
    if (kind == CAPTURE_FLOAT)
    {
        return parse_float(text, (float *)field + i);
    }
    if (kind == CAPTURE_DOUBLE)
    {
        return parse_double(text, (double *)field + i);
    }
    if (!parse_whole(text, 10, limits[kind], &whole))
    {
        return false;
    }
    switch (kind)
    {
    case CAPTURE_16:
        ((uint16_t *)field)[i] = (uint16_t)whole;
        break;
    case CAPTURE_32:
        ((uint32_t *)field)[i] = (uint32_t)whole;
        break;
    default:
        ((uint64_t *)field)[i] = whole;
        break;
    }
    return true;
}

/* ---- Lines. ---- */

static bool read_field(Csv *csv, const CaptureField *field, void *structure)
{
    Words words;
    if (!read_words(csv, &words))
    {
        return false;
    }
    if (words.count == 0 || strcmp(words.list[0], field->name) != 0)
    {
        csv_wrong(csv, "'%s' is expected here, not '%.40s'", field->name, words.count ? words.list[0] : "");
        return false;
    }
    if (words.count != (int)field->count + 1)
    {
        csv_wrong(csv, "%s takes %u number%s, not %d", field->name, field->count,
                  field->count == 1 ? "" : "s", words.count - 1);
        return false;
    }
    for (uint32_t i = 0; i < field->count; i++)
    {
        if (!parse_into(words.list[i + 1], field->kind, (char *)structure + field->offset, i))
        {
            csv_wrong(csv, "%s cannot be '%.40s'", field->name, words.list[i + 1]);
            return false;
        }
    }
    return true;
}

static bool read_fields(Csv *csv, const CaptureField *fields, size_t count, void *structure)
{
    for (size_t i = 0; i < count; i++)
    {
        if (!read_field(csv, &fields[i], structure))
        {
            return false;
        }
    }
    return true;
}

static bool read_triangle(Csv *csv, ReplayTriangle *out)
{
    Words words;
    uint64_t number = 0, surface = 0;
    if (!read_words(csv, &words))
    {
        return false;
    }
    bool good = words.count == 12 && strcmp(words.list[0], "triangle") == 0 &&
                parse_whole(words.list[1], 10, UINT32_MAX, &number) &&
                parse_whole(words.list[2], 10, UINT16_MAX, &surface);
    for (int i = 0; i < 9 && good; i++)
    {
        good = parse_float(words.list[i + 3], &out->corners[i]);
    }
    out->number = (uint32_t)number;
    out->surface = (uint16_t)surface;
    if (!good)
    {
        csv_wrong(csv, "expected is 'triangle NUMBER SURFACE' and nine coordinates");
    }
    return good;
}

/* ---- Blocks. ---- */

static void *grow(void *list, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
    {
        return list;
    }
    uint32_t larger = *capacity ? 2 * *capacity : 64;
    void *moved = larger > *capacity ? realloc(list, larger * size) : NULL;
    *capacity = moved ? larger : *capacity;
    return moved;
}

/* Memory grows line by line, because the count in the file may be wrong. */
static bool read_triangles(Csv *csv, Replay *replay, const ReplayInstance *instance)
{
    for (uint32_t i = 0; i < instance->as.triangle_count; i++)
    {
        ReplayTriangle triangle = {.number = 0};
        if (!read_triangle(csv, &triangle))
        {
            return false;
        }
        if (i > 0 && triangle.number <= replay->triangles[replay->triangle_count - 1].number)
        {
            csv_wrong(csv, "the numbers of an instance's triangles must ascend");
            return false;
        }
        ReplayTriangle *list =
            grow(replay->triangles, replay->triangle_count, &replay->triangle_capacity, sizeof *list);
        if (!list)
        {
            csv_wrong(csv, "not enough memory for this many triangles");
            return false;
        }
        replay->triangles = list;
        replay->triangles[replay->triangle_count++] = triangle;
    }
    return true;
}

static bool read_instance(Csv *csv, Replay *replay)
{
    ReplayInstance instance = {.first = replay->triangle_count};
    if (!read_fields(csv, capture_instance_fields, CAPTURE_FIELD_COUNT(capture_instance_fields),
                     &instance.as))
    {
        return false;
    }
    uint32_t count = replay->instance_count;
    if (count > 0 && instance.as.id.index <= replay->instances[count - 1].as.id.index)
    {
        csv_wrong(csv, "the ids of instances must ascend");
        return false;
    }
    ReplayInstance *list = grow(replay->instances, count, &replay->instance_capacity, sizeof *list);
    if (!list)
    {
        csv_wrong(csv, "not enough memory for this many instances");
        return false;
    }
    replay->instances = list;
    replay->instances[replay->instance_count++] = instance;
    return read_triangles(csv, replay, &instance);
}

static bool read_word(Csv *csv, char word[16])
{
    Words words;
    if (!read_words(csv, &words))
    {
        return false;
    }
    word[0] = '\0';
    strncat(word, words.count == 1 ? words.list[0] : "", 15);
    return true;
}

static bool expect_word(Csv *csv, const char *expected)
{
    char word[16];
    if (!read_word(csv, word))
    {
        return false;
    }
    if (strcmp(word, expected) != 0)
    {
        csv_wrong(csv, "'%s' is expected here", expected);
        return false;
    }
    return true;
}

/* Reads blocks that begin with the line WORD. */
static bool read_blocks(Csv *csv, const char *word, const CaptureField *fields, size_t field_count,
                        void *structures, size_t size, uint32_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++)
    {
        good = expect_word(csv, word) && read_fields(csv, fields, field_count, (char *)structures + i * size);
    }
    return good;
}

static bool read_neighbours(Csv *csv, Replay *replay)
{
    uint32_t count = replay->head.neighbour_count;
    if (count > CAPTURE_NEIGHBOURS)
    {
        csv_wrong(csv, "more neighbours than an agent has");
        return false;
    }
    return read_blocks(csv, "neighbour", capture_neighbour_fields,
                       CAPTURE_FIELD_COUNT(capture_neighbour_fields), replay->neighbours,
                       sizeof *replay->neighbours, count);
}

/* Reads instances up to the line that begins the result. */
static bool read_world(Csv *csv, Replay *replay)
{
    char word[16];
    while (read_word(csv, word))
    {
        if (strcmp(word, "result") == 0)
        {
            return true;
        }
        if (strcmp(word, "instance") != 0)
        {
            csv_wrong(csv, "'instance' or 'result' is expected here");
            return false;
        }
        if (!read_instance(csv, replay))
        {
            return false;
        }
    }
    return false;
}

static bool read_result(Csv *csv, Replay *replay)
{
    if (!read_fields(csv, capture_result_fields, CAPTURE_FIELD_COUNT(capture_result_fields), &replay->result))
    {
        return false;
    }
    if (replay->result.contact_count > SIDLE_MAX_AGENT_CONTACTS)
    {
        csv_wrong(csv, "more contacts than an agent keeps");
        return false;
    }
    return read_blocks(csv, "contact", capture_contact_fields, CAPTURE_FIELD_COUNT(capture_contact_fields),
                       replay->contacts, sizeof *replay->contacts, replay->result.contact_count) &&
           expect_word(csv, "end");
}

static bool read_version(Csv *csv)
{
    Words words;
    if (!read_words(csv, &words))
    {
        return false;
    }
    if (words.count != 3 || strcmp(words.list[0], "sidle") != 0 || strcmp(words.list[1], "capture") != 0)
    {
        csv_wrong(csv, "this is no capture: the first line must be 'sidle capture %d'",
                  SIDLE_CAPTURE_VERSION);
        return false;
    }
    uint64_t version;
    if (!parse_whole(words.list[2], 10, UINT64_MAX, &version) || version != SIDLE_CAPTURE_VERSION)
    {
        csv_wrong(csv, "a capture of version %.40s; this program reads version %d", words.list[2],
                  SIDLE_CAPTURE_VERSION);
        return false;
    }
    return true;
}

bool replay_read(const char *path, Replay *replay, char *message, int message_size)
{
    Csv csv;
    *replay = (Replay){.instances = NULL};
    if (!csv_open(&csv, path, message, message_size))
    {
        return false;
    }
    bool good =
        read_version(&csv) &&
        read_fields(&csv, capture_head_fields, CAPTURE_FIELD_COUNT(capture_head_fields), &replay->head) &&
        read_neighbours(&csv, replay) && read_world(&csv, replay) && read_result(&csv, replay);
    csv_close(&csv);
    if (!good)
    {
        replay_free(replay);
    }
    return good;
}
