#include "agents.h"

#include "console.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE   1024
#define FIELD_COUNT 8
#define COLUMNS     "x,y,z,rx,ry,rz,half_height,seed"

typedef struct Reader
{
    const char *path;
    FILE *file;
    uint64_t line;
    char text[LINE_SIZE];
    char *message;
    int message_size;
} Reader;

typedef enum LineState
{
    LINE_READ,
    LINE_END,
    LINE_WRONG
} LineState;

void agents_free(Agents *agents)
{
    free(agents->list);
    free(agents->shapes);
    *agents = (Agents){0};
}

static LineState wrong(Reader *reader, const char *what)
{
    explain(reader->message, reader->message_size, "%s:%llu: %s", reader->path,
            (unsigned long long)reader->line, what);
    return LINE_WRONG;
}

/* Not fgets: it neither tells a NUL in a line nor stops at what is no text at all. */
static LineState read_line(Reader *reader)
{
    size_t length = 0;
    int c;
    reader->line++;
    while ((c = getc(reader->file)) != EOF && c != '\n')
    {
        if (c == '\0')
        {
            return wrong(reader, "a zero byte where text is expected");
        }
        if (length + 1 == LINE_SIZE)
        {
            return wrong(reader, "the line is longer than 1023 characters");
        }
        reader->text[length++] = (char)c;
    }
    if (ferror(reader->file))
    {
        explain(reader->message, reader->message_size, "%s: %s", reader->path, strerror(errno));
        return LINE_WRONG;
    }
    if (length > 0 && reader->text[length - 1] == '\r')
    {
        length--;
    }
    reader->text[length] = '\0';
    return c == EOF && length == 0 ? LINE_END : LINE_READ;
}

/* Cuts the line at its commas, in place. */
static bool split(Reader *reader, char *fields[FIELD_COUNT])
{
    int count = 0;
    for (char *rest = reader->text; rest; count++)
    {
        char *comma = strchr(rest, ',');
        if (comma)
        {
            *comma = '\0';
        }
        if (count < FIELD_COUNT)
        {
            fields[count] = rest;
        }
        rest = comma ? comma + 1 : NULL;
    }
    if (count != FIELD_COUNT)
    {
        char what[128];
        snprintf(what, sizeof what, "%d field%s where 8 are needed (" COLUMNS ")", count,
                 count == 1 ? "" : "s");
        wrong(reader, what);
    }
    return count == FIELD_COUNT;
}

static bool parse_fields(Reader *reader, char *fields[FIELD_COUNT], double numbers[FIELD_COUNT - 1],
                         uint32_t *seed)
{
    static const char *const names[FIELD_COUNT] = {"x", "y", "z", "rx", "ry", "rz", "half_height", "seed"};
    char what[128];
    for (int i = 0; i < FIELD_COUNT; i++)
    {
        bool good = i == FIELD_COUNT - 1 ? parse_count(fields[i], 0, UINT32_MAX, seed)
                                         : parse_number(fields[i], &numbers[i]);
        if (!good)
        {
            snprintf(what, sizeof what, "%s '%.40s' is no %s", names[i], fields[i],
                     i == FIELD_COUNT - 1 ? "whole number from 0 to 4294967295" : "finite number");
            wrong(reader, what);
            return false;
        }
    }
    for (int i = 3; i < 6; i++)
    {
        if (!(numbers[i] > 0))
        {
            snprintf(what, sizeof what, "the radius %s is not above 0", names[i]);
            wrong(reader, what);
            return false;
        }
    }
    return numbers[6] >= 0 || wrong(reader, "half_height is below 0") == LINE_READ;
}

static bool reserve(void **array, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count < *capacity)
    {
        return true;
    }
    uint32_t larger = *capacity ? 2 * *capacity : 256;
    void *moved = realloc(*array, larger * size);
    if (!moved)
    {
        return false;
    }
    *array = moved;
    *capacity = larger;
    return true;
}

static bool same_shape(const sidle_shape *a, const sidle_shape *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Files mostly hold runs of one shape, so the last one is looked at first. A linear search is enough for a
 * crowd's few shapes; what makes it slow, thousands of shapes, ends at the limit of profiles. */
static bool find_shape(Agents *agents, const sidle_shape *shape, uint32_t *index)
{
    for (uint32_t i = agents->shape_count; i-- > 0;)
    {
        if (same_shape(&agents->shapes[i], shape))
        {
            *index = i;
            return true;
        }
    }
    void *shapes = agents->shapes;
    bool fits = reserve(&shapes, &agents->shape_capacity, agents->shape_count, sizeof *shape);
    agents->shapes = shapes;
    if (fits)
    {
        *index = agents->shape_count;
        agents->shapes[agents->shape_count++] = *shape;
    }
    return fits;
}

static LineState add_agent(Reader *reader, const double n[FIELD_COUNT - 1], uint32_t seed, Agents *agents)
{
    Agent agent = {{n[0], n[1], n[2]}, seed, 0};
    sidle_shape shape = {{(float)n[3], (float)n[4], (float)n[5]}, (float)n[6]};
    if (agents->count == SIDLE_MAX_AGENTS)
    {
        return wrong(reader, "more agents than the limit of 16777216");
    }
    void *list = agents->list;
    bool fits = reserve(&list, &agents->capacity, agents->count, sizeof agent);
    agents->list = list;
    if (!fits || !find_shape(agents, &shape, &agent.shape))
    {
        return wrong(reader, "not enough memory for this many agents");
    }
    if (agents->shape_count > SIDLE_MAX_PROFILES)
    {
        return wrong(reader, "more different shapes than the limit of 65536");
    }
    agents->list[agents->count++] = agent;
    return LINE_READ;
}

static LineState read_agent(Reader *reader, Agents *agents)
{
    char *fields[FIELD_COUNT];
    double numbers[FIELD_COUNT - 1];
    uint32_t seed;
    LineState state = read_line(reader);
    bool is_header = reader->line == 1 && state == LINE_READ && strcmp(reader->text, COLUMNS) == 0;
    if (state != LINE_READ || is_header || reader->text[0] == '\0')
    {
        return state;
    }
    if (!split(reader, fields) || !parse_fields(reader, fields, numbers, &seed))
    {
        return LINE_WRONG;
    }
    return add_agent(reader, numbers, seed, agents);
}

bool agents_read(const char *path, uint32_t wanted, Agents *agents, char *message, int message_size)
{
    *agents = (Agents){0};
    Reader reader = {.path = path, .message = message, .message_size = message_size};
    reader.file = fopen(path, "r");
    if (!reader.file)
    {
        return explain(message, message_size, "%s: %s", path, strerror(errno));
    }
    LineState state = LINE_READ;
    while (state == LINE_READ && (wanted == 0 || agents->count < wanted))
    {
        state = read_agent(&reader, agents);
    }
    fclose(reader.file);
    bool good = state != LINE_WRONG;
    if (good && agents->count == 0)
    {
        good = explain(message, message_size, "%s holds no agents", path);
    }
    else if (good && agents->count < wanted)
    {
        good = explain(message, message_size, "%s holds only %u of the %u agents that --agents asks for",
                       path, agents->count, wanted);
    }
    if (!good)
    {
        agents_free(agents);
    }
    return good;
}
