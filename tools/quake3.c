/* Reads Quake 3 maps: the drawn faces of the world as triangles.
 *
 * The layout is that of id Software's GPL release of Quake III Arena (2005), qfiles.h: little-endian, with
 * a header of 17 lumps (offset, size), of which four are used here. Patches are grids of biquadratic Bezier
 * surfaces.
 *
 * Departures from the game:
 *
 * - Collision in the game runs on convex brushes. Here the drawn faces of model 0 (the world without its
 * doors and platforms) stand in for them. Sky is kept, because it closes the map.
 * - Patches have the same number of steps everywhere. Every row is evaluated from its own control points
 * alone, in a form that gives the same bits from either end. So patches that share a row of control points
 * share the tessellated points. */
#include "level.h"

#include "archive.h"
#include "readers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [Limit] Quake 3 itself stops at 2^19. A hostile file of a megabyte could name one large patch ten
 * thousand times. */
#define MAX_VERTICES (1u << 22)

enum
{
    LUMP_SHADERS = 1,
    LUMP_MODELS = 7,
    LUMP_VERTICES = 10,
    /* Three vertex numbers per triangle, counted from the face's first vertex. */
    LUMP_OFFSETS = 11,
    LUMP_FACES = 13,
    LUMP_COUNT = 17,

    SHADER_SIZE = 72,
    MODEL_SIZE = 40,
    VERTEX_SIZE = 44,
    OFFSET_SIZE = 4,
    FACE_SIZE = 104,

    FACE_POLYGON = 1,
    FACE_PATCH = 2,
    FACE_MESH = 3,
    FACE_BILLBOARD = 4,

    CONTENTS_SOLID = 0x1,
    CONTENTS_PLAYER_CLIP = 0x10000,
    SURFACE_NOT_SOLID = 0x4000,

    /* Steps of one Bezier span. An arch of a quarter circle with a radius of 3 m stays within 6 cm. */
    PATCH_STEPS = 4,
    PATCH_ROW_LIMIT = 1025
};

/* Quake's unit is an inch. Its world ends 128 * 1024 inches from the origin (qfiles.h). */
static const double QUAKE_UNIT = 0.0254;
static const double QUAKE_WORLD_LIMIT = 131072;

typedef struct Lump
{
    const unsigned char *data;
    uint32_t count; /* of elements */
} Lump;

typedef struct Map
{
    const char *name;
    Lump shaders, models, vertices, offsets, faces;
    Level *level;
    /* The vertex's number in the level + 1 for each vertex of the file; 0: not used yet. */
    uint32_t *level_vertex;
    uint32_t taken, patches, billboards, not_solid;
    char *message;
    int message_size;
} Map;

typedef struct Face
{
    uint32_t number, shader, type, first_vertex, vertex_count, first_offset, offset_count, width, height;
} Face;

static uint32_t read_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float read_float(const unsigned char *bytes)
{
    uint32_t word = read_word(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static bool fail(Map *map, const char *what)
{
    file_fail(map->message, map->message_size, "%s: %s", map->name, what);
    return false;
}

static bool fail_face(Map *map, const Face *face, const char *what)
{
    return file_fail(map->message, map->message_size, "%s: face %u %s", map->name, (unsigned)face->number,
                     what);
}

static bool open_lump(Map *map, const FileBytes *file, uint32_t number, uint32_t element_size, Lump *lump)
{
    const unsigned char *entry = file->data + 8 + (size_t)number * 8;
    uint32_t offset = read_word(entry), size = read_word(entry + 4);
    if (offset > file->size || size > file->size - offset)
        return file_fail(
            map->message, map->message_size,
            "%s: lump %u (offset %u, size %u) lies outside the file of %zu bytes: cut off or damaged",
            map->name, (unsigned)number, (unsigned)offset, (unsigned)size, file->size);
    if (size % element_size != 0)
        return file_fail(map->message, map->message_size, "%s: lump %u has %u bytes, not a multiple of %u",
                         map->name, (unsigned)number, (unsigned)size, (unsigned)element_size);
    lump->data = file->data + offset;
    lump->count = size / element_size;
    return true;
}

static bool open_map(Map *map, const FileBytes *file)
{
    if (file->size < 8 + LUMP_COUNT * 8 || memcmp(file->data, "IBSP", 4) != 0)
        return fail(map, "not a Quake 3 map (it does not begin with IBSP and a table of lumps)");
    if (read_word(file->data + 4) != 46)
        return file_fail(map->message, map->message_size,
                         "%s: version %u of the format; only 46 (Quake 3) is read", map->name,
                         (unsigned)read_word(file->data + 4));
    if (!open_lump(map, file, LUMP_SHADERS, SHADER_SIZE, &map->shaders) ||
        !open_lump(map, file, LUMP_MODELS, MODEL_SIZE, &map->models) ||
        !open_lump(map, file, LUMP_VERTICES, VERTEX_SIZE, &map->vertices) ||
        !open_lump(map, file, LUMP_OFFSETS, OFFSET_SIZE, &map->offsets) ||
        !open_lump(map, file, LUMP_FACES, FACE_SIZE, &map->faces))
        return false;
    if (map->models.count == 0)
        return fail(map, "the map has no world model");
    if (map->shaders.count > UINT16_MAX)
        return fail(map, "the map has more than 65535 shaders");
    map->level_vertex = calloc((size_t)map->vertices.count + 1, sizeof *map->level_vertex);
    return map->level_vertex ? true : fail(map, "out of memory");
}

static bool range_is_inside(uint32_t first, uint32_t count, uint32_t limit)
{
    return first <= limit && count <= limit - first;
}

static bool read_face(Map *map, uint32_t number, Face *face)
{
    const unsigned char *bytes = map->faces.data + (size_t)number * FACE_SIZE;
    *face = (Face){.number = number,
                   .shader = read_word(bytes),
                   .type = read_word(bytes + 8),
                   .first_vertex = read_word(bytes + 12),
                   .vertex_count = read_word(bytes + 16),
                   .first_offset = read_word(bytes + 20),
                   .offset_count = read_word(bytes + 24),
                   .width = read_word(bytes + 96),
                   .height = read_word(bytes + 100)};
    if (face->shader >= map->shaders.count)
        return fail_face(map, face, "names a shader that does not exist");
    if (!range_is_inside(face->first_vertex, face->vertex_count, map->vertices.count))
        return fail_face(map, face, "uses vertices outside the map's");
    if (!range_is_inside(face->first_offset, face->offset_count, map->offsets.count))
        return fail_face(map, face, "uses vertex offsets outside the map's");
    return true;
}

static bool is_solid(const Map *map, const Face *face)
{
    const unsigned char *shader = map->shaders.data + (size_t)face->shader * SHADER_SIZE;
    uint32_t surface = read_word(shader + 64), contents = read_word(shader + 68);
    return (contents & (CONTENTS_SOLID | CONTENTS_PLAYER_CLIP)) && !(surface & SURFACE_NOT_SOLID);
}

static bool read_point(Map *map, uint32_t vertex, double point[3])
{
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        point[axis] = (double)read_float(map->vertices.data + (size_t)vertex * VERTEX_SIZE + axis * 4);
        if (!(fabs(point[axis]) <= QUAKE_WORLD_LIMIT))
        {
            file_fail(map->message, map->message_size,
                      "%s: vertex %u is not a number, or lies outside the %.0f units of the game's world",
                      map->name, (unsigned)vertex, QUAKE_WORLD_LIMIT);
            return false;
        }
    }
    return true;
}

static bool add_point(Map *map, const double point[3], uint32_t *index)
{
    if (map->level->vertex_count == MAX_VERTICES)
    {
        return fail(map, "more than 4 million vertices once its patches are tessellated");
    }
    return level_add_vertex(map->level, point[0], point[1], point[2], index) || fail(map, "out of memory");
}

static bool add_triangle(Map *map, uint32_t a, uint32_t b, uint32_t c, uint32_t shader)
{
    return level_add_triangle(map->level, a, b, c, (uint16_t)shader) || fail(map, "out of memory");
}

/* A vertex is added when the first face uses it, so the level holds no unused vertices. */
static bool use_vertex(Map *map, uint32_t vertex, uint32_t *index)
{
    if (map->level_vertex[vertex] == 0)
    {
        double point[3];
        if (!read_point(map, vertex, point) || !add_point(map, point, index))
            return false;
        map->level_vertex[vertex] = *index + 1;
    }
    *index = map->level_vertex[vertex] - 1;
    return true;
}

static bool take_triangles(Map *map, const Face *face)
{
    if (face->offset_count % 3 != 0)
        return fail_face(map, face, "has vertex offsets that are not whole triangles");
    for (uint32_t i = 0; i < face->offset_count; i += 3)
    {
        uint32_t corner[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            uint32_t offset =
                read_word(map->offsets.data + ((size_t)face->first_offset + i + k) * OFFSET_SIZE);
            if (offset >= face->vertex_count)
                return fail_face(map, face, "has a triangle with a vertex outside the face");
            if (!use_vertex(map, face->first_vertex + offset, &corner[k]))
                return false;
        }
        /* Quake's fronts are clockwise. */
        if (!add_triangle(map, corner[0], corner[2], corner[1], face->shader))
            return false;
    }
    ++map->taken;
    return true;
}

/* B(t) = (1-t)^2 a + 2 t (1-t) b + t^2 c with t = step / PATCH_STEPS. The outer terms are added first, so
 * that the steps from c to a give the same bits. At the ends the point is the control point itself. */
static void bezier_point(const double a[3], const double b[3], const double c[3], uint32_t step,
                         double out[3])
{
    double t = step / (double)PATCH_STEPS, s = 1 - t;
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = (s * s * a[axis] + t * t * c[axis]) + 2 * s * t * b[axis];
}

/* Returns the point of grid column `column` and row `row`, both counted in steps from the patch's first
 * control point. */
static bool patch_point(Map *map, const Face *face, uint32_t column, uint32_t row, double point[3])
{
    uint32_t column_span = column / PATCH_STEPS, row_span = row / PATCH_STEPS;
    /* The last point ends the last span and begins none. */
    column_span -= column_span * 2 + 1 == face->width;
    row_span -= row_span * 2 + 1 == face->height;
    double along[3][3];
    for (uint32_t j = 0; j < 3; ++j)
    {
        double control[3][3];
        uint32_t first = face->first_vertex + (row_span * 2 + j) * face->width + column_span * 2;
        for (uint32_t i = 0; i < 3; ++i)
            if (!read_point(map, first + i, control[i]))
                return false;
        bezier_point(control[0], control[1], control[2], column - column_span * PATCH_STEPS, along[j]);
    }
    bezier_point(along[0], along[1], along[2], row - row_span * PATCH_STEPS, point);
    return true;
}

static bool same_point(const Map *map, uint32_t a, uint32_t b)
{
    return memcmp(map->level->vertices + (size_t)a * 3, map->level->vertices + (size_t)b * 3,
                  3 * sizeof(double)) == 0;
}

/* Cones and pointed arches have rows that shrink to a point. Their degenerate triangles are skipped. */
static bool add_patch_triangle(Map *map, uint32_t a, uint32_t b, uint32_t c, uint32_t shader)
{
    if (same_point(map, a, b) || same_point(map, b, c) || same_point(map, c, a))
        return true;
    return add_triangle(map, a, b, c, shader);
}

static bool check_patch(Map *map, const Face *face)
{
    uint32_t width = face->width, height = face->height;
    if (width < 3 || height < 3 || width > PATCH_ROW_LIMIT || height > PATCH_ROW_LIMIT || width % 2 == 0 ||
        height % 2 == 0 || width * height != face->vertex_count)
        return fail_face(map, face,
                         "is a patch whose control grid is not odd by odd or not as many vertices");
    return true;
}

static bool take_patch(Map *map, const Face *face)
{
    if (!check_patch(map, face))
        return false;
    uint32_t columns = face->width / 2 * PATCH_STEPS + 1, rows = face->height / 2 * PATCH_STEPS + 1;
    uint32_t base = map->level->vertex_count, index;
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t column = 0; column < columns; ++column)
        {
            double point[3];
            if (!patch_point(map, face, column, row, point) || !add_point(map, point, &index))
                return false;
        }
    for (uint32_t row = 0; row + 1 < rows; ++row)
        for (uint32_t column = 0; column + 1 < columns; ++column)
        {
            uint32_t a = base + row * columns + column, b = a + 1, c = b + columns, d = a + columns;
            if (!add_patch_triangle(map, a, b, c, face->shader) ||
                !add_patch_triangle(map, a, c, d, face->shader))
                return false;
        }
    ++map->patches;
    return true;
}

static bool take_face(Map *map, uint32_t number)
{
    Face face;
    if (!read_face(map, number, &face))
        return false;
    if (face.type == FACE_BILLBOARD)
        ++map->billboards;
    else if (face.type != FACE_POLYGON && face.type != FACE_MESH && face.type != FACE_PATCH)
        return fail_face(map, &face, "is of an unknown kind");
    else if (!is_solid(map, &face))
        ++map->not_solid;
    else
        return face.type == FACE_PATCH ? take_patch(map, &face) : take_triangles(map, &face);
    return true;
}

static bool take_world(Map *map)
{
    uint32_t first = read_word(map->models.data + 24), count = read_word(map->models.data + 28);
    if (!range_is_inside(first, count, map->faces.count))
        return fail(map, "the world model uses faces outside the map's");
    for (uint32_t i = 0; i < count; ++i)
        if (!take_face(map, first + i))
            return false;
    snprintf(map->level->report, sizeof map->level->report,
             "world faces: %u polygons and meshes taken, %u patches tessellated with %d steps a span; "
             "dropped: %u not solid, %u billboards; the faces of %u moving models were not read",
             (unsigned)map->taken, (unsigned)map->patches, PATCH_STEPS, (unsigned)map->not_solid,
             (unsigned)map->billboards, (unsigned)map->models.count - 1);
    return true;
}

bool quake3_read_bytes(const char *name, const FileBytes *file, const LevelOptions *options, Level *level,
                       char *message, int message_size)
{
    Map map = {.name = name, .level = level, .message = message, .message_size = message_size};
    bool read = open_map(&map, file) && take_world(&map);
    free(map.level_vertex);
    if (!read)
    {
        level_free(level);
        return false;
    }
    file_orient(level, options->scale > 0 ? options->scale : QUAKE_UNIT, options->up ? options->up : 'z');
    return true;
}

bool level_read_quake3(const char *name, const LevelOptions *options, Level *level, char *message,
                       int message_size)
{
    FileBytes file = {NULL, 0};
    bool read = archive_read_named(name, &file, message, message_size) &&
                quake3_read_bytes(name, &file, options, level, message, message_size);
    free(file.data);
    return read;
}
