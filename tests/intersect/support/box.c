#include "intersect/support/box.h"

#include <string.h>

int body_number_count(BodyForm form)
{
    static const int counts[] = {6, 15, 9, 4};
    return counts[form];
}

int body_length_count(BodyForm form)
{
    static const int counts[] = {6, 6, 9, 4};
    return counts[form];
}

static bool ask_boxes(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_box_box(&a->box, &b->box, out);
}

static bool ask_oriented(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_oriented_box_oriented_box(&a->oriented, &b->oriented, out);
}

static bool ask_box_triangle(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_box_triangle(&a->box, &b->triangle, out);
}

static bool ask_oriented_triangle(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_oriented_box_triangle(&a->oriented, &b->triangle, out);
}

static bool ask_box_sphere(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_box_sphere(&a->box, &b->sphere, out);
}

static bool ask_oriented_sphere(const Body *a, const Body *b, sidle_touch *out)
{
    return sidle_oriented_box_sphere(&a->oriented, &b->sphere, out);
}

const BoxTest box_tests[BOX_TESTS] = {
    {"boxes", BODY_BOX, BODY_BOX, ask_boxes},
    {"oriented boxes", BODY_ORIENTED, BODY_ORIENTED, ask_oriented},
    {"box, triangle", BODY_BOX, BODY_TRIANGLE, ask_box_triangle},
    {"oriented box, triangle", BODY_ORIENTED, BODY_TRIANGLE, ask_oriented_triangle},
    {"box, sphere", BODY_BOX, BODY_SPHERE, ask_box_sphere},
    {"oriented box, sphere", BODY_ORIENTED, BODY_SPHERE, ask_oriented_sphere}};

Body body_of_box(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return (Body){.form = BODY_BOX, .numbers = {x, y, z, to_x, to_y, to_z}};
}

Body body_of_oriented(sidle_oriented_box box)
{
    return (Body){.form = BODY_ORIENTED, .oriented = box};
}

Body body_of_triangle(Vector a, Vector b, Vector c)
{
    return (Body){.form = BODY_TRIANGLE, .numbers = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}

Body body_scaled(const Body *body, int exponent)
{
    Body scaled = *body;
    for (int i = 0; i < body_length_count(body->form); ++i)
    {
        scaled.numbers[i] = ldexp(scaled.numbers[i], exponent);
    }
    return scaled;
}

void body_move(Body *body, Vector offset)
{
    static const int places[] = {2, 1, 3, 1};
    for (int i = 0; i < places[body->form]; ++i)
    {
        body->numbers[3 * i] += offset.x;
        body->numbers[3 * i + 1] += offset.y;
        body->numbers[3 * i + 2] += offset.z;
    }
}

/* ---- drawings ---- */

typedef enum Manner
{
    MANNER_LATTICE,
    MANNER_PLAIN,
    MANNER_NEARLY_PARALLEL,
    MANNER_RATIOS,
    MANNER_COUNT
} Manner;

static double drawn_length(Random *random, Manner manner)
{
    if (manner == MANNER_LATTICE || random_chance(random, .05))
    {
        return random_below(random, 4);
    }
    return manner == MANNER_RATIOS ? random_scale(random, 1e-9, 1e4) : random_between(random, .1, 2);
}

static double drawn_place(Random *random, Manner manner)
{
    return manner == MANNER_LATTICE ? (double)random_below(random, 5) - 2 : random_between(random, -1.2, 1.2);
}

static Vector drawn_vector(Random *random, Manner manner)
{
    double x = drawn_place(random, manner), y = drawn_place(random, manner);
    return vector(x, y, drawn_place(random, manner));
}

/* Turned by an angle of `small` about a random axis: Rodrigues to the first orders, made orthonormal. */
static void turn_a_little(Random *random, Vector axes[3], double small)
{
    Vector about = random_direction(random);
    for (int i = 0; i < 3; ++i)
    {
        axes[i] = vector_along(axes[i], small, vector_cross(about, axes[i]));
    }
    axes[0] = vector_unit(axes[0]);
    axes[1] = vector_unit(vector_along(axes[1], -vector_dot(axes[0], axes[1]), axes[0]));
    axes[2] = vector_cross(axes[0], axes[1]);
}

static void drawn_axes(Random *random, Manner manner, const double *parallel_to, double *out)
{
    Rotation rotation = random_rotation(random);
    Vector axes[3];
    int first = (int)random_below(random, 3);
    for (int i = 0; i < 3; ++i)
    {
        int axis = (first + i) % 3;
        double sign = random_chance(random, .5) ? 1 : -1;
        axes[i] = rotation.rows[i];
        if (manner == MANNER_LATTICE)
        {
            axes[i] = vector(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
        }
        else if (manner == MANNER_NEARLY_PARALLEL && parallel_to)
        {
            const double *from = parallel_to + 3 * axis;
            axes[i] = vector(from[0], from[1], from[2]);
        }
    }
    if (manner == MANNER_NEARLY_PARALLEL)
    {
        turn_a_little(random, axes, random_chance(random, .2) ? 0 : random_scale(random, 1e-18, 1e-1));
    }
    memcpy(out, axes, sizeof axes);
}

/* Here and below one draw to a statement: compilers differ in which argument they compute first. */
static void shake(Random *random, Vector *place, double least, double most)
{
    Vector offset = random_direction(random);
    *place = vector_along(*place, random_scale(random, least, most), offset);
}

static void draw_triangle(Random *random, Manner manner, const double *axes, double *out)
{
    Vector corners[3];
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = drawn_vector(random, manner);
    }
    if (manner == MANNER_NEARLY_PARALLEL) /* an edge, or two, all but along an axis */
    {
        const double *along = axes + 3 * random_below(random, 3);
        Vector offset = vector(along[0], along[1], along[2]);
        corners[1] = vector_along(corners[0], random_between(random, -3, 3), offset);
        shake(random, &corners[1], 1e-18, 1e-1);
    }
    if (manner == MANNER_RATIOS && random_chance(random, .5)) /* a needle */
    {
        corners[2] = vector_along(corners[0], random_unit(random), vector_sub(corners[1], corners[0]));
        shake(random, &corners[2], 1e-17, 1e-2);
    }
    else if (manner == MANNER_RATIOS)
    {
        double scale = random_scale(random, 1e-9, 1e4);
        corners[1] = vector_along(corners[0], scale, vector_sub(corners[1], corners[0]));
        corners[2] = vector_along(corners[0], scale, vector_sub(corners[2], corners[0]));
    }
    memcpy(out, corners, sizeof corners);
}

static Body drawn_body(Random *random, BodyForm form, Manner manner, const double *axes)
{
    static const double space[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    Body body = {.form = form};
    Vector place = drawn_vector(random, manner);
    memcpy(body.numbers, &place, sizeof place);
    for (int i = 0; i < 3; ++i)
    {
        double length = drawn_length(random, manner);
        body.numbers[3 + i] = form == BODY_BOX ? body.numbers[i] + length : length;
    }
    if (form == BODY_TRIANGLE)
    {
        draw_triangle(random, manner, axes ? axes : space, body.numbers);
    }
    else if (form == BODY_ORIENTED)
    {
        drawn_axes(random, manner, axes, body.numbers + 6);
    }
    return body;
}

/* b moved to where both touch, but for a few last bits of the displacement, or for none. */
static void make_touch(Random *random, const BoxTest *test, const Body *a, Body *b)
{
    sidle_touch touch;
    if (!test->ask(a, b, &touch))
    {
        return;
    }
    double offset = touch.depth;
    if (random_chance(random, .7))
    {
        double units = random_chance(random, .5) ? 1 : 64;
        offset += units * ((double)random_below(random, 9) - 4) * bodies_size(a, b) * 0x1p-53;
    }
    body_move(b, vector(offset * touch.normal.x, offset * touch.normal.y, offset * touch.normal.z));
}

static Vector body_middle(const Body *body)
{
    const double *n = body->numbers;
    Vector first = vector(n[0], n[1], n[2]), next = vector(n[3], n[4], n[5]);
    if (body->form == BODY_BOX)
    {
        return vector_scale(vector_add(first, next), .5);
    }
    if (body->form == BODY_TRIANGLE)
    {
        return vector_scale(vector_add(vector_add(first, next), vector(n[6], n[7], n[8])), 1.0 / 3);
    }
    return first;
}

void bodies_drawn(Random *random, const BoxTest *test, Body *a, Body *b)
{
    Manner manner = (Manner)random_below(random, MANNER_COUNT);
    *a = drawn_body(random, test->a, manner, NULL);
    *b = drawn_body(random, test->b, manner, a->form == BODY_ORIENTED ? a->numbers + 6 : NULL);
    if (manner != MANNER_LATTICE && random_chance(random, .6)) /* else most miss */
    {
        Vector from = body_middle(a), to = body_middle(b);
        double near = random_chance(random, .5) ? 1 : fmin(body_size(a), body_size(b));
        Vector offset = random_direction(random);
        body_move(b, vector_along(vector_sub(from, to), near * .4 * random_unit(random), offset));
    }
    if (random_chance(random, .4))
    {
        make_touch(random, test, a, b);
    }
    if (random_chance(random, .05)) /* far from the origin */
    {
        double x = random_between(random, -1e6, 1e6);
        Vector far = vector(x, 1e5, random_between(random, -1e6, 1e6));
        body_move(a, far);
        body_move(b, far);
    }
}
