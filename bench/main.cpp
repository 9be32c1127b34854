// Registers the C benchmarks with Google Benchmark; the only C++ of the project.
#include "bench.h"

#include <benchmark/benchmark.h>

using benchmark::Counter;

static void run_bench(benchmark::State &state, const Bench *bench)
{
    void *scene = bench->begin(bench);
    if (!scene)
    {
        state.SkipWithError("cannot be set up");
        return;
    }
    uint64_t items = 0;
    double total = 0;
    for (auto _ : state)
    {
        if (bench->prepare)
        {
            bench->prepare(scene);
        }
        double begin = bench_seconds();
        uint64_t done = bench->run(scene);
        double seconds = bench_seconds() - begin;
        state.SetIterationTime(seconds);
        total += seconds;
        items += done;
        if (!done)
        {
            state.SkipWithError("failed");
            break;
        }
    }
    state.counters[bench->items] = Counter(double(items), Counter::kIsRate);
    state.counters["each"] = Counter(double(items), Counter::kIsRate | Counter::kInvert);
    for (const Baseline &baseline : bench->baselines)
    {
        if (baseline.seconds_per_item)
        {
            state.counters[baseline.name] = baseline.seconds_per_item(scene) * double(items) / total;
        }
    }
    bench->end(scene);
}

int main(int argc, char **argv)
{
    for (const Bench *table : {bench_bake, bench_narrow, bench_kernels, bench_tick, bench_ride, bench_what_if,
                               bench_place, bench_among_agents, bench_intersect_plane, bench_intersect_ray,
                               bench_intersect_box, bench_intersect_polygon, bench_intersect_batch})
    {
        for (const Bench *bench = table; bench->name; ++bench)
        {
            if (bench_can_run(bench))
            {
                benchmark::RegisterBenchmark(bench->name, run_bench, bench)
                    ->UseManualTime()
                    ->Unit(benchmark::kMicrosecond);
            }
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
    {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
