/* The distance between two convex bodies is the largest s(n) = c.n - h_A(n) - h_B(n) over unit directions n, with c from centre
 * to centre and h the support function. Every direction with s(n) > 0 proves that the two are apart. The oracle samples the
 * sphere and then climbs from the best sample: steps in 16 directions around it, halved when none is better. */
#include "support/crowd_scenes.h"

#define SAMPLES    64
#define DIRECTIONS 16
#define FIRST_STEP .5
#define LAST_STEP  1e-9
#define LEAST_GAIN 1e-3 /* of a step, over its square and the smaller radius */
/* Bodies that overlap by more than a tenth of their least radius are measured to 1e-3 of it. */
#define DEEP      .1
#define DEEP_STEP 1e-3

static const double golden_angle = 2.399963229728653;

CrowdBody crowd_body(const sidle_shape *shape, sidle_quat rotation, const sidle_position *center)
{
    double x = (double)rotation.x, y = (double)rotation.y, z = (double)rotation.z, w = (double)rotation.w;
    double length2 = x * x + y * y + z * z + w * w, s = length2 > 0 ? 2 / length2 : 0;
    return (CrowdBody){.center = vector(center->x, center->y, center->z),
                       .radii =
                           vector((double)shape->radii.x, (double)shape->radii.y, (double)shape->radii.z),
                       .axes = {vector(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
                                vector(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
                                vector(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y))},
                       .half_height = (double)shape->half_height};
}

static double support(const CrowdBody *body, Vector n)
{
    Vector own =
        vector(vector_dot(n, body->axes[0]), vector_dot(n, body->axes[1]), vector_dot(n, body->axes[2]));
    return vector_length(vector_times(own, body->radii)) + body->half_height * fabs(own.y);
}

static double along(const CrowdBody *a, const CrowdBody *b, Vector n)
{
    return vector_dot(vector_sub(b->center, a->center), n) - support(a, n) - support(b, n);
}

/* Even on the sphere: R. Swinbank, R. J. Purser, Fibonacci grids, 2006. */
static Vector sample(int i)
{
    double y = 1 - (2 * i + 1.0) / SAMPLES, across = sqrt(1 - y * y), angle = golden_angle * i;
    return vector(across * cos(angle), y, across * sin(angle));
}

static Vector across(Vector n)
{
    Vector least = fabs(n.y) < .7 ? vector(0, 1, 0) : vector(1, 0, 0);
    return vector_unit(vector_cross(n, least));
}

static double least_radius(const CrowdBody *body)
{
    return fmin(body->radii.x, fmin(body->radii.y, body->radii.z));
}

typedef struct Climb
{
    const CrowdBody *a, *b;
    Vector n;
    double best;
} Climb;

static void consider(Climb *climb, Vector n)
{
    double length = vector_length(n),
           s = length > 1e-6 ? along(climb->a, climb->b, vector_unit(n)) : -INFINITY;
    if (s > climb->best)
    {
        climb->n = vector_unit(n);
        climb->best = s;
    }
}

static Vector without(Vector n, Vector axis)
{
    return vector_along(n, -vector_dot(n, axis), axis);
}

/* s(n) has a crease where n is across the core of a capsule: a step has to stay on it to climb along it. */
static void consider_creases(Climb *climb, Vector n)
{
    const CrowdBody *bodies[2] = {climb->a, climb->b};
    consider(climb, n);
    for (int i = 0; i < 2; ++i)
    {
        if (bodies[i]->half_height > 0)
        {
            consider(climb, without(n, bodies[i]->axes[1]));
        }
    }
}

static void consider_both_creases(Climb *climb)
{
    Vector n = vector_cross(climb->a->axes[1], climb->b->axes[1]);
    consider(climb, n);
    consider(climb, vector_scale(n, -1));
}

/* Climbs until s(n) is as large as it gets. With `is_overlap` the search stops at a positive gap, which is not an overlap. */
static double climb_to_top(Climb *climb, bool is_overlap)
{
    double least = fmin(least_radius(climb->a), least_radius(climb->b));
    for (double step = FIRST_STEP; step > LAST_STEP && !(is_overlap && climb->best > 0);)
    {
        Vector n = climb->n, x = across(n), y = vector_cross(n, x);
        double before = climb->best;
        for (int i = 0; i < DIRECTIONS; ++i)
        {
            double angle = i * (6.283185307179586 / DIRECTIONS);
            Vector aside = vector_add(vector_scale(x, cos(angle)), vector_scale(y, sin(angle)));
            consider_creases(climb, vector_along(n, step, aside));
        }
        step = climb->best > before + LEAST_GAIN * step * step * least ? step : step / 2;
        if (is_overlap && climb->best < -DEEP * least && step < DEEP_STEP)
        {
            break;
        }
    }
    return climb->best;
}

static double search(const CrowdBody *a, const CrowdBody *b, bool is_overlap)
{
    Climb climb = {.a = a, .b = b, .best = -INFINITY};
    for (int i = 0; i < SAMPLES; ++i)
    {
        consider(&climb, sample(i));
    }
    consider_both_creases(&climb);
    return climb_to_top(&climb, is_overlap);
}

double crowd_gap(const CrowdBody *a, const CrowdBody *b)
{
    return search(a, b, false);
}

double crowd_overlap(const CrowdBody *a, const CrowdBody *b, double known)
{
    Vector c = vector_sub(b->center, a->center), sum = vector_add(a->radii, b->radii);
    const Vector tries[4] = {vector(c.x, 0, c.z), c, vector_over(c, vector_times(sum, sum)),
                             vector(0, c.y, 0)};
    for (int i = 0; i < 4; ++i)
    {
        if (vector_length(tries[i]) > 0 && -along(a, b, vector_unit(tries[i])) < known)
        {
            return known;
        }
    }
    return fmax(-search(a, b, true), known);
}
