/* The gather and the questions that the response asks of its candidates. Compiled once per width: gather.inl,
 * query.inl, prisms.inl. */
#ifndef NARROW_QUESTIONS_H
#define NARROW_QUESTIONS_H

#include "narrow/candidates.h"

static bool filter_takes(const Filter *filter, const sidle_snapshot *snapshot, uint32_t slot);

/* Of a lane of `wide`. Valid until the next gather. */
static const Candidate *candidate_of(const Candidates *candidates, uint32_t i);

/* Makes what append_fn has left in `wide` ready for questions, and packs `exact`, which must be empty. */
static inline void candidates_finish(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                              const PackRules *rules, double time);

/* False: more than capacity; then the content is of no use. `cache`: the agent's, or NULL. */
static bool candidates_gather(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                              const Reach *reach, const Filter *filter, LeafCache *cache);

/* The instances whose boxes, which hold all of their motion in the epoch, meet a reach: into
 * candidates->instances, in no order. More than capacity: some are missing. */
static uint32_t candidates_instances(const Candidates *candidates, const sidle_snapshot *snapshot,
                                     const Frame *frame, const Reach *reach);

typedef struct Hit
{
    KernelContact contact; /* ellipsoid space; t: the length to the contact of a sweep, the distance of a
                              closest point */
    uint32_t candidate;
} Hit;

static bool candidates_sweep(const Candidates *candidates, const SweepQuery *query, Hit *out);

/* The distance to the nearest candidate within radius; infinity if there is none. Of a capsule it is negative
 * where a triangle crosses the core. */
static double candidates_distance(const Candidates *candidates, Vec3 point, double radius);

/* Whether anything may be within the reach's `near` of the frame's centre: if not, candidates_distance finds nothing
 * there. */
static inline bool candidates_are_near(const Candidates *candidates)
{
    return candidates->is_capsule || candidates->wide.is_near ||
           (candidates->exact.count > 0 && candidates->exact.is_near);
}

/* The contacts within radius, up to capacity of them, nearest first where there are more. */
static uint32_t candidates_contacts(const Candidates *candidates, Vec3 point, double radius, Hit *out,
                                    uint32_t capacity);

/* All candidates within radius of a point, in no order; the array is valid until the next gather. */
static const uint32_t *candidates_within(const Candidates *candidates, Vec3 point, double radius,
                                         uint32_t *count);

/* The lanes of a capsule's batches that a path from `origin` may touch, and no others. */
static void prisms_show(const Candidates *candidates, Vec3 origin);

/* finish_fn for prisms: all lanes of a triangle in double, if one of them needs it. */
static void prisms_finish(Candidates *candidates, const sidle_snapshot *snapshot, const Frame *frame,
                          const PackRules *rules, double time);

/* The signed distance of a capsule's core to a triangle: where they cross it is minus the least way out
 * through the triangle's plane. Normal: towards the core, or that way out. */
static KernelContact prism_contact(const Vec3 corners[3], Vec3 core, Vec3 center);

/* The corners of a lane of a prism, in double. */
static void prism_lane(const Vec3 corners[3], Vec3 core, uint8_t part, Vec3 lane[3]);

/* A contact with one lane of a prism becomes one with the triangle: its point and feature. */
static void prism_tell(const Vec3 corners[3], Vec3 core, uint8_t part, KernelContact *contact);

/* The same of a contact in double, when the centre is there: of an edge, what is nearest to the core and the
 * normal there. A lane's own place leads along the core to one that may be 1e-6 of its length farther. */
static void prism_tell_nearest(const Vec3 corners[3], Vec3 core, uint8_t part, Vec3 center,
                               KernelContact *contact);

/* True if a segment passes through a triangle. */
static bool segment_meets(const Vec3 corners[3], Vec3 from, Vec3 to);

/* False for one that the filter's one-sidedness leaves out. */
static bool candidates_counts(const Candidates *candidates, uint32_t candidate);

/* Of the triangle, whatever lanes it has. Ellipsoid space, in the order of the (unmirrored) front. */
static void candidates_corners(const Candidates *candidates, uint32_t candidate, Vec3 corners[3]);

/* True if a segment passes through any candidate. */
static bool candidates_block_segment(const Candidates *candidates, Vec3 from, Vec3 to);

#endif
