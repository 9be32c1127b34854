/* An independent look at the results of casts: every triangle near the way, in double, over the grid of
 * check.h. */
#ifndef SIDLE_TOOLS_CAST_CHECK_H
#define SIDLE_TOOLS_CAST_CHECK_H

#include "check.h"
#include "sidle/query.h"

#include <stdbool.h>

/* Does the result keep to the error law (docs/numerics.md)? What is wrong goes to `message` otherwise.
 *
 *  - up to the hit, or all along the way, the shape stays 1 - K u S away from every triangle where it is the
 * unit ball, K = max(6, 1/kappa), and another 2.5e-5 from triangles too thin to have a face; a ray passes no
 * triangle that lies around it by more than 16 u S;
 *  - the triangle that was hit is 1 away, the contact lies on it;
 *  - an overlap is one, no triangle is closer than the one told of; without it none is closer than 1.
 *
 * The grid's level must hold the corners as the mesh stores them. */
bool cast_is_right(const CheckGrid *grid, const sidle_cast *cast, const sidle_cast_hit *hit, char *message,
                   int message_size);

/* Moves every corner to where a mesh with this origin stores it: a float beside the origin. */
void cast_check_store(Level *level, sidle_position origin);

#endif
