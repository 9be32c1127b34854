/* The closest point of LANE_COUNT triangles to a point: the least of three segments and, if the point projects into the
 * triangle, the plane. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its regions: all are
 * computed and the least wins, which needs no branch and is robust for thin triangles. */

/* The squared distance of each triangle from the path's origin. `closest`, unless it is NULL, gets the vector from the
 * origin to the closest point. Between the ends of an edge that vector is computed from the axes across the edge, since
 * rounding along the edge would count as an approach. */
FORCE_INLINE Lanes closest_distance2(Real *block, const Face *face, const Path *path, const Sweep *at,
                                     LaneVec3 *closest)
{
    Lanes zero = lanes_set(0);
    LaneVec3 foot = lane3_scale(face->normal, lanes_negate(path->distance)), nearest = foot;
    /* If the origin projects into the face, the plane's point is the closest. */
    Lanes most = lanes_min(lanes_min(path->edge[0], path->edge[1]), path->edge[2]);
    Mask inside = mask_and(face_exists(face), lanes_less_equal(zero, most));
    Lanes least = lanes_select(inside, lanes_mul(path->distance, path->distance), lanes_set((Real)INFINITY));
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(lane3_load(field_at(block, FIELD_V0 + 3 * i)), at->origin);
        Lanes before = lane3_dot(p, face->along[i]);
        Lanes along = lanes_min(lanes_max(before, face->end[i]), zero);
        LaneVec3 q = lane3_sub_scaled(p, face->along[i], along);
        Lanes q2 = lane3_dot(q, q);
        if (closest)
        {
            Mask between = mask_and(lanes_less(before, zero), lanes_less(face->end[i], before));
            LaneVec3 across = lane3_sub_scaled(foot, face->inward[i], path->edge[i]);
            q = lane3_select(between, across, q);
            nearest = lane3_select(lanes_less(q2, least), q, nearest);
        }
        least = lanes_min(q2, least);
    }
    if (closest)
    {
        *closest = nearest;
    }
    return least;
}

static inline Lanes closest_block(Real *block, const Sweep *at)
{
    Lanes never = lanes_set((Real)INFINITY), distance2 = never;
    Face face;
    Path path;
    Mask alive = path_enters(block, at, lanes_set(0), &face, &path);
    if (mask_bits(alive))
    {
        face_load_rims(block, &face);
        distance2 = closest_distance2(block, &face, &path, at, NULL);
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
