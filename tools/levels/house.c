/* The houses of the town: facades in bays with doors, windows and balconies, and the roofs. */
#include "city.h"

static const double STOREY = 3.25, UPPER_INSET = 2.2;

/* What a building looks like. */
typedef struct Style
{
    uint16_t wall, roof;
    int storeys, upper_storeys; /* upper ones stand back from the lower ones */
    bool is_pitched, has_shops, has_balconies;
    unsigned street_sides; /* bit per quarter turn: doors open onto streets */
} Style;

/* A piece of wall with a recess in it. */
static void add_opening(City *city, const Frame *frame, Box wall, Box hole, uint16_t surface, uint16_t back)
{
    Build *build = city->build;
    build_box(build, frame, (Box){wall.x0, wall.y0, 0, hole.x0, wall.y1, 0}, SIDE_FRONT, surface);
    build_box(build, frame, (Box){hole.x1, wall.y0, 0, wall.x1, wall.y1, 0}, SIDE_FRONT, surface);
    build_box(build, frame, (Box){hole.x0, wall.y0, 0, hole.x1, hole.y0, 0}, SIDE_FRONT, surface);
    build_box(build, frame, (Box){hole.x0, hole.y1, 0, hole.x1, wall.y1, 0}, SIDE_FRONT, surface);
    build_box(build, frame, hole, SIDE_LEFT | SIDE_RIGHT | SIDE_BOTTOM | SIDE_TOP, surface);
    build_box(build, frame, hole, SIDE_FRONT, back);
}

static void add_door(City *city, const Frame *frame, Box wall, uint16_t surface)
{
    double middle = (wall.x0 + wall.x1) / 2, riser = random_between(&city->random, .15, .18);
    int steps = 1 + random_below(&city->random, 3);
    Outline outline[8] = {{0, wall.y0 + steps * riser}};
    int count = 1;
    for (int i = steps; i > 0; --i)
    {
        double out = .35 + .3 * (steps - i);
        outline[count++] = (Outline){out, wall.y0 + i * riser};
        outline[count++] = (Outline){out, wall.y0 + (i - 1) * riser};
    }
    build_extrusion(city->build, frame, middle - .9, middle + .9, outline, count, SURFACE_STONE);
    Box hole = {middle - .6, outline[0].y, 0, middle + .6, outline[0].y + 2.15, -.6};
    add_opening(city, frame, wall, hole, surface, SURFACE_DOOR);
}

static void add_balcony(City *city, const Frame *frame, double middle, double y)
{
    const BoxRow rows[] = {{{middle - 1, y, .01, middle + 1, y + .15, 1}, SURFACE_STONE},
                           {{middle - 1, y + .15, .94, middle + 1, y + 1.1, 1}, SURFACE_METAL},
                           {{middle - 1, y + .15, .01, middle - .94, y + 1.1, .94}, SURFACE_METAL},
                           {{middle + .94, y + .15, .01, middle + 1, y + 1.1, .94}, SURFACE_METAL}};
    build_boxes(city->build, frame, rows, COUNT_OF(rows));
}

static void add_window(City *city, const Frame *frame, Box wall, const Style *style, bool is_shop,
                       bool has_ledge)
{
    double middle = (wall.x0 + wall.x1) / 2, half = is_shop ? (wall.x1 - wall.x0) / 2 - .5 : .55;
    double low = wall.y0 + (is_shop ? .45 : .95), high = wall.y0 + (is_shop ? 2.7 : 2.5);
    Box hole = {middle - half, low, 0, middle + half, high, is_shop ? -.35 : -.2};
    add_opening(city, frame, wall, hole, style->wall, SURFACE_GLASS);
    if (!has_ledge)
        return;
    Box ledge = {middle - half - .1, low - .1, 0, middle + half + .1, low, is_shop ? .3 : .12};
    build_box(city->build, frame, ledge, SIDES_ALL & ~SIDE_BACK, is_shop ? SURFACE_WOOD : SURFACE_STONE);
}

/* Builds one side of a building in bays of about 3.5 m. Local y = 0 is its foot. Sides to the street have a
 * door, shops, balconies and ledges; sides to an alley have every other window. */
static void add_facade(City *city, const Frame *frame, double half, const Style *style, bool is_lower,
                       bool is_street)
{
    int bays = (int)(half * 2 / 3.4), storeys = is_lower ? style->storeys : style->upper_storeys;
    bays = bays > 0 ? bays : 1;
    int door = is_street && is_lower ? random_below(&city->random, bays) : -1;
    for (int storey = 0; storey < storeys; ++storey)
        for (int bay = 0; bay < bays; ++bay)
        {
            Box wall = {half * (2.0 * bay / bays - 1),       storey * STOREY,       0,
                        half * (2.0 * (bay + 1) / bays - 1), (storey + 1) * STOREY, 0};
            bool is_shop = style->has_shops && is_street && is_lower && storey == 0;
            if (storey == 0 && bay == door)
                add_door(city, frame, wall, style->wall);
            else if (is_street || (storey + bay) % 2 == 0)
                add_window(city, frame, wall, style, is_shop, is_street);
            else
                build_box(city->build, frame, wall, SIDE_FRONT, style->wall);
            if (storey > 0 && is_street && style->has_balconies && (bay + storey) % 2 == 0)
                add_balcony(city, frame, (wall.x0 + wall.x1) / 2, wall.y0 + .1);
        }
}

static void add_pitched_roof(City *city, const Frame *frame, double half_x, double half_z, uint16_t surface)
{
    double least = half_x < half_z ? half_x : half_z, ridge = .15 + (least + .45) * .8;
    const Outline roof[] = {{0, 0}, {.45, 0}, {.45, .15}, {-least, ridge}};
    build_moulding(city->build, frame, half_x, half_z, roof, COUNT_OF(roof), surface);
    for (int side = -1; side <= 1; side += 2)
    {
        double x = side * half_x * .45, z = random_between(&city->random, -.3, .3) * half_z;
        Box chimney = {x - .4, .3, z - .3, x + .4, ridge + .7, z + .3};
        build_box(city->build, frame, chimney, SIDES_ALL, SURFACE_BRICK);
    }
}

static void add_roof_clutter(City *city, const Frame *frame, double half_x, double half_z)
{
    static const Outline tank[] = {{0, .02}, {1, .02}, {1, 1.9}, {0, 2.5}};
    Frame quarter = frame_within(frame, half_x * .4, 0, half_z * .4, 0);
    Box hut = {-half_x * .5 - 1.1, .02, -half_z * .4 - 1.1, -half_x * .5 + 1.1, 2.3, -half_z * .4 + 1.1};
    build_box(city->build, frame, hut, SIDES_ALL, SURFACE_PLASTER);
    if (random_below(&city->random, 2))
        build_lathe(city->build, &quarter, tank, COUNT_OF(tank), 8, SURFACE_WOOD);
    for (int i = 0; i < 3; ++i)
    {
        double x = half_x * (.2 + .2 * i), z = -half_z * .5;
        build_box(city->build, frame, (Box){x - .4, .02, z - .6, x + .4, .9, z + .6}, SIDES_ALL,
                  SURFACE_METAL);
    }
}

/* Builds the parapet and the roof inside it, around a smaller upper part if there is one. */
static void add_flat_roof(City *city, const Frame *frame, double half_x, double half_z, const Style *style,
                          double upper_inset)
{
    double least = half_x < half_z ? half_x : half_z;
    const Outline parapet[] = {{0, 0}, {.12, 0}, {.12, .8}, {-.2, .8}, {-.2, .1}};
    const Outline roof[] = {{-.2, .1}, {upper_inset > 0 ? -upper_inset : -least, .1}};
    build_moulding(city->build, frame, half_x, half_z, parapet, COUNT_OF(parapet), style->wall);
    build_moulding(city->build, frame, half_x, half_z, roof, COUNT_OF(roof), style->roof);
    Frame top = frame_within(frame, 0, .1, 0, 0);
    if (upper_inset <= 0 && least > 3.5)
        add_roof_clutter(city, &top, half_x, half_z);
}

static void add_building(City *city, const Frame *ground, double half_x, double half_z, const Style *style)
{
    int parts = style->upper_storeys > 0 ? 2 : 1;
    for (int part = 0; part < parts; ++part)
    {
        double inset = part ? UPPER_INSET : 0, base = part ? style->storeys * STOREY + .1 : 0;
        double x = half_x - inset, z = half_z - inset;
        int storeys = part ? style->upper_storeys : style->storeys;
        for (int side = 0; side < 4; ++side)
        {
            Frame outer = frame_within(ground, 0, base, 0, side);
            Frame frame = frame_within(&outer, 0, 0, side & 1 ? x : z, 0);
            add_facade(city, &frame, side & 1 ? z : x, style, part == 0, style->street_sides >> side & 1u);
        }
        Frame eaves = frame_within(ground, 0, base + storeys * STOREY, 0, 0);
        if (style->is_pitched)
            add_pitched_roof(city, &eaves, x, z, style->roof);
        else
            add_flat_roof(city, &eaves, x, z, style, part + 1 < parts ? UPPER_INSET : 0);
    }
}

static Style random_style(City *city, unsigned street_sides, bool can_be_tower)
{
    static const uint16_t walls[] = {SURFACE_PLASTER, SURFACE_BRICK, SURFACE_STONE, SURFACE_PAINT_WHITE};
    static const uint16_t roofs[] = {SURFACE_ROOF_TILES, SURFACE_ROOF_SLATE, SURFACE_ROOF_TILES};
    Random *random = &city->random;
    Style style = {.street_sides = street_sides};
    style.wall = walls[random_below(random, COUNT_OF(walls))];
    style.storeys = 2 + random_below(random, 3);
    style.is_pitched = random_below(random, 5) < 3;
    style.roof = roofs[random_below(random, COUNT_OF(roofs))];
    style.has_shops = random_below(random, 2) == 0;
    style.has_balconies = random_below(random, 3) == 0;
    if (!style.is_pitched)
        style.roof = random_below(random, 4) ? SURFACE_ROOF_FLAT : SURFACE_GRASS;
    if (can_be_tower && !style.is_pitched && random_below(random, 3) == 0)
    {
        style.storeys = 2;
        style.upper_storeys = 4 + random_below(random, 5);
    }
    return style;
}

void city_add_house(City *city, const Frame *ground, double half_x, double half_z, unsigned street_sides)
{
    Style style = random_style(city, street_sides, half_x > 6 && half_z > 6);
    add_building(city, ground, half_x, half_z, &style);
}
