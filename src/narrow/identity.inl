/* Candidates by lane: their identity, and the triangles that need double. */
#include "narrow/questions.h"
#include "narrow/view.h"

#include <string.h>

/* The lane of `exact` for a candidate, by binary search: exact_of is ascending. */
static uint32_t exact_lane(const Candidates *c, uint32_t candidate)
{
    uint32_t low = 0, high = c->exact.count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(c->exact_of[middle] <= candidate ? &low : &high) = middle;
    }
    return low;
}

static bool is_exact(const Candidates *c, uint32_t candidate)
{
    return c->exact.count > 0 && c->exact_of[exact_lane(c, candidate)] == candidate;
}

typedef struct Identity
{
    const Placed *placed;
    uint32_t slot, triangle;
    uint16_t surface;
} Identity;

static inline uint32_t triangle_of(const Candidates *c, uint32_t slot, uint32_t i)
{
    uint32_t triangle = c->origins.triangle[i];
    return c->numbers ? c->numbers[c->first_number[slot] + triangle] : triangle;
}

/* Does not read the leaf, which is often in no cache of the processor. */
static inline Identity identity_of(const Candidates *c, uint32_t i)
{
    uint32_t low = 0, high = c->run_count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(c->runs[middle - 1].end <= i ? &low : &high) = middle;
    }
    const Placed *placed = c->runs[low].placed;
    return (Identity){placed, placed->slot, triangle_of(c, placed->slot, i),
                      (uint16_t)(c->origins.tag[i] >> 8)};
}

/* Written on request, since most candidates are never needed. */
static OUT_OF_LINE const Candidate *candidate_of(const Candidates *c, uint32_t i)
{
    Candidate *candidate = &c->list[i];
    if (c->run_count == 0) /* a cast has written all of them */
    {
        return candidate;
    }
    Identity identity = identity_of(c, i);
    *candidate = (Candidate){.key = identity.placed->key,
                             .leaf = c->origins.leaf[i],
                             .triangle = identity.triangle,
                             .instance = identity.slot,
                             .surface = identity.surface,
                             .local = (uint8_t)c->origins.tag[i],
                             .exact = is_exact(c, i)};
    return candidate;
}

/* Writes all candidates. */
static OUT_OF_LINE void list_candidates(const Candidates *c)
{
    for (uint32_t i = 0; i < c->wide.count && c->run_count > 0; ++i)
    {
        candidate_of(c, i);
    }
}

/* Packs the triangles that need double, from the stored vertices. */
static OUT_OF_LINE void pack_exact(Candidates *c, const sidle_snapshot *snapshot, uint32_t count,
                                   const Frame *frame, const PackRules *rules, double time)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const Candidate *candidate = candidate_of(c, c->exact_of[i]);
        const Placed *placed = snapshot_placed(snapshot, candidate->instance);
        View view = view_of(placed, frame, time);
        double *lane = (double *)c->exact.blocks + (size_t)i * FIELD_COUNT;
        Vec3 corners[3];
        view_corners(&view, placed, candidate, corners);
        memcpy(lane + FIELD_V0, corners, sizeof corners);
        c->list[c->exact_of[i]].exact = 1;
    }
    c->exact.count = count;
    sidle_kernels_1d.setup(&c->exact, rules, NULL);
}

static inline void hide_back(float *plane, const float *least_approach)
{
    if (*least_approach <= 0 && *plane > 0) /* as in setup_block */
    {
        *plane = NAN;
    }
}

/* Culls the backs of one-sided instances, where the agent sees both sides of others. */
static OUT_OF_LINE void hide_backs(const Candidates *c)
{
    uint32_t lane = 0;
    for (uint32_t run = 0; run < c->run_count; lane = c->runs[run++].end)
    {
        bool hides = c->runs[run].placed->flags & SIDLE_INSTANCE_ONE_SIDED; /* mutant: backs_are_there */
        for (; hides && lane < c->runs[run].end; ++lane)
        {
            Real *block = block_at(&c->wide, lane / LANE_COUNT);
            uint32_t i = lane % LANE_COUNT;
            hide_back(field_at(block, FIELD_PLANE) + i, field_at(block, FIELD_LEAST_APPROACH) + i);
        }
    }
    for (uint32_t i = 0; i < c->exact.count; ++i)
    {
        double *block = (double *)c->exact.blocks + (size_t)i * FIELD_COUNT;
        uint32_t flags = identity_of(c, c->exact_of[i]).placed->flags;
        if ((flags & SIDLE_INSTANCE_ONE_SIDED) && block[FIELD_LEAST_APPROACH] <= 0 && block[FIELD_PLANE] > 0)
        {
            block[FIELD_PLANE] = NAN;
        }
    }
}

static inline bool candidates_setup(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                    const PackRules *rules, double time)
{
    uint32_t exact_count = setup_batch(&c->wide, rules, c->exact_of);
    if (exact_count > MAX_GATHER_EXACT)
    {
        return false;
    }
    if (exact_count > 0)
    {
        pack_exact(c, snapshot, exact_count, frame, rules, time);
    }
    if (c->hides_backs)
    {
        hide_backs(c);
    }
    return true;
}
