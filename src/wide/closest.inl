/* The closest point of LANE_COUNT triangles to a point: three segments and, where the point projects into the
 * triangle, the plane. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its regions:
 * all candidates are computed and the least wins, which needs no branch and suits thin triangles. */

typedef struct Path /* how the plane and the edge functions of a face run along the path */
{
    Lanes distance, rate; /* signed distance from the plane at the origin, and per length */
    Lanes edge[3], edge_rate[3];
} Path;

/* How far the closest point of each triangle is from the path's origin, squared; `closest`, unless it is NULL:
 * from there to it. The foot on an edge is told on the axes across it: what rounding leaves along it would pass
 * for an approach of paths beside it. */
FORCE_INLINE Lanes closest_distance2(Real *corners, const Face *face, const Path *path, LaneVec3 origin,
                                     LaneVec3 *closest)
{
    Lanes zero = lanes_set(0);
    LaneVec3 foot = lane3_scale(face->normal, lanes_negate(path->distance)), nearest = foot;
    /* The plane's point, if it is there to be had: nothing of the triangle is nearer. */
    Lanes most = lanes_min(lanes_min(path->edge[0], path->edge[1]), path->edge[2]);
    Mask inside = mask_and(face_exists(face), lanes_less_equal(zero, most));
    Lanes least = lanes_select(inside, lanes_mul(path->distance, path->distance), lanes_set((Real)INFINITY));
    for (uint32_t i = 0; i < 3; ++i)
    {
        LaneVec3 p = lane3_sub(lane3_load(corner_at(corners, i)), origin);
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
