/* Outward faces hold only what is in front of them. */

/* Blanks the lanes that show `origin` their back by more than `slack`, and shows the others; the planes come
 * from `planes`. More than slack, because that is what a plane of any lane may err by: so of the faces that
 * meet where a ball outside of a convex body touches it, always one is shown (the distance from the cone of
 * those faces is convex along a path and falls at the touch: the path began in front of one of them). */
static void hide_backs(Batch *batch, const void *planes, Vec3 origin, double slack)
{
    LaneVec3 o = lane3_set((Real)origin.x, (Real)origin.y, (Real)origin.z);
    Lanes behind = lanes_set((Real)-slack), none = lanes_set((Real)NAN);
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_at(batch, b);
        Lanes plane = lanes_load((const Real *)planes + (size_t)b * LANE_COUNT);
        Lanes distance = lanes_sub(lane3_dot(lane3_load(field_at(block, FIELD_N)), o), plane);
        Mask hidden = lanes_less(distance, behind);
        lanes_store(field_at(block, FIELD_PLANE), lanes_select(hidden, none, plane));
    }
}
