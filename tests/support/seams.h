/* Shots at where triangles of a surface meet: the ball's centre flies through the seam to the other side, so
 * that whatever does not stop it is a leak. */
#ifndef TESTS_SUPPORT_SEAMS_H
#define TESTS_SUPPORT_SEAMS_H

#include "support/queries.h"

typedef enum Seam
{
    SEAM_EDGE,      /* two triangles, at any angle, flat ones among them */
    SEAM_VERTEX,    /* three to six around a corner, some of them slivers */
    SEAM_FAN,       /* seven to twelve, aimed at the spokes */
    SEAM_T_JUNCTION /* one edge against two, whose common corner lies on it to the rounding of float */
} Seam;

/* A query in which the ball begins outside the surface and flies through the seam. */
Query seam_drawn(Random *random, Seam seam);

/* How much closer than the swept radius the ball comes to any triangle until `t`. It begins outside. */
double seam_depth(const Query *query, double t);

#endif
