/* Times of ticks that hold on a machine that others use, too. */
#ifndef SIDLE_BENCH_CROWD_MEASURE_H
#define SIDLE_BENCH_CROWD_MEASURE_H

#include "walkers.h"

#define MEASURE_TICKS 600 /* most of a run */

typedef struct Row
{
    Walkers walkers;
    double least[MEASURE_TICKS]; /* of each tick over all runs [s], sorted once measured */
    double sum;                  /* [s] */
} Row;

typedef struct MeasureDesc
{
    WalkersClock *clock;
    uint32_t ticks, runs;
} MeasureDesc;

/* A row for the agents of the patch, which may be filled anew afterwards. Ends the program, after a message, on
 * failure. */
Row *row_open(const Patch *patch, uint32_t tick_flags);
void rows_close(Row *const *rows, uint32_t count);

/* Runs the rows tick by tick in turn, so that a slow minute hits all of them. Every run repeats the same ticks,
 * and of each tick the least time counts: what differs between runs is the machine, what differs between ticks
 * is the library. */
void measure(Row *const *rows, uint32_t row_count, MeasureDesc desc);

/* Times of one row and one run, not sorted. */
void measure_run(Walkers *walkers, MeasureDesc desc, double *seconds);

double row_percentile(const Row *row, MeasureDesc desc, double share); /* of its ticks [s] */
double row_move(const Row *row, MeasureDesc desc);                     /* nanoseconds a move, the mean */

#endif
