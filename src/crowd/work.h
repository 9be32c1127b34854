/* The limit of the work of one agent and tick: at most about a millisecond, with any surroundings.
 *
 * Work counts inputs before culling, so it is the same at any width, in any order and on a replay. Its unit is a
 * candidate in a sweep, 5 ns if not culled. When it is spent, the current operation completes, and then the move ends
 * early with SIDLE_REASON_CANDIDATES.
 *
 * A replay's world lacks instances and leaves without candidates. Those that a cache cannot hold are counted as leaves_seen instead.
 * Above a limit gathers fail, and a capture records the failures. */
#ifndef CROWD_WORK_H
#define CROWD_WORK_H

#include "narrow/candidates.h"

#define MAX_WORK 70000u /* .35 ms; the operation that exceeds it can take as long again */

/* Units of 5 ns. */
#define WORK_SWEEP    8   /* a sweep, beside its candidates */
#define WORK_CAPSULE  12  /* a candidate in a sweep of a capsule */
#define WORK_GATHER   60  /* a gather, beside its candidates */
#define WORK_GATHERED 4   /* a candidate of a gather */
#define WORK_RUN      40  /* an instance with candidates, in a gather */
#define WORK_OVERFLOW 12  /* a gather that does not fit, times the capacity */
#define WORK_EXACT    30  /* a candidate in double precision, in a gather or a sweep */
#define WORK_CLOSE    8   /* a candidate of a search around a contact, or of a step of recovery */
#define WORK_CONTACT  24  /* a candidate of a search for contacts: in recovery, or around a wedged agent */
#define WORK_CORE     32  /* a candidate near a capsule's core */
#define WORK_INSIDE   100 /* a candidate that overlaps a capsule, in a sweep */

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

/* A closest-point query at the agent: WORK_CLOSE, or WORK_CONTACT if it finds contacts. */
static inline void work_add_close(Candidates *candidates, uint32_t each)
{
    work_add_look(candidates, candidates->core > 0 ? WORK_CAPSULE : each);
}

/* Without triangles that need double. A gather without candidates counts as leaves_seen instead, since a replay lacks its
 * instances. */
FORCE_INLINE void work_add_float_gather(Candidates *candidates, bool is_capsule)
{
    uint32_t count = candidates->wide.count;
    candidates->sweep_work = 0;
    if (count > 0)
    {
        uint32_t close = count < MAX_CLOSE ? count : MAX_CLOSE;
        candidates->sweep_work = WORK_SWEEP + count * (is_capsule ? WORK_CAPSULE : 1);
        work_add(candidates, WORK_GATHER + count * WORK_GATHERED + candidates->run_count * WORK_RUN +
                                 (is_capsule ? WORK_CORE * close : 0));
    }
}

/* At the default capacity two gathers that do not fit use up a tick's work. */
static OUT_OF_LINE void work_add_rare_gather(Candidates *candidates, bool fits)
{
    uint32_t before = candidates->work, exact = candidates->exact.count * WORK_EXACT;
    work_add_float_gather(candidates, candidates->core > 0);
    candidates->sweep_work += exact;
    if (!fits)
    {
        uint32_t capacity = candidates->asked_capacity;
        uint32_t most = capacity < DEFAULT_CANDIDATES ? capacity : DEFAULT_CANDIDATES;
        candidates->work = before + WORK_OVERFLOW * most;
    }
    else if (candidates->wide.count > 0)
    {
        work_add(candidates, exact);
    }
}

static inline void work_add_gather(Candidates *candidates, bool fits)
{
    if (!fits || candidates->core > 0 || candidates->exact.count > 0)
    {
        work_add_rare_gather(candidates, fits);
        return;
    }
    work_add_float_gather(candidates, false);
}

#endif
