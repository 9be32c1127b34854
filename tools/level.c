#include "level.h"

#include "archive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* [Limit] of a mesh: a larger level could not be baked. */
#define LEVEL_ELEMENT_LIMIT 0x10000000u

static bool grow(void **array, uint32_t capacity, size_t element_size)
{
    if (capacity > SIZE_MAX / element_size)
        return false;
    void *larger = realloc(*array, (size_t)capacity * element_size);
    if (!larger)
        return false;
    *array = larger;
    return true;
}

static uint32_t next_capacity(uint32_t capacity)
{
    uint32_t next = capacity < 1024 ? 1024 : capacity + capacity / 2;
    return next < LEVEL_ELEMENT_LIMIT ? next : LEVEL_ELEMENT_LIMIT;
}

bool level_add_vertex(Level *level, double x, double y, double z, uint32_t *index)
{
    if (level->vertex_count == level->vertex_capacity)
    {
        uint32_t capacity = next_capacity(level->vertex_capacity);
        void *vertices = level->vertices;
        if (level->vertex_count >= capacity || !grow(&vertices, capacity, 3 * sizeof(double)))
            return false;
        level->vertices = vertices;
        level->vertex_capacity = capacity;
    }
    double *vertex = level->vertices + (size_t)level->vertex_count * 3;
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
    *index = level->vertex_count++;
    return true;
}

/* If the second array cannot grow, the first stays larger than the capacity. That is harmless. */
static bool grow_triangles(Level *level)
{
    uint32_t capacity = next_capacity(level->triangle_capacity);
    if (level->triangle_count >= capacity)
        return false;
    void *indices = level->indices;
    if (!grow(&indices, capacity, 3 * sizeof(uint32_t)))
        return false;
    level->indices = indices;
    void *surfaces = level->surfaces;
    if (!grow(&surfaces, capacity, sizeof(uint16_t)))
        return false;
    level->surfaces = surfaces;
    level->triangle_capacity = capacity;
    return true;
}

bool level_add_triangle(Level *level, uint32_t a, uint32_t b, uint32_t c, uint16_t surface)
{
    if (level->triangle_count == level->triangle_capacity && !grow_triangles(level))
        return false;
    uint32_t *triangle = level->indices + (size_t)level->triangle_count * 3;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    level->surfaces[level->triangle_count++] = surface;
    return true;
}

bool level_add_quad(Level *level, const double corners[4][3], uint16_t surface)
{
    uint32_t index[4];
    for (int i = 0; i < 4; ++i)
        if (!level_add_vertex(level, corners[i][0], corners[i][1], corners[i][2], &index[i]))
            return false;
    return level_add_triangle(level, index[0], index[1], index[2], surface) &&
           level_add_triangle(level, index[0], index[2], index[3], surface);
}

void level_free(Level *level)
{
    free(level->vertices);
    free(level->indices);
    free(level->surfaces);
    memset(level, 0, sizeof *level);
}

static bool contains_ignoring_case(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; ++text)
    {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == part[i])
            ++i;
        if (i == length)
            return true;
    }
    return false;
}

static bool is_quake3_name(const char *name)
{
    return file_name_ends(name, ".bsp") || file_name_ends(name, ".pk3") ||
           contains_ignoring_case(name, ".pk3:");
}

static bool options_are_usable(const LevelOptions *options, char *message, int message_size)
{
    if (!(options->scale >= 0 && options->scale <= LEVEL_MAX_SCALE))
        return file_fail(message, message_size, "the scale %g is not above 0 and at most %g", options->scale,
                         LEVEL_MAX_SCALE);
    if (options->up && options->up != 'x' && options->up != 'y' && options->up != 'z')
        return file_fail(message, message_size, "the up axis must be x, y or z");
    return true;
}

static bool load_by_name(const char *name, const LevelOptions *options, Level *level, char *message,
                         int message_size)
{
    if (strncmp(name, "gen:", 4) == 0)
    {
        if (options->scale > 0 || options->up)
            return file_fail(message, message_size,
                             "%s: a generated level is in metres with Y up; it takes no scale and no up axis",
                             name);
        return level_generate(name, level, message, message_size);
    }
    if (is_quake3_name(name))
        return level_read_quake3(name, options, level, message, message_size);
    if (!file_check(name, message, message_size))
        return false;
    if (file_name_ends(name, ".sidle"))
        return file_fail(message, message_size, "%s: already baked; a source level is needed here", name);
    return level_read_assimp(name, options, level, message, message_size);
}

bool level_load(const char *name, const LevelOptions *options, Level *level, char *message, int message_size)
{
    static const LevelOptions defaults = {0};
    memset(level, 0, sizeof *level);
    if (!options)
        options = &defaults;
    bool loaded = options_are_usable(options, message, message_size) &&
                  load_by_name(name, options, level, message, message_size);
    if (loaded && level->triangle_count == 0)
        loaded = file_fail(message, message_size, "%s: the level holds no triangles", name);
    if (!loaded)
    {
        level_free(level);
        return false;
    }
    size_t length = strlen(name);
    size_t kept = length < sizeof level->name ? length : sizeof level->name - 1;
    memcpy(level->name, name, kept);
    level->name[kept] = 0;
    return true;
}
