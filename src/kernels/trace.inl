/* A walk through the tree with a box that moves along a segment, nearest first. The children that the box hits, leaves
 * and nodes alike, are pushed in the order of their times. Entries beyond the current limit are dropped when they are
 * popped.
 *
 * T. L. Kay, J. T. Kajiya, "Ray Tracing Complex Scenes", 1986, section 2 (slabs); T. Ize, "Robust BVH Ray Traversal",
 * 2013 (bounds of the rounding). Departures: the moving box is shrunk to its centre, and the nodes' boxes grow instead.
 * Centre and half extents are rounded outward (begin_trace in query/walk.inl), so that only relative errors remain: 1/2
 * ulp each of the subtraction, the reciprocal and the product. */

typedef struct TraceLanes
{
    Lanes near_side[3], far_side[3], inverse[3], limit;
    uint32_t near_at[3], far_at[3];
} TraceLanes;

static inline void trace_lanes_set(TraceLanes *lanes, const Trace *trace, float limit)
{
    lanes->limit = lanes_set(limit);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        lanes->near_side[axis] = lanes_set(trace->near_side[axis]);
        lanes->far_side[axis] = lanes_set(trace->far_side[axis]);
        lanes->inverse[axis] = lanes_set(trace->inverse[axis]);
        lanes->near_at[axis] = trace->near_at[axis];
        lanes->far_at[axis] = trace->far_at[axis];
    }
}

/* The times at which the moving box reaches `planes`, the sides of the nodes on one axis. */
static inline Lanes slab_time(const float *planes, Lanes side, Lanes inverse)
{
    return lanes_mul(lanes_sub(lanes_load_unaligned(planes), side), inverse);
}

/* Returns the children that the box hits within the limit, and writes their times. The boxes of unused children are
 * NaN, and so are their times, since min and max return their second operand there; they fail every compare. */
static inline uint32_t node_entered(const BvhNode *node, const TraceLanes *lanes, float times[BVH_WIDTH])
{
    const float *planes = (const float *)(const void *)node;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < BVH_WIDTH; i += LANE_COUNT)
    {
        Lanes enter = lanes_set(0), leave = lanes->limit;
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            const float *near = planes + lanes->near_at[axis] + i, *far = planes + lanes->far_at[axis] + i;
            enter = lanes_max(enter, slab_time(near, lanes->near_side[axis], lanes->inverse[axis]));
            leave = lanes_min(leave, slab_time(far, lanes->far_side[axis], lanes->inverse[axis]));
        }
        leave = lanes_mul(leave, lanes_set((Real)TRACE_GROWTH));
        lanes_store(times + i, enter);
        bits |= mask_bits(lanes_less_equal(enter, leave)) << i;
    }
    return bits;
}

/* Pops entries until one is a leaf within the limit. `stack`: its top. */
static inline bool trace_to_leaf(const Trace *trace, const TraceLanes *lanes, float limit, TraceEntry **stack,
                                 TraceEntry *leaf)
{
    const float end = limit * (float)TRACE_GROWTH;
    while (*stack > trace->stack)
    {
        TraceEntry entry = *--*stack;
        bool goes = entry.time <= end; /* the limit may have come nearer since it was pushed */
        while (goes && !(entry.child & BVH_LEAF))
        {
            _Alignas(64) float times[BVH_WIDTH];
            const BvhNode *node = bvh_node(trace->nodes, entry.child);
            uint32_t bits = node_entered(node, lanes, times);
            goes = bits != 0;
            entry = goes ? nearest_child(trace, node, bits, times, stack) : entry;
        }
        if (goes)
        {
            *leaf = entry;
            return true;
        }
    }
    return false;
}

static inline bool trace_next(Trace *trace, float limit, TraceEntry *leaf)
{
    TraceLanes lanes;
    trace_lanes_set(&lanes, trace, limit);
    TraceEntry *top = trace->stack + trace->top;
    bool found = trace_to_leaf(trace, &lanes, limit, &top, leaf);
    trace->top = (uint32_t)(top - trace->stack);
    return found;
}

static inline void trace_look(Trace *trace, float limit)
{
    TraceLanes lanes;
    trace_lanes_set(&lanes, trace, limit);
    uint32_t child = trace->stack[trace->top - 1].child;
    const BvhNode *node =
        bvh_node(trace->nodes, child & BVH_LEAF ? 0 : child); /* for a leaf the result is not used */
    trace->seen = node_entered(node, &lanes, trace->times);
}
