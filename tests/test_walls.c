/* The walls that are found around agents: at every lane width, and against an oracle in double. */
#include "support/near_walls.h"
#include "support/scene.h"
#include "support/seekers.h"
#include "support/widths.h"
#include "support/wild.h"

#include <criterion/criterion.h>

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
        crowds[i] = seekers_crowd(builds[i]);
    }
    for (int i = 0; i < SOUPS; ++i)
    {
        Scene scene = wild_scene(&random, SOUP_HALF, SOUP_COUNT);
        for (uint64_t id = 0; id < SEEKERS; ++id)
        {
            Seeker seeker;
            seeker_draw(&random, crowds[0], id, &seeker);
            seeker_set_center(&seeker, wild_center(&random, &scene, SOUP_HALF));
            SeekRegion region = seeker_draw_region(&random, &seeker);
            Walls first = seeker_walls_without_cache(crowds[0], scene.snapshot, &seeker, region);
            found += first.count;
            for (uint32_t k = 1; k < build_count; ++k)
            {
                Walls walls = seeker_walls_without_cache(crowds[k], scene.snapshot, &seeker, region);
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

/* ---- a step aside ---- */

/* A wall .1 m behind a ball of .4 m. */
Test(walls, behind_a_step_aside_do_not_count)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, -.4);
    soup_quad(&soup, vector(-9, -1, -.5), vector(9, -1, -.5), vector(9, 9, -.5), vector(-9, 9, -.5));
    Scene scene = scene_of(soup, walking_ball());
    sidle_crowd *crowd = seekers_crowd(NULL);
    Seeker seeker = {.move = {.id = 1}, .peer = {.flags = PEER_COLLIDES | PEER_FLAT}};
    seeker.shape = crowd->profiles[0].shape;
    const SeekRegion away = {0, vec3(0, 0, .3)}, towards = {0, vec3(0, 0, -.3)}, around = {.reach = .75};
    cr_expect_eq(seeker_walls_without_cache(crowd, scene.snapshot, &seeker, away).count, 0);
    cr_expect_eq(seeker_walls_without_cache(crowd, scene.snapshot, &seeker, towards).count, 1);
    cr_expect_eq(seeker_walls_without_cache(crowd, scene.snapshot, &seeker, around).count, 1);
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
    float slope = seeker_slopes[move->profile];
    return (Onlooker){.body = crowd_body(&seeker_shapes[move->profile], move->rotation, &move->body.center),
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
    sidle_crowd *crowd = seekers_crowd(NULL);
    Tally tally = {0};
    for (int i = 0; i < SOUPS; ++i)
    {
        Scene scene = wild_scene(&random, SOUP_HALF, SOUP_COUNT);
        for (uint64_t id = 0; id < SEEKERS; ++id)
        {
            Seeker seeker;
            seeker_draw(&random, crowd, id, &seeker);
            seeker_set_center(&seeker, wild_center(&random, &scene, SOUP_HALF));
            double reach = seeker_draw_reach(&random);
            expect_walls(&scene, &seeker, reach, &expected);
            Walls walls =
                seeker_walls_without_cache(crowd, scene.snapshot, &seeker, (SeekRegion){.reach = reach});
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
