/* The closest point of LANE_COUNT triangles to a point: three segments and, where the point projects into the
 * triangle, the plane. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its regions:
 * all candidates are computed and the least wins, which needs no branch and suits thin triangles. */

static inline Lanes segment_distance2(LaneVec3 p, LaneVec3 e, Lanes e2)
{
    Lanes zero = lanes_set(0), one = lanes_set(1);
    Lanes t = lanes_div(lanes_negate(lane3_dot(p, e)), safe_denominator(lanes_less(zero, e2), e2));
    t = lanes_min(lanes_max(t, zero), one);
    LaneVec3 q = lane3_add_scaled(p, e, t);
    return lane3_dot(q, q);
}

static inline Lanes closest_block(Real *block, const Sweep *at)
{
    Lanes zero = lanes_set(0), never = lanes_set((Real)INFINITY);
    Face face;
    Path path;
    Mask alive = path_enters(block, at, zero, &face, &path);
    Lanes least = never;
    if (mask_bits(alive))
    {
        Mask inside = lanes_less(zero, lane3_dot(face.normal, face.normal));
        for (uint32_t i = 0; i < 3; ++i)
        {
            LaneVec3 v = lane3_load(field_at(block, FIELD_V0 + 3 * i));
            LaneVec3 e = lane3_sub(lane3_load(field_at(block, FIELD_V0 + 3 * ((i + 1) % 3))), v);
            least = lanes_min(segment_distance2(lane3_sub(v, at->origin), e, face.e2[i]), least);
            inside = mask_and(inside, lanes_less_equal(zero, path.edge[i]));
        }
        Lanes plane2 = lanes_mul(path.distance, path.distance);
        least = lanes_select(inside, lanes_min(plane2, least), least);
        least = lanes_select(mask_and(alive, lanes_less_equal(least, at->cull2)), least, never);
    }
    lanes_store(field_at(block, FIELD_ANSWER), least);
    return least;
}

static double closest_batch(const Batch *batch, Vec3 point, double radius)
{
    SweepQuery query = {point, vec3(0, 0, 0), 0, radius, 0};
    Sweep at = sweep_set(&query);
    Lanes least = lanes_set((Real)INFINITY);
    for (uint32_t block = 0; block < block_count(batch); ++block)
    {
        least = lanes_min(closest_block(block_at(batch, block), &at), least);
    }
    return (double)least_lane(least);
}
