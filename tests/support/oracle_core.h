/* The oracles of capsules: the core is the segment between center - core and center + core. Distance to a
 * convex set is convex along any line, so the nearest place of the core and of the path are found by leaving
 * out what cannot hold them. */
#ifndef TESTS_SUPPORT_ORACLE_CORE_H
#define TESTS_SUPPORT_ORACLE_CORE_H

#include "support/oracle.h"

typedef struct OracleCore
{
    double distance;
    double along; /* [-1, 1]: the place of the core that is nearest */
    OracleClosest at;
} OracleCore;

OracleCore oracle_core(const Vector vertices[3], Vector core, Vector center);

/* The least distance along a straight path of the centre, and where. */
OracleApproach oracle_core_approach(const Vector vertices[3], Vector core, Vector start, Vector direction,
                                    double length);

/* True if the core properly crosses the triangle: passes through its plane, inside. */
bool oracle_core_crosses(const Vector vertices[3], Vector core, Vector center);

#endif
