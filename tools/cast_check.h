/* An independent check of cast results: every triangle near the path, in double, over the grid of check.h.
 */
#ifndef SIDLE_TOOLS_CAST_CHECK_H
#define SIDLE_TOOLS_CAST_CHECK_H

#include "check.h"
#include "sidle/query.h"

#include <stdbool.h>

/* Returns true if the result keeps the error law (docs/numerics.md); else `message` states what is wrong.
 * In the space where the shape is the unit ball:
 *
 * - Up to the hit, or along the whole path, the shape stays 1 - K u S away from every triangle, K = max(6,
 * 1/kappa).
 * - The shape stays another 2.5e-5 away from triangles too thin to have a face.
 * - A ray passes no triangle that lies around it by more than 16 u S.
 * - The triangle that was hit is 1 away, and the contact lies on it.
 * - If the result is an overlap, no triangle is closer than the reported one. If not, none is closer than
 * 1.
 *
 * The grid's level must hold the corners as the mesh stores them. */
bool cast_is_right(const CheckGrid *grid, const sidle_cast *cast, const sidle_cast_hit *hit, char *message,
                   int message_size);

/* Moves every corner to where a mesh with this origin stores it: a float beside the origin. */
void cast_check_store(Level *level, sidle_position origin);

#endif
