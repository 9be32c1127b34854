/* The search for the nearest free place: its state, and the branches past what a shape overlaps. */
#ifndef QUERY_FREE_H
#define QUERY_FREE_H

#include "query/branch.h"
#include "query/place.h"

#define MOST_TRIES 384
#define MOST_OPEN  80 /* branches; new ones beyond are dropped, so that a call fits on a small stack */

/* Radii: a step past a triangle is longer by this, so that rounding does not leave the two in touch. */
#define ROUNDING 1e-5

/* Horizontal directions that are looked into, and the angle between two. */
#define SIDES    16
#define SIDE_COS .92387953251128674
#define SIDE_SIN .38268343236508978

/* Turns two perpendicular directions to the next. */
static inline void free_turn(Vec3 *side, Vec3 *beside)
{
    Vec3 turned = vec3_add_scaled(vec3_scale(*side, SIDE_COS), *beside, SIDE_SIN);
    *beside = vec3_add_scaled(vec3_scale(*beside, SIDE_COS), *side, -SIDE_SIN);
    *side = turned;
}

typedef struct Search
{
    const sidle_free_desc *desc;
    Around around;
    Frame frame; /* larger than the shape by the clearance */
    Vec3 center;
    Vec3 tried[MOST_TRIES];
    uint32_t try_count;
    Branch open[MOST_OPEN]; /* a heap would save little */
    uint32_t open_count;
    Nearest first;     /* the deepest triangle at the centre */
    double least;      /* how far any free place is at least */
    bool among_agents; /* a place overlapped one */
    uint32_t free_count;
    double distance; /* of the nearest free place so far */
    Vec3 answer;     /* its centre */
} Search;

/* Whether a displacement was tried. */
bool sidle_free_is_known(const Search *search, Vec3 displacement);

/* Branches off past each side of a triangle that overlaps the shape at the branch's place. */
void sidle_free_leave(Search *search, const Branch *from, const Vec3 v[3], const KernelContact *contact);

/* Out of a closed instance. */
void sidle_free_leave_solid(Search *search, const Branch *from, const Placed *given);

/* Past the agent that overlaps the shape at a centre most. Returns false if none does. */
bool sidle_free_leave_agents(Search *search, const Branch *from, Vec3 center);

bool sidle_free_overlaps_agent(const Search *search, Vec3 center);

/* The direction of sidle_free_desc.up, of length 1. */
Vec3 sidle_free_up(const sidle_free_desc *desc);

#endif
