/* A branch of the search for a free place: half-spaces, and the least displacement within them. */
#ifndef QUERY_BRANCH_H
#define QUERY_BRANCH_H

#include "base/vector.h"

#define MOST_PLANES 6

/* Displacements d with normal . d >= least, in the world. */
typedef struct HalfSpace
{
    Vec3 normal;
    double least;
} HalfSpace;

typedef struct Branch
{
    HalfSpace planes[MOST_PLANES];
    uint32_t count;
    Vec3 displacement;
    double distance2;
} Branch;

/* Finds the displacement. Requires that the one without the last plane lies outside it. Returns false if the branch is empty. */
bool sidle_branch_settle(Branch *branch);

#endif
