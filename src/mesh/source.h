/* Access to the caller's triangles, with strides and in both precisions. */
#ifndef MESH_SOURCE_H
#define MESH_SOURCE_H

#include "sidle/mesh.h"

#include "base/vector.h"

typedef struct Source
{
    sidle_mesh_desc desc; /* strides filled in */
    Vec3 origin;
} Source;

static inline Vec3 source_vertex(const Source *source, uint32_t index)
{
    const sidle_mesh_desc *desc = &source->desc;
    size_t offset = index * desc->vertex_stride;
    if (desc->vertices_f)
    {
        const float *v = (const float *)((const char *)desc->vertices_f + offset);
        return vec3((double)v[0], (double)v[1], (double)v[2]);
    }
    const double *v = (const double *)((const char *)desc->vertices_d + offset);
    return vec3(v[0], v[1], v[2]);
}

static inline void source_triangle(const Source *source, uint32_t triangle, uint32_t out[3])
{
    const sidle_mesh_desc *desc = &source->desc;
    const uint32_t *indices = NULL;
    if (desc->indices)
    {
        indices = (const uint32_t *)((const char *)desc->indices + triangle * desc->index_stride);
    }
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        out[corner] = indices ? indices[corner] : 3 * triangle + corner;
    }
}

static inline bool source_names_vertices(const Source *source, uint32_t triangle)
{
    uint32_t corners[3], count = source->desc.vertex_count;
    source_triangle(source, triangle, corners);
    return corners[0] < count && corners[1] < count && corners[2] < count;
}

/* Returns whether a vertex can be stored. */
static inline bool source_is_place(Vec3 v)
{
    return vec3_max_component(vec3_abs(v)) <= SIDLE_MAX_COORDINATE && vec3_is_finite(v);
}

typedef struct StoredTriangle
{
    float v[3][3];
} StoredTriangle;

/* A vertex as it is stored: relative to the origin, and rounded once. */
static inline void source_stored_vertex(const Source *source, uint32_t vertex, float out[3])
{
    Vec3 v = vec3_sub(source_vertex(source, vertex), source->origin);
    out[0] = (float)v.x + 0; /* no negative zero, which packets do not keep */
    out[1] = (float)v.y + 0;
    out[2] = (float)v.z + 0;
}

static inline StoredTriangle source_stored_triangle(const Source *source, uint32_t triangle)
{
    StoredTriangle stored;
    uint32_t corners[3];
    source_triangle(source, triangle, corners);
    for (uint32_t i = 0; i < 3; ++i)
    {
        source_stored_vertex(source, corners[i], stored.v[i]);
    }
    return stored;
}

static inline uint16_t source_surface(const Source *source, uint32_t triangle)
{
    return source->desc.surfaces ? source->desc.surfaces[triangle] : 0;
}

#endif
