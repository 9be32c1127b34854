/* A ray or a segment, in the form that all tests of them share. */
#ifndef INTERSECT_PATH_H
#define INTERSECT_PATH_H

#include "sidle/intersect/ray.h"

#include "base/exact.h"
#include "intersect/finite.h"

typedef struct Path
{
    Vec3 origin, direction;
    double end;      /* infinity for a ray, 1 for a segment */
    Vec3 target;     /* a segment's other end */
    bool is_segment; /* direction is then the difference of its ends, rounded */
} Path;

static inline sidle_position position_of(Vec3 a)
{
    return (sidle_position){a.x, a.y, a.z};
}

/* False where there is nothing to follow: no numbers, or a ray without a direction. */
static inline bool path_of_ray(const sidle_ray *ray, Path *path)
{
    *path = (Path){.origin = vec3_from_position(ray->origin),
                   .direction = vec3_from_position(ray->direction),
                   .end = INFINITY};
    return nothing_of_vec3(path->origin) + nothing_of_vec3(path->direction) == 0 &&
           !vec3_is_zero(path->direction);
}

static inline bool path_of_segment(const sidle_segment *segment, Path *path)
{
    Vec3 a = vec3_from_position(segment->a), b = vec3_from_position(segment->b);
    *path = (Path){a, vec3_sub(b, a), 1, b, true};
    return nothing_of_vec3(a) + nothing_of_vec3(b) == 0;
}

/* The direction with what rounding took off it. */
static inline ExactVec3 path_direction(const Path *path)
{
    return path->is_segment ? exact_vec3_sub(path->target, path->origin) : exact_vec3(path->direction);
}

/* The place at t; a segment's ends in their own bits. */
static inline Vec3 path_at(const Path *path, double t)
{
    return path->is_segment && t == 1 ? path->target : vec3_add_scaled(path->origin, path->direction, t);
}

/* The unit vector of a, or of what stands in for it where a is zero. [Limit] a: its square is a normal
 * number. */
static inline Vec3 unit_or(Vec3 a, Vec3 otherwise)
{
    Vec3 from = vec3_is_zero(a) ? otherwise : a;
    double length = vec3_length(from);
    return length > 0 ? vec3(from.x / length, from.y / length, from.z / length) : vec3(0, 0, 0);
}

/* Writes a hit. Returns false if numbers beyond the limit have made it NaN or infinite. */
static inline bool tell_hit(const sidle_ray_hit *hit, sidle_ray_hit *out)
{
    double nothing = nothing_of(hit->t) + nothing_of_position(hit->point) + nothing_of_position(hit->normal) +
                     nothing_of(hit->barycentric[0]) + nothing_of(hit->barycentric[1]) +
                     nothing_of(hit->barycentric[2]);
    if (nothing != 0 || isnan(hit->t_exit))
    {
        return false;
    }
    if (out)
    {
        *out = *hit;
    }
    return true;
}

#endif
