/* The named cases of tests/support/cases*.c for the fuzzers of geometry. */
#include "seeds.h"
#include "slide_input.h"

#include "support/queries.h"

#include <stdio.h>

static void write_input(const char *folder, const char *name, const InputWriter *writer)
{
    write_file(folder, name, writer->bytes, writer->used);
}

/* ---- sweeps ---- */

typedef struct Shot
{
    const char *name;
    Vector origin, path, triangles[2][3];
    int count;
} Shot;

#define LEVEL_FACE                                                                                           \
    {                                                                                                        \
        {-9, 0, -9}, {0, 0, 9},                                                                              \
        {                                                                                                    \
            9, 0, -9                                                                                         \
        }                                                                                                    \
    }
#define TIP                                                                                                  \
    {                                                                                                        \
        {0, 0, 0}, {1, -5, 0},                                                                               \
        {                                                                                                    \
            -1, -5, 0                                                                                        \
        }                                                                                                    \
    }

static const Shot shots[] = {
    {"face_head_on", {0, 3, 0}, {0, -5, 0}, {LEVEL_FACE}, 1},
    {"vertex_touching", {0, 1, 0}, {0, -.5, 0}, {TIP}, 1},
    {"hit_at_the_end", {0, 3.01, 0}, {0, -2, 0}, {LEVEL_FACE}, 1},
    {"inside_moving_out", {0, .5, 0}, {0, 1, 0}, {LEVEL_FACE}, 1},
    {"inside_moving_in", {0, .99999, 0}, {0, -3, 0}, {TIP}, 1},
    {"center_on_face", {0, 0, 0}, {1, .1, 0}, {LEVEL_FACE}, 1},
    {"exit_through_back", {0, -.9, 0}, {.3, -1, 0}, {LEVEL_FACE}, 1},
    {"edge_in_slab", {-1.5, .5, 0}, {2, .01, 0}, {{{0, 0, -10}, {0, 0, 10}, {20, 0, 0}}}, 1},
    {"parallel_to_edge", {-1.0100001, 0, -5}, {0, 0, 8}, {{{0, 0, -20}, {0, 0, 20}, {9, 0, 0}}}, 1},
    {"velocity_in_plane", {2, 1.01, 0}, {3, 0, 1}, {LEVEL_FACE}, 1},
    {"graze", {-8, 1.0108, 0}, {16, -.0016, 0}, {{{-90, 0, -90}, {0, 0, 90}, {90, 0, -90}}}, 1},
    {"graze_vertex", {-3, 1.01, 0}, {6, 0, 0}, {{{0, 0, 0}, {0, -9, 5}, {0, -9, -5}}}, 1},
    {"shared_edge",
     {0, 3, .5},
     {0, -4, 0},
     {{{0, 0, -5}, {0, 0, 5}, {-5, 0, 0}}, {{0, 0, 5}, {0, 0, -5}, {5, 0, 0}}},
     2},
    {"duplicate", {0, 3, 0}, {0, -4, 0}, {TIP, TIP}, 2},
    {"opposite_windings", {0, 3, 0}, {1, -4, 0}, {LEVEL_FACE, {{0, 0, 9}, {-9, 0, -9}, {9, 0, -9}}}, 2},
    {"needle", {0, 3, 0}, {0, -5, 0}, {{{-403, 0, .01}, {-403, 0, -.01}, {-3, 0, 0}}}, 1},
    {"sliver", {0, 3, 0}, {.5, -4, 0}, {{{-2, 0, 0}, {2, 0, 0}, {0, 0, -.0009765625}}}, 1},
    {"segment", {.5, 3, 0}, {0, -4, 0}, {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}}, 1},
    {"point", {0, 3, .25}, {0, -4, 0}, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, 1},
    {"ridge",
     {0, 3, 20},
     {.2, -4, 0},
     {{{0, 0, -500}, {0, 0, 500}, {-3, -4, 0}}, {{0, 0, -500}, {0, 0, 500}, {3, -4, 0}}},
     2},
    {"wedge",
     {-9, 0, 0},
     {9, 0, 0},
     {{{0, -9, 0}, {0, 9, 0}, {-20, 0, 1}}, {{0, -9, 0}, {0, 9, 0}, {-20, 0, -1}}},
     2},
    {"t_junction",
     {.005, 3, 0},
     {0, -3, 0},
     {{{0, 0, -20}, {0, 0, 20}, {-20, 0, 0}}, {{.01, 0, 0}, {.01, 0, 20}, {20, 0, 0}}},
     2},
    {"far", {1e5, 3, -1e5}, {0, -5, 0}, {{{99991, 0, -100009}, {1e5, 0, -99991}, {100009, 0, -100009}}}, 1},
    {"long_graze", {-1e6, 26.02, 0}, {3e6, -150, 0}, {{{-4e6, 0, -4e6}, {0, 0, 4e6}, {4e6, 0, -4e6}}}, 1},
    {"v_tiny", {0, 1.01, 0}, {0, -1e-12, 0}, {LEVEL_FACE}, 1},
    {"v_huge", {0, 3, 0}, {0, -1e12, 0}, {LEVEL_FACE}, 1},
};

static void put_path(InputWriter *writer, Vector origin, Vector direction, double length)
{
    input_put_corner(writer, origin);
    input_put_vector(writer, direction);
    input_put_number(writer, length);
}

void write_sweeps(const char *folder)
{
    for (size_t i = 0; i < sizeof shots / sizeof *shots; ++i)
    {
        InputWriter writer = {.used = 0};
        input_put_byte(&writer, 0);
        input_put_byte(&writer, (uint32_t)shots[i].count - 1);
        put_path(&writer, shots[i].origin, shots[i].path, vector_length(shots[i].path));
        for (int corner = 0; corner < 3 * shots[i].count; ++corner)
        {
            input_put_corner(&writer, shots[i].triangles[corner / 3][corner % 3]);
        }
        write_input(folder, shots[i].name, &writer);
    }
    for (uint32_t seed = 1; seed <= 24; ++seed) /* drawn ones */
    {
        char name[32];
        InputWriter writer = {.used = 0};
        input_put_byte(&writer, 1 + 2 * (seed % 4));
        input_put_bits(&writer, seed, 4);
        snprintf(name, sizeof name, "drawn_%u", (unsigned)seed);
        write_input(folder, name, &writer);
    }
}

/* ---- slides ---- */

static const Vector ball = {1, 1, 1}, ellipsoid = {.4, .9, .4}, plate = {2, .05, 1};

/* Takes the soup. Each mode with and without the box, and with and without a core. */
static void write_slide_with(const char *folder, const char *what, uint32_t flags, Soup soup, Vector center,
                             Vector wish)
{
    const Vector radii[3] = {ball, ellipsoid, plate};
    const Vector wishes[6] = {wish, wish, wish, wish, vector_scale(wish, -.3), wish};
    for (uint32_t mode = 0; mode < 6; ++mode)
    {
        char name[64];
        InputWriter writer = {.used = 0};
        uint32_t all = flags | (mode % 2 ? SLIDE_BOX : 0) | (mode < 3 ? 0 : SLIDE_CAPSULE);
        slide_input_encode(&writer, mode % 3, all, NULL, &soup, radii[mode % 3], center, wishes, 6);
        snprintf(name, sizeof name, "%s_%u", what, (unsigned)mode);
        write_input(folder, name, &writer);
    }
    soup_free(&soup);
}

static void write_slide(const char *folder, const char *what, Soup soup, Vector center, Vector wish)
{
    write_slide_with(folder, what, 0, soup, center, wish);
}

/* In a solid smaller than the ball, or between it and the box: the ball cannot leave. */
static void write_trapped(const char *folder, const char *what, Vector center)
{
    const Vector solid[4] = {{7, -3, -3}, {7, -3, 4}, {7, 4, 0}, {5.8, 0, 0}},
                 wishes[3] = {{0, 0, 0}, {.1, 0, 0}};
    const Soup none = {0};
    for (uint32_t mode = 0; mode < 3; ++mode)
    {
        char name[64];
        InputWriter writer = {.used = 0};
        slide_input_encode(&writer, mode, SLIDE_BOX, solid, &none, ball, center, wishes, 3);
        snprintf(name, sizeof name, "%s_%u", what, (unsigned)mode);
        write_input(folder, name, &writer);
    }
}

static Soup floor_with(void (*more)(Soup *soup))
{
    Soup soup = {0};
    soup_floor(&soup, 7, 0);
    if (more)
    {
        more(&soup);
    }
    return soup;
}

static void add_wall(Soup *soup)
{
    soup_wall(soup, 6, 3);
}

static void add_step(Soup *soup)
{
    soup_plate(soup, 2, 6, -5, 5, .25);
    soup_quad(soup, vector(2, 0, -5), vector(2, 0, 5), vector(2, .25, 5), vector(2, .25, -5));
}

static void add_wedge(Soup *soup)
{
    soup_wedge(soup, 40, 4, 6);
}

/* A slit a hair too narrow. */
static void add_gap(Soup *soup)
{
    soup_quad(soup, vector(2, -1, .999), vector(2, 4, .999), vector(2, 4, 6), vector(2, -1, 6));
    soup_quad(soup, vector(2, -1, -.999), vector(2, 4, -.999), vector(2, 4, -6), vector(2, -1, -6));
}

static void add_tunnel(Soup *soup)
{
    soup_tunnel(soup, 1.0201, 5);
}

/* Lower than the agent is high: crushed. */
static void add_ceiling(Soup *soup)
{
    soup_plate(soup, -6, 6, -6, 6, 1.2);
}

static void add_threads(Soup *soup)
{
    soup_triangle(soup, vector(2, 1, -4), vector(2, 1, 0), vector(2, 1, 4));
    soup_triangle(soup, vector(3, 1, 0), vector(3, 1, 0), vector(3, 1, 0));
}

/* A slit that ends at another's side. */
static void add_t_junction(Soup *soup)
{
    soup_plate(soup, -6, 0, -6, 6, .5);
    soup_plate(soup, .01, 6, -6, 0, .5);
    soup_plate(soup, .01, 6, 0, 6, .5);
}

static Soup made(void (*make)(Soup *soup))
{
    Soup soup = {0};
    make(&soup);
    return soup;
}

static void make_groove(Soup *soup)
{
    soup_groove(soup, 60, 6, 5);
}

static void make_ring(Soup *soup)
{
    soup_ring(soup, 10, 4, 3);
}

static void make_fan(Soup *soup)
{
    soup_fan(soup, 8, 5, 3);
}

static void make_slope(Soup *soup)
{
    soup_slope(soup, 7, 44.9);
}

static void make_ridge(Soup *soup)
{
    soup_ridge(soup, 12, 4, 3);
}

void write_slides(const char *folder)
{
    write_slide(folder, "floor", floor_with(NULL), vector(0, 2, 0), vector(.3, -.5, .1));
    write_slide(folder, "wall", floor_with(add_wall), vector(0, 1.03, 0), vector(1, 0, .4));
    write_slide(folder, "step", floor_with(add_step), vector(0, 1.03, 0), vector(.7, 0, .1));
    write_slide(folder, "wedge", floor_with(add_wedge), vector(-5, 1.1, 0), vector(1.5, 0, .02));
    write_slide(folder, "gap", floor_with(add_gap), vector(0, 1.1, 0), vector(1, 0, 0));
    write_slide(folder, "tunnel", made(add_tunnel), vector(-6.5, 0, 0), vector(3, 0, 0));
    write_slide(folder, "crush", floor_with(add_ceiling), vector(0, .6, 0), vector(.2, 0, 0));
    write_slide(folder, "embedded", floor_with(add_wall), vector(2.5, .4, 0), vector(0, 0, 0));
    write_slide(folder, "on_the_face", floor_with(NULL), vector(1, 0, 2), vector(.1, 0, 0));
    write_slide(folder, "threads", floor_with(add_threads), vector(-1, 1.1, 0), vector(1, 0, 0));
    write_slide(folder, "groove", made(make_groove), vector(0, 2.5, 0), vector(.1, -.5, .5));
    write_slide(folder, "ring", made(make_ring), vector(0, 0, 0), vector(3, 0, 1));
    write_slide(folder, "fan", made(make_fan), vector(.1, 2, .1), vector(0, -1, 0));
    write_slide(folder, "slope", made(make_slope), vector(-2, 1, 0), vector(.5, 0, .2));
    write_slide(folder, "ridge", made(make_ridge), vector(.3, 2, 1), vector(-.2, -1, .1));
    write_trapped(folder, "in_a_solid", vector(6.7, 0, .1));
    write_trapped(folder, "behind_a_solid", vector(7.3, 0, .1));
    write_slide(folder, "t_junction", floor_with(add_t_junction), vector(.005, 2.5, 0), vector(0, -.5, 0));
    write_slide(folder, "v_tiny", floor_with(add_wall), vector(1.9, 1.1, 0), vector(1e-12, -1e-12, 0));
    write_slide_with(folder, "far", SLIDE_FAR, floor_with(add_wall), vector(0, 1.1, 0), vector(.5, -.2, .1));
    write_slide_with(folder, "v_huge", SLIDE_WIDE, floor_with(add_wall), vector(0, 1.1, 0),
                     vector(1e5, -1e4, 0));
    write_slide(folder, "far_flight", floor_with(add_wall), vector(0, 1.1, 0), vector(30, -.01, 5));
}

/* ---- projections ---- */

static void write_projection(const char *folder, const char *name, Vector v, const Vector *planes, int count)
{
    InputWriter writer = {.used = 0};
    input_put_vector(&writer, v);
    for (int i = 0; i < count; ++i)
    {
        input_put_byte(&writer, 7);
        input_put_vector(&writer, planes[i]);
    }
    write_input(folder, name, &writer);
}

void write_projections(const char *folder)
{
    const Vector corner[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vector groove[2] = {{.6, .8, 0}, {-.6, .8, 0}};
    const Vector wedge[2] = {{.001, 0, 1}, {.001, 0, -1}};
    const Vector slab[3] = {{0, 1, 0}, {0, -1, 0}, {1, 0, 0}};
    const Vector fan[6] = {{1, 3, 0}, {-1, 3, 0}, {0, 3, 1}, {0, 3, -1}, {1, 3, 1}, {-1, 3, -1}};
    const Vector shut[5] = {{1, 1, 1}, {-1, -1, -1}, {-1, -1, -1 + 3e-7}, {1, 0, 0}, {0, 1, 0}};
    write_projection(folder, "free", vector(0, 1, 0), corner, 2);
    write_projection(folder, "plane", vector(1, -1, 1), corner, 3);
    write_projection(folder, "corner", vector(-1, -2, -3), corner, 3);
    write_projection(folder, "groove", vector(0, -1, .5), groove, 2);
    write_projection(folder, "wedge", vector(-1, .3, .1), wedge, 2);
    write_projection(folder, "slab", vector(-1, -1, 2), slab, 3);
    write_projection(folder, "fan", vector(.1, -1, .2), fan, 6);
    write_projection(folder, "shut", vector(0, 0, -1), shut, 5);
}

/* ---- bakes ---- */

static void write_bake(const char *folder, const char *name, uint32_t flags, const Soup *soup)
{
    InputWriter writer = {.used = 0};
    uint32_t count = (uint32_t)(soup->count < 21 ? soup->count : 21);
    input_put_byte(&writer, flags);
    input_put_byte(&writer, 3 * count - 1);
    input_put_byte(&writer, count);
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        input_put_corner(&writer, soup->triangles[i / 3].v[i % 3]);
    }
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        input_put_byte(&writer, i);
    }
    write_input(folder, name, &writer);
}

/* Of any numbers. Its last corner is the vertex that the input gives. */
static void write_bad_bake(const char *folder, const char *name, float number, uint32_t last)
{
    InputWriter writer = {.used = 0};
    input_put_byte(&writer, 2 + 16); /* indexed, any numbers */
    input_put_byte(&writer, 2);
    input_put_byte(&writer, 1);
    for (uint32_t i = 0; i < 9; ++i)
    {
        input_put_any(&writer, i == 4 ? number : (float)(i % 4));
    }
    input_put_byte(&writer, 0);
    input_put_byte(&writer, 1);
    input_put_byte(&writer, 255);
    input_put_bits(&writer, last, 4);
    write_input(folder, name, &writer);
}

void write_bakes(const char *folder)
{
    write_bad_bake(folder, "nan", NAN, 2);
    write_bad_bake(folder, "infinity", -INFINITY, 2);
    write_bad_bake(folder, "bad_index", 1, 3);
    write_bad_bake(folder, "worst_index", 1, UINT32_MAX);
    Soup lids = {0};
    soup_triangle(&lids, vector(-2, 0, 0), vector(2, 0, 0), vector(0, 0, -.0009765625));
    write_bake(folder, "cap", 0, &lids);
    soup_triangle(&lids, vector(-2, 0, 0), vector(2, 0, 0), vector(0, 0, -.0009765625));
    write_bake(folder, "duplicate", 2, &lids);
    soup_triangle(&lids, vector(2, 0, 0), vector(-2, 0, 0), vector(0, 0, -.0009765625));
    write_bake(folder, "opposite_windings", 2 + 4, &lids);
    soup_free(&lids);
    Soup soup = {0};
    soup_floor(&soup, 3, 0);
    write_bake(folder, "floor", 0, &soup);
    soup_fan(&soup, 12, 5, 2);
    write_bake(folder, "fan", 2, &soup); /* indexed */
    soup_triangle(&soup, vector(0, 0, 0), vector(1000, 0, 0), vector(1000, 0, .001));
    soup_triangle(&soup, vector(0, 0, 0), vector(1, 0, 0), vector(2, 0, 0));
    soup_triangle(&soup, vector(4, 4, 4), vector(4, 4, 4), vector(4, 4, 4));
    write_bake(folder, "thin", 1 + 2 + 4, &soup);
    soup_shift(&soup, vector(1e6, 0, -1e6));
    write_bake(folder, "far", 4 + 8, &soup);
    soup_stretch(&soup, vector(1e5, 1e5, 1e5));
    write_bake(folder, "huge", 1 + 8, &soup);
    soup_free(&soup);
}
