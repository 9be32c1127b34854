/* The planes, edges and normals of LANE_COUNT triangles. Compiled once per width: a file of lanes (simd/lanes_N.h) and
 * simd/lane_vec3.h come first. */
#include "base/inlining.h"
#include "wide/constants.h"

/* Corner i of stored triangles: x, y, z of LANE_COUNT corners each. A block begins with them (kernels/batch.h). */
static inline Real *corner_at(Real *corners, uint32_t i)
{
    return corners + 3 * i * LANE_COUNT;
}

/* The faces of LANE_COUNT triangles. */
typedef struct Face
{
    LaneVec3 normal;
    Lanes plane;                  /* normal . corner */
    LaneVec3 inward[3], along[3]; /* axes of each edge: across it within the plane, and along it */
    Lanes offset[3], end[3];      /* inward . corner, and minus the length of the edge */
    Lanes size;                   /* S of the error law */
    Lanes least_approach;         /* 0; infinity: there is no face, only edges and corners */
} Face;

typedef struct Shape
{
    LaneVec3 e[3];
    Lanes e2[3];             /* squared lengths of the edges */
    Lanes longest2, others2; /* e2 of the longest edge, and the product of the other two */
    Lanes n2;                /* (twice the area)^2 */
    Lanes size2;
    Mask flat;    /* has a face */
    bool is_rare; /* some lane needs straighten, or has an edge too short for a direction */
} Shape;

static inline Mask face_exists(const Face *face)
{
    return lanes_less_equal(face->least_approach, lanes_set(0));
}

static inline Lanes shortest_edge2(void)
{
    return lanes_set((Real)(sizeof(Real) == sizeof(double) ? SHORTEST_EDGE2_DOUBLE : SHORTEST_EDGE2));
}

/* The direction and the end of edge i, computed when needed since few lanes need them. An edge that is too short for a
 * direction ends at infinity and is never hit; its corners are tested. */
FORCE_INLINE void face_rim(const LaneVec3 v[3], uint32_t i, Face *face)
{
    LaneVec3 e = lane3_sub(v[(i + 1) % 3], v[i]);
    Lanes e2 = lane3_dot(e, e), length = lanes_sqrt(e2);
    Mask is_short = lanes_less_equal(e2, shortest_edge2()); /* mutant: short_edge_kept */
    Lanes inverse = lanes_select(is_short, lanes_set(0), lanes_div(lanes_set(1), length));
    face->along[i] = lane3_scale(e, inverse);
    face->end[i] = lanes_select(is_short, lanes_set((Real)INFINITY), lanes_negate(length));
}

/* The cross product of the two shortest edges, since the longest edge has the largest rounding error. It is taken in
 * the triangle's own order, so that it points to the front. */
static inline LaneVec3 face_cross(const LaneVec3 e[3], const Lanes e2[3], Lanes *longest2, Lanes *others2)
{
    Lanes others = lanes_max(e2[1], e2[2]);
    Mask first = lanes_less_equal(others, e2[0]);
    Mask second = lanes_less_equal(e2[2], e2[1]); /* only used if edge 0 is not the longest */
    LaneVec3 from = lane3_select(first, e[1], lane3_select(second, e[2], e[0]));
    LaneVec3 to = lane3_select(first, e[2], lane3_select(second, e[0], e[1]));
    Lanes from2 = lanes_select(first, e2[1], lanes_select(second, e2[2], e2[0]));
    Lanes to2 = lanes_select(first, e2[2], lanes_select(second, e2[0], e2[1]));
    *longest2 = lanes_max(others, e2[0]);
    *others2 = lanes_mul(from2, to2);
    return lane3_cross(from, to);
}

/* A vector perpendicular to e, of about its length. */
static inline LaneVec3 lane3_across(LaneVec3 e)
{
    Lanes zero = lanes_set(0), x = lanes_abs(e.x), y = lanes_abs(e.y), z = lanes_abs(e.z);
    LaneVec3 across_x = {zero, e.z, lanes_negate(e.y)}, across_y = {lanes_negate(e.z), zero, e.x};
    LaneVec3 across_z = {e.y, lanes_negate(e.x), zero};
    Mask least_x = mask_and(lanes_less_equal(x, y), lanes_less_equal(x, z));
    return lane3_select(least_x, across_x, lane3_select(lanes_less_equal(y, z), across_y, across_z));
}

static inline Lanes lane3_largest(LaneVec3 v)
{
    return lanes_max(lanes_max(lanes_abs(v.x), lanes_abs(v.y)), lanes_abs(v.z));
}

/* The part of v that is perpendicular to `along`. */
static inline LaneVec3 lane3_beside(LaneVec3 v, LaneVec3 along, Lanes along2)
{
    return lane3_sub_scaled(v, along, lanes_div(lane3_dot(v, along), along2));
}

static inline Lanes least_sum(void)
{
    return lanes_set((Real)(sizeof(Real) == sizeof(double) ? LEAST_SUM_DOUBLE : LEAST_SUM));
}

/* A normal for lanes whose cross product has lost its direction, or whose square has lost bits. It is perpendicular to
 * the longest edge and to the part of the shortest edge that is perpendicular to that. This part is taken twice, since
 * after the first time it can be mostly rounding. So the shortest edge leans by at most a few u of its length, for any
 * kappa.
 *
 * If the part is zero, or if the triangle is negligibly small, any vector perpendicular to the longest edge is used.
 * The normal points to the same side as the cross product, so that the edge functions keep their sign. */
static inline LaneVec3 upright(LaneVec3 cross, LaneVec3 longest, const Shape *shape)
{
    Mask second = lanes_less_equal(shape->e2[1], shape->e2[0]);
    Lanes least2 = lanes_min(shape->e2[1], shape->e2[0]);
    LaneVec3 shortest = lane3_select(second, shape->e[1], shape->e[0]);
    shortest = lane3_select(lanes_less_equal(shape->e2[2], least2), shape->e[2], shortest);
    LaneVec3 once = lane3_beside(shortest, longest, shape->longest2);
    LaneVec3 twice = lane3_beside(once, longest, shape->longest2);
    LaneVec3 n = lane3_cross(longest, twice);
    Mask is_left = lanes_less_equal(lane3_largest(once), lanes_mul(lanes_set(4), lane3_largest(twice)));
    is_left = mask_and(is_left, lanes_less_equal(least_sum(), lane3_largest(n)));
    is_left = mask_and(is_left, lanes_less(shortest_edge2(), shape->longest2));
    n = lane3_select(is_left, n, lane3_across(longest));
    Lanes scale = lane3_largest(n); /* the square of n can underflow */
    LaneVec3 scaled = {lanes_div(n.x, scale), lanes_div(n.y, scale), lanes_div(n.z, scale)};
    n = lane3_select(lanes_less(lanes_set(0), scale), scaled, n);
    Mask turned = lanes_less(lane3_dot(cross, n), lanes_set(0));
    return lane3_select(turned, lane3_scale(n, lanes_set(-1)), n);
}

/* An edge is tested in the plane perpendicular to it, on the axes of the face's normal and the edge's own
 * (features.inl). So the normal must be perpendicular to every edge. The cross product errs by about u |A||B| and its
 * direction by u/kappa, too much if two edges are nearly parallel.
 *
 * A normal that is perpendicular to the longest edge is so to the others, to within a few u of their lengths: their
 * height over it is at most kappa times the shortest edge. It can still be turned around the longest edge by
 * u/kappa, which moves no point of so low a triangle by more than u of its shortest edge. */
static inline LaneVec3 straighten(LaneVec3 n, const Shape *shape)
{
    const LaneVec3 *e = shape->e;
    LaneVec3 longest = lane3_select(lanes_less_equal(shape->longest2, shape->e2[1]), e[1], e[2]);
    longest = lane3_select(lanes_less_equal(shape->longest2, shape->e2[0]), e[0], longest);
    LaneVec3 straight = lane3_beside(n, longest, shape->longest2);
    Lanes leaning2 = lanes_mul(lanes_set((Real)STRAIGHT_KAPPA2), shape->others2);
    Real lost = (Real)(LOST_FACTOR * REAL_ROUNDOFF);
    Lanes lost2 = lanes_max(lanes_mul(lanes_set(lost * lost), shape->others2), least_sum());
    Mask is_lost = lanes_less_equal(shape->n2, lost2);
    straight = lane3_select(lanes_less_equal(shape->n2, leaning2), straight, n);
    return mask_bits(is_lost) ? lane3_select(is_lost, upright(n, longest, shape), straight) : straight;
}

/* Edges and normal. A branch skips what only slivers and short edges need. `thin`: the height over the longest edge, as
 * a fraction of it, up to which a triangle has no face. */
FORCE_INLINE void face_shape(const LaneVec3 v[3], double thin, Face *face, Shape *shape)
{
    Lanes zero = lanes_set(0), one = lanes_set(1);
    for (uint32_t i = 0; i < 3; ++i)
    {
        shape->e[i] = lane3_sub(v[(i + 1) % 3], v[i]);
        shape->e2[i] = lane3_dot(shape->e[i], shape->e[i]);
    }
    Lanes least2 = lanes_min(lanes_min(shape->e2[0], shape->e2[1]), shape->e2[2]);
    LaneVec3 n = face_cross(shape->e, shape->e2, &shape->longest2, &shape->others2);
    Lanes n2 = lane3_dot(n, n);
    shape->n2 = n2;
    shape->flat = lanes_less(lanes_mul(lanes_set((Real)(thin * thin)), shape->longest2), n2);
    Lanes leaning2 = lanes_mul(lanes_set((Real)STRAIGHT_KAPPA2), shape->others2);
    Mask rare = mask_or(lanes_less_equal(least2, shortest_edge2()),
                        lanes_less_equal(n2, lanes_max(leaning2, least_sum())));
    shape->is_rare = mask_bits(rare) != 0;
    if (shape->is_rare)
    {
        n = straighten(n, shape); /* mutant: normal_not_corrected */
        n2 = lane3_dot(n, n);
        /* A point's normal stays zero. NaN stays NaN, as where no lane of the block is rare. */
        n2 = lanes_select(lanes_less_equal(n2, zero), lanes_set((Real)INFINITY), n2);
    }
    face->normal = lane3_scale(n, lanes_div(one, lanes_sqrt(n2)));
    face->least_approach = lanes_select(shape->flat, zero, lanes_set((Real)INFINITY));
}

/* The plane through three corners and the size S. `length`: of the longest path swept. */
FORCE_INLINE void face_plane(const LaneVec3 v[3], Real length, Face *face, Shape *shape)
{
    /* Any corner lies in the plane; the one nearest to the origin rounds least. */
    LaneVec3 nearest = v[0];
    Lanes nearest2 = lane3_dot(v[0], v[0]);
    shape->size2 = lanes_max(nearest2, lanes_set(length * length));
    for (uint32_t i = 1; i < 3; ++i)
    {
        Lanes v2 = lane3_dot(v[i], v[i]);
        nearest = lane3_select(lanes_less(v2, nearest2), v[i], nearest);
        nearest2 = lanes_min(v2, nearest2);
        shape->size2 = lanes_max(v2, shape->size2);
    }
    face->plane = lane3_dot(face->normal, nearest);
    face->size = lanes_sqrt(shape->size2);
}

/* The edge function of edge i. For an edge that is too short for a direction it is 0, which culls nothing; its corners
 * are tested. */
FORCE_INLINE void face_edge(const LaneVec3 v[3], uint32_t i, Face *face, const Shape *shape)
{
    Lanes inverse = lanes_div(lanes_set(1), lanes_sqrt(shape->e2[i]));
    if (shape->is_rare)
    {
        inverse = lanes_select(lanes_less_equal(shape->e2[i], shortest_edge2()), lanes_set(0), inverse);
    }
    face->inward[i] = lane3_cross(face->normal, lane3_scale(shape->e[i], inverse));
    face->offset[i] = lane3_dot(face->inward[i], v[i]);
}

/* The face over three corners. */
FORCE_INLINE void face_of(const LaneVec3 v[3], Real length, double thin, Face *face, Shape *shape)
{
    face_shape(v, thin, face, shape);
    face_plane(v, length, face, shape);
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_edge(v, i, face, shape);
        face_rim(v, i, face);
    }
}
