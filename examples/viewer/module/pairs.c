/* Pairs of shapes for page/pairs.html. Every answer has the form of PairAnswer. */
#include "viewer.h"

#include "sidle/intersect.h"

#include <string.h>

enum PairKind
{
    PAIR_SPHERE_SPHERE,
    PAIR_BOX_SPHERE,
    PAIR_BOX_BOX,
    PAIR_BOX_TRIANGLE,
    PAIR_SPHERE_PLANE,
    PAIR_RAY_CAPSULE,
    PAIR_RAY_TRIANGLE,
    PAIR_SEGMENT_SEGMENT
};

/* A shape, in 21 numbers of page/pairs.js. `size`: a radius and half of the length along y, half extents, or three corners. */
typedef struct PairShape
{
    double center[3], axes[9], size[9];
} PairShape;

typedef struct PairAnswer
{
    double hits, depth; /* of rays and segments: t, and the distance */
    double normal[3];
    double point_count, points[8][3];
} PairAnswer;

static sidle_position vector(const double v[3])
{
    return (sidle_position){v[0], v[1], v[2]};
}

static void put(double out[3], sidle_position v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* A point of the shape's own space in the world. */
static sidle_position place(const PairShape *shape, const double own[3])
{
    double p[3];
    for (int i = 0; i < 3; i++)
    {
        p[i] = shape->center[i];
        for (int k = 0; k < 3; k++)
        {
            p[i] += shape->axes[3 * k + i] * own[k];
        }
    }
    return vector(p);
}

static sidle_sphere sphere_of(const PairShape *shape)
{
    return (sidle_sphere){vector(shape->center), shape->size[0]};
}

static sidle_oriented_box box_of(const PairShape *shape)
{
    return (sidle_oriented_box){vector(shape->center),
                                vector(shape->size),
                                {vector(&shape->axes[0]), vector(&shape->axes[3]), vector(&shape->axes[6])}};
}

static sidle_dtriangle triangle_of(const PairShape *shape)
{
    return (sidle_dtriangle){
        {place(shape, &shape->size[0]), place(shape, &shape->size[3]), place(shape, &shape->size[6])}};
}

/* Along the shape's y, half of its size up and down. */
static sidle_segment segment_of(const PairShape *shape)
{
    const double low[3] = {0, -shape->size[1], 0}, high[3] = {0, shape->size[1], 0};
    return (sidle_segment){place(shape, low), place(shape, high)};
}

static sidle_ray ray_of(const PairShape *shape)
{
    sidle_segment s = segment_of(shape);
    return (sidle_ray){s.a, {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z}};
}

static void answer_touch(PairAnswer *answer, bool hits, const sidle_touch *touch)
{
    answer->hits = hits;
    if (hits)
    {
        answer->depth = touch->depth;
        put(answer->normal, touch->normal);
        answer->point_count = touch->point_count;
        for (uint32_t i = 0; i < touch->point_count; i++)
        {
            put(answer->points[i], touch->points[i]);
        }
    }
}

static void answer_ray(PairAnswer *answer, bool hits, const sidle_ray_hit *hit)
{
    answer->hits = hits;
    if (hits)
    {
        answer->depth = hit->t;
        put(answer->normal, hit->normal);
        answer->point_count = 1;
        put(answer->points[0], hit->point);
    }
}

static void answer_nearest(PairAnswer *answer, const sidle_segment *a, const sidle_segment *b)
{
    sidle_nearest nearest;
    answer->hits = sidle_segment_segment(a, b, &nearest) != SIDLE_LINES_NONE;
    answer->depth = nearest.distance_squared;
    answer->point_count = 2;
    put(answer->points[0], nearest.p);
    put(answer->points[1], nearest.q);
}

static void answer_touches(uint32_t kind, const PairShape *a, const PairShape *b, PairAnswer *answer)
{
    sidle_touch touch;
    sidle_sphere ball = sphere_of(b), first = sphere_of(a);
    sidle_oriented_box box = box_of(a), other = box_of(b);
    sidle_dtriangle triangle = triangle_of(b);
    sidle_plane ground = {vector(&a->axes[3]), a->center[1]}; /* level */
    bool hits = kind == PAIR_SPHERE_SPHERE  ? sidle_sphere_sphere(&first, &ball, &touch)
                : kind == PAIR_BOX_SPHERE   ? sidle_oriented_box_sphere(&box, &ball, &touch)
                : kind == PAIR_BOX_BOX      ? sidle_oriented_box_oriented_box(&box, &other, &touch)
                : kind == PAIR_BOX_TRIANGLE ? sidle_oriented_box_triangle(&box, &triangle, &touch)
                                            : sidle_sphere_plane(&ball, &ground, &touch);
    answer_touch(answer, hits, &touch);
}

static void answer_rays(uint32_t kind, const PairShape *a, const PairShape *b, PairAnswer *answer)
{
    sidle_ray_hit hit;
    sidle_ray ray = ray_of(b);
    sidle_segment core = segment_of(a);
    sidle_capsule capsule = {core.a, core.b, a->size[0]};
    sidle_dtriangle triangle = triangle_of(a);
    bool hits = kind == PAIR_RAY_CAPSULE ? sidle_ray_capsule(&ray, &capsule, &hit)
                                         : sidle_ray_triangle(&ray, &triangle, 0, &hit);
    answer_ray(answer, hits, &hit);
}

EXPORT const PairAnswer *viewer_pair(uint32_t kind, const PairShape *a, const PairShape *b)
{
    static PairAnswer answer;
    memset(&answer, 0, sizeof answer);
    if (kind == PAIR_SEGMENT_SEGMENT)
    {
        sidle_segment p = segment_of(a), q = segment_of(b);
        answer_nearest(&answer, &p, &q);
    }
    else
    {
        (kind < PAIR_RAY_CAPSULE ? answer_touches : answer_rays)(kind, a, b, &answer);
    }
    return &answer;
}
