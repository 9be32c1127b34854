/* A benchmark is a row of a table: C functions that prepare, run and free. main.cpp registers them with
 * Google Benchmark and includes nothing of sidle. */
#ifndef SIDLE_BENCH_H
#define SIDLE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct Bench Bench;

/* Another algorithm for the same results. The ratio of times is how many times faster sidle is. */
typedef struct Baseline
{
    const char *name; /* of the ratio */
    /* NULL: no such baseline. Returns 0 if the time could not be measured. */
    double (*seconds_per_item)(void *state);
} Baseline;

struct Bench
{
    const char *name;  /* "tick/city/walk/4": stage, level, and what else varies; the lanes come last */
    const char *items; /* what `run` counts */
    const char *level; /* as level_load takes it */
    uint32_t lanes, mode;

    /* Returns NULL, after a message on standard error, if the benchmark cannot run. */
    void *(*begin)(const Bench *bench);
    void (*prepare)(void *state); /* before each run, not timed; may be NULL */
    /* Timed. Returns how many items it worked through; 0: failed. */
    uint64_t (*run)(void *state);
    Baseline baselines[2];
    void (*end)(void *state);
};

/* Processor time of this thread [s]: no benchmark uses a second one, and the machine may be shared. */
double bench_seconds(void);

/* Returns true if this processor has the lanes. */
bool bench_can_run(const Bench *bench);

/* One table per stage, in the order of the data; the last row is all zero. */
extern const Bench bench_bake[];
extern const Bench bench_narrow[];
extern const Bench bench_kernels[];
extern const Bench bench_tick[];
extern const Bench bench_ride[];
extern const Bench bench_what_if[];
extern const Bench bench_place[];
extern const Bench bench_among_agents[];
extern const Bench bench_intersect_polygon[];
extern const Bench bench_intersect_batch[];
extern const Bench bench_intersect_ray[];
extern const Bench bench_intersect_plane[];
extern const Bench bench_intersect_box[];

#ifdef __cplusplus
}
#endif

#endif
