/* Candidates by lane: who they are, and those that float does not serve. */
#include "narrow/questions.h"
#include "narrow/view.h"

#include <string.h>

/* exact_of ascends. */
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
    const LeafPacket *packet;
    uint32_t slot, triangle;
    uint16_t surface;
    uint8_t local;
} Identity;

static inline Identity identity_of(const Candidates *c, uint32_t i)
{
    const Run *run = c->runs;
    while (run->end <= i)
    {
        ++run;
    }
    const Placed *placed = &c->snapshot->placed[run->slot];
    const uint8_t *packets = placed->mesh->packets;
    const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)c->origins.leaf[i] * PACKET_UNIT);
    uint8_t local = c->origins.local[i];
    uint32_t triangle = packet_sources(packet)[local];
    triangle = c->numbers ? c->numbers[c->first_number[run->slot] + triangle] : triangle;
    return (Identity){placed, packet, run->slot, triangle, packet_surfaces(packet)[local], local};
}

/* Written when it is asked for: most candidates never are. */
static OUT_OF_LINE const Candidate *candidate_of(const Candidates *c, uint32_t i)
{
    Candidate *candidate = &c->list[i];
    if (c->run_count == 0) /* written all at once, by a cast */
    {
        return candidate;
    }
    Identity identity = identity_of(c, i);
    *candidate = (Candidate){.key = identity.placed->key,
                             .packet = identity.packet,
                             .triangle = identity.triangle,
                             .instance = identity.slot,
                             .surface = identity.surface,
                             .local = identity.local,
                             .exact = is_exact(c, i)};
    return candidate;
}

/* All of them. */
static OUT_OF_LINE void list_candidates(const Candidates *c)
{
    for (uint32_t i = 0; i < c->wide.count && c->run_count > 0; ++i)
    {
        candidate_of(c, i);
    }
}

/* What float does not serve, again in double and from the stored vertices. */
static OUT_OF_LINE void pack_exact(Candidates *c, uint32_t count, const Frame *frame, const PackRules *rules,
                                   double time)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const Candidate *candidate = candidate_of(c, c->exact_of[i]);
        const Placed *placed = &c->snapshot->placed[candidate->instance];
        View view = view_of(placed, frame, time);
        double *lane = (double *)c->exact.blocks + (size_t)i * FIELD_COUNT;
        Vec3 corners[3];
        view_corners(&view, placed, candidate, corners);
        memcpy(lane + FIELD_V0, corners, sizeof corners);
        c->list[c->exact_of[i]].exact = 1;
    }
    c->exact.count = count;
    kernels_1d.finish(&c->exact, rules, NULL);
}

static inline bool candidates_finish(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                     const PackRules *rules, double time)
{
    c->snapshot = snapshot;
    uint32_t exact_count = finish_batch(&c->wide, rules, c->exact_of);
    if (exact_count > MAX_GATHER_EXACT)
    {
        return false;
    }
    if (exact_count > 0)
    {
        pack_exact(c, exact_count, frame, rules, time);
    }
    return true;
}
