#include "casts.h"

#include "console.h"
#include "csv.h"
#include "hash.h"
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS     "kind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height"
#define FIELD_COUNT 11

/* Indices of the numbers after the kind. */
enum
{
    ORIGIN = 0,
    DISPLACEMENT = 3,
    RADII = 6,
    HALF_HEIGHT = 9,
    NUMBER_COUNT = 10
};

typedef enum Kind
{
    RAY,
    BALL,
    ELLIPSOID,
    CAPSULE,
    KIND_COUNT
} Kind;

static const char *const kind_names[KIND_COUNT] = {"ray", "ball", "ellipsoid", "capsule"};

void casts_free(Casts *casts)
{
    free(casts->list);
    free(casts->hits);
    *casts = (Casts){0};
}

static Kind kind_of(const char *text)
{
    Kind kind = RAY;
    while (kind < KIND_COUNT && strcmp(text, kind_names[kind]) != 0)
    {
        kind++;
    }
    return kind;
}

/* Fields that a kind ignores may hold anything, even nothing. */
static bool is_read(Kind kind, int number)
{
    return number < RADII || (kind != RAY && (number == RADII || number == HALF_HEIGHT)) ||
           (kind == ELLIPSOID && number < HALF_HEIGHT);
}

static bool parse_numbers(Csv *csv, Kind kind, char *fields[], double numbers[NUMBER_COUNT])
{
    static const char *const names[NUMBER_COUNT] = {"ox", "oy", "oz", "dx", "dy",
                                                    "dz", "rx", "ry", "rz", "half_height"};
    for (int i = 0; i < NUMBER_COUNT; i++)
    {
        const char *text = fields[i + 1];
        numbers[i] = 0;
        if (!is_read(kind, i) || (i == HALF_HEIGHT && *text == '\0'))
        {
            continue;
        }
        if (!parse_number(text, &numbers[i]))
        {
            csv_wrong(csv, "%s '%.40s' is no finite number", names[i], text);
            return false;
        }
        /* 1e-50 is 0 as a float. */
        if (i >= RADII && i < HALF_HEIGHT && !((float)numbers[i] > 0))
        {
            csv_wrong(csv, "the radius %s is not above 0", names[i]);
            return false;
        }
    }
    return true;
}

static sidle_cast make_cast(Kind kind, const double n[NUMBER_COUNT])
{
    sidle_cast cast = {
        .origin = {n[ORIGIN], n[ORIGIN + 1], n[ORIGIN + 2]},
        .displacement = {(float)n[DISPLACEMENT], (float)n[DISPLACEMENT + 1], (float)n[DISPLACEMENT + 2]}};
    float x = (float)n[RADII];
    if (kind != RAY)
    {
        cast.shape = (sidle_shape){{x, x, x}, (float)n[HALF_HEIGHT]};
    }
    if (kind == ELLIPSOID)
    {
        cast.shape.radii = (sidle_vec3){x, (float)n[RADII + 1], (float)n[RADII + 2]};
    }
    return cast;
}

static bool reserve(Casts *casts)
{
    if (casts->count < casts->capacity)
    {
        return true;
    }
    uint32_t larger = casts->capacity ? 2 * casts->capacity : 1024;
    sidle_cast *moved = realloc(casts->list, larger * sizeof *moved);
    if (moved)
    {
        casts->list = moved;
        casts->capacity = larger;
    }
    return moved != NULL;
}

/* The library itself decides what it refuses. A cast in an empty world costs next to nothing. */
static CsvState add_cast(Csv *csv, Kind kind, const double numbers[NUMBER_COUNT],
                         const sidle_snapshot *nothing, Casts *casts)
{
    sidle_cast cast = make_cast(kind, numbers);
    sidle_cast_hit unused;
    if (cast.shape.half_height > 0 && kind != CAPSULE)
    {
        return csv_wrong(csv, "only a capsule has a half_height above 0");
    }
    sidle_status status = sidle_cast_closest(nothing, 0, &cast, &unused);
    if (status != SIDLE_OK)
    {
        return csv_wrong(csv, "this %s is out of range: %s", kind_names[kind], sidle_status_text(status));
    }
    if (casts->count == MAX_QUERIES)
    {
        return csv_wrong(csv, "more queries than the limit of %u", MAX_QUERIES);
    }
    if (!reserve(casts))
    {
        return csv_wrong(csv, "not enough memory for this many queries");
    }
    casts->list[casts->count++] = cast;
    return CSV_LINE;
}

static CsvState read_cast(Csv *csv, const sidle_snapshot *nothing, Casts *casts)
{
    char *fields[FIELD_COUNT];
    double numbers[NUMBER_COUNT];
    CsvState state = csv_read(csv);
    bool is_header = csv->line == 1 && state == CSV_LINE && strcmp(csv->text, COLUMNS) == 0;
    if (state != CSV_LINE || is_header || csv->text[0] == '\0')
    {
        return state;
    }
    if (!csv_split(csv, fields, FIELD_COUNT, COLUMNS))
    {
        return CSV_WRONG;
    }
    Kind kind = kind_of(fields[0]);
    if (kind == KIND_COUNT)
    {
        return csv_wrong(csv, "the kind '%.40s' is none of ray, ball, ellipsoid and capsule", fields[0]);
    }
    return parse_numbers(csv, kind, fields, numbers) ? add_cast(csv, kind, numbers, nothing, casts)
                                                     : CSV_WRONG;
}

static bool read_all(const char *path, const sidle_snapshot *nothing, Casts *casts, char *message,
                     int message_size)
{
    Csv csv;
    if (!csv_open(&csv, path, message, message_size))
    {
        return false;
    }
    CsvState state = CSV_LINE;
    while (state == CSV_LINE)
    {
        state = read_cast(&csv, nothing, casts);
    }
    csv_close(&csv);
    if (state == CSV_END && casts->count == 0)
    {
        return explain(message, message_size, "%s holds no queries", path);
    }
    casts->hits = calloc(casts->count ? casts->count : 1, sizeof *casts->hits);
    return state == CSV_END &&
           (casts->hits || explain(message, message_size, "Not enough memory for %u results", casts->count));
}

bool casts_read(const char *path, Casts *casts, char *message, int message_size)
{
    sidle_world *world;
    sidle_snapshot *nothing = NULL;
    *casts = (Casts){0};
    sidle_status status = sidle_world_create(NULL, NULL, &world);
    if (status != SIDLE_OK)
    {
        return explain(message, message_size, "%s", sidle_status_text(status));
    }
    sidle_world_snapshot(world, &nothing);
    bool good = read_all(path, nothing, casts, message, message_size);
    sidle_snapshot_release(nothing);
    sidle_world_destroy(world);
    if (!good)
    {
        casts_free(casts);
    }
    return good;
}

bool casts_write(const Casts *casts, FILE *file)
{
    fputs("hit,t,cx,cy,cz,nx,ny,nz,triangle,instance,surface\n", file);
    for (uint32_t i = 0; i < casts->count && !ferror(file); i++)
    {
        const sidle_cast_hit *hit = &casts->hits[i];
        fprintf(file, "%" PRIu32 ",%.17g,%.17g,%.17g,%.17g,%.9g,%.9g,%.9g,%" PRIu32 ",%" PRIu32 ",%u\n",
                hit->hit, hit->t, hit->point.x, hit->point.y, hit->point.z, (double)hit->normal.x,
                (double)hit->normal.y, (double)hit->normal.z, hit->triangle, hit->instance.index,
                (unsigned)hit->surface);
    }
    return !ferror(file);
}

uint64_t casts_hash(const Casts *casts)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < casts->count; i++)
    {
        const sidle_cast_hit *hit = &casts->hits[i];
        hash = hash_double(hash_bits(hash, hit->hit, 4), hit->t);
        hash = hash_double(hash_double(hash_double(hash, hit->point.x), hit->point.y), hit->point.z);
        hash = hash_float(hash_float(hash_float(hash, hit->normal.x), hit->normal.y), hit->normal.z);
        hash =
            hash_bits(hash_bits(hash_bits(hash, hit->triangle, 4), hit->instance.index, 4), hit->surface, 2);
    }
    return hash;
}
