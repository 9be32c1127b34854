/* The sweep of a cast. The passes are those of sweep.inl, with two differences. All lanes that can still be the first
 * hit are returned, because a cast compares them in double. The passes are separate calls, because the hits of faces
 * lower the limit for the edges.
 *
 * The limit only culls. A lane's time, and its feature, are those of the whole path, so that they do not depend on the
 * order in which a tree is walked. */

static uint32_t note_times(Lanes times, Mask hit, uint32_t block, LaneTime *out)
{
    uint32_t bits = mask_bits(hit), count = 0;
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
    Sweep sweep = sweep_set(query, 0); /* a cast has no skin that could absorb a graze */
    Lanes end = lanes_min(lanes_set((Real)round_up(limit)), sweep.length);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Lanes times = sweep_block_faces(block_at(batch, block), &sweep, end);
        count += note_times(times, lanes_less_equal(times, end), block, out + count);
    }
    return count;
}

static uint32_t cast_edges(const Batch *batch, const SweepQuery *query, double limit, LaneTime *out)
{
    Sweep sweep = sweep_set(query, 0); /* a cast has no skin that could absorb a graze */
    Lanes end = lanes_min(lanes_set((Real)round_up(limit)), sweep.length);
    uint32_t count = 0;
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        Real *at = block_at(batch, block);
        Mask pending = lanes_less(lanes_load(field_at(at, FIELD_ANSWER)), lanes_set(0));
        if (mask_bits(pending))
        {
            Lanes times = sweep_block_edges(at, &sweep, end, true);
            Mask hit = mask_and(pending, lanes_less_equal(times, end));
            count += note_times(times, hit, block, out + count);
        }
    }
    return count;
}
