/* Eight lanes, built for AVX2 and only called where the processor has it. */
#include "simd/lanes_8.h"
#define KERNELS_TABLE sidle_kernels_8
#include "widths/width.inl"

uint32_t sidle_collect_leaves_8(const BvhNode *nodes, uint32_t root, const Bounds *box, uint32_t *leaves,
                                uint32_t capacity)
{
    return collect_leaves(nodes, root, box, leaves, capacity);
}

uint32_t sidle_trace_leaves_8(Trace *trace, float limit, uint32_t visits, uint32_t *leaves, uint32_t capacity)
{
    return trace_leaves(trace, limit, visits, leaves, capacity);
}

void sidle_trace_walk_8(Trace *trace, float limit, uint32_t visits)
{
    trace_walk(trace, limit, visits);
}

bool sidle_trace_group_8(const GroupPath *paths, uint32_t count, Group *group)
{
    return trace_group(paths, count, group);
}

void sidle_trace_look_8(Trace *trace, float limit)
{
    trace_look(trace, limit);
}
