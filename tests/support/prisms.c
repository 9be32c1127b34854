#include "support/prisms.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void make_leaf(Prismatic *prismatic, const Query *query)
{
    uint32_t count = query->count, stride = 3 * count + (4 - 3 * count % 4) % 4;
    LeafPacket *packet = (LeafPacket *)prismatic->leaf;
    packet->triangle_count = (uint8_t)count;
    packet->vertex_count = (uint8_t)(3 * count);
    packet->stride = (uint8_t)stride;
    for (uint32_t i = 0; i < 3 * count; ++i)
    {
        Vector v = query->triangles[i / 3][i % 3];
        packet->index[i / 3][i % 3] = (uint8_t)i;
        packet->vertices[i] = (float)v.x;
        packet->vertices[stride + i] = (float)v.y;
        packet->vertices[2 * stride + i] = (float)v.z;
    }
    uint32_t *sources = (uint32_t *)(packet->vertices + 3 * stride);
    for (uint32_t i = 0; i < count; ++i)
    {
        sources[i] = i;
    }
    memset(sources + count, 0, count * sizeof(uint16_t));
}

void prismatic_set(Prismatic *prismatic, const Kernels *kernels, const Query *query, Vector core)
{
    memset(prismatic, 0, sizeof *prismatic);
    size_t lanes = candidates_bytes(kernels, PRISM_TRIANGLES * PRISM_LANES);
    prismatic->memory = aligned_alloc(64, lanes + (prisms_bytes(PRISM_TRIANGLES) + 63) / 64 * 64);
    Candidates *c = &prismatic->candidates;
    candidates_place(c, kernels, PRISM_TRIANGLES * PRISM_LANES, prismatic->memory);
    prisms_place(c, PRISM_TRIANGLES, (char *)prismatic->memory + lanes);
    make_leaf(prismatic, query);
    c->is_capsule = true;
    c->prisms.core = vec3_of_vector(core);
    c->prisms.slack = query->skin * SLACK_OF_SKIN;
    c->prisms.travel = query_reach(query) + vector_length(query->origin) + 2.0 * c->prisms.slack;
    c->prisms.doubt = 8.0 * FLOAT_ROUNDOFF;
    PackTransform identity = {.matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .prisms = &c->prisms};
    Bounds all = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    uint32_t leaf = 0;
    kernels->extrude(prismatic->leaf, &leaf, 1, &identity, &all, &c->wide, c->list);
    PackRules rules = {.reach_length = (float)query_reach(query), .slack = (float)c->prisms.slack};
    prismatic->exact_count = kernels->finish(&c->wide, &rules, c->list);
    if (prismatic->exact_count == 0)
    {
        prisms_finish(c, NULL, NULL, &rules, 0);
    }
}

void prismatic_free(Prismatic *prismatic)
{
    free(prismatic->memory);
}
