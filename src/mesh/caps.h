/* Caps: obtuse triangles whose third corner, the apex, nearly lies on their longest edge. What float makes of
 * a face errs by 1/kappa, kappa = |A x B| / (|A| |B|) of the two shortest edges, which is the sine of the
 * angle at the apex. Cut from the apex to its foot on the longest edge, a cap becomes two triangles with a
 * right angle and kappa 1.
 *
 *                  apex
 *           .--""   |   ""--.
 *     begin --------+-------- end            pieces: (apex, begin, foot), (apex, foot, end)
 *                  foot
 *
 * The foot is rounded to float and so leaves the edge, by up to half an ulp of each coordinate; the neighbour
 * over the edge stays as it is. Balls do not feel such a gap, rays would slip through: so rays go on to meet
 * the whole triangle (mesh/packet.h). */
#ifndef MESH_CAPS_H
#define MESH_CAPS_H

#include "base/bounds.h"
#include "mesh/source.h"

#define CAP_KAPPA 0x1p-6 /* below: a cap */

/* The foot may lie off the edge by this share of the cap's height. So the faces of the pieces deviate from
 * the cap's by a tilt of at most this, and each piece has kappa > 1 - 2^-18: none is a cap again. A cap lower
 * than that, a few hundred ulps of its coordinates, stays whole. */
#define CAP_FOOT_OFF 0x1p-10

enum CapPart /* of BvhPrimitive */
{
    CAP_WHOLE = 0, /* a triangle that is none, or stays as it is */
    CAP_FIRST,
    CAP_SECOND
};

typedef struct CapCut
{
    uint32_t begin;  /* the longest edge goes from this corner to the next */
    float foot[3];   /* of the apex, as it is stored */
    double exact[3]; /* where it should lie */
} CapCut;

/* Whether a triangle is to be cut, and where. Decided in double by + - * / in a fixed order from the stored
 * corners: the same everywhere. */
bool cap_cut(const StoredTriangle *whole, CapCut *cut);

/* The corners of CAP_FIRST or CAP_SECOND, in the winding of the whole. */
StoredTriangle cap_piece(const StoredTriangle *whole, const CapCut *cut, enum CapPart part);

/* A box around a piece and around its part of the whole: so a ray that meets the whole finds it in the leaf of
 * one of the pieces. Larger than the whole's only by what rounding did to the foot. */
Bounds cap_piece_bounds(const StoredTriangle *whole, const CapCut *cut, enum CapPart part);

#endif
