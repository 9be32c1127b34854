/* Eight lanes, built for AVX2 and only called where the processor has it. */
#include "simd/lanes_8.h"
#define KERNELS_TABLE sidle_kernels_8
#include "widths/width.inl"

uint32_t sidle_collect_leaves_8(const BvhNode *nodes, uint32_t root, const Bounds *box, uint32_t *leaves,
                                uint32_t capacity)
{
    return collect_leaves(nodes, root, box, leaves, capacity);
}

bool sidle_trace_next_8(Trace *trace, float limit, TraceEntry *leaf)
{
    return trace_next(trace, limit, leaf);
}

bool sidle_trace_group_8(const GroupPath *paths, uint32_t count, Group *group)
{
    return trace_group(paths, count, group);
}

void sidle_trace_look_8(Trace *trace, float limit)
{
    trace_look(trace, limit);
}

bool sidle_cast_rays_8(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end)
{
    return cast_rays(desc, begin, end);
}

sidle_status sidle_cast_ray_8(const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                              sidle_cast_hit *out)
{
    return cast_ray(snapshot, time, cast, out);
}
