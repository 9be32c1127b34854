/* The check of `sidle crowd` that no agent passes through a triangle.
 *
 * A tick returns both ends of a path and not the path, which bends where the agent slides. If the chord between the ends
 * crosses a triangle, the check follows the path by shorter ticks: the same request with dt and displacement times t, for
 * t from 0 to 1, ends at places along it. If agents collide, what the neighbours add to the displacement is shortened, too, and
 * the agent goes no farther towards them than in the tick. The check halves a piece between two such places until the line between them
 * crosses no triangle. A chain of free lines proves that the path leads around what the chord crosses. If a piece of
 * 1/4096 of the tick still crosses a triangle, and so do lines from its ends up by a step and across, the agent has passed through it: a
 * slightly longer tick can lead over a step, and there far ahead.
 *
 * No leak can hide: the chain ends where the tick ended, and whatever its places in between are, a chain that joins both
 * sides of a closed surface crosses it. Each line is tested in double over the grid of check.h, so an error in the
 * library's own trees and kernels cannot hide itself either. */
#ifndef SIDLE_TOOLS_CROWD_LEAK_H
#define SIDLE_TOOLS_CROWD_LEAK_H

#include "check.h"
#include "sidle/crowd.h"

#include <stdbool.h>

/* A ball that holds no triangle. */
typedef struct ClearBall
{
    sidle_position center;
    double radius;
} ClearBall;

typedef struct LeakPath
{
    sidle_position from, to;
    sidle_shape shape;
} LeakPath;

/* Returns true if the chord crosses a triangle. `ball` is around an earlier place of the agent; a new one replaces it
 * when the agent leaves it. */
bool leak_is_possible(const CheckGrid *grid, const LeakPath *path, ClearBall *ball);

typedef struct LeakCheck
{
    const CheckGrid *grid;
    sidle_crowd *crowd;          /* not in a tick */
    const sidle_tick_desc *tick; /* one that has ended, with its moves, which are packed tightly */
    double step;                 /* height of a step along y; 0: none */
} LeakCheck;

/* Returns true if the agent of a move passed through a triangle on its path to `to`, where the tick ended. */
bool leak_is_real(const LeakCheck *check, uint32_t agent, sidle_position to);

#endif
