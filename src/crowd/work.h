/* The limit of the work of one agent and tick: about a millisecond, with any surroundings.
 *
 * Work counts inputs before culling, so it is the same at any width, in any order and on a replay. Its unit is a
 * candidate in a sweep, 5 ns if not culled. When it is spent, the current operation completes, and then the move ends
 * early with SIDLE_REASON_CANDIDATES.
 *
 * A replay's world lacks instances and leaves without candidates, which are counted as leaves_seen instead. Above a
 * limit gathers fail, and a capture records the failures. */
#ifndef CROWD_WORK_H
#define CROWD_WORK_H

#include "narrow/candidates.h"

#define MAX_WORK 70000u /* .35 ms; the operation that exceeds it can take as long again */

/* Units of 5 ns. */
#define WORK_SWEEP    8  /* a sweep, beside its candidates */
#define WORK_CAPSULE  12 /* a candidate in a sweep of a capsule */
#define WORK_GATHER   60 /* a gather, beside its candidates */
#define WORK_GATHERED 4  /* a candidate of a gather */
#define WORK_OVERFLOW 7  /* a gather that does not fit, times the capacity */
#define WORK_EXACT    30 /* a candidate in double precision, in a gather or a sweep */
#define WORK_CLOSE    8  /* a candidate of a round of recovery, or of a search around a contact */
#define WORK_CORE     32 /* a candidate near a capsule's core */

static inline void work_add(Candidates *candidates, uint32_t work)
{
    candidates->work += work;
}

static inline bool work_is_spent(const Candidates *candidates)
{
    return candidates->work > MAX_WORK;
}

/* A pass over all candidates. */
static inline void work_add_look(Candidates *candidates, uint32_t each)
{
    work_add(candidates, candidates->wide.count * each + candidates->exact.count * WORK_EXACT);
}

static inline void work_add_sweep(Candidates *candidates)
{
    work_add(candidates, candidates->sweep_work);
}

/* A closest-point query of recovery. */
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

/* A gather without candidates counts as leaves_seen instead, since a replay lacks its instances. At the default
 * capacity three gathers that do not fit use up a tick's work. */
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
