/* The transform from one instance's stored space to the ellipsoid space of an agent or a cast. */
#ifndef NARROW_VIEW_H
#define NARROW_VIEW_H

#include "kernels/kernels.h"
#include "mesh/field.h"
#include "narrow/frame.h"
#include "simd/quad.h"
#include "world/snapshot.h"

typedef struct View
{
    Vec3 center;  /* of the frame, in stored space */
    Mat3 inverse; /* world displacement -> stored space */
    Mat3 to_e;    /* stored displacement -> ellipsoid space */
} View;

static inline View view_of(const Placed *given, const Frame *frame, double time)
{
    Placed between;
    const Placed *placed = sidle_placed_at(given, time, &between);
    Vec3 local = vec3_sub(frame->center, placed->position);
    local = placed->is_plain ? local : mat3_mul(placed->inverse, local);
    return (View){vec3_sub(local, placed->mesh->origin), placed->inverse,
                  placed->is_plain ? frame->to_e : mat3_product(frame->to_e, placed->linear)};
}

static inline bool placed_is_mirrored(const Placed *placed)
{
    return placed->scale.x * placed->scale.y * placed->scale.z < 0;
}

/* The error of a corner that float brings into ellipsoid space, as a multiple of u |e|: the largest row sum of |M|
 * |M^-1| (R. Skeel, "Scaling for numerical stability in Gaussian elimination", 1979). It is 1 if the axes agree, at
 * most 3 for balls, and up to the aspect for a flat ellipsoid turned against the instance. */
static inline double view_condition(const View *view, const Mat3 *inverse)
{
    double worst = 0;
    Vec3 sums = vec3(vec3_dot(vec3_abs(inverse->row[0]), vec3(1, 1, 1)),
                     vec3_dot(vec3_abs(inverse->row[1]), vec3(1, 1, 1)),
                     vec3_dot(vec3_abs(inverse->row[2]), vec3(1, 1, 1)));
    for (int row = 0; row < 3; ++row)
    {
        worst = larger(worst, vec3_dot(vec3_abs(view->to_e.row[row]), sums));
    }
    return worst;
}

/* Two subtractions, three rounded coefficients, a product and two sums: at most 6 u of the sum of absolute values. */
static inline float row_doubt(const float row[3])
{
    return (float)(8 * FLOAT_ROUNDOFF) * (fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]));
}

/* Sets all of a transform but its centre. */
static inline void transform_set(PackTransform *t, const Mat3 *to_e, const Placed *placed, uint32_t slot)
{
    for (int i = 0; i < 3; ++i)
    {
        float *row = t->matrix + 3 * i;
        row[0] = (float)to_e->row[i].x;
        row[1] = (float)to_e->row[i].y;
        row[2] = (float)to_e->row[i].z;
        t->doubt[i] = row_doubt(row);
    }
    const float *m = t->matrix;
    t->is_diagonal = m[1] == 0 && m[2] == 0 && m[3] == 0 && m[5] == 0 && m[6] == 0 && m[7] == 0;
    t->key = placed->key;
    t->instance = slot;
    t->mirrored = placed_is_mirrored(placed);
}

static inline void transform_set_center(PackTransform *t, Quad center)
{
    quad_store_floats(t->high, center);
    quad_store_floats(t->low, quad_sub(center, quad_load_floats(t->high))); /* mutant: centre_in_float */
}

static inline PackTransform view_transform(const View *view, const Placed *placed, uint32_t slot)
{
    PackTransform t;
    transform_set(&t, &view->to_e, placed, slot);
    transform_set_center(&t, quad_set(view->center.x, view->center.y, view->center.z, 0));
    return t;
}

/* The corners of a triangle in double, from the stored vertices, counter-clockwise seen from the unmirrored front. */
static inline void view_packet_corners(const View *view, const Placed *placed, const LeafPacket *packet,
                                       uint32_t local, Vec3 corners[3])
{
    float stored[3][3];
    bool mirrored = placed_is_mirrored(placed);
    sidle_packet_corners(packet, local, stored);
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        const float *v = stored[mirrored && corner > 0 ? 3 - corner : corner];
        Vec3 place = vec3((double)v[0], (double)v[1], (double)v[2]);
        corners[corner] = mat3_mul(view->to_e, vec3_sub(place, view->center));
    }
}

static inline void view_corners(const View *view, const Placed *placed, const Candidate *candidate,
                                Vec3 corners[3])
{
    FieldPacket memory;
    view_packet_corners(view, placed, mesh_packet(placed->mesh, candidate->leaf, &memory), candidate->local,
                        corners);
}

#endif
