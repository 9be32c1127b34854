/* Questions about agents. */
#include "query/agents.h"

#include "base/fp_environment.h"
#include "narrow/shape.h"
#include "query/cast.h"
#include "query/place.h"

#include <float.h>
#include <string.h>

/* Of a path along an axis: below it the reciprocal overflows. The box is then longer by the path, and rests. */
#define LEAST_PATH 1e-37

static PairQuery query_of(sidle_position center, sidle_quat rotation, const sidle_shape *shape, Vec3 path)
{
    Vec3 radii = vec3_from(shape->radii);
    PairQuery query = {.is_point = vec3_is_zero(radii), .path = path};
    query.is_round = query.is_point || (radii.x == radii.y && radii.x == radii.z);
    query.frame = frame_of_shape(center, rotation, shape);
    return query;
}

static PairQuery query_of_place(const sidle_place *place)
{
    PairQuery query = query_of(place->center, place->rotation, &place->shape, vec3(0, 0, 0));
    query.is_box = (place->flags & SIDLE_PLACE_BOX) && !query.is_point;
    return query;
}

/* Half the sides of the box around the query's shape. */
static Vec3 half_of(const PairQuery *query)
{
    const Frame *frame = &query->frame;
    return query->is_point ? vec3(0, 0, 0)
           : query->is_box ? mat3_mul_abs(frame->to_w, vec3(1, 1, 1))
                           : vec3_add(frame->extent, frame->core_extent);
}

static void set_box(AgentWalk *walk)
{
    const Frame *frame = &walk->query.frame;
    Vec3 half = half_of(&walk->query);
    Vec3 center = vec3_sub(frame->center, walk->agents->origin), path = walk->query.path;
    /* The positions' part of a gap, for shapes of any aspect. */
    double margin = 1e-12 * (vec3_max_component(vec3_abs(center)) + walk->agents->span);
    half = vec3_add(agent_box_half(half), vec3(margin, margin, margin));
    const double by[3] = {path.x, path.y, path.z};
    double longer[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis)
    {
        bool rests = fabs(by[axis]) < LEAST_PATH;
        longer[axis] = rests ? fabs(by[axis]) : 0;
        walk->inverse[axis] = rests ? FLT_MAX : (float)(1 / by[axis]);
    }
    Bounds box = bounds_around(center, vec3_add(half, vec3(longer[0], longer[1], longer[2])));
    memcpy(walk->low, box.min, sizeof walk->low);
    memcpy(walk->high, box.max, sizeof walk->high);
}

static AgentWalk walk_of(const sidle_agents *agents, uint32_t collides_with, const uint64_t *ignored)
{
    return (AgentWalk){.agents = agents,
                       .collides_with = collides_with ? collides_with : UINT32_MAX,
                       .ignored = ignored,
                       .bound = sidle_agents_bound_distance};
}

static bool comes_first(const IndexedAgent *agent, uint64_t id, uint32_t index)
{
    return agent->id != id ? agent->id < id : agent->index < index; /* mutant: agents_by_index */
}

/* ---- casts ---- */

typedef struct Casting
{
    sidle_cast_hit *best;
    bool is_ray, is_any;
} Casting;

/* An overlap comes before a hit at t 0. */
static bool is_earlier(const PairContact *contact, const IndexedAgent *agent, const sidle_cast_hit *best)
{
    if (best->hit == SIDLE_CAST_MISS || contact->overlaps != (best->hit == SIDLE_CAST_OVERLAP))
    {
        return best->hit == SIDLE_CAST_MISS || contact->overlaps;
    }
    return contact->t != best->t ? contact->t < best->t
                                 : comes_first(agent, best->instance_key, best->triangle);
}

static bool take_hit(AgentWalk *walk, const IndexedAgent *agent)
{
    Casting *casting = walk->context;
    PairContact contact;
    bool hits = casting->is_ray ? sidle_pair_ray(&walk->query, &agent->shape, &contact)
                                : sidle_pair_cast(&walk->query, &agent->shape, &contact);
    if (hits && is_earlier(&contact, agent, casting->best))
    {
        *casting->best = (sidle_cast_hit){
            .t = contact.t,
            .point = {contact.point.x, contact.point.y, contact.point.z},
            .normal = vec3_to_float(contact.normal),
            .hit = contact.overlaps ? SIDLE_CAST_OVERLAP : SIDLE_CAST_HIT,
            .instance_key = agent->id,
            .triangle = agent->index,
            .feature = SIDLE_FEATURE_AGENT,
        };
        walk->limit = round_up(contact.t);
    }
    return !(hits && casting->is_any);
}

static FP_BODY sidle_status cast_closest(const sidle_agents *agents, const sidle_cast *cast,
                                         const uint64_t *ignored, sidle_cast_hit *out)
{
    sidle_status status = agents && cast && out ? sidle_cast_check(cast) : SIDLE_ERROR_ARGUMENT;
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_cast_hit best = {.hit = SIDLE_CAST_MISS};
    AgentWalk walk = walk_of(agents, cast->collides_with, ignored);
    walk.query = query_of(cast->origin, cast->rotation, &cast->shape, vec3_from(cast->displacement));
    Casting casting = {&best, walk.query.is_point, cast->flags & SIDLE_CAST_ANY};
    walk.limit = 1;
    walk.bound = sidle_agents_bound_path;
    walk.take = take_hit;
    walk.context = &casting;
    set_box(&walk);
    sidle_agents_walk(&walk);
    *out = casting.is_any && best.hit ? (sidle_cast_hit){.hit = SIDLE_CAST_HIT} : best;
    return SIDLE_OK;
}

sidle_status sidle_agents_cast_closest(const sidle_agents *agents, const sidle_cast *cast,
                                       const uint64_t *ignored, sidle_cast_hit *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = cast_closest(agents, cast, ignored, out);
    fp_leave(host);
    return status;
}

/* ---- overlaps ---- */

static bool take_overlap(AgentWalk *walk, const IndexedAgent *agent)
{
    PairContact contact;
    const PairQuery *query = &walk->query;
    bool overlaps = query->is_point ? sidle_pair_ray(query, &agent->shape, &contact)
                    : query->is_box ? sidle_pair_box_overlaps(&query->frame, &agent->shape)
                                    : sidle_pair_overlaps(query, &agent->shape);
    const sidle_overlap overlap = {.instance_key = agent->id, .triangle = agent->index};
    return !overlaps || sidle_overlap_list_take(walk->context, &overlap);
}

static FP_BODY sidle_status list_overlaps(const sidle_agents *agents, const sidle_place *place,
                                          const uint64_t *ignored, sidle_overlap *list, uint32_t capacity,
                                          uint32_t *count)
{
    sidle_status status = agents && place && count ? sidle_place_check(place) : SIDLE_ERROR_ARGUMENT;
    if (status != SIDLE_OK)
    {
        return status;
    }
    AgentWalk walk = walk_of(agents, place->collides_with, ignored);
    OverlapList overlaps = {list, capacity, 0, 0};
    walk.query = query_of_place(place);
    walk.take = take_overlap;
    walk.context = &overlaps;
    set_box(&walk);
    sidle_agents_walk(&walk);
    *count = overlaps.count;
    return SIDLE_OK;
}

sidle_status sidle_agents_overlaps(const sidle_agents *agents, const sidle_place *place,
                                   const uint64_t *ignored, sidle_overlap *list, uint32_t capacity,
                                   uint32_t *count)
{
    FpEnvironment host = fp_enter();
    sidle_status status = list_overlaps(agents, place, ignored, list, capacity, count);
    fp_leave(host);
    return status;
}

/* ---- the deepest ---- */

typedef struct Deepest
{
    double gap; /* 0: none */
    const IndexedAgent *agent;
    Vec3 normal;
} Deepest;

static bool take_deepest(AgentWalk *walk, const IndexedAgent *agent)
{
    Deepest *deepest = walk->context;
    if (sidle_pair_overlaps(&walk->query, &agent->shape))
    {
        PairContact contact;
        sidle_pair_describe_overlap(&walk->query, &agent->shape, &contact);
        double gap = lesser(sidle_pair_gap_along(&walk->query, &agent->shape, contact.normal), 0);
        const IndexedAgent *best = deepest->agent;
        if (!best || gap < deepest->gap || (gap == deepest->gap && comes_first(agent, best->id, best->index)))
        {
            *deepest = (Deepest){gap, agent, contact.normal};
        }
    }
    return true;
}

bool sidle_agents_deepest(const sidle_agents *agents, const Frame *frame, uint32_t collides_with,
                          const uint64_t *ignored, PairShape *agent, Vec3 *normal)
{
    const Vec3 r = frame->radii;
    Deepest deepest = {.agent = NULL};
    AgentWalk walk = walk_of(agents, collides_with, ignored);
    walk.query = (PairQuery){.frame = *frame, .is_round = r.x == r.y && r.x == r.z};
    walk.take = take_deepest;
    walk.context = &deepest;
    set_box(&walk);
    sidle_agents_walk(&walk);
    if (deepest.agent)
    {
        *agent = deepest.agent->shape;
        *normal = deepest.normal;
    }
    return deepest.agent != NULL;
}

/* ---- the closest ---- */

typedef struct Approach
{
    sidle_closest *best;
    double most; /* the distance of the best, or the given one */
} Approach;

static bool take_closest(AgentWalk *walk, const IndexedAgent *agent)
{
    Approach *approach = walk->context;
    sidle_closest *best = approach->best;
    PairContact contact;
    sidle_pair_closest(&walk->query, &agent->shape, approach->most, &contact);
    bool ties = contact.distance == approach->most &&
                (!best->found || comes_first(agent, best->instance_key, best->triangle));
    if (contact.distance < approach->most || ties)
    {
        *best = (sidle_closest){
            .found = 1,
            .distance = contact.distance,
            .point = {contact.point.x, contact.point.y, contact.point.z},
            .normal = vec3_to_float(contact.normal),
            .instance_key = agent->id,
            .triangle = agent->index,
            .feature = SIDLE_FEATURE_AGENT,
        };
        approach->most = contact.distance;
        double reach = larger(contact.distance, 0);
        walk->limit = round_up(reach * reach * CULL_GROWTH);
    }
    return true;
}

static FP_BODY sidle_status find_closest(const sidle_agents *agents, const sidle_place *place,
                                         float max_distance, const uint64_t *ignored, sidle_closest *out)
{
    sidle_status status = agents && place && out ? sidle_place_check(place) : SIDLE_ERROR_ARGUMENT;
    if (status != SIDLE_OK || !isfinite(max_distance))
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_NOT_FINITE;
    }
    double most = (double)max_distance;
    if (most < 0 || most > SIDLE_MAX_COORDINATE)
    {
        return SIDLE_ERROR_LIMIT;
    }
    AgentWalk walk = walk_of(agents, place->collides_with, ignored);
    walk.query = query_of_place(place);
    sidle_closest best = {.found = 0};
    Approach approach = {&best, most};
    walk.take = take_closest;
    walk.context = &approach;
    walk.limit = round_up(most * most * CULL_GROWTH);
    set_box(&walk);
    sidle_agents_walk(&walk);
    *out = best;
    return SIDLE_OK;
}

sidle_status sidle_agents_closest(const sidle_agents *agents, const sidle_place *place, float max_distance,
                                  const uint64_t *ignored, sidle_closest *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = find_closest(agents, place, max_distance, ignored, out);
    fp_leave(host);
    return status;
}
