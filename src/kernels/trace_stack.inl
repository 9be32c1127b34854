/* The stack of a walk. It does not depend on the width. */

/* Above 1 + 7 u, the relative error between an entry and an exit: three roundings each and the product with this. */
#define TRACE_GROWTH (1 + 0x1p-20)

#define TRACE_LINES 3 /* of 64 bytes: most of a node, and most leaves */

/* Prefetches a node or a leaf: in large trees casts spend most of their time waiting for memory. GCC drops a call of a function that
 * only prefetches. */
FORCE_INLINE void prefetch_child(const Trace *trace, uint32_t child)
{
    if (!trace->is_far)
    {
        return;
    }
    const char *leaf = trace->leaves + (size_t)(child & ~BVH_LEAF) * trace->leaf_unit;
    const char *node = (const char *)bvh_node(trace->nodes, child & ~BVH_LEAF);
    const char *memory = child & BVH_LEAF ? leaf : node;
    for (uint32_t line = 0; line < TRACE_LINES; ++line)
    {
        __builtin_prefetch(memory + 64 * line);
    }
}

FORCE_INLINE void prefetch_leaf(const Trace *trace, uint32_t leaf)
{
    const char *memory = trace->leaves + (size_t)leaf * trace->leaf_unit;
    for (uint32_t line = 0; line < TRACE_LINES; ++line)
    {
        __builtin_prefetch(memory + 64 * line);
    }
}

/* Swaps two entries if the second is nearer. Without a branch, which would be predicted wrong. */
static inline void trace_order(TraceEntry *near, TraceEntry *far)
{
    float a = near->time, b = far->time;
    uint32_t swap = (near->child ^ far->child) & -(uint32_t)(b < a);
    *near = (TraceEntry){b < a ? b : a, near->child ^ swap};
    *far = (TraceEntry){a > b ? a : b, far->child ^ swap};
}

/* Pushes an entry. Keeps [first, top) sorted, the nearest on top. Returns the new top. */
static inline TraceEntry *push_sorted(TraceEntry *top, const TraceEntry *first, TraceEntry entry)
{
    TraceEntry *at = top;
    for (; at > first && at[-1].time < entry.time; --at)
    {
        *at = at[-1];
    }
    *at = entry;
    return top + 1;
}

/* Returns the nearest of the children in `bits`, which has at least one bit, and pushes the others. Optimised for one
 * and two children. */
static inline TraceEntry nearest_child(const Trace *trace, const BvhNode *node, uint32_t bits,
                                       const float times[BVH_WIDTH], TraceEntry **stack)
{
    uint32_t i = (uint32_t)__builtin_ctz(bits), rest = bits & (bits - 1);
    TraceEntry near = {times[i], node->child[i]};
    prefetch_child(trace, near.child);
    if (rest == 0)
    {
        return near;
    }
    TraceEntry *first = *stack, *top = first;
    uint32_t j = (uint32_t)__builtin_ctz(rest);
    TraceEntry far = {times[j], node->child[j]};
    prefetch_child(trace, far.child);
    trace_order(&near, &far);
    *top++ = far;
    rest &= rest - 1;
    if (rest == 0)
    {
        *stack = top;
        return near;
    }
    *top++ = near;
    for (; rest; rest &= rest - 1)
    {
        uint32_t k = (uint32_t)__builtin_ctz(rest);
        prefetch_child(trace, node->child[k]);
        top = push_sorted(top, first, (TraceEntry){times[k], node->child[k]});
    }
    *stack = --top;
    return *top;
}

/* Drops the entries on top that are beyond the current limit. */
static inline void trace_drop_late(Trace *trace, float limit)
{
    const float end = limit * (float)TRACE_GROWTH;
    while (trace->top > 0 && !(trace->stack[trace->top - 1].time <= end))
    {
        --trace->top;
    }
}

/* The second half of a visit, after trace_look with the same limit. */
static inline void trace_move_on(Trace *trace, float limit)
{
    const BvhNode *node = bvh_node(trace->nodes, trace->stack[--trace->top].child);
    if (trace->seen)
    {
        TraceEntry *top = trace->stack + trace->top;
        TraceEntry near = nearest_child(trace, node, trace->seen, trace->times, &top);
        *top++ = near;
        trace->top = (uint32_t)(top - trace->stack);
    }
    trace_drop_late(trace, limit);
}
