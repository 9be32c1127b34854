#include "measure.h"

#include <math.h>
#include <stdlib.h>

/* The first ticks of a run find caches of the run before. */
#define WARM_TICKS 3

Row *row_open(const Patch *patch, uint32_t tick_flags)
{
    Row *row = calloc(1, sizeof *row);
    if (!row || !walkers_create(&row->walkers, patch, tick_flags, NULL))
    {
        exit(1);
    }
    return row;
}

void rows_close(Row *const *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        walkers_destroy(&rows[i]->walkers);
        free(rows[i]);
    }
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void begin_run(Row *const *rows, uint32_t row_count, MeasureDesc desc)
{
    for (uint32_t row = 0; row < row_count; ++row)
    {
        walkers_begin_run(&rows[row]->walkers);
        for (int i = 0; i < WARM_TICKS; ++i)
        {
            walkers_tick(&rows[row]->walkers, desc.clock);
        }
    }
}

void measure(Row *const *rows, uint32_t row_count, MeasureDesc desc)
{
    for (uint32_t run = 0; run < desc.runs; ++run)
    {
        begin_run(rows, row_count, desc);
        for (uint32_t i = 0; i < desc.ticks * row_count; ++i)
        {
            uint32_t tick = i / row_count;
            Row *row = rows[(i + tick) % row_count];
            double seconds = walkers_tick(&row->walkers, desc.clock);
            row->least[tick] = run == 0 ? seconds : fmin(row->least[tick], seconds);
        }
    }
    for (uint32_t row = 0; row < row_count; ++row)
    {
        rows[row]->sum = 0;
        for (uint32_t tick = 0; tick < desc.ticks; ++tick)
        {
            rows[row]->sum += rows[row]->least[tick];
        }
        qsort(rows[row]->least, desc.ticks, sizeof(double), by_size);
    }
}

void measure_run(Walkers *walkers, MeasureDesc desc, double *seconds)
{
    walkers_begin_run(walkers);
    for (int i = 0; i < WARM_TICKS; ++i)
    {
        walkers_tick(walkers, desc.clock);
    }
    for (uint32_t tick = 0; tick < desc.ticks; ++tick)
    {
        seconds[tick] = walkers_tick(walkers, desc.clock);
    }
}

double row_percentile(const Row *row, MeasureDesc desc, double share)
{
    return row->least[(uint32_t)(share * (desc.ticks - 1) + .5)];
}

double row_move(const Row *row, MeasureDesc desc)
{
    return 1e9 * row->sum / desc.ticks / row->walkers.count;
}
