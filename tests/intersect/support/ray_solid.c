#include "intersect/support/ray_solid.h"

#include <string.h>

/* ---- where a line is inside ---- */

typedef struct Line
{
    NumberVector from, direction;
} Line;

typedef struct Interval
{
    Number low, high;
    bool any;
} Interval;

static Number greater(double a)
{
    return number_of(a);
}

static bool is_less(Number a, Number b)
{
    return number_sign(number_sub(a, b)) < 0;
}

/* |from + t direction| <= radius; without a direction always or never. */
static Interval round_interval(NumberVector from, NumberVector direction, Number radius)
{
    Number a = number_dot(direction, direction), b = number_dot(from, direction);
    Number c = number_sub(number_dot(from, from), number_mul(radius, radius));
    if (number_sign(radius) < 0)
    {
        return (Interval){.any = false};
    }
    if (number_sign(a) == 0)
    {
        return (Interval){greater(-1e300), greater(1e300), number_sign(c) <= 0};
    }
    Number below = number_sub(number_mul(b, b), number_mul(a, c));
    if (number_sign(below) < 0)
    {
        return (Interval){.any = false};
    }
    Number root = number_sqrt(below), minus_b = number_mul(b, number_of(-1));
    return (Interval){number_div(number_sub(minus_b, root), a), number_div(number_add(minus_b, root), a),
                      true};
}

/* low <= from + t slope <= high. */
static Interval slab_interval(Number from, Number slope, Number low, Number high)
{
    if (number_sign(slope) == 0)
    {
        bool any = !is_less(from, low) && !is_less(high, from);
        return (Interval){greater(-1e300), greater(1e300), any};
    }
    Number a = number_div(number_sub(low, from), slope), b = number_div(number_sub(high, from), slope);
    return (Interval){number_min(a, b), number_max(a, b), !is_less(high, low)};
}

static Interval common(Interval a, Interval b)
{
    if (!a.any || !b.any)
    {
        return (Interval){.any = false};
    }
    Interval out = {number_max(a.low, b.low), number_min(a.high, b.high), true};
    out.any = !is_less(out.high, out.low);
    return out;
}

static Interval together(Interval a, Interval b)
{
    if (!a.any || !b.any)
    {
        return a.any ? a : b;
    }
    return (Interval){number_min(a.low, b.low), number_max(a.high, b.high), true};
}

static Line line_of(const Probe *probe)
{
    NumberVector a = number_vector(probe->a), b = number_vector(probe->b);
    return (Line){a, probe->is_ray ? b : number_vector_sub(b, a)};
}

static Interval capsule_interval(const Solid *solid, const Line *line, Number radius)
{
    NumberVector a = number_vector(solid->a), b = number_vector(solid->b), axis = number_vector_sub(b, a);
    NumberVector from = number_vector_sub(line->from, a);
    Interval whole = together(round_interval(from, line->direction, radius),
                              round_interval(number_vector_sub(line->from, b), line->direction, radius));
    Number length2 = number_dot(axis, axis);
    if (number_sign(length2) == 0)
    {
        return whole;
    }
    Number place = number_div(number_dot(from, axis), length2);
    Number speed = number_div(number_dot(line->direction, axis), length2);
    NumberVector across = number_vector_sub(from, number_vector_scale(axis, place));
    NumberVector direction = number_vector_sub(line->direction, number_vector_scale(axis, speed));
    return together(whole, common(round_interval(across, direction, radius),
                                  slab_interval(place, speed, number_of(0), number_of(1))));
}

static Interval box_interval(const Solid *solid, const Line *line, Number by)
{
    Interval whole = {greater(-1e300), greater(1e300), true};
    bool oriented = solid->kind == SOLID_ORIENTED_BOX;
    const double low[3] = {solid->a.x, solid->a.y, solid->a.z},
                 high[3] = {solid->b.x, solid->b.y, solid->b.z};
    NumberVector from = oriented ? number_vector_sub(line->from, number_vector(solid->a)) : line->from;
    for (int i = 0; i < 3; ++i)
    {
        NumberVector axis = number_vector(solid->axes[i]);
        Number top = number_add(number_of(high[i]), by);
        Number bottom = oriented ? number_mul(top, number_of(-1)) : number_sub(number_of(low[i]), by);
        whole = common(whole,
                       slab_interval(number_dot(from, axis), number_dot(line->direction, axis), bottom, top));
    }
    return whole;
}

bool solid_interval(const Solid *solid, const Probe *probe, double by, Number *low, Number *high)
{
    Line line = line_of(probe);
    Interval found;
    if (solid->kind == SOLID_SPHERE || solid->kind == SOLID_CAPSULE)
    {
        found = capsule_interval(solid, &line, number_add(number_of(solid->radius), number_of(by)));
    }
    else
    {
        found = box_interval(solid, &line, number_of(by));
    }
    *low = found.low;
    *high = found.high;
    return found.any;
}

double solid_scale(const Solid *solid, const Probe *probe)
{
    bool is_round = solid->kind == SOLID_SPHERE || solid->kind == SOLID_CAPSULE;
    Vector other = solid->kind == SOLID_ORIENTED_BOX ? vector_add(solid->a, solid->b) : solid->b;
    double size = is_round ? solid->radius : 0;
    size = fmax(size, fmax(vector_distance(solid->a, probe->a), vector_distance(other, probe->a)));
    size = fmax(size, vector_distance(other, solid->a));
    return probe->is_ray ? size : fmax(size, vector_distance(probe->a, probe->b));
}

NumberVector solid_from_core(const Solid *solid, NumberVector point)
{
    NumberVector a = number_vector(solid->a), axis = number_vector_sub(number_vector(solid->b), a);
    NumberVector from = number_vector_sub(point, a);
    Number length2 = number_dot(axis, axis);
    if (number_sign(length2) == 0)
    {
        return from;
    }
    Number place = number_clamp(number_div(number_dot(from, axis), length2), 0, 1);
    return number_vector_sub(from, number_vector_scale(axis, place));
}

/* ---- scenes ---- */

static Vector drawn_vector(Random *random, int kind)
{
    double x, y, z;
    switch (kind)
    {
    case 0: /* a lattice */
        x = (double)random_below(random, 7) - 3, y = (double)random_below(random, 7) - 3;
        z = (double)random_below(random, 7) - 3;
        return vector(x, y, z);
    case 1: /* all sizes */
        x = random_scale(random, 1e-8, 1e8);
        return vector_scale(random_direction(random), x);
    case 2: /* far off */
        return vector_add(vector(1e6, -3e6, 2e6), random_direction(random));
    default:
        return random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
    }
}

/* An axis of space, or a direction that is one but for noise. */
static Vector nearly_an_axis(Random *random)
{
    double to[3] = {0};
    double sign = random_chance(random, .5) ? 1 : -1, noise = random_scale(random, 1e-18, 1e-3);
    to[random_below(random, 3)] = sign;
    Vector out = vector(to[0], to[1], to[2]);
    return random_chance(random, .5) ? out : vector_along(out, noise, random_direction(random));
}

static void draw_round(Random *random, int kind, Solid *solid)
{
    solid->radius = kind == 0 ? (double)random_below(random, 4) : random_scale(random, 1e-6, 2);
    solid->radius = random_chance(random, .1) ? 0 : solid->radius;
    if (solid->kind == SOLID_SPHERE || random_chance(random, .05))
    {
        solid->b = solid->a;
    }
}

static void draw_box(Random *random, int kind, Solid *solid)
{
    double *low[3] = {&solid->a.x, &solid->a.y, &solid->a.z},
           *high[3] = {&solid->b.x, &solid->b.y, &solid->b.z};
    Rotation rotation = random_rotation(random);
    bool turned = solid->kind == SOLID_ORIENTED_BOX && (kind || random_chance(random, .5));
    for (int i = 0; i < 3; ++i)
    {
        solid->axes[i] = turned ? rotation.rows[i] : vector(i == 0, i == 1, i == 2);
        double a = *low[i], b = *high[i];
        if (solid->kind == SOLID_ORIENTED_BOX)
        {
            *high[i] = random_chance(random, .1) ? 0 : fabs(b - a);
        }
        else
        {
            *low[i] = fmin(a, b);
            *high[i] = random_chance(random, .1) ? *low[i] : fmax(a, b);
        }
    }
}

/* A corner, a point of an edge or of a face: on the surface but for rounding. */
static Vector on_box(Random *random, const Solid *solid)
{
    const double low[3] = {solid->a.x, solid->a.y, solid->a.z},
                 high[3] = {solid->b.x, solid->b.y, solid->b.z};
    bool oriented = solid->kind == SOLID_ORIENTED_BOX;
    Vector out = oriented ? solid->a : vector(0, 0, 0);
    for (int i = 0; i < 3; ++i)
    {
        double at = random_chance(random, .3) ? 0 : random_chance(random, .4) ? 1 : random_unit(random);
        double bottom = oriented ? -high[i] : low[i];
        out = vector_along(out, at == 1 ? high[i] : bottom + at * (high[i] - bottom), solid->axes[i]);
    }
    return out;
}

/* A point of the surface, and a direction along the surface there. */
static Vector on_round(Random *random, const Solid *solid, Vector *along)
{
    Vector axis = vector_sub(solid->b, solid->a), out = random_direction(random);
    double at = random_chance(random, .3) ? 0 : random_chance(random, .3) ? 1 : random_unit(random);
    if (at > 0 && at < 1)
    {
        out = vector_unit(vector_cross(axis, out));
    }
    *along = random_chance(random, .4) ? axis : vector_cross(out, random_direction(random));
    return vector_along(vector_along(solid->a, at, axis),
                        solid->radius * (1 + random_below(random, 5) * 0x1p-52), out);
}

void solid_drawn(Random *random, int kind, uint32_t index, Solid *solid, Probe *probe)
{
    int numbers = (int)(index % 4);
    Vector a = drawn_vector(random, numbers), b = drawn_vector(random, numbers);
    *solid = (Solid){.kind = kind, .a = a, .b = b};
    probe->is_ray = index / 4 % 2;
    probe->a = drawn_vector(random, numbers);
    Vector along = nearly_an_axis(random), aim;
    if (kind == SOLID_SPHERE || kind == SOLID_CAPSULE)
    {
        draw_round(random, numbers, solid);
        aim = on_round(random, solid, &along);
    }
    else
    {
        draw_box(random, numbers, solid);
        aim = on_box(random, solid);
        along = solid->kind == SOLID_ORIENTED_BOX ? solid->axes[random_below(random, 3)] : along;
    }
    double choice = random_unit(random), reach = random_scale(random, 1e-3, 1e3);
    if (choice < .4) /* grazes, or runs along */
    {
        probe->a = vector_along(aim, -reach * random_between(random, -.2, 1), along);
    }
    else if (choice < .5) /* begins there */
    {
        probe->a = aim;
        aim = drawn_vector(random, numbers);
    }
    Vector direction = numbers == 0 && choice > .8 ? drawn_vector(random, 0)
                       : choice < .4               ? along
                                                   : vector_sub(aim, probe->a);
    double farther = random_chance(random, .4) ? 1 : random_between(random, .5, 3);
    probe->b = probe->is_ray ? vector_scale(direction, random_chance(random, .5) ? 1 : reach)
               : choice < .4 ? vector_along(aim, reach * random_unit(random), along)
                             : vector_along(probe->a, farther, direction);
}

bool same_hit(const sidle_ray_hit *a, const sidle_ray_hit *b)
{
    return !memcmp(&a->t, &b->t, sizeof a->t) && !memcmp(&a->t_exit, &b->t_exit, sizeof a->t_exit) &&
           !memcmp(&a->point, &b->point, sizeof a->point) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal) &&
           !memcmp(a->barycentric, b->barycentric, sizeof a->barycentric) &&
           a->feature.kind == b->feature.kind && a->feature.index == b->feature.index;
}
