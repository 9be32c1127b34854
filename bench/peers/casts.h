/* Libraries that cast balls and rays at triangles, as the comparison of sidle_casts sees them. */
#ifndef SIDLE_BENCH_PEERS_CASTS_H
#define SIDLE_BENCH_PEERS_CASTS_H

#include "sidle/query.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define CAST_MISSED 2.0f /* where a hit has the share of its displacement, 0 to 1 */
#define CAST_CALLS  3    /* at most, of a library */

/* Borrowed until the peer is closed. */
typedef struct CastMesh
{
    const float *vertices; /* x, y, z; y up */
    const uint32_t *indices;
    uint32_t vertex_count, triangle_count;
} CastMesh;

typedef enum CastKind
{
    CAST_SHORT_BALLS,
    CAST_LONG_BALLS,
    CAST_RAYS
} CastKind;

typedef struct PeerCast
{
    float origin[3], displacement[3], radius;
} PeerCast;

typedef struct CastSet
{
    PeerCast *casts;
    sidle_cast *requests, *any_requests; /* the same, as sidle takes them */
    uint32_t count;
} CastSet;

/* Each call writes a share or CAST_MISSED per cast. */
typedef struct CastCall
{
    const char *name; /* NULL: no more calls */
    void (*run)(void *state, const CastSet *set, float *times);
    bool any_hit; /* returns 0 for a hit anywhere */
    bool rays_only;
} CastCall;

typedef struct CastPeer
{
    const char *name;
    bool balls, rays;
    uint32_t most_triangles;             /* 0: any number */
    void *(*open)(const CastMesh *mesh); /* returns NULL on failure */
    void (*close)(void *state);
    CastCall calls[CAST_CALLS];
} CastPeer;

extern const CastPeer casts_sidle;
extern const CastPeer casts_bullet; /* if built with SIDLE_HAVE_BULLET */
extern const CastPeer casts_embree; /* if built with SIDLE_HAVE_EMBREE */

#ifdef __cplusplus
}
#endif

#endif
