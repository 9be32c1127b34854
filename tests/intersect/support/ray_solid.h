/* Spheres, capsules and boxes along a line, at 2,200 bits, grown by any amount; and scenes for them. */
#ifndef TESTS_SUPPORT_INTERSECT_RAY_SOLID_H
#define TESTS_SUPPORT_INTERSECT_RAY_SOLID_H

#include "sidle/intersect/ray.h"

#include "intersect/support/number.h"
#include "support/random.h"

enum
{
    SOLID_SPHERE,
    SOLID_CAPSULE,
    SOLID_BOX,
    SOLID_ORIENTED_BOX,
    SOLID_KINDS
};

typedef struct Solid
{
    int kind;
    Vector a, b;    /* a sphere's center twice; a capsule's ends; a box's min and max, or center and half */
    double radius;  /* of what is round */
    Vector axes[3]; /* of boxes */
} Solid;

typedef struct Probe
{
    Vector a, b; /* b is the direction of a ray, the other end of a segment */
    bool is_ray;
} Probe;

/* The interval of t in which the endless line is in the solid, grown by `by`: false if nowhere. The probe has
 * a direction. */
bool solid_interval(const Solid *solid, const Probe *probe, double by, Number *low, Number *high);

/* The largest of the solid's size, its distance from the probe's origin and, of a segment, its length. */
double solid_scale(const Solid *solid, const Probe *probe);

/* From a round solid's core to a point. */
NumberVector solid_from_core(const Solid *solid, NumberVector point);

/* A solid and a probe that may just touch it, begin on it, run along it. */
void solid_drawn(Random *random, int kind, uint32_t index, Solid *solid, Probe *probe);

/* The same bits, whatever stands between the numbers. */
bool same_hit(const sidle_ray_hit *a, const sidle_ray_hit *b);

#endif
