#include "support/seekers.h"

#include "support/stage.h"

#include <string.h>

const sidle_shape seeker_shapes[SEEKER_SHAPES] = {
    {{.4f, .4f, .4f}, 0},  {{.4f, .9f, .4f}, 0},       {{.3f, .5f, .8f}, 0},     {{.9f, .15f, .6f}, 0},
    {{.1f, 1.1f, .1f}, 0}, {{.35f, .35f, .35f}, .55f}, {{.25f, .7f, .25f}, .9f}, {{.5f, .4f, .3f}, .2f},
};
const float seeker_slopes[SEEKER_SHAPES] = {0, .5f, .9f, 0, 0, 0, .5f, .9f};

sidle_crowd *seekers_crowd(const Kernels *kernels)
{
    sidle_profile profiles[SEEKER_SHAPES];
    for (int i = 0; i < SEEKER_SHAPES; ++i)
    {
        profiles[i] = (sidle_profile){
            .size = sizeof *profiles, .shape = seeker_shapes[i], .max_slope_cos = seeker_slopes[i]};
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = SEEKER_SHAPES,
                             .lanes = kernels ? kernels->lane_count : 0};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    crowd->kernels = kernels ? kernels : crowd->kernels; /* of two builds with as many lanes */
    return crowd;
}

void seeker_set_center(Seeker *seeker, Vector center)
{
    seeker->move.body.center = (sidle_position){center.x, center.y, center.z};
}

Vector seeker_center(const Seeker *seeker)
{
    sidle_position center = seeker->move.body.center;
    return vector(center.x, center.y, center.z);
}

void seeker_draw(Random *random, const sidle_crowd *crowd, uint64_t id, Seeker *out)
{
    *out = (Seeker){.move = {.id = id, .profile = random_below(random, SEEKER_SHAPES)}};
    out->shape = crowd->profiles[out->move.profile].shape;
    if (random_chance(random, .2))
    {
        Vector axis = random_direction(random);
        double half = random_between(random, 0, 1.5);
        out->move.rotation = (sidle_quat){(float)(axis.x * sin(half)), (float)(axis.y * sin(half)),
                                          (float)(axis.z * sin(half)), (float)cos(half)};
    }
    if (random_chance(random, .15))
    {
        Vector up = vector_unit(vector_along(vector(0, 1, 0), .7, random_direction(random)));
        out->move.up = (sidle_vec3){(float)up.x, (float)up.y, (float)up.z};
        out->shape.up = vec3_normalize(vec3_from(out->move.up));
    }
    out->peer = (Peer){.flags = PEER_COLLIDES | (random_chance(random, .85) ? PEER_FLAT : 0)};
}

typedef struct Query
{
    Seeker *seeker;
    SeekRegion region;
    TriangleCache *cache;
    Walls walls;
    double fill;
} Query;

/* As an ordinary move does: it covers a path ahead, and fills the cache. */
static void fill_cache(sidle_crowd *crowd, Candidates *candidates, const Query *query)
{
    const sidle_move *move = &query->seeker->move;
    const Profile *profile = &crowd->profiles[move->profile];
    bool is_upright = quat_is_identity(move->rotation);
    Frame frame = is_upright ? profile->upright : frame_make(vec3(0, 0, 0), move->rotation, profile->radii);
    frame_give_core(&frame, vec3(0, profile->core, 0));
    frame.center = vec3_from_position(move->body.center);
    Reach reach = {.swell = profile->reach,
                   .center = vec3(query->fill / 2, 0, 0),
                   .radius = query->fill / 2,
                   .path = 1,
                   .slack = profile->slack};
    Filter filter = {.collides_with = UINT32_MAX, .ignored_group = placed_group_ignored(0), .time = 1};
    crowd->kernels->gather(candidates, crowd->tick.desc.snapshot, &frame, &reach, &filter, query->cache);
}

static sidle_status find_walls(sidle_crowd *crowd, void *context)
{
    Query *query = context;
    Seeker *seeker = query->seeker;
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    seeker->peer.shape = &seeker->shape;
    if (query->fill > 0)
    {
        fill_cache(crowd, &candidates, query);
    }
    memset(&query->walls, 0, sizeof query->walls);
    query->walls.count =
        crowd->kernels->walls(crowd, &candidates, &seeker->move, &seeker->peer, query->region.reach,
                              query->region.aside, query->cache, query->walls.list);
    return SIDLE_OK;
}

Walls seeker_walls(sidle_crowd *crowd, sidle_snapshot *snapshot, Seeker *seeker, SeekRegion region,
                   double fill, TriangleCache *cache)
{
    Query query = {.seeker = seeker, .region = region, .cache = cache, .fill = fill};
    sidle_tick_desc desc = {.size = sizeof desc, .snapshot = snapshot, .dt = 1 / 60.f};
    demand(sidle_crowd_run_alone(crowd, &desc, find_walls, &query), "sidle_crowd_run_alone");
    /* Only walls that are reported count. */
    memset(query.walls.list + query.walls.count, 0, (PEER_WALLS - query.walls.count) * sizeof(PeerWall));
    return query.walls;
}

Walls seeker_walls_without_cache(sidle_crowd *crowd, sidle_snapshot *snapshot, Seeker *seeker,
                                 SeekRegion region)
{
    static TriangleCache cache;
    cache = (TriangleCache){0};
    return seeker_walls(crowd, snapshot, seeker, region, 0, &cache);
}

bool same_walls(const Walls *a, const Walls *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

double seeker_draw_reach(Random *random)
{
    const double reaches[4] = {PEER_WALL_REACH, 1, random_between(random, 0, 1.5), 1};
    return reaches[random_below(random, 4)];
}

/* A step aside is up to one smallest radius. */
SeekRegion seeker_draw_region(Random *random, const Seeker *seeker)
{
    sidle_vec3 radii = seeker_shapes[seeker->move.profile].radii;
    double least = fmin((double)radii.x, fmin((double)radii.y, (double)radii.z));
    Vector aside = vector_scale(random_direction(random), random_between(random, 0, least));
    bool is_aside = random_chance(random, .5);
    return is_aside ? (SeekRegion){0, vec3(aside.x, aside.y / 8, aside.z)}
                    : (SeekRegion){.reach = seeker_draw_reach(random)};
}
