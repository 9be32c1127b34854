/* Crates all over a level, a little above its ground, between its agents: an instance each, or baked with the level into one. */
#ifndef SIDLE_BENCH_CROWD_CRATES_H
#define SIDLE_BENCH_CROWD_CRATES_H

#include "patch.h"

typedef struct Crates
{
    sidle_mesh *mesh, *merged_mesh;
    sidle_world *merged_world;
    sidle_snapshot *apart;  /* the patch's world with an instance for each crate */
    sidle_snapshot *merged; /* one instance of the same triangles */
} Crates;

/* Fills the patch with `agents` agents at random places of the whole level, and puts crates at `count` other places, which no agent
 * touches. The patch's world gets them; its snapshot stays as it was. Returns false, after a message, on failure. */
bool crates_place(Crates *crates, Patch *patch, uint32_t agents, uint32_t count);
void crates_remove(Crates *crates);

#endif
