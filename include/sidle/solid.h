/* Simple solids as meshes: closed, and seen from outside counter-clockwise. Place and scale them as instances
 * (SIDLE_INSTANCE_CLOSED). */
#ifndef SIDLE_SOLID_H
#define SIDLE_SOLID_H

#include "sidle/mesh.h"

#define SIDLE_MAX_HULL_POINTS 64u /* [Limit] */

enum /* sidle_solid_desc.kind */
{
    SIDLE_SOLID_BOX,      /* half_extents */
    SIDLE_SOLID_BALL,     /* radius */
    SIDLE_SOLID_CAPSULE,  /* radius, half_height of the core along y */
    SIDLE_SOLID_CYLINDER, /* radius, half_height along y */
    SIDLE_SOLID_HULL      /* the convex hull of points, rounded to 1/2^18 of its size to find faces */
};

typedef struct sidle_solid_desc
{
    size_t size;
    uint32_t kind, surface; /* SIDLE_SOLID_...; surface: of all triangles, 16 bits */
    sidle_vec3 half_extents;
    float radius, half_height; /* [Limit] sizes from 1e-3 to 1e6 */
    float tolerance; /* triangles lie inside of a round surface, at most so deep [units]; 0: .01 radii */
    const sidle_vec3 *points; /* from 4 on */
    uint32_t point_count;
    sidle_error *error; /* index: point */
} sidle_solid_desc;

/* Keeps nothing of the desc. ARGUMENT (also points without a volume), NOT_FINITE, LIMIT, MEMORY. */
SIDLE_API sidle_status sidle_mesh_create_solid(const sidle_solid_desc *desc, const sidle_allocator *allocator,
                                               sidle_mesh **out);

#endif
