/* One walk of the tree with a box that moves along a segment, nearest first: the children a box meets are
 * pushed in the order in which it meets them, leaves like nodes, and what is met beyond the limit of the
 * moment falls away when it is popped.
 *
 * T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", 1986, section 2 (slabs); T. Ize, "Robust BVH Ray
 * Traversal", 2013 (how far rounding may err). Departures: the moving box is shrunk to its centre and the
 * nodes' boxes grow instead; the centre and the half extents come rounded outward (begin_trace in
 * query/walk.c), so that all that is left are relative errors: 1/2 ulp each of the subtraction, the
 * reciprocal and the product. */

/* More than the 7 u by which an entry, an exit and the product with this may err against each other: three
 * roundings each of the first two, and one. */
#define TRACE_GROWTH (1 + 0x1p-20)

typedef struct TraceLanes
{
    Lanes near_side[3], far_side[3], inverse[3], limit;
} TraceLanes;

static inline TraceLanes trace_lanes(const Trace *trace, float limit)
{
    TraceLanes lanes = {.limit = lanes_set(limit * (float)TRACE_GROWTH)};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        lanes.near_side[axis] = lanes_set(trace->near_side[axis]);
        lanes.far_side[axis] = lanes_set(trace->far_side[axis]);
        lanes.inverse[axis] = lanes_set(trace->inverse[axis]);
    }
    return lanes;
}

/* When the moving box enters and leaves the slabs of an axis: `planes` are the nodes' sides that it meets
 * first. */
static inline Lanes slab_time(const float *planes, Lanes side, Lanes inverse)
{
    return lanes_mul(lanes_sub(lanes_load_unaligned(planes), side), inverse);
}

/* The children met within the limit, and when. The boxes of unused children are NaN and so are their times,
 * because min and max take their second operand where a compare fails: no compare accepts them. */
static inline uint32_t node_entered(const BvhNode *node, const Trace *trace, const TraceLanes *lanes,
                                    float times[BVH_WIDTH])
{
    const float *planes = (const float *)(const void *)node;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < BVH_WIDTH; i += LANE_COUNT)
    {
        Lanes enter = lanes_set(0), leave = lanes_set((Real)INFINITY);
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            const float *near = planes + trace->near_at[axis] + i, *far = planes + trace->far_at[axis] + i;
            enter = lanes_max(enter, slab_time(near, lanes->near_side[axis], lanes->inverse[axis]));
            leave = lanes_min(leave, slab_time(far, lanes->far_side[axis], lanes->inverse[axis]));
        }
        leave = lanes_mul(leave, lanes_set((Real)TRACE_GROWTH));
        Mask met = mask_and(lanes_less_equal(enter, leave), lanes_less_equal(enter, lanes->limit));
        lanes_store(times + i, enter);
        bits |= mask_bits(met) << i;
    }
    return bits;
}

/* Asks the memory for what a child will be read for: most casts wait for memory most of their time. */
static inline void prefetch_child(const Trace *trace, uint32_t child)
{
    const char *memory = child & BVH_LEAF ? trace->leaves + (size_t)(child & ~BVH_LEAF) * trace->leaf_unit
                                          : (const char *)&trace->nodes[child];
    for (uint32_t line = 0; line < 4; ++line)
    {
        __builtin_prefetch(memory + 64 * line);
    }
}

/* Keeps [first, top) sorted, the nearest on top. */
static inline void push_sorted(Trace *trace, uint32_t first, TraceEntry entry)
{
    uint32_t at = trace->top++;
    for (; at > first && trace->stack[at - 1].time < entry.time; --at)
    {
        trace->stack[at] = trace->stack[at - 1];
    }
    trace->stack[at] = entry;
}

static uint32_t trace_leaves(Trace *trace, float limit, uint32_t visits, uint32_t *leaves, uint32_t capacity)
{
    TraceLanes lanes = trace_lanes(trace, limit);
    uint32_t found = 0;
    trace->first = INFINITY;
    while (trace->top > 0 && found < capacity && visits > 0)
    {
        TraceEntry entry = trace->stack[--trace->top];
        if (!(entry.time <= limit * (float)TRACE_GROWTH)) /* the limit has come nearer since it was pushed */
        {
            continue;
        }
        if (entry.child & BVH_LEAF)
        {
            trace->first = entry.time < trace->first ? entry.time : trace->first;
            leaves[found++] = entry.child & ~BVH_LEAF;
            continue;
        }
        _Alignas(64) float times[BVH_WIDTH];
        const BvhNode *node = &trace->nodes[entry.child];
        uint32_t first = trace->top;
        --visits;
        for (uint32_t bits = node_entered(node, trace, &lanes, times); bits; bits &= bits - 1)
        {
            uint32_t i = (uint32_t)__builtin_ctz(bits);
            prefetch_child(trace, node->child[i]);
            push_sorted(trace, first, (TraceEntry){times[i], node->child[i]});
        }
    }
    return found;
}
