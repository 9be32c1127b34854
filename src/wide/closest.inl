/* The closest point of LANE_COUNT triangles to a point: the least of three segments and, if the point projects into the
 * triangle, the plane. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, without its regions: all are
 * computed and the least wins, which needs no branch and is robust for thin triangles. */

/* The plane and the edge functions of a face along the path: at the origin, and per length. */
typedef struct Path
{
    Lanes distance, rate; /* signed distance from the plane */
    Lanes edge[3], edge_rate[3];
} Path;

/* The squared distance of each triangle from the path's origin. `closest`, unless it is NULL, gets the vector from the
 * origin to the closest point. Between the ends of an edge that vector is computed from the axes across the edge, since
 * rounding along the edge would count as an approach. */
FORCE_INLINE Lanes closest_distance2(Real *corners, const Face *face, const Path *path, LaneVec3 origin,
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
        LaneVec3 p = lane3_sub(lane3_load(corner_at(corners, i)), origin);
        Lanes before = lane3_dot(p, face->along[i]);
        Lanes along = lanes_min(lanes_max(before, face->end[i]), zero);
        LaneVec3 q = lane3_sub_scaled(p, face->along[i], along);
        Lanes q2 = lane3_dot(q, q);
        if (closest)
        {
            Mask between = mask_and(lanes_less(before, zero), lanes_less(face->end[i], before));
            LaneVec3 across = lane3_sub_scaled(foot, face->inward[i], path->edge[i]);
            q = lane3_select(between, across, q); /* mutant: foot_off_plane */
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
