/* Statistics of a sweep: the passes of sweep.inl with counters. A separate copy, so that an ordinary sweep has no
 * counters. */

static inline uint64_t lane_total(Mask mask)
{
    return (uint64_t)__builtin_popcount(mask_bits(mask));
}

/* sweep_block_faces with counters. */
static inline Lanes count_block_faces(Real *block, const Sweep *sweep, sidle_stats *stats)
{
    Lanes zero = lanes_set(0);
    Face face;
    Path path;
    face_load_plane(block, &face);
    path_to_plane(&face, sweep, &path);
    Mask present = lanes_less_equal(path.distance, path.distance);
    Mask near = lanes_less_equal(zero, rest_over_plane(&path, sweep, sweep->length));
    Lanes t = sweep_block_faces(block, sweep, sweep->length);
    Mask pending = lanes_less(lanes_load(field_at(block, FIELD_ANSWER)), zero);
    Mask alive = mask_or(pending, lanes_less(t, lanes_set((Real)INFINITY)));
    stats->tested += lane_total(present);
    stats->back_facing += lane_total(mask_and(present, lanes_less(zero, path.rate)));
    stats->beyond_plane += lane_total(mask_without(present, near));
    stats->beyond_edges += lane_total(mask_without(near, alive));
    return t;
}

static void count_sweep(const Batch *batch, const SweepQuery *query, sidle_stats *stats)
{
    Sweep sweep = sweep_set(query, query->slack * GRAZE_OF_SLACK);
    Lanes earliest = lanes_set((Real)INFINITY);
    stats->lanes |= LANE_COUNT;
    for (uint32_t i = 0; i < block_count(batch); ++i)
    {
        earliest = lanes_min(count_block_faces(block_at(batch, i), &sweep, stats), earliest);
    }
    Lanes best = lanes_min(lanes_set(lanes_least(earliest)), sweep.length);
    for (uint32_t i = 0; i < block_count(batch); ++i)
    {
        Real *block = block_at(batch, i);
        Mask pending = lanes_less(lanes_load(field_at(block, FIELD_ANSWER)), lanes_set(0));
        if (mask_bits(pending))
        {
            stats->full_price += lane_total(mask_and(pending, path_still_reaches(block, &sweep, best)));
        }
    }
}
