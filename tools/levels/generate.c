#include "generate.h"

#include "tools/archive.h"

#include <stdlib.h>
#include <string.h>

static const struct
{
    const char *name;
    uint32_t color;
} surfaces[SURFACE_COUNT] = {
    [SURFACE_PLAIN] = {"plain", 0xb0b0b0},
    [SURFACE_ROAD] = {"road", 0x55565a},
    [SURFACE_MARKING] = {"marking", 0xe8e6dc},
    [SURFACE_PAVEMENT] = {"pavement", 0xa9a49b},
    [SURFACE_KERB] = {"kerb", 0xc9c5bc},
    [SURFACE_PLASTER] = {"plaster", 0xe3d3b4},
    [SURFACE_BRICK] = {"brick", 0xa8604a},
    [SURFACE_STONE] = {"stone", 0x98938a},
    [SURFACE_GLASS] = {"glass", 0x7fa3b8},
    [SURFACE_DOOR] = {"door", 0x4f3a2c},
    [SURFACE_ROOF_FLAT] = {"flat roof", 0x8b8f92},
    [SURFACE_ROOF_TILES] = {"roof tiles", 0xb5523a},
    [SURFACE_ROOF_SLATE] = {"roof slate", 0x5d6672},
    [SURFACE_GRASS] = {"grass", 0x7c9f53},
    [SURFACE_EARTH] = {"earth", 0x8f7650},
    [SURFACE_ROCK] = {"rock", 0x85807a},
    [SURFACE_SAND] = {"sand", 0xd8c698},
    [SURFACE_SNOW] = {"snow", 0xf2f4f7},
    [SURFACE_WATER] = {"water", 0x4f86a8},
    [SURFACE_WOOD] = {"wood", 0x94683e},
    [SURFACE_METAL] = {"metal", 0x6c7278},
    [SURFACE_LEAVES] = {"leaves", 0x4d7a3a},
    [SURFACE_CLOTH] = {"cloth", 0xd98f3d},
    [SURFACE_PAINT_RED] = {"red paint", 0xb8312f},
    [SURFACE_PAINT_BLUE] = {"blue paint", 0x33598f},
    [SURFACE_PAINT_WHITE] = {"white paint", 0xe4e6e8},
    [SURFACE_RIM] = {"rim", 0x6f675c},
};

const char *surface_name(uint16_t surface)
{
    return surface < SURFACE_COUNT ? surfaces[surface].name : "unknown";
}

uint32_t surface_color(uint16_t surface)
{
    return surfaces[surface < SURFACE_COUNT ? surface : SURFACE_PLAIN].color;
}

/* Rotations by quarters are exact: coordinates only swap and change sign. */
static void turn(int turns, double *x, double *z)
{
    for (int i = 0; i < (turns & 3); ++i)
    {
        double old_x = *x;
        *x = *z;
        *z = -old_x;
    }
}

Frame frame_within(const Frame *outer, double x, double y, double z, int turns)
{
    turn(outer->turns, &x, &z);
    return (Frame){outer->x + x, outer->y + y, outer->z + z, (outer->turns + turns) & 3};
}

static double snap(double value)
{
    double scaled = value * 4096;
    return (double)(int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5) / 4096;
}

static uint32_t hash_point(const double *point)
{
    uint32_t hash = 0;
    for (int axis = 0; axis < 3; ++axis)
        hash = hash_mix(hash + (uint32_t)(int32_t)(point[axis] * 4096));
    return hash;
}

static uint32_t find_slot(const Build *build, const double *point)
{
    uint32_t slot = hash_point(point) & (build->table_size - 1);
    for (; build->table[slot]; slot = (slot + 1) & (build->table_size - 1))
    {
        const double *other = build->level->vertices + (size_t)(build->table[slot] - 1) * 3;
        if (other[0] == point[0] && other[1] == point[1] && other[2] == point[2])
            break;
    }
    return slot;
}

static bool grow_table(Build *build)
{
    uint32_t size = build->table_size ? build->table_size * 2 : 4096;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(build->table);
    build->table = table;
    build->table_size = size;
    for (uint32_t i = 0; i < build->level->vertex_count; ++i)
        table[find_slot(build, build->level->vertices + (size_t)i * 3)] = i + 1;
    return true;
}

uint32_t build_vertex(Build *build, const Frame *frame, double x, double y, double z)
{
    turn(frame->turns, &x, &z);
    double point[3] = {snap(frame->x + x), snap(frame->y + y), snap(frame->z + z)};
    if (build->level->vertex_count >= build->table_size / 2 && !grow_table(build))
        build->failed = true;
    if (build->failed)
        return 0;
    uint32_t slot = find_slot(build, point);
    if (build->table[slot])
        return build->table[slot] - 1;
    uint32_t index = 0;
    if (!level_add_vertex(build->level, point[0], point[1], point[2], &index))
        build->failed = true;
    else
        build->table[slot] = index + 1;
    return index;
}

bool build_has_vertex(const Build *build, double x, double y, double z, uint32_t *index)
{
    double point[3] = {snap(x), snap(y), snap(z)};
    uint32_t slot = build->table_size ? build->table[find_slot(build, point)] : 0;
    *index = slot - (slot > 0);
    return slot > 0;
}

void build_triangle(Build *build, uint32_t a, uint32_t b, uint32_t c, uint16_t surface)
{
    if (!build->failed && a != b && b != c && c != a && !level_add_triangle(build->level, a, b, c, surface))
        build->failed = true;
}

void build_polygon(Build *build, const Frame *frame, const double (*corners)[3], int count, uint16_t surface)
{
    uint32_t index[8];
    int kept = 0;
    for (int i = 0; i < count; ++i)
    {
        uint32_t vertex = build_vertex(build, frame, corners[i][0], corners[i][1], corners[i][2]);
        if (kept == 0 || (vertex != index[kept - 1] && vertex != index[0]))
            index[kept++] = vertex;
    }
    for (int i = 2; i < kept; ++i)
        build_triangle(build, index[0], index[i - 1], index[i], surface);
}

void build_box(Build *build, const Frame *frame, Box b, unsigned sides, uint16_t surface)
{
    const double corners[6][4][3] = {
        {{b.x0, b.y0, b.z0}, {b.x0, b.y0, b.z1}, {b.x0, b.y1, b.z1}, {b.x0, b.y1, b.z0}},
        {{b.x1, b.y0, b.z1}, {b.x1, b.y0, b.z0}, {b.x1, b.y1, b.z0}, {b.x1, b.y1, b.z1}},
        {{b.x0, b.y0, b.z0}, {b.x1, b.y0, b.z0}, {b.x1, b.y0, b.z1}, {b.x0, b.y0, b.z1}},
        {{b.x0, b.y1, b.z1}, {b.x1, b.y1, b.z1}, {b.x1, b.y1, b.z0}, {b.x0, b.y1, b.z0}},
        {{b.x1, b.y0, b.z0}, {b.x0, b.y0, b.z0}, {b.x0, b.y1, b.z0}, {b.x1, b.y1, b.z0}},
        {{b.x0, b.y0, b.z1}, {b.x1, b.y0, b.z1}, {b.x1, b.y1, b.z1}, {b.x0, b.y1, b.z1}},
    };
    for (int side = 0; side < 6; ++side)
        if (sides & 1u << side)
            build_polygon(build, frame, corners[side], 4, surface);
}

void build_boxes(Build *build, const Frame *frame, const BoxRow *rows, int count)
{
    for (int i = 0; i < count; ++i)
        build_box(build, frame, rows[i].box, SIDES_ALL, rows[i].surface);
}

/* The cosine of `step` sixteenths of a full turn. */
static double circle(int step)
{
    static const double quarter[5] = {1, 0.92387953251128674, 0.70710678118654752, 0.38268343236508977, 0};
    step &= 15;
    step = step > 8 ? 16 - step : step;
    return step > 4 ? -quarter[8 - step] : quarter[step];
}

void build_lathe(Build *build, const Frame *frame, const Outline *outline, int count, int sides,
                 uint16_t surface)
{
    int stride = 16 / sides;
    for (int side = 0; side < sides; ++side)
    {
        double c0 = circle(side * stride), s0 = circle(side * stride - 4);
        double c1 = circle((side + 1) * stride), s1 = circle((side + 1) * stride - 4);
        for (int i = 1; i < count; ++i)
        {
            Outline low = outline[i - 1], high = outline[i];
            const double corners[4][3] = {{low.out * c0, low.y, low.out * s0},
                                          {high.out * c0, high.y, high.out * s0},
                                          {high.out * c1, high.y, high.out * s1},
                                          {low.out * c1, low.y, low.out * s1}};
            build_polygon(build, frame, corners, 4, surface);
        }
    }
}

static double not_negative(double value)
{
    return value > 0 ? value : 0;
}

void build_moulding(Build *build, const Frame *frame, double half_x, double half_z, const Outline *outline,
                    int count, uint16_t surface)
{
    for (int side = 0; side < 4; ++side)
    {
        Frame facing = frame_within(frame, 0, 0, 0, side);
        double along = side & 1 ? half_z : half_x, across = side & 1 ? half_x : half_z;
        for (int i = 1; i < count; ++i)
        {
            Outline low = outline[i - 1], high = outline[i];
            double x0 = not_negative(along + low.out), z0 = not_negative(across + low.out);
            double x1 = not_negative(along + high.out), z1 = not_negative(across + high.out);
            const double corners[4][3] = {
                {-x0, low.y, z0}, {x0, low.y, z0}, {x1, high.y, z1}, {-x1, high.y, z1}};
            build_polygon(build, &facing, corners, 4, surface);
        }
    }
}

void build_extrusion(Build *build, const Frame *frame, double x0, double x1, const Outline *outline,
                     int count, uint16_t surface)
{
    for (int i = 1; i < count; ++i)
    {
        Outline a = outline[i - 1], b = outline[i];
        const double top[4][3] = {{x0, a.y, a.out}, {x0, b.y, b.out}, {x1, b.y, b.out}, {x1, a.y, a.out}};
        const double right[4][3] = {{x1, 0, a.out}, {x1, a.y, a.out}, {x1, b.y, b.out}, {x1, 0, b.out}};
        const double left[4][3] = {{x0, 0, b.out}, {x0, b.y, b.out}, {x0, a.y, a.out}, {x0, 0, a.out}};
        build_polygon(build, frame, top, 4, surface);
        if (b.out > a.out)
        {
            build_polygon(build, frame, right, 4, surface);
            build_polygon(build, frame, left, 4, surface);
        }
    }
}

void build_rim(Build *build, double half_x, double half_z)
{
    static const Frame origin = {0};
    static const Outline wall[] = {{RIM_THICKNESS, 0}, {RIM_THICKNESS, RIM_HEIGHT}, {0, RIM_HEIGHT}, {0, 0}};
    build_moulding(build, &origin, half_x, half_z, wall, 4, SURFACE_RIM);
}

static const struct Generator
{
    const char *name;
    void (*generate)(Build *build, int size);
    int usual, least, most;
    const char *meaning;
} generators[] = {
    {"city", generate_city, 5, 1, 64, "blocks per side"},
    {"terrain", generate_terrain, 256, 8, 4096, "cells of 1 m per side"},
    {"dungeon", generate_dungeon, 4, 1, 32, "rooms per side"},
    {"stairs", generate_stairs, 10, 2, 64, "steps per flight"},
};

static const struct Generator *find_generator(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i)
        if (strlen(generators[i].name) == length && strncmp(generators[i].name, name, length) == 0)
            return &generators[i];
    return NULL;
}

/* Accepts digits only: strtol would accept spaces and signs. Returns -1 for anything else. */
static int parse_size(const char *text)
{
    int value = 0;
    if (!*text)
        return -1;
    for (; *text; ++text)
    {
        if (*text < '0' || *text > '9' || value > 100000)
            return -1;
        value = value * 10 + (*text - '0');
    }
    return value;
}

bool level_generate(const char *spec, Level *level, char *message, int message_size)
{
    const char *name = strncmp(spec, "gen:", 4) == 0 ? spec + 4 : spec;
    size_t length = strcspn(name, ":");
    const struct Generator *generator = find_generator(name, length);
    if (!generator)
        return file_fail(message, message_size,
                         "%s: no such generator; there are gen:city, gen:terrain, gen:dungeon and gen:stairs",
                         spec);
    int size = name[length] ? parse_size(name + length + 1) : generator->usual;
    if (size < generator->least || size > generator->most)
        return file_fail(message, message_size, "%s: the size must be a whole number from %d to %d (%s)",
                         spec, generator->least, generator->most, generator->meaning);
    Build build = {.level = level};
    generator->generate(&build, size);
    free(build.table);
    if (!build.failed)
        return true;
    level_free(level);
    return file_fail(message, message_size, "%s: out of memory", spec);
}
