/* The sweep of a cast. The passes are those of sweep.inl, with two differences: every lane that may still win
 * is told, because a cast decides between lanes in double; and the passes are apart, because what the faces
 * decide there shortens the path for the edges.
 *
 * A cast keeps no skin for a graze to vanish in, so every approach counts. That is also why a shortened path
 * changes nothing of what lies before its end, and so no answer depends on the order in which a tree is
 * walked. */

static inline Sweep cast_set(const SweepQuery *query, double limit)
{
    Sweep sweep = sweep_set(query);
    Real length = (Real)query->length, shortened = (Real)round_up(limit);
    sweep.length = lanes_set(shortened < length ? shortened : length);
    sweep.graze_depth = lanes_set(0);
    return sweep;
}

static uint32_t note_times(Lanes times, Mask met, uint32_t block, LaneTime *out)
{
    uint32_t bits = mask_bits(met), count = 0;
    if (!bits)
    {
        return 0;
    }
    _Alignas(64) Real each[LANE_COUNT];
    lanes_store(each, times);
    for (; bits; bits &= bits - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        out[count++] = (LaneTime){(double)each[lane], block * LANE_COUNT + lane};
    }
    return count;
}

static uint32_t cast_faces(const Batch *batch, const SweepQuery *query, double limit, LaneTime *out)
{
    Sweep sweep = cast_set(query, limit);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Lanes times = sweep_block_faces(block_at(batch, block), &sweep);
        count += note_times(times, lanes_less_equal(times, sweep.length), block, out + count);
    }
    return count;
}

static uint32_t cast_edges(const Batch *batch, const SweepQuery *query, double limit, LaneTime *out)
{
    Sweep sweep = cast_set(query, limit);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Real *at = block_at(batch, block);
        Mask pending = lanes_less(lanes_load(field_at(at, FIELD_ANSWER)), lanes_set(0));
        if (mask_bits(pending))
        {
            Lanes times = sweep_block_edges(at, &sweep, sweep.length);
            Mask met = mask_and(pending, lanes_less_equal(times, sweep.length));
            count += note_times(times, met, block, out + count);
        }
    }
    return count;
}
