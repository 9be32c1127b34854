/* Triangles against a ball in double: the time of a hit or the depth of an overlap, and whether it is the best so far.
 * The lanes have decided whether there is a hit (leaf.inl). */
#include "query/caster.h"

/* The corners in the frame, counter-clockwise seen from the unmirrored front. */
static inline void ball_corners(const Caster *caster, const LeafPacket *packet, uint32_t local,
                                Vec3 corners[3])
{
    if (!caster->is_even)
    {
        view_packet_corners(&caster->view, caster->placed, packet, local, corners);
        return;
    }
    float stored[3][3];
    sidle_packet_corners(packet, local, stored);
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        const float *v = stored[corner];
        Vec3 place = vec3((double)v[0], (double)v[1], (double)v[2]);
        corners[corner] = vec3_scale(vec3_sub(place, caster->center.at), caster->scale);
    }
}

/* Field by field: a vector load of two fields that were stored separately stalls. */
static inline void set_best(Caster *caster, const LeafPacket *packet, uint32_t local, bool overlaps,
                            double time, double answer, const KernelContact *contact)
{
    Best *best = &caster->best;
    best->found = true;
    best->overlaps = overlaps;
    best->time = time;
    caster->limit = overlaps ? 0 : time;
    best->contact.t = contact->t;
    best->contact.point = vec3(contact->point.x, contact->point.y, contact->point.z);
    best->contact.normal = vec3(contact->normal.x, contact->normal.y, contact->normal.z);
    best->contact.feature = contact->feature;
    PacketOrigin origin = sidle_packet_origin(packet, local);
    best->candidate.key = caster->placed->key;
    best->candidate.triangle = origin.source;
    best->candidate.instance = caster->slot;
    best->candidate.surface = origin.surface;
    caster->copy.packet = packet;
    caster->copy.local = (uint8_t)local;
    caster->answer = answer;
    caster->best_is_even = caster->is_even;
    shorten_ball(caster);
}

static inline bool is_ignored(const Caster *caster, const LeafPacket *packet, uint32_t local)
{
    return caster->ignored_surfaces &&
           surface_is_in(caster->ignored_surfaces, sidle_packet_origin(packet, local).surface);
}

/* ---- at the start ---- */

/* The deepest overlap wins. A centre on a face counts as on the side opposite to the direction of the path. */
static void ball_overlaps(Caster *caster, const LeafPacket *packet, uint32_t local, double answer)
{
    Best *best = &caster->best;
    Vec3 corners[3];
    ball_corners(caster, packet, local, corners);
    KernelContact contact =
        sidle_contact_of_closest(corners, vec3(0, 0, 0), vec3_scale(caster->direction.at, -1));
    Candidate candidate = packet_candidate(caster, packet, local);
    if (contact.t < 1 && (!best->overlaps || caster_prefers(caster, contact.t, &candidate)))
    {
        set_best(caster, packet, local, true, contact.t, answer, &contact);
    }
}

/* `distance2`: of the lane, with an error of at most CAST_SLACK in the distance. */
static void caster_take_overlap(Caster *caster, const LeafPacket *packet, uint32_t local, double distance2)
{
    double far = caster->best.overlaps ? caster->best.time + CAST_SLACK : 1 + CAST_SLACK;
    if (is_ignored(caster, packet, local)) /* mutant: hits_ignored_surfaces */
    {
        return;
    }
    if (distance2 <= far * far && !take_copy(caster, packet, local, distance2, true))
    {
        ball_overlaps(caster, packet, local, distance2);
    }
}

/* ---- on the path ---- */

/* Most hits are plain: the triangle is outside the radius at the start, and the ball hits the feature that its lane has
 * found, at a steep angle. Their contact is computed from that feature alone. Thin triangles, grazes and hits where two
 * features meet are left to sidle_contact_of_sweep. */

/* The square of a sine, 1e-3. The cross product of two edges at this angle errs in direction by at most 8 u / sine,
 * 1e-12 in double. */
#define FACE_SINE2 1e-6

/* All terms are multiplied by the length of the normal, so that its root is needed only once. */
static inline bool contact_of_face(const Vec3 v[3], Vec3 direction, double length, KernelContact *out)
{
    Vec3 a = vec3_sub(v[1], v[0]), b = vec3_sub(v[2], v[0]), n = vec3_cross(a, b);
    double n2 = vec3_length2(n), size = sqrt(n2), distance = -vec3_dot(n, v[0]),
           rate = vec3_dot(n, direction);
    double sign = distance < 0 ? -1 : 1, approach = -sign * rate, gap = fabs(distance) - size,
           t = gap / approach;
    Vec3 center = vec3_scale(direction, t), across = vec3_cross(vec3_sub(center, v[0]), n);
    double first = vec3_dot(a, across), last = -vec3_dot(b, across); /* edge functions times edges' lengths */
    int plain = (n2 >= FACE_SINE2 * (vec3_length2(a) * vec3_length2(b))) & (n2 >= LEAST_SUM_DOUBLE);
    plain &= (gap > 0) & (approach > 0) & (t <= length);
    plain &= (first >= 0) & (last >= 0) & (first + last <= n2);
    double inverse = sign / size;
    out->t = t;
    out->normal = vec3_scale(n, inverse);
    out->point = vec3_sub(center, out->normal); /* the radius is 1 */
    out->feature = SIDLE_FEATURE_FACE;
    return plain;
}

static inline bool contact_of_feature(const Vec3 v[3], enum LeafFeature feature, Vec3 direction,
                                      double length, KernelContact *out)
{
    if (feature == LEAF_FACE)
    {
        return contact_of_face(v, direction, length, out);
    }
    if (feature == LEAF_ANY)
    {
        return false;
    }
    uint32_t i = (uint32_t)feature % 3, next = i < 2 ? i + 1 : 0, last = i > 0 ? i - 1 : 2;
    RimPath path = {direction, length, 1};
    return feature >= LEAF_CORNER ? contact_of_corner(v[i], v[next], v[last], path, out)
                                  : contact_of_edge(v[i], v[next], v[last], path, out);
}

static __attribute__((noinline)) void take_unclear_hit(Caster *caster, const LeafPacket *packet,
                                                       uint32_t local, double time, const Vec3 corners[3])
{
    SweepQuery path = {vec3(0, 0, 0), caster->direction.at, caster->length, 1, 0};
    KernelContact contact;
    if (!sidle_contact_of_sweep(corners, &path, &contact)) /* a graze that only float sees */
    {
        return;
    }
    double later = contact.t > time ? contact.t : time;
    Candidate candidate = packet_candidate(caster, packet, local);
    if (caster_prefers(caster, later, &candidate))
    {
        set_best(caster, packet, local, false, later, time, &contact);
    }
}

/* The lanes decide whether there is a hit, double decides its time. A triangle's time is the later of the lane's and
 * double's: until then at least one of them keeps the ball outside. So a lane's time is a lower bound. */
static void caster_take_hit(Caster *caster, const LeafPacket *packet, uint32_t local, double time,
                            enum LeafFeature feature)
{
    Best *best = &caster->best;
    if (is_ignored(caster, packet, local) || (best->found && take_copy(caster, packet, local, time, false)))
    {
        return;
    }
    Vec3 corners[3];
    KernelContact contact;
    ball_corners(caster, packet, local, corners);
    if (!contact_of_feature(corners, feature, caster->direction.at, caster->length, &contact))
    {
        Vec3 copy[3] = {corners[0], corners[1], corners[2]}; /* the originals stay in registers */
        take_unclear_hit(caster, packet, local, time, copy);
        return;
    }
    double later = contact.t > time ? contact.t : time;
    if (best->found && later >= best->time)
    {
        Candidate candidate = packet_candidate(caster, packet, local);
        if (!caster_prefers(caster, later, &candidate))
        {
            return;
        }
    }
    set_best(caster, packet, local, false, later, time, &contact);
}

/* ---- triangles that need double ---- */

/* Returns false if the ball on its path stays outside the triangle's box, or on one side of its plane. */
static bool may_hit(const Caster *caster, const Vec3 v[3])
{
    const double radius = 1 + CAST_SLACK, limit = caster->limit;
    const Vec3 end = vec3_scale(caster->direction.at, limit);
    const double ends[3] = {end.x, end.y, end.z};
    const double corners[3][3] = {
        {v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        const double *at = corners[axis];
        double low = lesser(lesser(at[0], at[1]), at[2]), high = larger(larger(at[0], at[1]), at[2]);
        if (low > larger(ends[axis], 0) + radius || high < lesser(ends[axis], 0) - radius)
        {
            return false;
        }
    }
    Vec3 a = vec3_sub(v[1], v[0]), b = vec3_sub(v[2], v[0]), n = vec3_cross(a, b);
    double n2 = vec3_length2(n), first = -vec3_dot(n, v[0]), last = first + vec3_dot(n, end);
    bool has_plane = n2 >= FACE_SINE2 * (vec3_length2(a) * vec3_length2(b));
    double beyond = radius * sqrt(n2);
    return !has_plane || !((first > beyond && last > beyond) || (first < -beyond && last < -beyond));
}

/* Returns true if the origin is behind a triangle that has a face (THIN_HEIGHT). */
static bool is_back_facing(const Vec3 v[3])
{
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    return triangle_has_face(v, n) && vec3_dot(n, v[0]) > 0;
}

static __attribute__((noinline)) void caster_take_exactly(Caster *caster, const LeafPacket *packet,
                                                          uint32_t first, uint32_t bits, bool at_origin)
{
    for (; bits; bits &= bits - 1)
    {
        uint32_t local = first + (uint32_t)__builtin_ctz(bits);
        Vec3 corners[3];
        ball_corners(caster, packet, local, corners);
        if (!may_hit(caster, corners) || (caster->rules.one_sided && is_back_facing(corners)))
        {
            continue;
        }
        if (at_origin)
        {
            caster_take_overlap(caster, packet, local, 0);
        }
        if (!caster->best.overlaps && caster->length > 0)
        {
            caster_take_hit(caster, packet, local, 0, LEAF_ANY);
        }
    }
}
