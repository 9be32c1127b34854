/* A town on a grid: streets with kerbs, blocks of houses with alleys between them, parks and market
 * squares. Kerbs, steps, sills and gaps are life-size. */
#include "city.h"

static const double BLOCK_HALF = 21, STREET_HALF = 5, PAVEMENT_WIDTH = 2.6;

static const Outline lamp_post[] = {{0, .02}, {.13, .02}, {.07, .6}, {.06, 4}, {.35, 4.15}, {0, 4.4}};
static const Outline bollard[] = {{0, .02}, {.13, .02}, {.11, .85}, {0, .95}};
static const Outline trunk[] = {{0, .02}, {.28, .02}, {.16, 2.6}};
static const Outline round_crown[] = {{0, 2.0}, {1.2, 2.3}, {1.9, 3.4}, {1.6, 4.6}, {.7, 5.3}, {0, 5.5}};
static const Outline tall_crown[] = {{0, 1.7}, {1.5, 1.8}, {.8, 3.4}, {1.1, 3.4}, {.5, 5}, {.7, 5}, {0, 7}};
static const Outline statue[] = {{0, .5},    {.7, .5},   {.7, .8},   {.5, .9},  {.5, 2.2},
                                 {.65, 2.3}, {.3, 2.4},  {.36, 3.2}, {.2, 3.7}, {.12, 3.8},
                                 {.2, 4.0},  {.12, 4.2}, {0, 4.25}};
static const Outline basin[] = {{0, .02}, {3.2, .02}, {3.2, .55}, {2.85, .55}, {2.85, .4}};
static const Outline basin_water[] = {{2.85, .4}, {.4, .4}};
static const Outline fountain[] = {{.4, .4},  {.3, 1.2},  {1.2, 1.5}, {1.2, 1.6},
                                   {.2, 1.5}, {.15, 2.2}, {0, 2.3}};

static const BoxRow bench[] = {{{-.8, .42, -.22, .8, .48, .22}, SURFACE_WOOD},
                               {{-.8, .52, -.24, .8, .95, -.18}, SURFACE_WOOD},
                               {{-.7, .02, -.24, -.6, .95, .18}, SURFACE_METAL},
                               {{.6, .02, -.24, .7, .95, .18}, SURFACE_METAL}};
static const BoxRow stall[] = {
    {{-1.3, .02, .3, 1.3, .95, .9}, SURFACE_WOOD},  {{-1.5, .02, .9, -1.4, 2.2, 1}, SURFACE_WOOD},
    {{1.4, .02, .9, 1.5, 2.2, 1}, SURFACE_WOOD},    {{-1.5, .02, -1, -1.4, 2.2, -.9}, SURFACE_WOOD},
    {{1.4, .02, -1, 1.5, 2.2, -.9}, SURFACE_WOOD},  {{-.9, .95, .4, -.3, 1.15, .8}, SURFACE_LEAVES},
    {{.1, .95, .4, .9, 1.1, .8}, SURFACE_PAINT_RED}};
static const BoxRow car_axles[] = {{{-1.55, .02, -.82, -.95, .6, .82}, SURFACE_DOOR},
                                   {{.95, .02, -.82, 1.55, .6, .82}, SURFACE_DOOR}};
static const BoxRow shrub_tub[] = {{{-.6, .02, -.3, .6, .5, .3}, SURFACE_STONE},
                                   {{-.5, .5, -.22, .5, .95, .22}, SURFACE_LEAVES}};

static void add_tree(City *city, const Frame *ground, double x, double z)
{
    Frame frame = frame_within(ground, x, 0, z, 0);
    build_lathe(city->build, &frame, trunk, COUNT_OF(trunk), 4, SURFACE_WOOD);
    if (random_below(&city->random, 3) > 0)
        build_lathe(city->build, &frame, round_crown, COUNT_OF(round_crown), 8, SURFACE_LEAVES);
    else
        build_lathe(city->build, &frame, tall_crown, COUNT_OF(tall_crown), 8, SURFACE_LEAVES);
}

static void add_boxes(City *city, const Frame *ground, double x, double z, int turns, const BoxRow *rows,
                      int count)
{
    Frame frame = frame_within(ground, x, 0, z, turns);
    build_boxes(city->build, &frame, rows, count);
}

static void add_car(City *city, const Frame *ground, double x, double z)
{
    static const Outline body[] = {{-1, .25}, {0, .25}, {.03, .55}, {-.04, .85}, {-1, .87}};
    static const Outline cabin[] = {{-1, .86}, {0, .86}, {-.28, 1.4}};
    static const Outline top[] = {{-.28, 1.4}, {-1, 1.43}};
    uint16_t paint = (uint16_t)(SURFACE_PAINT_RED + random_below(&city->random, 3));
    Frame frame = frame_within(ground, x, 0, z, 0), middle = frame_within(&frame, -.15, 0, 0, 0);
    build_moulding(city->build, &frame, 2.1, .85, body, COUNT_OF(body), paint);
    build_moulding(city->build, &middle, 1.25, .78, cabin, COUNT_OF(cabin), SURFACE_GLASS);
    build_moulding(city->build, &middle, 1.25, .78, top, COUNT_OF(top), paint);
    build_boxes(city->build, &frame, car_axles, COUNT_OF(car_axles));
}

/* A fenced lawn with an open gate on every side. */
static void add_garden(City *city, const Frame *frame, double half_x, double half_z)
{
    build_box(city->build, frame, (Box){-half_x, 0, -half_z, half_x, 0, half_z}, SIDE_TOP, SURFACE_GRASS);
    for (int side = 0; side < 4; ++side)
    {
        Frame facing = frame_within(frame, 0, 0, 0, side);
        double along = (side & 1 ? half_z : half_x) - .6, across = (side & 1 ? half_x : half_z) - .6;
        const BoxRow fence[] = {{{-along, .02, across - .08, -.8, 1.1, across}, SURFACE_WOOD},
                                {{.8, .02, across - .08, along - .08, 1.1, across}, SURFACE_WOOD}};
        build_boxes(city->build, &facing, fence, COUNT_OF(fence));
        double x = random_between(&city->random, .35, .6), z = random_between(&city->random, .35, .6);
        add_tree(city, &facing, x * along, z * across);
        if (side & 1)
            add_boxes(city, &facing, -along * .5, across - 1, 2, bench, COUNT_OF(bench));
    }
}

/* One lot: a building with a strip of ground around it, or a garden. */
static void add_lot(City *city, const Frame *block, Box lot, unsigned street_sides)
{
    /* Front, right, back, left: space for steps towards a street, half an alley towards a neighbour. */
    double gap[4];
    for (int side = 0; side < 4; ++side)
        gap[side] = random_between(&city->random, street_sides >> side & 1u ? .3 : 1,
                                   street_sides >> side & 1u ? .9 : 1.6);
    Box house = {lot.x0 + gap[3], 0, lot.z0 + gap[2], lot.x1 - gap[1], 0, lot.z1 - gap[0]};
    Frame middle = frame_within(block, (lot.x0 + lot.x1) / 2, 0, (lot.z0 + lot.z1) / 2, 0);
    if (random_below(&city->random, 7) == 0)
    {
        add_garden(city, &middle, (lot.x1 - lot.x0) / 2, (lot.z1 - lot.z0) / 2);
        return;
    }
    const BoxRow ground[] = {{{lot.x0, 0, house.z1, lot.x1, 0, lot.z1}, SURFACE_STONE},
                             {{lot.x0, 0, lot.z0, lot.x1, 0, house.z0}, SURFACE_STONE},
                             {{lot.x0, 0, house.z0, house.x0, 0, house.z1}, SURFACE_STONE},
                             {{house.x1, 0, house.z0, lot.x1, 0, house.z1}, SURFACE_STONE}};
    for (int i = 0; i < 4; ++i)
        build_box(city->build, block, ground[i].box, SIDE_TOP, ground[i].surface);
    double half_x = (house.x1 - house.x0) / 2, half_z = (house.z1 - house.z0) / 2;
    Frame frame = frame_within(block, house.x0 + half_x, 0, house.z0 + half_z, 0);
    city_add_house(city, &frame, half_x, half_z, street_sides);
}

static void add_lots(City *city, const Frame *block, double half)
{
    double cut[2][4];
    int count[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        count[axis] = 2 + random_below(&city->random, 2);
        for (int i = 0; i <= count[axis]; ++i)
        {
            double jitter = random_between(&city->random, -1.5, 1.5);
            cut[axis][i] = half * (2.0 * i / count[axis] - 1) + (i > 0 && i < count[axis] ? jitter : 0);
        }
    }
    for (int j = 0; j < count[1]; ++j)
        for (int i = 0; i < count[0]; ++i)
        {
            unsigned sides =
                (j == count[1] - 1) * 1u | (i == count[0] - 1) * 2u | (j == 0) * 4u | (i == 0) * 8u;
            add_lot(city, block, (Box){cut[0][i], 0, cut[1][j], cut[0][i + 1], 0, cut[1][j + 1]}, sides);
        }
}

static void add_fountain(City *city, const Frame *frame)
{
    build_lathe(city->build, frame, basin, COUNT_OF(basin), 16, SURFACE_STONE);
    build_lathe(city->build, frame, basin_water, COUNT_OF(basin_water), 16, SURFACE_WATER);
    build_lathe(city->build, frame, fountain, COUNT_OF(fountain), 16, SURFACE_STONE);
}

static void add_park(City *city, const Frame *block, double half)
{
    build_box(city->build, block, (Box){-1.5, 0, -1.5, 1.5, 0, 1.5}, SIDE_TOP, SURFACE_SAND);
    add_fountain(city, block);
    for (int side = 0; side < 4; ++side)
    {
        Frame frame = frame_within(block, 0, 0, 0, side);
        build_box(city->build, &frame, (Box){-1.5, 0, 1.5, 1.5, 0, half}, SIDE_TOP, SURFACE_SAND);
        build_box(city->build, &frame, (Box){1.5, 0, 1.5, half, 0, half}, SIDE_TOP, SURFACE_GRASS);
        const BoxRow hedges[] = {{{2.2, .02, half - .8, half - .2, .9, half - .2}, SURFACE_LEAVES},
                                 {{half - .8, .02, 2.2, half - .2, .9, half - 1.2}, SURFACE_LEAVES}};
        build_boxes(city->build, &frame, hedges, COUNT_OF(hedges));
        for (int i = 0; i < 3; ++i)
            add_boxes(city, &frame, 2, 5 + 4.5 * i, 1, bench, COUNT_OF(bench));
        for (int i = 0; i < 9; ++i)
        {
            double x = random_between(&city->random, -1.2, 1.2), z = random_between(&city->random, -1.2, 1.2);
            if (random_below(&city->random, 6) > 0)
                add_tree(city, &frame, 5 + 5 * (i % 3) + x, 5 + 5 * (double)(i / 3) + z);
        }
    }
}

/* A paved market square: stalls around a statue on steps. */
static void add_square(City *city, const Frame *block, double half)
{
    static const Outline steps[] = {{-3, .02},  {0, .02},   {0, .16},   {-.4, .16},
                                    {-.4, .32}, {-.8, .32}, {-.8, .48}, {-3, .48}};
    double tile = half / 4;
    for (int j = -4; j < 4; ++j)
        for (int i = -4; i < 4; ++i)
            build_box(city->build, block, (Box){i * tile, 0, j * tile, (i + 1) * tile, 0, (j + 1) * tile},
                      SIDE_TOP, (i + j) & 1 ? SURFACE_STONE : SURFACE_KERB);
    build_moulding(city->build, block, 3, 3, steps, COUNT_OF(steps), SURFACE_STONE);
    build_lathe(city->build, block, statue, COUNT_OF(statue), 16, SURFACE_METAL);
    for (int side = 0; side < 4; ++side)
    {
        Frame frame = frame_within(block, 0, 0, 0, side);
        for (int i = 0; i < 5; ++i)
        {
            double x = -9.5 + 4.4 * i;
            static const Outline awning[] = {{-1.1, 2.2}, {.35, 2.2}, {-1.1, 2.9}};
            Frame place = frame_within(&frame, x, 0, 11, i % 2 * 2);
            build_boxes(city->build, &place, stall, COUNT_OF(stall));
            build_moulding(city->build, &place, 1.6, 1.1, awning, 3,
                           i % 2 ? SURFACE_CLOTH : SURFACE_PAINT_WHITE);
            add_boxes(city, &frame, x, half - 1, 0, shrub_tub, COUNT_OF(shrub_tub));
        }
        add_tree(city, &frame, 7, 7);
        add_boxes(city, &frame, 0, 5.5, 0, bench, COUNT_OF(bench));
    }
}

/* A quarter circle of pavement around a block's inner corner, its kerb, and the road outside the curve. */
static void add_corner(City *city, const Frame *frame, double inner, double kerb)
{
    static const double arc[5][2] = {{0, 1},
                                     {.38268343236508977, .92387953251128674},
                                     {.70710678118654752, .70710678118654752},
                                     {.92387953251128674, .38268343236508977},
                                     {1, 0}};
    for (int i = 0; i < 4; ++i)
    {
        double x0 = inner + PAVEMENT_WIDTH * arc[i][0], z0 = inner + PAVEMENT_WIDTH * arc[i][1];
        double x1 = inner + PAVEMENT_WIDTH * arc[i + 1][0], z1 = inner + PAVEMENT_WIDTH * arc[i + 1][1];
        const double top[3][3] = {{inner, kerb, inner}, {x0, kerb, z0}, {x1, kerb, z1}};
        const double face[4][3] = {{x0, 0, z0}, {x1, 0, z1}, {x1, kerb, z1}, {x0, kerb, z0}};
        const double road[3][3] = {{BLOCK_HALF, 0, BLOCK_HALF}, {x1, 0, z1}, {x0, 0, z0}};
        build_polygon(city->build, frame, top, 3, SURFACE_PAVEMENT);
        build_polygon(city->build, frame, face, 4, SURFACE_KERB);
        build_polygon(city->build, frame, road, 3, SURFACE_ROAD);
    }
}

/* One side of a block: pavement, kerb, what stands on it, and the cars parked along it. */
static void add_block_side(City *city, const Frame *frame, double inner, double kerb)
{
    double edge = BLOCK_HALF - .25;
    build_box(city->build, frame, (Box){-inner, kerb, inner, inner, kerb, edge}, SIDE_TOP, SURFACE_PAVEMENT);
    build_box(city->build, frame, (Box){-inner, 0, edge, inner, kerb, BLOCK_HALF}, SIDE_TOP | SIDE_FRONT,
              SURFACE_KERB);
    add_corner(city, frame, inner, kerb);
    Frame pavement = frame_within(frame, 0, kerb, 0, 0);
    for (int i = 0; i < 4; ++i)
    {
        double x = -13.5 + 9 * i;
        Frame post = frame_within(&pavement, x, 0, edge - .5, 0);
        build_lathe(city->build, &post, lamp_post, COUNT_OF(lamp_post), 4, SURFACE_METAL);
        if (random_below(&city->random, 2))
            add_tree(city, &pavement, x + 4.5, edge - .7);
        if (random_below(&city->random, 3) == 0)
            add_boxes(city, &pavement, x + 2.2, edge - .4, 2, bench, COUNT_OF(bench));
        if (random_below(&city->random, 5) < 3)
            add_car(city, frame, x + random_between(&city->random, 0, 2.5), BLOCK_HALF + 1.15);
    }
    for (int i = 0; i < 2; ++i)
    {
        Frame post = frame_within(&pavement, inner - 1.4 * i, 0, BLOCK_HALF - .5, 0);
        build_lathe(city->build, &post, bollard, COUNT_OF(bollard), 8, SURFACE_METAL);
    }
}

static void add_block(City *city, double x, double z, int number, int middle)
{
    double inner = BLOCK_HALF - PAVEMENT_WIDTH, kerb = random_between(&city->random, .12, .15);
    Frame ground = {x, 0, z, 0}, block = {x, kerb, z, 0};
    for (int side = 0; side < 4; ++side)
    {
        Frame frame = frame_within(&ground, 0, 0, 0, side);
        add_block_side(city, &frame, inner, kerb);
    }
    if (number == middle)
        add_square(city, &block, inner);
    else if (number % 7 == 3)
        add_park(city, &block, inner);
    else
        add_lots(city, &block, inner);
}

/* The road between two crossings, along z from 0 to `length`: zebra stripes at both ends, dashes between the
 * lanes. */
static void add_street(City *city, const Frame *frame, double length)
{
    const double stripe[2][2] = {{.8, 3.6}, {length - 3.6, length - .8}};
    const double plain[2][2] = {{0, .8}, {length - .8, length}};
    for (int end = 0; end < 2; ++end)
    {
        double z0 = stripe[end][0], z1 = stripe[end][1];
        build_box(city->build, frame, (Box){-STREET_HALF, 0, plain[end][0], STREET_HALF, 0, plain[end][1]},
                  SIDE_TOP, SURFACE_ROAD);
        for (int i = 0; i < 20; ++i)
            build_box(city->build, frame,
                      (Box){-STREET_HALF + i * .5, 0, z0, -STREET_HALF + (i + 1) * .5, 0, z1}, SIDE_TOP,
                      i % 2 ? SURFACE_MARKING : SURFACE_ROAD);
    }
    double begin = stripe[0][1], end = stripe[1][0], dash = (end - begin) / 15;
    build_box(city->build, frame, (Box){-STREET_HALF, 0, begin, -.1, 0, end}, SIDE_TOP, SURFACE_ROAD);
    build_box(city->build, frame, (Box){.1, 0, begin, STREET_HALF, 0, end}, SIDE_TOP, SURFACE_ROAD);
    for (int i = 0; i < 15; ++i)
        build_box(city->build, frame, (Box){-.1, 0, begin + i * dash, .1, 0, begin + (i + 1) * dash},
                  SIDE_TOP, i % 2 ? SURFACE_MARKING : SURFACE_ROAD);
}

void generate_city(Build *build, int blocks_per_side)
{
    City city = {build, {4}};
    double pitch = 2 * (BLOCK_HALF + STREET_HALF), half = blocks_per_side * pitch / 2 + STREET_HALF;
    for (int j = 0; j <= blocks_per_side; ++j)
        for (int i = 0; i <= blocks_per_side; ++i)
        {
            double x = STREET_HALF - half + i * pitch, z = STREET_HALF - half + j * pitch;
            Box crossing = {x - STREET_HALF, 0, z - STREET_HALF, x + STREET_HALF, 0, z + STREET_HALF};
            Frame origin = {0, 0, 0, 0}, along_z = {x, 0, z + STREET_HALF, 0},
                  along_x = {x + STREET_HALF, 0, z, 1};
            build_box(build, &origin, crossing, SIDE_TOP, SURFACE_ROAD);
            if (j < blocks_per_side)
                add_street(&city, &along_z, 2 * BLOCK_HALF);
            if (i < blocks_per_side)
                add_street(&city, &along_x, 2 * BLOCK_HALF);
            int n = blocks_per_side;
            if (i < n && j < n)
                add_block(&city, x + pitch / 2, z + pitch / 2, j * n + i, n / 2 * n + n / 2);
        }
    build_rim(build, half, half);
}
