/* The gather and the questions that the response asks of its candidates. Compiled once per width: gather.inl,
 * query.inl, near.inl. */
#ifndef NARROW_QUESTIONS_H
#define NARROW_QUESTIONS_H

#include "narrow/candidates.h"

static bool filter_takes(const Filter *filter, const sidle_snapshot *snapshot, uint32_t slot);

/* Of a lane of `wide`. Valid until the next gather. */
static const Candidate *candidate_of(const Candidates *candidates, uint32_t i);

/* Makes what append_fn has left in `wide` ready for questions, and packs `exact`, which must be empty. False: more than
 * MAX_GATHER_EXACT. */
static inline bool candidates_setup(Candidates *candidates, const sidle_snapshot *snapshot,
                                    const Frame *frame, const PackRules *rules, double time);

/* False: more than capacity; then the content is of no use. `cache`: the agent's, or NULL. */
FORCE_INLINE bool candidates_gather(Candidates *candidates, const sidle_snapshot *snapshot,
                                    const Frame *frame, const Reach *reach, const Filter *filter,
                                    TriangleCache *cache);

/* The instances whose boxes, which hold all of their motion in the epoch, meet a reach: into
 * candidates->instances, in no order. More than instance_room: some are missing. */
static uint32_t candidates_instances(const Candidates *candidates, const sidle_snapshot *snapshot,
                                     const Frame *frame, const Reach *reach);

static bool candidates_sweep(const Candidates *candidates, const SweepQuery *query, Hit *out);

/* The distance to the nearest candidate within radius; infinity if there is none. Of a capsule it is negative
 * where a triangle crosses the core. */
static double candidates_distance(const Candidates *candidates, Vec3 point, double radius);

/* Whether anything may be within the reach's `near` of the frame's centre: if not, candidates_distance finds nothing
 * there. */
static inline bool candidates_are_near(const Candidates *candidates)
{
    return candidates->wide.is_near || (candidates->exact.count > 0 && candidates->exact.is_near);
}

/* Whether more than MAX_CLOSE candidates are within radius of a capsule's core, or, at its corners, of twice that. */
static bool candidates_crowd(const Candidates *candidates, Vec3 point, double radius);

/* The contacts within radius, up to capacity of them, nearest first where there are more. */
static uint32_t candidates_contacts(const Candidates *candidates, Vec3 point, double radius, Hit *out,
                                    uint32_t capacity);

/* All candidates within radius of a point, in no order; the array is valid until the next gather. */
static const uint32_t *candidates_within(const Candidates *candidates, Vec3 point, double radius,
                                         uint32_t *count);

/* False for one that the filter's one-sidedness leaves out. */
static bool candidates_counts(const Candidates *candidates, uint32_t candidate);

/* Ellipsoid space, in the order of the (unmirrored) front. */
static void candidates_corners(const Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* True if a segment passes through any candidate. */
static bool candidates_block_segment(const Candidates *candidates, Vec3 from, Vec3 to);

#endif
