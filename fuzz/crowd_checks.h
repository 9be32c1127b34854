/* What each tick of agents that collide keeps, whatever was requested: no energy appears, and nothing gets through triangles. The
 * checks read requests, results and triangles alone. */
#ifndef SIDLE_FUZZ_CROWD_CHECKS_H
#define SIDLE_FUZZ_CROWD_CHECKS_H

#include "support/crowd_scenes.h"

#include "tools/check.h"

#include <stdbool.h>
#include <stdint.h>

#define CHECKED_MOST 16 /* agents */

typedef struct TickCheck
{
    sidle_crowd *crowd; /* not in a tick */
    const sidle_tick_desc
        *tick; /* one that has ended, with SIDLE_TICK_AGENTS_COLLIDE; its arrays are packed tightly */
    const sidle_profile *profiles;
    const Soup *soup;
    const CheckGrid *grid; /* of the soup */
} TickCheck;

Vector checked_center(const sidle_body *body);
double checked_least(const TickCheck *check, const sidle_move *move); /* radius */
CrowdBody checked_shape(const TickCheck *check, const sidle_move *move, const sidle_body *body);
bool checked_collide(const sidle_move *a, const sidle_move *b);
void checked_print(const TickCheck *check, uint32_t agent);

/* Agents that are apart do not come to overlap: crowd_checks.c */
void pairs_check(const TickCheck *check);

/* No path and no velocity is longer than the request, gravity, a step or a push explain: energy_checks.c */
void energy_check(const TickCheck *check);

/* No centre passes through a triangle, and no shape that was clear of the triangles comes to overlap them: leak_checks.c */
void leak_check(const TickCheck *check);

/* A grid of the soup; the level is its memory. */
CheckGrid *leak_grid(const Soup *soup, Level *level);

#endif
