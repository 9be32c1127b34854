/* The squared distance of every triangle of a batch from a point. */

static inline Lanes closest_block(Real *block, const Sweep *at)
{
    Lanes never = lanes_set((Real)INFINITY), distance2 = never;
    Face face;
    Path path;
    Mask alive = path_enters(block, at, lanes_set(0), &face, &path);
    if (mask_bits(alive))
    {
        face_load_rims(block, &face);
        distance2 = closest_distance2(block, &face, &path, at->origin, NULL);
        distance2 = lanes_select(mask_and(alive, lanes_less_equal(distance2, at->cull2)), distance2, never);
    }
    lanes_store(field_at(block, FIELD_ANSWER), distance2);
    return distance2;
}

static double closest_batch(const Batch *batch, Vec3 point, double radius)
{
    SweepQuery query = {point, vec3(0, 0, 0), 0, radius, 0};
    Sweep at = sweep_set(&query, 0);
    Lanes least = lanes_set((Real)INFINITY);
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        least = lanes_min(closest_block(block_at(batch, block), &at), least);
    }
    return (double)lanes_least(least);
}
