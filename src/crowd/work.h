/* What a tick of one agent may cost: about a millisecond, whatever is near.
 *
 * Work counts what is done by how much of it there was, before anything is culled, so that it is the same at any width,
 * in any order and on a replay. Its unit is a candidate in a sweep, 5 ns where none is culled. Code that finds it spent
 * leaves the rest of the way undone and says SIDLE_REASON_CANDIDATES; what is under way ends first.
 *
 * What a replay's world lacks, instances and leaves that nothing came of, counts as leaves_seen instead: once those are
 * too many no gather fits, and a capture knows which did not. */
#ifndef CROWD_WORK_H
#define CROWD_WORK_H

#include "narrow/candidates.h"

#define MAX_WORK 70000u /* .35 ms; what is under way when that is spent may take as long */

/* In 5 ns each, where many are near. */
#define WORK_SWEEP    8  /* a sweep, beside its candidates */
#define WORK_CAPSULE  12 /* a candidate in a sweep of a capsule */
#define WORK_GATHER   60 /* a gather, beside its candidates */
#define WORK_GATHERED 4  /* a candidate of a gather */
#define WORK_OVERFLOW 7  /* a gather that does not fit, times the candidates for which there is room */
#define WORK_EXACT    30 /* one that is answered in double, in a gather or a sweep */
#define WORK_CLOSE    8  /* a candidate of a round of recovery, or of a look around a contact's point */
#define WORK_CORE     32 /* one near a capsule's core, where it matters whether that is crossed */

static inline void work_add(Candidates *candidates, uint32_t work)
{
    candidates->work += work;
}

static inline bool work_is_spent(const Candidates *candidates)
{
    return candidates->work > MAX_WORK;
}

/* A look at all candidates, `each` for one. */
static inline void work_add_look(Candidates *candidates, uint32_t each)
{
    work_add(candidates, candidates->wide.count * each + candidates->exact.count * WORK_EXACT);
}

static inline void work_add_sweep(Candidates *candidates)
{
    work_add(candidates, candidates->sweep_work);
}

/* A question of recovery. */
static inline void work_add_close(Candidates *candidates)
{
    work_add_look(candidates, candidates->core > 0 ? WORK_CAPSULE : WORK_CLOSE);
}

static inline uint32_t work_of_sweep(const Candidates *candidates)
{
    uint32_t each = candidates->core > 0 ? WORK_CAPSULE : 1;
    return (candidates->wide.count > 0 ? WORK_SWEEP : 0) + candidates->wide.count * each +
           candidates->exact.count * WORK_EXACT;
}

/* A gather that finds nothing counts by the leaves that it has seen: a replay has no instances of which nothing was near.
 * Three that do not fit by default take a tick's work: a part of an eighth that just fits is as much as may be done. */
static inline void work_add_gather(Candidates *candidates, bool fits)
{
    candidates->sweep_work = work_of_sweep(candidates);
    if (!fits)
    {
        uint32_t capacity = candidates->asked_capacity;
        work_add(candidates, WORK_OVERFLOW * (capacity < DEFAULT_CANDIDATES ? capacity : DEFAULT_CANDIDATES));
    }
    else if (candidates->wide.count > 0)
    {
        work_add(candidates, WORK_GATHER);
        uint32_t close = candidates->wide.count < MAX_CLOSE ? candidates->wide.count : MAX_CLOSE;
        work_add_look(candidates, WORK_GATHERED);
        work_add(candidates, candidates->core > 0 ? WORK_CORE * close : 0);
    }
}

#endif
