#include "agents.h"

#include "console.h"
#include "csv.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

#define FIELD_COUNT 8
#define COLUMNS     "x,y,z,rx,ry,rz,half_height,seed"

void agents_free(Agents *agents)
{
    free(agents->list);
    free(agents->shapes);
    *agents = (Agents){0};
}

static bool parse_fields(Csv *csv, char *fields[FIELD_COUNT], double numbers[FIELD_COUNT - 1], uint32_t *seed)
{
    static const char *const names[FIELD_COUNT] = {"x", "y", "z", "rx", "ry", "rz", "half_height", "seed"};
    for (int i = 0; i < FIELD_COUNT; i++)
    {
        bool is_seed = i == FIELD_COUNT - 1;
        if (!(is_seed ? parse_count(fields[i], 0, UINT32_MAX, seed) : parse_number(fields[i], &numbers[i])))
        {
            csv_wrong(csv, "%s '%.40s' is no %s", names[i], fields[i],
                      is_seed ? "whole number from 0 to 4294967295" : "finite number");
            return false;
        }
    }
    for (int i = 3; i < 6; i++)
    {
        if (!(numbers[i] > 0))
        {
            csv_wrong(csv, "the radius %s is not above 0", names[i]);
            return false;
        }
    }
    return numbers[6] >= 0 || csv_wrong(csv, "half_height is below 0") == CSV_LINE;
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

/* Files mostly hold runs of one shape, so the search begins with the newest. It is linear, which is enough
 * for a crowd's few shapes; the limit of profiles bounds it. */
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

static CsvState add_agent(Csv *csv, const double n[FIELD_COUNT - 1], uint32_t seed, Agents *agents)
{
    Agent agent = {{n[0], n[1], n[2]}, seed, 0};
    sidle_shape shape = {{(float)n[3], (float)n[4], (float)n[5]}, (float)n[6]};
    if (agents->count == SIDLE_MAX_AGENTS)
    {
        return csv_wrong(csv, "more agents than the limit of 16777216");
    }
    void *list = agents->list;
    bool fits = reserve(&list, &agents->capacity, agents->count, sizeof agent);
    agents->list = list;
    if (!fits || !find_shape(agents, &shape, &agent.shape))
    {
        return csv_wrong(csv, "not enough memory for this many agents");
    }
    if (agents->shape_count > SIDLE_MAX_PROFILES)
    {
        return csv_wrong(csv, "more different shapes than the limit of 65536");
    }
    agents->list[agents->count++] = agent;
    return CSV_LINE;
}

static CsvState read_agent(Csv *csv, Agents *agents)
{
    char *fields[FIELD_COUNT];
    double numbers[FIELD_COUNT - 1];
    uint32_t seed;
    CsvState state = csv_read(csv);
    bool is_header = csv->line == 1 && state == CSV_LINE && strcmp(csv->text, COLUMNS) == 0;
    if (state != CSV_LINE || is_header || csv->text[0] == '\0')
    {
        return state;
    }
    if (!csv_split(csv, fields, FIELD_COUNT, COLUMNS) || !parse_fields(csv, fields, numbers, &seed))
    {
        return CSV_WRONG;
    }
    return add_agent(csv, numbers, seed, agents);
}

bool agents_read(const char *path, uint32_t wanted, Agents *agents, char *message, int message_size)
{
    *agents = (Agents){0};
    Csv csv;
    if (!csv_open(&csv, path, message, message_size))
    {
        return false;
    }
    CsvState state = CSV_LINE;
    while (state == CSV_LINE && (wanted == 0 || agents->count < wanted))
    {
        state = read_agent(&csv, agents);
    }
    csv_close(&csv);
    bool good = state != CSV_WRONG;
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
