/* The gather and the queries of the response on its candidates. Compiled once for each width: mapping.inl,
 * identity.inl, search.inl, gather.inl, query.inl, near.inl. */
#ifndef NARROW_QUESTIONS_H
#define NARROW_QUESTIONS_H

#include "narrow/candidates.h"

static bool filter_takes(const Filter *filter, const Placed *placed);

/* The candidate of lane i of `wide`. Valid until the next gather. */
static const Candidate *candidate_of(const Candidates *candidates, uint32_t i);

/* Sets up the triangles that append_fn has left in `wide`, and packs `exact`, which must be empty. Returns false if
 * more than MAX_GATHER_EXACT need double. */
static inline bool candidates_setup(Candidates *candidates, const sidle_snapshot *snapshot,
                                    const Frame *frame, const PackRules *rules, double time);

/* Gathers the candidates of a reach. Returns false if they exceed the capacity; they are then undefined. `cache`: the
 * agent's, or NULL. */
FORCE_INLINE bool candidates_gather(Candidates *candidates, const sidle_snapshot *snapshot,
                                    const Frame *frame, const Reach *reach, const Filter *filter,
                                    TriangleCache *cache);

/* The same without setting them up: only the corners in the rows of `wide` are valid. */
FORCE_INLINE bool candidates_corners_in(Candidates *candidates, const sidle_snapshot *snapshot,
                                        const Frame *frame, const Reach *reach, const Filter *filter,
                                        TriangleCache *cache);

/* Writes the instances whose boxes, over all of their motion in the epoch, overlap a reach to candidates->instances, in
 * no order. Returns their number; if it exceeds instance_capacity, some are missing. */
static uint32_t candidates_instances(const Candidates *candidates, const sidle_snapshot *snapshot,
                                     const Frame *frame, const Reach *reach);

static bool candidates_sweep(const Candidates *candidates, const SweepQuery *query, Hit *out);

/* The distance to the nearest candidate within radius, or infinity. For a capsule it is negative if a triangle crosses
 * the core. */
static double candidates_distance(const Candidates *candidates, Vec3 point, double radius);

/* Returns false if a sweep along the first path of the reach hits nothing. */
static inline bool candidates_are_reached(const Candidates *candidates)
{
    return candidates->wide.is_reached || candidates->exact.count > 0;
}

/* Returns false if no candidate can be within `radius` of the frame's centre, so that candidates_distance finds none
 * there. */
static bool candidates_are_near(const Candidates *candidates, double radius);

/* The number of candidates within radius of a capsule's core, by a lower bound of their distance: large triangles that are
 * somewhat farther away can count, too. */
static uint32_t candidates_around_core(const Candidates *candidates, Vec3 point, double radius);

/* Writes the nearest contacts within radius, at most `capacity`, and returns their number. */
static uint32_t candidates_contacts(const Candidates *candidates, Vec3 point, double radius, Hit *out,
                                    uint32_t capacity);

/* Returns all candidates within radius of a point, in no order. The array is valid until the next gather. */
static const uint32_t *candidates_within(const Candidates *candidates, Vec3 point, double radius,
                                         uint32_t *count);

/* Returns false if the candidate is culled as a back face. */
static bool candidates_counts(const Candidates *candidates, uint32_t candidate);

/* The corners in ellipsoid space, counter-clockwise seen from the unmirrored front. */
static void candidates_corners(const Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* Returns true if a segment passes through any candidate. */
static bool candidates_block_segment(const Candidates *candidates, Vec3 from, Vec3 to);

#endif
