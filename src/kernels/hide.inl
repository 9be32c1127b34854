/* Outward faces hold only what is in front of them.
 *
 * Of the faces that meet where a ball outside of a convex body touches it, one has the path's beginning in
 * front: the distance from the cone of those faces is convex along the path and falls at the touch, so the
 * path began outside of that cone. A face is therefore hidden if it is behind by more than its plane may err
 * where the path begins. Beside the triangle that is less than the slack; away from it, the plane may be
 * tilted by as much as float moves a corner, u S, over the triangle's height. */

/* Keeps planes, and how far behind each of them a path may begin that is shown it. `doubt`: of a corner, per
 * unit of S. */
static void guard_backs(const Batch *batch, void *planes, void *limits, double slack, double doubt)
{
    Real *plane = planes, *limit = limits;
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_at(batch, b);
        LaneVec3 v[3];
        corners_load(block, v);
        Lanes longest2 = lanes_set(0), size = lanes_load(field_at(block, FIELD_SIZE));
        for (uint32_t i = 0; i < 3; ++i)
        {
            LaneVec3 e = lane3_sub(v[(i + 1) % 3], v[i]);
            longest2 = lanes_max(lane3_dot(e, e), longest2);
        }
        /* The edge function of a corner is its height over that edge. What has no face shows no back. */
        LaneVec3 inward = lane3_load(field_at(block, FIELD_A0));
        Lanes height = lanes_sub(lane3_dot(inward, v[2]), lanes_load(field_at(block, FIELD_K)));
        Lanes area = lanes_abs(lanes_mul(height, lanes_sqrt(lane3_dot(lane3_sub(v[1], v[0]), lane3_sub(v[1], v[0]))))); /* twice */
        Lanes tilt = lanes_div(lanes_mul(size, lanes_sqrt(longest2)), area);
        Lanes moved = lanes_mul(lanes_set((Real)doubt), size);
        Lanes behind = lanes_add(lanes_set((Real)slack), lanes_mul(moved, tilt));
        behind = lanes_max(lanes_load(field_at(block, FIELD_LEAST_APPROACH)), behind);
        lanes_store(limit + b * LANE_COUNT, lanes_negate(behind));
        lanes_store(plane + b * LANE_COUNT, lanes_load(field_at(block, FIELD_PLANE)));
    }
}

static void hide_backs(Batch *batch, const void *planes, const void *limits, Vec3 origin)
{
    LaneVec3 o = lane3_set((Real)origin.x, (Real)origin.y, (Real)origin.z);
    Lanes none = lanes_set((Real)NAN);
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_at(batch, b);
        Lanes plane = lanes_load((const Real *)planes + (size_t)b * LANE_COUNT);
        Lanes limit = lanes_load((const Real *)limits + (size_t)b * LANE_COUNT);
        Lanes distance = lanes_sub(lane3_dot(lane3_load(field_at(block, FIELD_N)), o), plane);
        lanes_store(field_at(block, FIELD_PLANE), lanes_select(lanes_less(distance, limit), none, plane));
    }
}
