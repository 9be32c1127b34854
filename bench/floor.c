/* Counts what the kernels do for a block, measures how fast such operations are where none waits for another,
 * and how fast the kernels are: a table for each width that runs here. docs/performance.md explains it. */
#include "floor.h"
#include "bench.h"
#include "full_price.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS       60 /* of which the fastest counts */
#define STREAM_STEPS 4000
#define MOST_LANES   16

#define TRIANGLES_ASKED (FULL_BATCHES * FULL_SWEEPS * FULL_TRIANGLES) /* in one go */

typedef struct Scene
{
    Packed packed[FULL_BATCHES];
    SweepQuery sweeps[FULL_BATCHES][FULL_SWEEPS];
} Scene;

static bool scene_make(Scene *scene, const Kernels *kernels)
{
    uint32_t seed = 1;
    for (uint32_t i = 0; i < FULL_BATCHES; ++i)
    {
        if (!full_price_next(&scene->packed[i], scene->sweeps[i], kernels, &seed))
        {
            return false;
        }
    }
    return true;
}

static void scene_clear(Scene *scene)
{
    for (uint32_t i = 0; i < FULL_BATCHES; ++i)
    {
        packed_destroy(&scene->packed[i]);
    }
}

enum Kernel
{
    SWEEP,
    CLOSEST,
    KERNELS
};

static const char *const kernel_names[KERNELS] = {"sweep", "closest"};

static void ask(const Scene *scene, const Kernels *kernels, enum Kernel kernel)
{
    for (uint32_t i = 0; i < FULL_BATCHES * FULL_SWEEPS; ++i)
    {
        const Packed *packed = &scene->packed[i / FULL_SWEEPS];
        if (kernel == SWEEP)
        {
            kernels->sweep(&packed->batch, &scene->sweeps[i / FULL_SWEEPS][i % FULL_SWEEPS],
                           packed->candidates, NULL);
        }
        else
        {
            kernels->closest(&packed->batch, vec3(0, 0, 0), FULL_RADIUS);
        }
    }
}

/* Nanoseconds for a block. */
static double measure_kernel(const Scene *scene, const Kernels *kernels, enum Kernel kernel)
{
    double least = 1e9, blocks = (double)TRIANGLES_ASKED / kernels->lane_count;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        double begun = bench_seconds();
        ask(scene, kernels, kernel);
        double each = (bench_seconds() - begun) / blocks * 1e9;
        least = each < least ? each : least;
    }
    return least;
}

/* Nanoseconds for a step. */
static double measure_stream(const FloorWidth *width, enum Stream stream)
{
    double least = 1e9;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        _Alignas(64) float values[STREAM_VALUES * MOST_LANES];
        for (uint32_t i = 0; i < STREAM_VALUES * MOST_LANES; ++i)
        {
            values[i] = 1 + (float)i * .0037f;
        }
        double begun = bench_seconds();
        width->streams[stream](STREAM_STEPS, values);
        double each = (bench_seconds() - begun) / STREAM_STEPS * 1e9;
        least = each < least ? each : least;
    }
    return least;
}

typedef struct Counts /* for a block */
{
    double of[OPERATIONS];
} Counts;

static Counts count(const Scene *scene, const FloorWidth *width, enum Kernel kernel)
{
    Counts counts;
    double blocks = (double)TRIANGLES_ASKED / width->lanes;
    memset(width->counts, 0, OPERATIONS * sizeof *width->counts);
    ask(scene, width->counted, kernel);
    for (int i = 0; i < OPERATIONS; ++i)
    {
        counts.of[i] = (double)width->counts[i] / blocks;
    }
    return counts;
}

static void print_counts(const FloorWidth *width, enum Kernel kernel, const Counts *counts)
{
    double all = 0;
    printf("%-8s %5s", kernel_names[kernel], width->name);
    for (int i = 0; i < OPERATIONS; ++i)
    {
        printf(" %8.1f", counts->of[i]);
        all += counts->of[i];
    }
    printf(" %8.1f\n", all);
}

typedef struct Rates /* nanoseconds */
{
    double divide, root, arithmetic; /* an operation */
    double mixed;                    /* as many operations as a block of the sweep asks for */
} Rates;

static Rates measure_rates(const FloorWidth *width)
{
    return (Rates){measure_stream(width, STREAM_DIVIDE) / STEP_CHAINS,
                   measure_stream(width, STREAM_ROOT) / STEP_CHAINS,
                   measure_stream(width, STREAM_ARITHMETIC) / (2 * STEP_CHAINS),
                   measure_stream(width, STREAM_MIXED) * MIXED_STEPS};
}

/* What arithmetic alone takes, and what divisions and roots alone take: neither can be less. */
static void print_floor(const FloorWidth *width, enum Kernel kernel, const Counts *counts, const Rates *rates,
                        double block)
{
    double arithmetic = (counts->of[ADD] + counts->of[MULTIPLY]) * rates->arithmetic;
    double divider = counts->of[DIVIDE] * rates->divide + counts->of[ROOT] * rates->root;
    printf("%-8s %5s %10.1f %10.1f", kernel_names[kernel], width->name, arithmetic, divider);
    if (kernel == SWEEP)
    {
        printf(" %10.1f %10.1f %8.0f %%", rates->mixed, block, 100 * rates->mixed / block);
    }
    else
    {
        printf(" %10s %10.1f %8.0f %%", "-", block, 100 * arithmetic / block);
    }
    printf(" %12.2f\n", block / width->lanes);
}

static const FloorWidth *const widths[] = {
    &floor_4,
#ifdef KERNELS_HAVE_8
    &floor_8,
    &floor_8m,
    &floor_16,
#endif
};

#define WIDTHS (sizeof widths / sizeof *widths)

static bool print_width(const FloorWidth *width, bool is_floor)
{
    static Scene scene;
    if (!kernels_run_here(width->kernels))
    {
        return true;
    }
    if (!scene_make(&scene, width->kernels))
    {
        scene_clear(&scene);
        return false;
    }
    Rates rates = {0};
    if (is_floor)
    {
        rates = measure_rates(width);
        printf("%-8s %5s   a division %.2f ns, a root %.2f, a multiplication or addition %.3f\n", "rates",
               width->name, rates.divide, rates.root, rates.arithmetic);
    }
    for (enum Kernel kernel = 0; kernel < KERNELS; ++kernel)
    {
        Counts counts = count(&scene, width, kernel);
        if (is_floor)
        {
            print_floor(width, kernel, &counts, &rates, measure_kernel(&scene, width->kernels, kernel));
        }
        else
        {
            print_counts(width, kernel, &counts);
        }
    }
    scene_clear(&scene);
    return true;
}

int main(void)
{
    bool fine = true;
    printf("operations on lanes for a block\n%-8s %5s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "",
           "lanes", "add", "multiply", "divide", "root", "compare", "choose", "sign", "mask", "load", "store",
           "all");
    for (size_t i = 0; i < WIDTHS; ++i)
    {
        fine = print_width(widths[i], false) && fine;
    }
    printf("\nnanoseconds for a block\n%-8s %5s %10s %10s %10s %10s %10s %12s\n", "", "lanes", "arithmetic",
           "divider", "mixed", "measured", "floor", "a triangle");
    for (size_t i = 0; i < WIDTHS; ++i)
    {
        fine = print_width(widths[i], true) && fine;
    }
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
