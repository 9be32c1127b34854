/* A benchmark is a row of a table: C functions that prepare, run and clear away. main.cpp hands them to
 * Google Benchmark and knows nothing about sidle. */
#ifndef SIDLE_BENCH_H
#define SIDLE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct Bench Bench;

/* Somebody else's way to the same answers, measured beside ours: how many times faster we are. */
typedef struct Baseline
{
    const char *name;                        /* of the ratio */
    double (*seconds_per_item)(void *state); /* NULL: no such baseline; 0: could not be measured */
} Baseline;

struct Bench
{
    const char *name;  /* "tick/city/walk/4": stage, level, and what else varies; the lanes come last */
    const char *items; /* what `run` counts */
    const char *level; /* as level_load takes it */
    uint32_t lanes, mode;

    void *(*begin)(const Bench *bench); /* NULL: cannot run; a sentence stands on standard error */
    void (*prepare)(void *state);       /* before each run, not timed; may be NULL */
    uint64_t (*run)(void *state);       /* timed; how many items it worked through, 0: failed */
    Baseline baselines[2];
    void (*end)(void *state);
};

/* Processor time of this thread: no benchmark uses a second one, and others may want the machine, too. */
double bench_seconds(void);

/* Whether this processor has the lanes. */
bool bench_can_run(const Bench *bench);

/* One table a stage, in the order of the data; the last row is all zero. */
extern const Bench bench_bake[];
extern const Bench bench_narrow[];
extern const Bench bench_kernels[];
extern const Bench bench_tick[];
extern const Bench bench_ride[];
extern const Bench bench_what_if[];
extern const Bench bench_intersect_polygon[];
extern const Bench bench_intersect_batch[];
extern const Bench bench_intersect_ray[];
extern const Bench bench_intersect_plane[];
extern const Bench bench_intersect_box[];

#ifdef __cplusplus
}
#endif

#endif
