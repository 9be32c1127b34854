/* The states of the last ticks. A crowd holds no state, so bodies that were kept are all that a return to a tick takes: the
 * ticks after it have the same bits as the first time. */
#include "viewer.h"

#include <stdlib.h>

#define HISTORY_BYTES ((size_t)256 << 20)
#define HISTORY_ROWS  600u

bool history_open(uint32_t agents)
{
    size_t rows = HISTORY_BYTES / (agents * sizeof(Record));
    viewer.history.capacity = rows < HISTORY_ROWS ? (uint32_t)rows : HISTORY_ROWS;
    viewer.history.count = agents;
    viewer.history.oldest = 0;
    atomic_store(&viewer.history.newest, 0);
    viewer.history.records = malloc(viewer.history.capacity * agents * sizeof(Record));
    return viewer.history.records != NULL;
}

void history_close(void)
{
    free(viewer.history.records);
    viewer.history.records = NULL;
    viewer.history.count = 0;
}

static Record *row_of(uint32_t tick)
{
    return &viewer.history.records[(size_t)(tick % viewer.history.capacity) * viewer.history.count];
}

const Record *history_row(uint32_t tick)
{
    return row_of(tick);
}

/* The page reads the row of the newest tick meanwhile, which is another one. */
void history_store(void)
{
    History *history = &viewer.history;
    const CrowdRun *run = &viewer.run;
    Record *row = row_of(run->tick);
    for (uint32_t i = 0; i < run->count; i++)
    {
        row[i] = (Record){.body = run->results[i].body,
                          .displacement = run->moves[i].displacement,
                          .reasons = run->results[i].reasons,
                          .profile = run->moves[i].profile,
                          .impact_speed = run->results[i].impact_speed};
    }
    /* The row after the newest may be written next. */
    if (run->tick + 2 > history->oldest + history->capacity)
    {
        history->oldest = run->tick + 2 - history->capacity;
    }
    atomic_store(&history->newest, run->tick);
}

/* Returns the crowd to the states after a number of ticks, as far as they are kept. */
EXPORT bool viewer_seek(uint32_t tick)
{
    viewer_lock();
    CrowdRun *run = &viewer.run;
    bool good =
        viewer.state == VIEWER_READY && tick >= viewer.history.oldest && tick <= viewer.history.newest;
    if (good)
    {
        const Record *row = row_of(tick);
        for (uint32_t i = 0; i < run->count; i++)
        {
            run->moves[i].body = run->results[i].body = row[i].body;
            run->moves[i].displacement = row[i].displacement;
            run->moves[i].profile = row[i].profile;
            run->results[i].reasons = row[i].reasons;
        }
        run->tick = tick;
        viewer.contact_count = 0;
        tick_rest_lift();
    }
    viewer_unlock();
    return good;
}
