/* A request becomes a caster, a caster becomes an answer. */
#include "query/caster.h"

/* ---- in ---- */

static bool is_ray(const sidle_cast *cast)
{
    return vec3_is_zero(vec3_from(cast->shape.radii));
}

/* Two axes across a unit vector, right-handed with it, without a branch: T. Duff et al., "Building an
 * Orthonormal Basis, Revisited", 2017. Exact along the axes of the world. */
static Mat3 basis_around(Vec3 z)
{
    double sign = copysign(1, z.z), a = -1 / (sign + z.z), b = z.x * z.y * a;
    return (Mat3){
        {vec3(1 + sign * z.x * z.x * a, sign * b, -sign * z.x), vec3(b, sign + z.y * z.y * a, -z.y), z}};
}

static Vec3 aim(Caster *caster, Vec3 way)
{
    caster->length = vec3_length(way);
    caster->direction = vec3(0, 0, 1);
    return caster->length > 0 ? vec3_scale(way, 1 / caster->length) : vec3(0, 0, 1);
}

/* Turns the frame so that the way is its z axis: the unit ball stays what it is. */
static void aim_ellipsoid(Caster *caster, Vec3 origin, const sidle_cast *cast)
{
    Frame frame = frame_make(origin, cast->rotation, vec3_from(cast->shape.radii));
    Mat3 turn = basis_around(aim(caster, mat3_mul(frame.to_e, caster->displacement)));
    frame.to_e = mat3_product(turn, frame.to_e);
    frame.to_w = mat3_product(frame.to_w, mat3_transpose(turn));
    caster->frame = frame;
}

/* Turns the frame around the core so that the path lies in the yz plane. */
static void aim_capsule(Caster *caster, Vec3 origin, const sidle_cast *cast)
{
    Frame frame = frame_make(origin, cast->rotation, vec3_from(cast->shape.radii));
    Vec3 way = aim(caster, mat3_mul(frame.to_e, caster->displacement));
    double across = sqrt(way.x * way.x + way.z * way.z);
    double sine = across > 0 ? way.x / across : 0, cosine = across > 0 ? way.z / across : 1;
    Mat3 turn = {{vec3(cosine, 0, -sine), vec3(0, 1, 0), vec3(sine, 0, cosine)}};
    caster->direction = vec3_normalize(vec3(0, way.y, across));
    frame.to_e = mat3_product(turn, frame.to_e);
    frame.to_w = mat3_product(frame.to_w, mat3_transpose(turn));
    frame_give_core(&frame, vec3(0, (double)cast->shape.half_height / frame.radii.y, 0));
    caster->frame = frame;
}

/* The same without what cancels: a ball has no rotation. */
static void aim_ball(Caster *caster, Vec3 origin, double radius)
{
    double inverse = 1 / radius;
    Mat3 turn = basis_around(aim(caster, vec3_scale(caster->displacement, inverse)));
    Mat3 to_e = {{vec3_scale(turn.row[0], inverse), vec3_scale(turn.row[1], inverse),
                  vec3_scale(turn.row[2], inverse)}};
    Mat3 to_w = {
        {vec3_scale(turn.row[0], radius), vec3_scale(turn.row[1], radius), vec3_scale(turn.row[2], radius)}};
    caster->frame = (Frame){
        .center = origin, .radii = {radius, radius, radius}, .to_e = to_e, .to_w = mat3_transpose(to_w)};
}

/* A ray's frame: its largest axis becomes z, the others are sheared so that the ray stays at their zero.
 * Lengths along z are the ray's along that axis. The order of the other two keeps the winding. */
static void aim_ray(Caster *caster)
{
    Vec3 d = caster->displacement, size = vec3_abs(d);
    int k = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    static const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double along = vec3_dot(axes[k], d), sign = along < 0 ? -1 : 1;
    Vec3 z = vec3_scale(axes[k], sign), x = axes[(k + (sign < 0 ? 2 : 1)) % 3],
         y = axes[(k + (sign < 0 ? 1 : 2)) % 3];
    caster->length = fabs(along);
    Vec3 slope = caster->length > 0 ? vec3_scale(d, 1 / caster->length) : z;
    caster->frame.to_e =
        (Mat3){{vec3_add_scaled(x, z, -vec3_dot(x, slope)), vec3_add_scaled(y, z, -vec3_dot(y, slope)), z}};
    caster->frame.to_w = mat3_transpose((Mat3){{x, y, slope}});
}

static void cast_scratch_set(CastScratch *scratch, const Kernels *kernels)
{
    scratch->candidates = (Candidates){.kernels = kernels,
                                       .capacity = CAST_CAPACITY,
                                       .rows = scratch->rows,
                                       .wide = {.blocks = scratch->wide,
                                                .capacity = CAST_CAPACITY,
                                                .rows = scratch->rows,
                                                .row_stride = CAST_ROW_STRIDE},
                                       .exact = {.blocks = scratch->exact, .capacity = CAST_CAPACITY},
                                       .list = scratch->list,
                                       .exact_of = scratch->exact_of};
}

/* Not by assignment of a whole: the stacks of the walks need no zeros. */
static void caster_begin(Caster *caster, const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                         Candidates *candidates)
{
    Vec3 origin = vec3_from_position(cast->origin), radii = vec3_from(cast->shape.radii);
    bool one_sided = (cast->flags & SIDLE_CAST_ONE_SIDED) != 0;
    caster->snapshot = snapshot;
    caster->candidates = candidates;
    caster->filter = (Filter){.collides_with = cast->collides_with ? cast->collides_with : UINT32_MAX,
                              .ignore = cast->ignore,
                              .time = time,
                              .one_sided = one_sided};
    caster->is_ray = is_ray(cast);
    caster->is_capsule = cast->shape.half_height > 0;
    caster->displacement = vec3_from(cast->displacement);
    caster->placed = NULL;
    caster->best = (Best){.found = false};
    if (caster->is_ray)
    {
        caster->frame = (Frame){.center = origin};
        aim_ray(caster);
    }
    else if (caster->is_capsule)
    {
        aim_capsule(caster, origin, cast);
    }
    else if (vec3_is_even(radii))
    {
        aim_ball(caster, origin, radii.x);
    }
    else
    {
        aim_ellipsoid(caster, origin, cast);
    }
    caster->rules = (PackRules){.reach_length = (float)caster->length,
                                .slack = (float)CAST_SLACK,
                                .condition = 1,
                                .one_sided = one_sided,
                                .core = (float)caster->frame.core.y};
    caster_begin_walk(caster);
}

/* ---- out ---- */

static void caster_answer(const Caster *caster, sidle_cast_hit *out)
{
    const Best *best = &caster->best;
    *out = (sidle_cast_hit){.hit = SIDLE_CAST_MISS};
    if (!best->found)
    {
        return;
    }
    const Candidate *who = &best->who;
    Vec3 point = vec3_add(caster->frame.center, mat3_mul(caster->frame.to_w, best->contact.point));
    double share = best->overlaps || caster->length <= 0 ? 0 : best->contact.t / caster->length;
    *out = (sidle_cast_hit){
        .t = share < 1 ? share : 1,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(frame_normal_to_world(&caster->frame, best->contact.normal)),
        .hit = best->overlaps ? SIDLE_CAST_OVERLAP : SIDLE_CAST_HIT,
        .instance_key = who->key,
        .instance = {who->instance, caster->snapshot->placed[who->instance].generation},
        .triangle = who->triangle,
        .surface = who->surface,
        .feature = best->contact.feature,
    };
}

/* ---- on the way ---- */

static void lane_times_sort(LaneTime *times, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i)
    {
        LaneTime moved = times[i];
        uint32_t at = i;
        for (; at > 0 && times[at - 1].t > moved.t; --at)
        {
            times[at] = times[at - 1];
        }
        times[at] = moved;
    }
}
