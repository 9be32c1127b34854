/* A test range: lanes side by side on a meadow. Each lane has one kind of obstacle of known sizes: flights
 * of stairs, ramps, ledges, thin fences, slots between blocks. A lane is a cross-section along z, extruded
 * along x. */
#include "generate.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

enum
{
    OUTLINE_LIMIT = 320 /* two flights of 64 steps need 260 */
};

static const double LANE_WIDTH = 2.4, LANE_GAP = 1.2, RAMP_HEIGHT_LIMIT = 3, PLATFORM = 1.6;

static const double risers[] = {.05, .10, .15, .20, .25, .30, .35, .40, .45};
static const double treads[] = {.15, .20, .25, .35, .50}; /* with a riser of .17 */
static const double slopes[] = {.1, .2, .3, .45, .6, .8, 1, 1.2, 1.5, 2};
static const double ledges[] = {.03, .06, .10, .15, .20, .25, .30, .35, .40, .50, .70, 1};
static const double fences[][2] = {{.01, .3}, {.01, .6}, {.01, 1.2}, {.03, .3},
                                   {.03, 1},  {.1, .2},  {.1, .4},   {.1, 1}};
static const double slots[] = {.7, .78, .82, .9, 1, 1.3};

typedef struct Range
{
    Build *build;
    double half_x, half_z; /* of the meadow */
    double next_x;         /* where the next lane begins */
    Outline outline[OUTLINE_LIMIT];
    int count;
} Range;

static void add_point(Range *range, double z, double y)
{
    if (range->count < OUTLINE_LIMIT)
        range->outline[range->count++] = (Outline){z, y};
}

/* Level ground from the lane's near end, or up to its far end. */
static void add_end(Range *range, double side)
{
    add_point(range, side * range->half_z, 0);
}

static void extrude(Range *range, double x0, double x1, uint16_t surface)
{
    static const Frame origin = {0};
    build_extrusion(range->build, &origin, x0, x1, range->outline, range->count, surface);
}

static void add_ground(Range *range, double x0, double x1)
{
    static const Frame origin = {0};
    Box strip = {x0, 0, -range->half_z, x1, 0, range->half_z};
    build_box(range->build, &origin, strip, SIDE_TOP, SURFACE_GRASS);
}

/* Takes the outline as the next lane and the strip of meadow beside it. */
static void finish_lane(Range *range, uint16_t surface)
{
    double x0 = range->next_x, x1 = x0 + LANE_WIDTH;
    extrude(range, x0, x1, surface);
    add_ground(range, x1, x1 + LANE_GAP);
    range->next_x = x1 + LANE_GAP;
    range->count = 0;
}

/* Up to a platform in the middle and down again. */
static void add_flight_lane(Range *range, int steps, double riser, double tread)
{
    double start = -PLATFORM / 2 - (steps - 1) * tread;
    add_end(range, -1);
    for (int i = 0; i < steps; ++i)
    {
        add_point(range, start + i * tread, i * riser);
        add_point(range, start + i * tread, (i + 1) * riser);
    }
    for (int i = steps - 1; i >= 0; --i)
    {
        add_point(range, -start - i * tread, (i + 1) * riser);
        add_point(range, -start - i * tread, i * riser);
    }
    add_end(range, 1);
    finish_lane(range, SURFACE_STONE);
}

static void add_ramp_lane(Range *range, double height, double slope)
{
    double run = height / slope;
    add_end(range, -1);
    add_point(range, -PLATFORM / 2 - run, 0);
    add_point(range, -PLATFORM / 2, height);
    add_point(range, PLATFORM / 2, height);
    add_point(range, PLATFORM / 2 + run, 0);
    add_end(range, 1);
    finish_lane(range, SURFACE_PAVEMENT);
}

/* A block across the lane, its middle at z. */
static void add_bump(Range *range, double z, double length, double height)
{
    add_point(range, z - length / 2, 0);
    add_point(range, z - length / 2, height);
    add_point(range, z + length / 2, height);
    add_point(range, z + length / 2, 0);
}

static void add_ledge_lane(Range *range)
{
    add_end(range, -1);
    for (int i = 0; i < COUNT_OF(ledges); ++i)
        add_bump(range, 2.5 * (i - (COUNT_OF(ledges) - 1) * .5), 1.2, ledges[i]);
    add_end(range, 1);
    finish_lane(range, SURFACE_KERB);
}

static void add_fence_lane(Range *range)
{
    add_end(range, -1);
    for (int i = 0; i < COUNT_OF(fences); ++i)
        add_bump(range, 3 * (i - (COUNT_OF(fences) - 1) * .5), fences[i][0], fences[i][1]);
    add_end(range, 1);
    finish_lane(range, SURFACE_WOOD);
}

/* Two blocks as high as a house wall with a slot between them. */
static void add_slot_lane(Range *range, double width)
{
    double x0 = range->next_x, x1 = x0 + LANE_WIDTH, middle = (x0 + x1) / 2;
    add_end(range, -1);
    add_bump(range, 0, 3, 2.5);
    add_end(range, 1);
    extrude(range, x0, middle - width / 2, SURFACE_BRICK);
    extrude(range, middle + width / 2, x1, SURFACE_BRICK);
    add_ground(range, middle - width / 2, middle + width / 2);
    add_ground(range, x1, x1 + LANE_GAP);
    range->next_x = x1 + LANE_GAP;
    range->count = 0;
}

void generate_stairs(Build *build, int steps_per_flight)
{
    int lanes = COUNT_OF(risers) + COUNT_OF(treads) + COUNT_OF(slopes) + 2 + COUNT_OF(slots);
    double height = steps_per_flight * .17 < RAMP_HEIGHT_LIMIT ? steps_per_flight * .17 : RAMP_HEIGHT_LIMIT;
    double longest_flight = steps_per_flight * treads[COUNT_OF(treads) - 1],
           longest_ramp = height / slopes[0];
    Range range = {.build = build, .half_x = (lanes * (LANE_WIDTH + LANE_GAP) + 3 * LANE_GAP) / 2};
    range.half_z = (longest_flight > longest_ramp ? longest_flight : longest_ramp) + 6;
    range.half_z = range.half_z > 20 ? range.half_z : 20; /* the ledges alone take 30 m */
    add_ground(&range, -range.half_x, -range.half_x + 2 * LANE_GAP);
    range.next_x = -range.half_x + 2 * LANE_GAP;
    for (int i = 0; i < COUNT_OF(risers); ++i)
        add_flight_lane(&range, steps_per_flight, risers[i], .3);
    for (int i = 0; i < COUNT_OF(treads); ++i)
        add_flight_lane(&range, steps_per_flight, .17, treads[i]);
    for (int i = 0; i < COUNT_OF(slopes); ++i)
        add_ramp_lane(&range, height, slopes[i]);
    add_ledge_lane(&range);
    add_fence_lane(&range);
    for (int i = 0; i < COUNT_OF(slots); ++i)
        add_slot_lane(&range, slots[i]);
    /* The last lane's strip ends where the rim begins, up to rounding. So the rim stands where the strip
     * ends. */
    add_ground(&range, range.next_x, range.half_x);
    build_rim(build, range.half_x, range.half_z);
}
