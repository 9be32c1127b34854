/* The point of a triangle nearest to a point. C. Ericson, "Real-Time Collision Detection", 2005, section
 * 5.1.5.
 *
 * Departures: whether the foot of the perpendicular is in the triangle is the sign of three determinants
 * (sidle_point_in_triangle), not of barycentric coordinates made of dot products, which on a needle are all
 * rounding. Each distance is computed as what it is, a volume over an area or an area over a length, not as
 * the distance to a rounded point. So it keeps its digits next to the triangle. */
#include "sidle/intersect/polygon.h"

#include "base/exact.h"

/* The squared sine of the angle at a corner from which on a plain cross product has lost at most two bits: it errs by
 * some u |q| |e|, and is |q| |e| / 4. */
#define PLAIN_SINE2 0x1p-4

static ExactVec3 between(sidle_position from, sidle_position to)
{
    return exact_vec3_sub(vec3_from_position(to), vec3_from_position(from));
}

static sidle_position moved(sidle_position from, Vec3 along, double by)
{
    return (sidle_position){from.x + along.x * by, from.y + along.y * by, from.z + along.z * by};
}

/* Nearest of all where the perpendicular meets the triangle. */
static bool closest_in_face(sidle_position point, const sidle_position corners[3], sidle_triangle_point *out)
{
    sidle_dtriangle triangle = {{corners[0], corners[1], corners[2]}};
    if (sidle_point_in_triangle(point, &triangle) != SIDLE_INSIDE)
    {
        return false;
    }
    ExactVec3 e = between(corners[0], corners[1]), f = between(corners[0], corners[2]),
              q = between(corners[0], point);
    Vec3 n = exact_cross(&e, &f);
    double volume = exact_det3(&q, &e, &f), n2 = vec3_length2(n);
    *out = (sidle_triangle_point){
        moved(point, n, -volume / n2), fabs(volume) / sqrt(n2), {SIDLE_FEATURE_FACE, 0}};
    return true;
}

/* distance holds its square. */
static void keep_nearer(sidle_triangle_point *best, sidle_position point, double distance2,
                        sidle_feature feature)
{
    bool corner_instead = feature.kind == SIDLE_FEATURE_VERTEX && best->feature.kind == SIDLE_FEATURE_EDGE;
    if (distance2 < best->distance || (distance2 == best->distance && corner_instead))
    {
        *best = (sidle_triangle_point){point, distance2, feature};
    }
}

static double distance2_to_line(const ExactVec3 *edge, const ExactVec3 *to_point)
{
    Vec3 e = exact_vec3_high(edge), q = exact_vec3_high(to_point), area = vec3_cross(e, q);
    double e2 = vec3_length2(e), plain2 = vec3_length2(area);
    if (plain2 < PLAIN_SINE2 * e2 * vec3_length2(q))
    {
        plain2 = vec3_length2(exact_cross(edge, to_point));
    }
    return plain2 / e2;
}

static void try_edge(sidle_position point, const sidle_position corners[3], uint16_t index,
                     sidle_triangle_point *best)
{
    uint16_t next = index < 2 ? (uint16_t)(index + 1) : 0;
    sidle_position a = corners[index], b = corners[next];
    ExactVec3 edge = between(a, b), from_a = between(a, point), from_b = between(b, point);
    Vec3 e = exact_vec3_high(&edge), qa = exact_vec3_high(&from_a), qb = exact_vec3_high(&from_b);
    double along_a = vec3_dot(qa, e), along_b = -vec3_dot(qb, e), e2 = vec3_length2(e);
    if (!(along_a > 0) || !(along_b > 0))
    {
        bool first = !(along_a > 0);
        keep_nearer(best, first ? a : b, vec3_length2(first ? qa : qb),
                    (sidle_feature){SIDLE_FEATURE_VERTEX, first ? index : next});
        return;
    }
    bool nearer_a = along_a <= along_b;
    sidle_position on_edge = nearer_a ? moved(a, e, along_a / e2) : moved(b, e, -along_b / e2);
    keep_nearer(best, on_edge, distance2_to_line(&edge, &from_a), (sidle_feature){SIDLE_FEATURE_EDGE, index});
}

bool sidle_closest_on_triangle(sidle_position point, const sidle_dtriangle *triangle,
                               sidle_triangle_point *out)
{
    sidle_triangle_point best = {.distance = INFINITY};
    bool finite = vec3_is_finite(vec3_from_position(point));
    for (int i = 0; i < 3; ++i)
    {
        finite = finite && vec3_is_finite(vec3_from_position(triangle->corners[i]));
    }
    if (!finite)
    {
        return false;
    }
    if (!closest_in_face(point, triangle->corners, &best))
    {
        for (uint16_t i = 0; i < 3; ++i)
        {
            try_edge(point, triangle->corners, i, &best);
        }
        best.distance = sqrt(best.distance);
    }
    if (out)
    {
        *out = best;
    }
    return true;
}
