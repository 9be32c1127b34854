/* A library that moves characters through triangles, as the comparison of sidle_peers sees it. */
#ifndef SIDLE_BENCH_PEERS_PEER_H
#define SIDLE_BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define PEER_RADIUS 0.4f  /* of a character, horizontally [m] */
#define PEER_HALF   0.9f  /* from its centre to its foot [m] */
#define PEER_STEP   0.45f /* the highest step that it takes [m] */
#define PEER_HZ     60

/* Borrowed until the peer is closed. */
typedef struct PeerScene
{
    const double *vertices; /* x, y, z; y up */
    const uint32_t *indices;
    uint32_t vertex_count, triangle_count;
    const double *starts; /* x, y, z of each character's centre */
    uint32_t count;
    bool agents_collide;
} PeerScene;

typedef struct Peer
{
    const char *name, *shape;
    bool for_levels, for_crowds; /* characters that pass through one another, or collide */
    /* Returns NULL on failure. */
    void *(*open)(const PeerScene *scene);
    /* Moves every character by one tick. `displacements` has x and z of each [m]. */
    void (*tick)(void *state, const float *displacements);
    void (*read)(void *state, double *centers); /* x, y, z of each */
    void (*close)(void *state);
} Peer;

extern const Peer peer_sidle, peer_sidle_capsule;
extern const Peer peer_bullet, peer_bullet_world_sweep; /* if built with SIDLE_HAVE_BULLET */
extern const Peer peer_irrlicht;                        /* if built with SIDLE_HAVE_IRRLICHT */

#ifdef __cplusplus
}
#endif

#endif
