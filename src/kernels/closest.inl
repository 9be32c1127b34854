/* The closest point of LANE_COUNT triangles to a point: three segments and, where the point projects into the
 * triangle, the plane. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its regions:
 * all candidates are computed and the least wins, which needs no branch and suits thin triangles. */

/* From the origin of a segment's frame; p is its first end there. */
static inline LaneVec3 closest_on_segment(LaneVec3 p, LaneVec3 e, Lanes inverse_e2)
{
    Lanes t = lanes_mul(lanes_negate(lane3_dot(p, e)), inverse_e2);
    return lane3_add_scaled(p, e, lanes_min(lanes_max(t, lanes_set(0)), lanes_set(1)));
}

/* From the path's origin to the closest point of each triangle, and how far that is, squared. */
static inline LaneVec3 closest_offset(Real *block, const Face *face, const Path *path, const Sweep *at,
                                      Lanes *distance2)
{
    Lanes zero = lanes_set(0);
    /* The plane's point, if it is there to be had: nothing of the triangle is nearer. */
    Mask inside = face_exists(face);
    LaneVec3 closest = lane3_scale(face->normal, lanes_negate(path->distance));
    for (uint32_t i = 0; i < 3; ++i)
    {
        inside = mask_and(inside, lanes_less_equal(zero, path->edge[i]));
    }
    Lanes least = lanes_select(inside, lanes_mul(path->distance, path->distance), lanes_set((Real)INFINITY));
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 v = lane3_load(field_at(block, FIELD_V0 + 3 * i));
        LaneVec3 e = lane3_sub(lane3_load(field_at(block, FIELD_V0 + 3 * ((i + 1) % 3))), v);
        LaneVec3 q = closest_on_segment(lane3_sub(v, at->origin), e, face->inverse_e2[i]);
        Lanes q2 = lane3_dot(q, q);
        closest = lane3_select(lanes_less(q2, least), q, closest);
        least = lanes_min(q2, least);
    }
    *distance2 = least;
    return closest;
}

static inline Lanes closest_block(Real *block, const Sweep *at)
{
    Lanes never = lanes_set((Real)INFINITY), distance2 = never;
    Face face;
    Path path;
    Mask alive = path_enters(block, at, lanes_set(0), &face, &path);
    if (mask_bits(alive))
    {
        closest_offset(block, &face, &path, at, &distance2);
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
