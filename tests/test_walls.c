/* The walls that are found around agents: at every lane width, against an oracle in double, and from caches with any history. */
#include "crowd/peers.h"
#include "support/near_walls.h"
#include "support/scene.h"
#include "support/stage.h"
#include "support/widths.h"
#include "support/wild.h"

#include <criterion/criterion.h>

#include <string.h>

#define SHAPES 8

/* Balls, ellipsoids, one of them of an aspect beyond that of float lanes, and capsules. */
static const sidle_shape shapes[SHAPES] = {
    {{.4f, .4f, .4f}, 0},  {{.4f, .9f, .4f}, 0},       {{.3f, .5f, .8f}, 0},     {{.9f, .15f, .6f}, 0},
    {{.1f, 1.1f, .1f}, 0}, {{.35f, .35f, .35f}, .55f}, {{.25f, .7f, .25f}, .9f}, {{.5f, .4f, .3f}, .2f},
};
static const float slopes[SHAPES] = {0, .5f, .9f, 0, 0, 0, .5f, .9f};

static void take_profiles(sidle_profile profiles[SHAPES], uint32_t mode)
{
    for (int i = 0; i < SHAPES; ++i)
    {
        profiles[i] = (sidle_profile){
            .size = sizeof *profiles, .shape = shapes[i], .max_slope_cos = slopes[i], .mode = mode};
    }
}

static sidle_crowd *crowd_of(const Kernels *kernels, uint32_t mode)
{
    sidle_profile profiles[SHAPES];
    take_profiles(profiles, mode);
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = SHAPES,
                             .lanes = kernels ? kernels->lane_count : 0};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    crowd->kernels = kernels ? kernels : crowd->kernels; /* of two builds with as many lanes */
    return crowd;
}

/* ---- an agent that looks for walls ---- */

typedef struct Walls
{
    uint32_t count;
    PeerWall list[PEER_WALLS];
} Walls;

typedef struct Seeker
{
    sidle_move move;
    PeerShape shape;
    Peer peer;
} Seeker;

static void set_center(Seeker *seeker, Vector center)
{
    seeker->move.body.center = (sidle_position){center.x, center.y, center.z};
}

static Vector center_of(const Seeker *seeker)
{
    sidle_position center = seeker->move.body.center;
    return vector(center.x, center.y, center.z);
}

/* Upright for the most part, on the ground for the most part. */
static void draw_seeker(Random *random, const sidle_crowd *crowd, uint64_t id, Seeker *out)
{
    *out = (Seeker){.move = {.id = id, .profile = random_below(random, SHAPES)}};
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

/* Where walls are looked for: around an agent, or along a step aside. */
typedef struct Region
{
    double reach; /* smallest radii */
    Vec3 aside;   /* world */
} Region;

typedef struct Query
{
    Seeker *seeker;
    Region region;
    TriangleCache *cache;
    Walls walls;
    double fill; /* displacement of an ordinary gather before; 0: none */
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

static void ask(sidle_crowd *crowd, sidle_snapshot *snapshot, Query *query)
{
    sidle_tick_desc desc = {.size = sizeof desc, .snapshot = snapshot, .dt = 1 / 60.f};
    demand(sidle_crowd_run_alone(crowd, &desc, find_walls, query), "sidle_crowd_run_alone");
    /* Only walls that are reported count. */
    memset(query->walls.list + query->walls.count, 0, (PEER_WALLS - query->walls.count) * sizeof(PeerWall));
}

static Walls walls_without_cache(sidle_crowd *crowd, sidle_snapshot *snapshot, Seeker *seeker, Region region)
{
    static TriangleCache cache;
    cache = (TriangleCache){0};
    Query query = {.seeker = seeker, .region = region, .cache = &cache};
    ask(crowd, snapshot, &query);
    return query.walls;
}

static bool same_walls(const Walls *a, const Walls *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- random agents ---- */

static double draw_reach(Random *random)
{
    const double reaches[4] = {PEER_WALL_REACH, 1, random_between(random, 0, 1.5), 1};
    return reaches[random_below(random, 4)];
}

/* A step aside is up to one smallest radius. */
static Region draw_region(Random *random, const Seeker *seeker)
{
    sidle_vec3 radii = shapes[seeker->move.profile].radii;
    double least = fmin((double)radii.x, fmin((double)radii.y, (double)radii.z));
    Vector aside = vector_scale(random_direction(random), random_between(random, 0, least));
    bool is_aside = random_chance(random, .5);
    return is_aside ? (Region){0, vec3(aside.x, aside.y / 8, aside.z)}
                    : (Region){.reach = draw_reach(random)};
}

#define SOUPS      60
#define SOUP_HALF  2.5
#define SEEKERS    50
#define SOUP_COUNT 24

Test(walls, have_the_same_bits_at_every_width)
{
    const Kernels *builds[BUILD_COUNT];
    sidle_crowd *crowds[BUILD_COUNT];
    uint32_t build_count = builds_here(builds), different[BUILD_COUNT] = {0}, found = 0;
    Random random = random_seeded(31);
    for (uint32_t i = 0; i < build_count; ++i)
    {
        crowds[i] = crowd_of(builds[i], SIDLE_WALK);
    }
    for (int i = 0; i < SOUPS; ++i)
    {
        Scene scene = wild_scene(&random, SOUP_HALF, SOUP_COUNT);
        for (uint64_t id = 0; id < SEEKERS; ++id)
        {
            Seeker seeker;
            draw_seeker(&random, crowds[0], id, &seeker);
            set_center(&seeker, wild_center(&random, &scene, SOUP_HALF));
            Region region = draw_region(&random, &seeker);
            Walls first = walls_without_cache(crowds[0], scene.snapshot, &seeker, region);
            found += first.count;
            for (uint32_t k = 1; k < build_count; ++k)
            {
                Walls walls = walls_without_cache(crowds[k], scene.snapshot, &seeker, region);
                different[k] += !same_walls(&first, &walls);
            }
        }
        scene_close(&scene);
    }
    for (uint32_t i = 0; i < build_count; ++i)
    {
        cr_expect_eq(different[i], 0, "%u differ in %u lanes", different[i], builds[i]->lane_count);
        sidle_crowd_destroy(crowds[i]);
    }
    cr_expect_gt(found, SOUPS * SEEKERS, "%u walls", found);
}

/* ---- caches with any history ---- */

#define WIDE_HALF     6 /* so large that most agents are near no wall */
#define WIDE_COUNT    60
#define WALKS         40
#define STEPS         60
#define CHAMFERS      12
#define CHAMFER_WALKS 2000
#define LONGEST_STEP  .1

typedef struct WalkTally
{
    uint32_t steps, different, found;
} WalkTally;

/* Asks for the walls on a straight path, with a cache that remembers and with an empty one. */
static void compare_on_a_walk(Random *random, sidle_crowd *crowd, const Scene *scene, Seeker *seeker,
                              WalkTally *tally)
{
    static TriangleCache cache;
    cache = (TriangleCache){0};
    Vector step = vector_scale(random_direction(random), random_between(random, .01, LONGEST_STEP));
    for (int k = 0; k < STEPS; ++k)
    {
        Query query = {.seeker = seeker,
                       .region = draw_region(random, seeker),
                       .cache = &cache,
                       .fill = random_chance(random, .7) ? LONGEST_STEP : 0};
        ask(crowd, scene->snapshot, &query);
        Walls fresh = walls_without_cache(crowd, scene->snapshot, seeker, query.region);
        tally->steps += 1;
        tally->different += !same_walls(&query.walls, &fresh);
        tally->found += fresh.count > 0;
        set_center(seeker, vector_add(center_of(seeker), vector(step.x, step.y / 8, step.z)));
    }
}

static void check_walks(const WalkTally *tally)
{
    cr_expect_eq(tally->different, 0, "%u of %u steps", tally->different, tally->steps);
    cr_expect_gt(tally->found, tally->steps / 8, "%u steps with walls", tally->found);
    cr_expect_gt(tally->steps - tally->found, tally->steps / 8, "%u steps with walls", tally->found);
}

Test(walls, do_not_depend_on_what_the_cache_holds)
{
    sidle_crowd *crowd = crowd_of(NULL, SIDLE_WALK);
    Random random = random_seeded(33);
    WalkTally tally = {0};
    for (int i = 0; i < WALKS; ++i)
    {
        Scene scene = wild_scene(&random, WIDE_HALF, WIDE_COUNT);
        Seeker seeker;
        draw_seeker(&random, crowd, 1, &seeker);
        set_center(&seeker, wild_center(&random, &scene, WIDE_HALF));
        compare_on_a_walk(&random, crowd, &scene, &seeker, &tally);
        scene_close(&scene);
    }
    sidle_crowd_destroy(crowd);
    check_walks(&tally);
}

/* A floor with long strips of a tenth of a millimetre, about as steep as the steepest ground: a float's rounding decides which
 * of them are. */
static Soup soup_with_chamfers(Random *random)
{
    Soup soup = {0};
    soup_plate(&soup, -30, 30, -30, 30, 0);
    for (int i = 0; i < CHAMFERS; ++i)
    {
        double turn = random_between(random, 0, 6.28), length = random_between(random, 5, 20);
        Vector along = vector(cos(turn), 0, sin(turn)), rise = vector(-sin(turn), 1, cos(turn));
        Vector begin = vector_along(random_in_box(random, vector(-3, 0, -3), vector(3, .01, 3)),
                                    -random_between(random, 0, length), along);
        Vector end = vector_along(begin, length, along);
        double width = random_between(random, .5, 1.5) * 1e-4;
        soup_quad(&soup, begin, end, vector_along(end, width, rise), vector_along(begin, width, rise));
    }
    return soup;
}

Test(walls, of_chamfers_do_not_depend_on_what_the_cache_holds)
{
    sidle_crowd *crowd = crowd_of(NULL, SIDLE_WALK);
    Random random = random_seeded(34);
    WalkTally tally = {0};
    for (int i = 0; i < CHAMFER_WALKS; ++i)
    {
        SceneOptions options = walking_ball();
        options.turned = random_between(&random, 0, 360);
        Scene scene = scene_of(soup_with_chamfers(&random), options);
        Seeker seeker;
        draw_seeker(&random, crowd, 1, &seeker);
        double height = 1.02 * (double)shapes[seeker.move.profile].radii.y +
                        (double)shapes[seeker.move.profile].half_height;
        set_center(&seeker, random_in_box(&random, vector(-4, height, -4), vector(4, height + .1, 4)));
        compare_on_a_walk(&random, crowd, &scene, &seeker, &tally);
        scene_close(&scene);
    }
    sidle_crowd_destroy(crowd);
    check_walks(&tally);
}

/* ---- a step aside ---- */

/* A wall .1 m behind a ball of .4 m. */
Test(walls, behind_a_step_aside_do_not_count)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, -.4);
    soup_quad(&soup, vector(-9, -1, -.5), vector(9, -1, -.5), vector(9, 9, -.5), vector(-9, 9, -.5));
    Scene scene = scene_of(soup, walking_ball());
    sidle_crowd *crowd = crowd_of(NULL, SIDLE_WALK);
    Seeker seeker = {.move = {.id = 1}, .peer = {.flags = PEER_COLLIDES | PEER_FLAT}};
    seeker.shape = crowd->profiles[0].shape;
    const Region away = {0, vec3(0, 0, .3)}, towards = {0, vec3(0, 0, -.3)}, around = {.reach = .75};
    cr_expect_eq(walls_without_cache(crowd, scene.snapshot, &seeker, away).count, 0);
    cr_expect_eq(walls_without_cache(crowd, scene.snapshot, &seeker, towards).count, 1);
    cr_expect_eq(walls_without_cache(crowd, scene.snapshot, &seeker, around).count, 1);
    sidle_crowd_destroy(crowd);
    scene_close(&scene);
}

/* ---- the oracle ---- */

#define MOST_NEAR 128

/* All triangles that are or can be walls of an agent. */
typedef struct Expected
{
    uint32_t count;
    NearWall walls[MOST_NEAR];
    bool is_certain[MOST_NEAR];
    bool is_unknown; /* of one of them the direction is not defined */
} Expected;

static Onlooker onlooker_of(const Seeker *seeker, double reach)
{
    const sidle_move *move = &seeker->move;
    Vec3 up = seeker->shape.up;
    float slope = slopes[move->profile];
    return (Onlooker){.body = crowd_body(&shapes[move->profile], move->rotation, &move->body.center),
                      .up = vector(up.x, up.y, up.z),
                      .rest = 1.02,
                      .reach = reach,
                      .slope_cos = slope > 0 ? (double)slope : sqrt(.5),
                      .is_flat = seeker->peer.flags & PEER_FLAT};
}

static void expect_walls(const Scene *scene, const Seeker *seeker, double reach, Expected *out)
{
    Onlooker onlooker = onlooker_of(seeker, reach);
    out->count = 0;
    out->is_unknown = false;
    for (size_t i = 0; i < scene->soup.count && out->count < MOST_NEAR; ++i)
    {
        Vector v[3];
        for (int k = 0; k < 3; ++k)
        {
            v[k] = vector_add(scene->options.place, scene->soup.triangles[i].v[k]);
        }
        WallVerdict verdict = near_wall(&onlooker, v, &out->walls[out->count]);
        out->is_certain[out->count] = verdict == WALL_CERTAIN;
        out->is_unknown |= verdict == WALL_UNKNOWN;
        out->count += verdict != WALL_NONE;
    }
}

static Vector normal_of(const PeerWall *wall)
{
    return vector((double)wall->normal[0], (double)wall->normal[1], (double)wall->normal[2]);
}

static bool is_that_wall(const PeerWall *wall, const NearWall *expected)
{
    Vector n = normal_of(wall);
    double turned = vector_distance(n, expected->normal);
    double reversed = vector_length(vector_add(n, expected->normal));
    turned = expected->is_two_sided ? fmin(turned, reversed) : turned;
    return turned < expected->normal_error && fabs((double)wall->gap - expected->gap) < expected->gap_error;
}

/* Cosine of 2 degrees: of two walls the nearer one stands for both. */
#define SAME_DIRECTION .9994

/* Whether a wall is reported, or one that is as near in its direction; or four others that are nearer. */
static bool is_reported(const Walls *walls, const NearWall *expected)
{
    uint32_t nearer = 0;
    for (uint32_t i = 0; i < walls->count; ++i)
    {
        bool is_near = (double)walls->list[i].gap < expected->gap + expected->gap_error;
        double cosine = vector_dot(normal_of(&walls->list[i]), expected->normal);
        cosine = expected->is_two_sided ? fabs(cosine) : cosine;
        nearer += is_near;
        if (is_near && cosine > SAME_DIRECTION - expected->normal_error)
        {
            return true;
        }
    }
    return nearer == PEER_WALLS;
}

typedef struct Tally
{
    uint32_t agents, unknown, walls, nearest, strange, missing;
} Tally;

/* [Limit] of the library: the nearest triangles of which it takes walls of different directions. */
#define CONSIDERED 16

static void compare(const Walls *walls, const Expected *expected, Tally *tally)
{
    for (uint32_t i = 0; i < walls->count; ++i)
    {
        uint32_t k = 0;
        for (; k < expected->count && !is_that_wall(&walls->list[i], &expected->walls[k]); ++k)
        {
        }
        tally->strange += k == expected->count;
    }
    double least = INFINITY;
    for (uint32_t k = 0; k < expected->count; ++k)
    {
        const NearWall *wall = &expected->walls[k];
        tally->missing +=
            expected->is_certain[k] && expected->count <= CONSIDERED && !is_reported(walls, wall);
        least = expected->is_certain[k] ? fmin(least, wall->gap + wall->gap_error) : least;
    }
    tally->missing += least < INFINITY && !(walls->count > 0 && (double)walls->list[0].gap < least);
    tally->nearest += least < INFINITY;
    tally->walls += walls->count;
}

Test(walls, are_those_of_an_oracle)
{
    static Expected expected;
    Random random = random_seeded(32);
    sidle_crowd *crowd = crowd_of(NULL, SIDLE_WALK);
    Tally tally = {0};
    for (int i = 0; i < SOUPS; ++i)
    {
        Scene scene = wild_scene(&random, SOUP_HALF, SOUP_COUNT);
        for (uint64_t id = 0; id < SEEKERS; ++id)
        {
            Seeker seeker;
            draw_seeker(&random, crowd, id, &seeker);
            set_center(&seeker, wild_center(&random, &scene, SOUP_HALF));
            double reach = draw_reach(&random);
            expect_walls(&scene, &seeker, reach, &expected);
            Walls walls = walls_without_cache(crowd, scene.snapshot, &seeker, (Region){.reach = reach});
            tally.agents += 1;
            tally.unknown += expected.is_unknown;
            if (!expected.is_unknown)
            {
                compare(&walls, &expected, &tally);
            }
        }
        scene_close(&scene);
    }
    sidle_crowd_destroy(crowd);
    cr_expect_eq(tally.strange, 0, "%u of %u walls", tally.strange, tally.walls);
    cr_expect_eq(tally.missing, 0, "%u of %u walls", tally.missing, tally.walls);
    cr_expect_gt(tally.walls, tally.agents, "%u walls of %u agents", tally.walls, tally.agents);
    cr_expect_lt(tally.unknown, tally.agents / 5, "%u of %u agents", tally.unknown, tally.agents);
}
