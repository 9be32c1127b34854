/* From a request to a caster, and from a caster to a hit. */
#include "query/caster.h"

/* ---- the request ---- */

_Static_assert(offsetof(sidle_cast, origin) == 0 &&
                   offsetof(sidle_cast, displacement) == offsetof(sidle_cast, rotation) + 16 &&
                   offsetof(sidle_cast, shape) == offsetof(sidle_cast, displacement) + 12,
               "vectors of four read across fields");

/* Returns true if the cast is a valid one of a ball, as most are. Tested without branches. NaN fails every
 * comparison, and infinity is above every limit. */
static inline bool cast_is_plain(const sidle_cast *cast)
{
    const float most = (float)SIDLE_MAX_COORDINATE, radius = cast->shape.radii.x,
                *path = &cast->displacement.x;
    const Float4 limits = float4_set(most, most, most, (float)SIDLE_MAX_LENGTH);
    int origin = quad_less_equal(quad_abs(quad_load((const double *)(const void *)cast)),
                                 quad_all(SIDLE_MAX_COORDINATE)) &
                 7;
    int turn = float4_less_equal(float4_abs(float4_load(&cast->rotation)), float4_all(FLT_MAX));
    int moves = float4_less_equal(float4_abs(float4_load(path)), limits);
    int is_even = float4_equal(float4_load(&cast->shape), float4_set(radius, radius, radius, 0));
    int good = (origin == 7) & ((turn & moves & is_even) == 15);
    good &= radius >= (float)SIDLE_MIN_RADIUS;
    return good & !(cast->flags & ~(uint32_t)(SIDLE_CAST_ONE_SIDED | SIDLE_CAST_ANY));
}

static inline bool is_ray(const sidle_cast *cast)
{
    return (float4_equal(float4_load(&cast->shape), float4_all(0)) & 7) == 7;
}

/* Two axes perpendicular to a unit vector, right-handed with it, without a branch. Exact along the axes of the world.
 * T. Duff et al., "Building an Orthonormal Basis, Revisited", 2017. */
static Mat3 basis_around(Vec3 z)
{
    double sign = copysign(1, z.z), a = -1 / (sign + z.z), b = z.x * z.y * a;
    return (Mat3){
        {vec3(1 + sign * z.x * z.x * a, sign * b, -sign * z.x), vec3(b, sign + z.y * z.y * a, -z.y), z}};
}

/* Turns the frame so that the path is its z axis. The unit ball stays a unit ball. */
static void aim_ellipsoid(Caster *caster, Vec3 origin, const sidle_cast *cast)
{
    Frame frame = frame_make(origin, cast->rotation, vec3_from(cast->shape.radii));
    Vec3 path = mat3_mul(frame.to_e, caster->displacement.at);
    caster->length = vec3_length(path);
    Mat3 turn = basis_around(caster->length > 0 ? vec3_scale(path, 1 / caster->length) : vec3(0, 0, 1));
    frame.to_e = mat3_product(turn, frame.to_e);
    frame.to_w = mat3_product(frame.to_w, mat3_transpose(turn));
    frame.is_upright = false;
    caster->frame = frame;
}

/* Turns the frame around the core so that the path lies in the yz plane. */
static void aim_capsule(Caster *caster, Vec3 origin, const sidle_cast *cast)
{
    Frame frame = frame_make(origin, cast->rotation, vec3_from(cast->shape.radii));
    Vec3 path = mat3_mul(frame.to_e, caster->displacement.at);
    caster->length = vec3_length(path);
    path = caster->length > 0 ? vec3_scale(path, 1 / caster->length) : vec3(0, 0, 1);
    double across = sqrt(path.x * path.x + path.z * path.z);
    double sine = across > 0 ? path.x / across : 0, cosine = across > 0 ? path.z / across : 1;
    Mat3 turn = {{vec3(cosine, 0, -sine), vec3(0, 1, 0), vec3(sine, 0, cosine)}};
    caster->direction.at = vec3_normalize(vec3(0, path.y, across));
    frame.to_e = mat3_product(turn, frame.to_e);
    frame.to_w = mat3_product(frame.to_w, mat3_transpose(turn));
    frame_give_core(&frame, vec3(0, (double)cast->shape.half_height / frame.radii.y, 0));
    frame.is_upright = false;
    caster->frame = frame;
}

/* aim_ellipsoid without the products that cancel: a ball has no rotation. */
static void caster_aim(Caster *caster)
{
    Frame *frame = &caster->frame;
    double radius = caster->radius, inverse = 1 / radius, length = caster->length;
    Vec3 along = vec3_scale(caster->displacement.at, inverse);
    Mat3 turn = basis_around(length > 0 ? vec3_scale(along, 1 / length) : vec3(0, 0, 1));
    frame->to_e = (Mat3){{vec3_scale(turn.row[0], inverse), vec3_scale(turn.row[1], inverse),
                          vec3_scale(turn.row[2], inverse)}};
    frame->to_w = mat3_transpose((Mat3){
        {vec3_scale(turn.row[0], radius), vec3_scale(turn.row[1], radius), vec3_scale(turn.row[2], radius)}});
    frame->center = caster->origin.at;
    frame->radii = vec3(radius, radius, radius);
    frame->core = vec3(0, 0, 0);
    frame->is_capsule = frame->is_upright = false;
    caster->is_aimed = true;
}

static void cast_scratch_set(CastScratch *scratch, const Kernels *kernels)
{
    scratch->candidates = (Candidates){.kernels = kernels,
                                       .capacity = CAST_CAPACITY,
                                       .wide = {.blocks = scratch->wide,
                                                .capacity = CAST_CAPACITY,
                                                .rows = scratch->rows,
                                                .row_stride = CAST_ROW_STRIDE},
                                       .exact = {.blocks = scratch->exact, .capacity = CAST_CAPACITY},
                                       .list = scratch->list,
                                       .exact_of = scratch->exact_of};
}

/* Capsules and ellipsoids. */
static OUT_OF_LINE void begin_aimed(Caster *caster, const sidle_cast *cast)
{
    PackRules *rules = &caster->rules;
    caster->is_capsule = cast->shape.half_height > 0;
    caster->is_aimed = true;
    caster->best_is_even = false;
    (caster->is_capsule ? aim_capsule : aim_ellipsoid)(caster, caster->origin.at, cast);
    rules->reach_length = (float)caster->length;
    rules->core = caster->is_capsule ? (float)caster->frame.core.y : 0;
    rules->path[0] = rules->path[1] = rules->path[2] = 0;
    rules->path_length = rules->path_cull = 0;
}

/* Field by field: the stacks of the walks, and the fields that caster_enter sets, need no zeros. */
static inline void caster_begin(Caster *caster, const sidle_cast *cast, bool is_ball)
{
    caster->filter.collides_with = cast->collides_with ? cast->collides_with : UINT32_MAX;
    caster->filter.ignore = cast->ignore;
    caster->filter.ignored_group = placed_group_ignored(cast->ignored_group);
    caster->filter.one_sided = (cast->flags & SIDLE_CAST_ONE_SIDED) != 0;
    caster->ignored_surfaces = cast->ignored_surfaces;
    caster->is_any = (cast->flags & SIDLE_CAST_ANY) != 0;
    caster->is_ball = is_ball;
    caster->is_capsule = caster->is_aimed = caster->has_box = false;
    caster->placed = NULL;
    caster->best.found = caster->best.overlaps = false;
    caster->late.packet = NULL;
    Quad path = quad_load_floats(&cast->displacement.x);
    quad_store(caster->origin.each, quad_load((const double *)(const void *)cast));
    quad_store(caster->displacement.each, path);
    if (is_ball)
    {
        caster->radius = (double)cast->shape.radii.x;
        caster->length = sqrt(quad_sum3(quad_mul(path, path))) / caster->radius;
    }
    else
    {
        begin_aimed(caster, cast);
    }
    caster->limit = caster->length;
    caster->is_short = !caster->is_capsule & (caster->length <= SHORT_PATH);
    caster->inverse_length = caster->length > 0 ? 1 / caster->length : 0;
    caster_begin_walk(caster);
}

/* ---- the hit ---- */

/* The contact of the best hit in the world. */
static void best_in_world(const Caster *caster, Vec3 *point, Vec3 *normal)
{
    const KernelContact *contact = &caster->best.contact;
    if (!caster->best_is_even)
    {
        *point = mat3_mul(caster->frame.to_w, contact->point);
        *normal = frame_normal_to_world(&caster->frame, contact->normal);
        return;
    }
    Placed between;
    const Placed *placed = snapshot_placed(caster->snapshot, caster->best.candidate.instance);
    placed = placed->moves ? sidle_placed_at(placed, caster->filter.time, &between) : placed;
    double size = fabs(placed->scale.x);
    *point = mat3_mul(placed->linear, vec3_scale(contact->point, caster->radius / size));
    *normal = vec3_normalize(mat3_mul(placed->linear, contact->normal));
}

static void caster_answer(Caster *caster, sidle_cast_hit *out)
{
    const Best *best = &caster->best;
    if (!best->found)
    {
        *out = (sidle_cast_hit){.hit = SIDLE_CAST_MISS};
        return;
    }
    if (caster->is_any) /* which one depends on the walk */
    {
        *out = (sidle_cast_hit){.hit = SIDLE_CAST_HIT};
        return;
    }
    const Candidate *candidate = &best->candidate;
    Vec3 point, normal;
    best_in_world(caster, &point, &normal);
    point = vec3_add(caster->origin.at, point);
    double share = best->overlaps || caster->length <= 0 ? 0 : best->contact.t / caster->length;
    *out = (sidle_cast_hit){
        .t = share < 1 ? share : 1,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(normal),
        .hit = best->overlaps ? SIDLE_CAST_OVERLAP : SIDLE_CAST_HIT,
        .instance_key = candidate->key,
        .instance = {candidate->instance, snapshot_placed(caster->snapshot, candidate->instance)->generation},
        .triangle = candidate->triangle,
        .surface = candidate->surface,
        .feature = best->contact.feature,
    };
}

/* ---- on the path ---- */

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
