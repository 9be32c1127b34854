/* Rooms and corridors under ground: one closed surface, seen from inside.
 *
 * The plan is painted on a raster of 0.25 m. Every raster cell belongs to the rock (plot 0) or to a plot,
 * which has a floor height and a ceiling height. Pillars are painted rock, stairs are rows of plots, door
 * frames are narrow low plots, so no feature needs geometry of its own.
 *
 * Floors and ceilings become the largest rectangles, walls the longest runs where the same two plots meet.
 * All corners lie on an integer lattice. Where a corner of one polygon lies on an edge of another, that
 * edge is divided there, so every edge is shared exactly. */
#include "dungeon.h"

#include <stdlib.h>

enum
{
    /* [Units] lattice units: 0.156 m. The tread of a stair is a raster cell. */
    RISER = 5,
    SECTOR = 72, /* raster cells from room to room: 18 m */
    LEVEL_STEP = 8 * RISER,
    /* Pools are dug into it; their ground is y = 0. */
    LOWEST_ROOM = 4 * RISER,
    DOOR_DEPTH = 2,   /* raster cells */
    DOOR_HEIGHT = 70, /* 2.2 m */
    CORRIDOR_HEIGHT = 88,
    MARGIN = 3,          /* raster cells of rock around everything */
    PLOTS_PER_ROOM = 128 /* more than any room and its corridors need */
};

typedef struct Room
{
    int x0, z0, x1, z1; /* raster cells */
    int floor, ceiling;
    uint16_t floor_surface, wall_surface;
} Room;

void dungeon_fill(Dungeon *dungeon, int x0, int z0, int x1, int z1, uint32_t plot)
{
    for (int z = z0; z < z1; ++z)
        for (int x = x0; x < x1; ++x)
            dungeon->raster[(size_t)z * (size_t)dungeon->width + (size_t)x] = plot;
}

static void paint(Dungeon *dungeon, int x0, int z0, int x1, int z1, Plot plot)
{
    if (dungeon->plot_count == dungeon->plot_capacity)
    {
        dungeon->build->failed = true;
        return;
    }
    plot.origin_x = x0;
    plot.origin_z = z0;
    dungeon->plots[dungeon->plot_count] = plot;
    dungeon_fill(dungeon, x0, z0, x1, z1, dungeon->plot_count++);
}

/* Along axis 0 (x) or 1 (z) from `a0` to `a1`, and across it from `c0` to `c1`. */
static void paint_along(Dungeon *dungeon, int axis, int a0, int a1, int c0, int c1, Plot plot)
{
    if (axis == 0)
        paint(dungeon, a0, c0, a1, c1, plot);
    else
        paint(dungeon, c0, a0, c1, a1, plot);
}

static Plot room_plot(const Room *room, int floor_rise, int ceiling_fall)
{
    return (Plot){.floor = room->floor + floor_rise,
                  .ceiling = room->ceiling - ceiling_fall,
                  .floor_surface = room->floor_surface,
                  .wall_surface = room->wall_surface};
}

/* Rock with a plinth and a capital around it. */
static void paint_pillar(Dungeon *dungeon, const Room *room, int x, int z, int size)
{
    paint(dungeon, x - 1, z - 1, x + size + 1, z + size + 1, room_plot(room, 2 * RISER, 2 * RISER));
    dungeon_fill(dungeon, x, z, x + size, z + size, 0);
}

static void paint_pillars(Dungeon *dungeon, const Room *room)
{
    int spacing = 9 + random_below(&dungeon->random, 5), size = 2 + random_below(&dungeon->random, 2);
    for (int z = room->z0 + 7; z + size <= room->z1 - 7; z += spacing)
        for (int x = room->x0 + 7; x + size <= room->x1 - 7; x += spacing)
            if (z == room->z0 + 7 || z + spacing + size > room->z1 - 7 || x == room->x0 + 7 ||
                x + spacing + size > room->x1 - 7)
                paint_pillar(dungeon, room, x, z, size);
}

/* Nested steps, up to a platform or down into a pool. */
static void paint_terraces(Dungeon *dungeon, const Room *room, int direction)
{
    int inset = 7, steps = 4;
    for (int i = 1; i <= steps; ++i, inset += 2)
    {
        Plot plot = room_plot(room, direction * i * RISER, 0);
        plot.floor_surface = i < steps ? SURFACE_STONE : direction < 0 ? SURFACE_WATER : SURFACE_CLOTH;
        if (room->x1 - room->x0 <= 2 * inset || room->z1 - room->z0 <= 2 * inset)
            break;
        paint(dungeon, room->x0 + inset, room->z0 + inset, room->x1 - inset, room->z1 - inset, plot);
    }
}

static void paint_platform(Dungeon *dungeon, const Room *room)
{
    paint_terraces(dungeon, room, 1);
}

static void paint_pool(Dungeon *dungeon, const Room *room)
{
    paint_terraces(dungeon, room, -1);
}

/* A stage of eight steps in the middle, a flight leading up to it, low walls left and right of the flight. */
static void paint_stage(Dungeon *dungeon, const Room *room)
{
    int middle = (room->x0 + room->x1) / 2, z = room->z0 + 6;
    Plot top = room_plot(room, LEVEL_STEP, 0);
    top.floor_surface = SURFACE_WOOD;
    paint(dungeon, room->x0 + 6, z + 8, room->x1 - 6, room->z1 - 6, top);
    paint(dungeon, middle - 6, z, middle + 6, z + 8, room_plot(room, LEVEL_STEP + 4 * RISER, 0));
    for (int i = 0; i < 8; ++i)
        paint(dungeon, middle - 5, z + i, middle + 5, z + i + 1, room_plot(room, (i + 1) * RISER, 0));
}

/* Beams under the ceiling, niches in the walls. The corridors are painted later and win. */
static void paint_hall(Dungeon *dungeon, const Room *room)
{
    Plot beam = room_plot(room, 0, 2 * RISER), niche = room_plot(room, RISER, 0);
    beam.wall_surface = niche.wall_surface = SURFACE_WOOD;
    niche.ceiling = niche.floor + 64;
    for (int x = room->x0 + 4; x + 2 < room->x1; x += 8)
    {
        paint(dungeon, x, room->z0, x + 2, room->z1, beam);
        if (x + 7 < room->x1)
        {
            paint(dungeon, x + 3, room->z0 - 3, x + 7, room->z0, niche);
            paint(dungeon, x + 3, room->z1, x + 7, room->z1 + 3, niche);
        }
    }
}

static void paint_room(Dungeon *dungeon, const Room *room)
{
    static void (*const features[])(Dungeon *, const Room *) = {paint_pillars, paint_pool,     paint_hall,
                                                                paint_stage,   paint_platform, paint_pillars};
    paint(dungeon, room->x0, room->z0, room->x1, room->z1, room_plot(room, 0, 0));
    features[random_below(&dungeon->random, 6)](dungeon, room);
}

static void place_room(Dungeon *dungeon, int i, int j, Room *room)
{
    Random *random = &dungeon->random;
    static const uint16_t floors[] = {SURFACE_PAVEMENT, SURFACE_EARTH, SURFACE_PLAIN};
    static const uint16_t walls[] = {SURFACE_STONE, SURFACE_BRICK, SURFACE_ROCK};
    int middle_x = MARGIN + i * SECTOR + SECTOR / 2, middle_z = MARGIN + j * SECTOR + SECTOR / 2;
    room->x0 = middle_x - 15 - random_below(random, 8);
    room->x1 = middle_x + 15 + random_below(random, 8);
    room->z0 = middle_z - 15 - random_below(random, 8);
    room->z1 = middle_z + 15 + random_below(random, 8);
    room->floor = LOWEST_ROOM + LEVEL_STEP * random_below(random, 3);
    room->ceiling = room->floor + 136 + 8 * random_below(random, 6);
    room->floor_surface = floors[random_below(random, 3)];
    room->wall_surface = walls[random_below(random, 3)];
}

/* Builds the part of a corridor that climbs: stairs of one raster cell each, or a ramp of 14 degrees where
 * it fits. */
static void paint_climb(Dungeon *dungeon, int axis, int a0, int space, int c0, int c1, Plot plot, int climb)
{
    int ramp = (climb < 0 ? -climb : climb) / 2, steps = (climb < 0 ? -climb : climb) / RISER;
    bool is_ramp = ramp <= space && random_below(&dungeon->random, 2) == 0;
    int length = is_ramp ? ramp : steps, start = a0 + (space - length) / 2,
        riser = climb < 0 ? -RISER : RISER;
    plot.ceiling = plot.floor + (climb > 0 ? climb : 0) + CORRIDOR_HEIGHT;
    Plot end = plot;
    end.floor = plot.floor + climb;
    paint_along(dungeon, axis, a0, start, c0, c1, plot);
    paint_along(dungeon, axis, start + length, a0 + space, c0, c1, end);
    if (is_ramp)
    {
        plot.slope_x = axis == 0 ? riser / RISER * 2 : 0;
        plot.slope_z = axis == 1 ? riser / RISER * 2 : 0;
        paint_along(dungeon, axis, start, start + length, c0, c1, plot);
        return;
    }
    for (int i = 0; i < length; ++i)
    {
        plot.floor += climb > 0 || i > 0 ? riser : 0; /* the step down at the far end is the last one */
        paint_along(dungeon, axis, start + i, start + i + 1, c0, c1, plot);
    }
}

static void paint_corridor(Dungeon *dungeon, int axis, const Room *from, const Room *to)
{
    int low = axis ? (from->x0 > to->x0 ? from->x0 : to->x0) : (from->z0 > to->z0 ? from->z0 : to->z0);
    int high = axis ? (from->x1 < to->x1 ? from->x1 : to->x1) : (from->z1 < to->z1 ? from->z1 : to->z1);
    int a0 = axis ? from->z1 : from->x1, a1 = axis ? to->z0 : to->x0;
    int width = 8 + 4 * random_below(&dungeon->random, 2);
    int c0 = low + 2 + random_below(&dungeon->random, high - low - 3 - width), c1 = c0 + width;
    int door0 = c0 + width / 2 - 3, door1 = door0 + 6;
    Plot plot = {.floor = from->floor, .floor_surface = SURFACE_STONE, .wall_surface = from->wall_surface};
    paint_climb(dungeon, axis, a0 + DOOR_DEPTH, a1 - a0 - 2 * DOOR_DEPTH, c0, c1, plot,
                to->floor - from->floor);
    Plot door = {.floor = from->floor,
                 .ceiling = from->floor + DOOR_HEIGHT,
                 .floor_surface = SURFACE_WOOD,
                 .wall_surface = SURFACE_DOOR};
    paint_along(dungeon, axis, a0, a0 + DOOR_DEPTH, door0, door1, door);
    door.floor = to->floor;
    door.ceiling = to->floor + DOOR_HEIGHT;
    paint_along(dungeon, axis, a1 - DOOR_DEPTH, a1, door0, door1, door);
}

/* Every column of rooms is connected, and the first row; the rest is chance. */
static void paint_dungeon(Dungeon *dungeon, Room *rooms)
{
    int n = dungeon->rooms_per_side;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            place_room(dungeon, i, j, &rooms[j * n + i]);
    for (int k = 0; k < n * n; ++k)
        paint_room(dungeon, &rooms[k]);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
        {
            const Room *room = &rooms[j * n + i];
            if (i + 1 < n && (j == 0 || random_below(&dungeon->random, 3) > 0))
                paint_corridor(dungeon, 0, room, room + 1);
            if (j + 1 < n)
                paint_corridor(dungeon, 1, room, room + n);
        }
}

void generate_dungeon(Build *build, int rooms_per_side)
{
    size_t room_count = (size_t)rooms_per_side * (size_t)rooms_per_side;
    Dungeon dungeon = {.build = build,
                       .rooms_per_side = rooms_per_side,
                       .width = rooms_per_side * SECTOR + 2 * MARGIN,
                       .plot_count = 1, /* 0 is the rock */
                       .plot_capacity = (uint32_t)room_count * PLOTS_PER_ROOM,
                       .random = {2003}};
    Room *rooms = calloc(room_count, sizeof *rooms);
    dungeon.raster = calloc((size_t)dungeon.width * (size_t)dungeon.width, sizeof *dungeon.raster);
    dungeon.plots = calloc(dungeon.plot_capacity, sizeof *dungeon.plots);
    build->failed = build->failed || !rooms || !dungeon.raster || !dungeon.plots;
    if (!build->failed)
    {
        paint_dungeon(&dungeon, rooms);
        dungeon_mesh(&dungeon);
    }
    free(rooms);
    free(dungeon.raster);
    free(dungeon.plots);
}
