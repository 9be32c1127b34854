/* What fuzz_slide runs and checkers. */
#ifndef SIDLE_FUZZ_SLIDE_STAGE_H
#define SIDLE_FUZZ_SLIDE_STAGE_H

#include "slide_input.h"

#define STAGE_WIDTHS 4

typedef struct Stage
{
    const SlideInput *input;
    Soup soup; /* as the bake rounded it */
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowds[STAGE_WIDTHS];
    uint32_t crowd_count;
    Rotation turn[SLIDE_AGENTS]; /* world to agent */
} Stage;

/* One tick of all. */
typedef struct Moved
{
    sidle_result results[SLIDE_AGENTS];
    sidle_contact contacts[SLIDE_AGENTS * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t contact_count;
} Moved;

Stage stage_of(const SlideInput *input);
void stage_close(Stage *stage);
Moved stage_tick(const Stage *stage, uint32_t crowd, const sidle_move *moves, uint32_t count);
/* The same with statistics, which make every sweep and repeat no move. */
Moved stage_tick_counted(const Stage *stage, uint32_t crowd, const sidle_move *moves, uint32_t count);
/* The same in a crowd that has ticked never before: it has no caches and no agents at rest. */
Moved stage_tick_afresh(const Stage *stage, const sidle_move *moves, uint32_t count);

/* Of one tick of all agents: numbers, paths, ends, leaks and contacts. slide_checks.c */
void stage_check(const Stage *stage, const sidle_move *moves, const Moved *moved);

#endif
