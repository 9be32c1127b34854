/* Work in parts on all processors, as many parts whatever their number: so the same is drawn everywhere. */
#ifndef TESTS_SUPPORT_PARTS_H
#define TESTS_SUPPORT_PARTS_H

#include "sidle/sidle.h"

#define PARTS 16

/* `work` sees each of the parts once. Without a pool it does them here, one after another. */
static inline void on_all_processors(const char *name, sidle_range_fn *work, void *context)
{
    sidle_pool_desc desc = {.size = sizeof desc};
    sidle_pool *pool = NULL;
    if (sidle_pool_create(&desc, NULL, &pool) == SIDLE_OK)
    {
        const sidle_jobs *jobs = sidle_pool_jobs(pool);
        jobs->parallel_for(jobs->user, name, PARTS, 1, work, context);
        sidle_pool_destroy(pool);
    }
    else
    {
        work(context, 0, PARTS, 0);
    }
}

#endif
