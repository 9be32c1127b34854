/* What the trees find is what looking at every triangle finds. */
#include "base/memory.h"
#include "narrow/candidates.h"
#include "support/oracle.h"
#include "support/scene.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#define CAPACITY 4096

typedef struct Gathered
{
    Candidates candidates;
    Frame frame;
    sidle_allocator heap;
    void *memory;
    size_t bytes;
} Gathered;

static Vec3 vec3_of(Vector v)
{
    return vec3(v.x, v.y, v.z);
}

static Reach reach_of(double swell, Vector center, double radius, Vector segment)
{
    double path = 2.0 * radius + vector_length(segment);
    return (Reach){.swell = swell,
                   .center = vec3_of(center),
                   .radius = radius,
                   .segment = vec3_of(segment),
                   .path = path,
                   .slack = .0025};
}

static Gathered gather(const Scene *scene, uint32_t lanes, Frame frame, const Reach *reach)
{
    Gathered gathered = {.frame = frame};
    const Kernels *kernels = sidle_kernels_select(lanes);
    size_t bytes = sidle_candidates_bytes(kernels, CAPACITY);
    sidle_memory_choose(NULL, &gathered.heap);
    gathered.bytes = bytes;
    gathered.memory = sidle_memory_allocate(&gathered.heap, bytes, 1);
    cr_assert_not_null(gathered.memory);
    sidle_candidates_place(&gathered.candidates, kernels, CAPACITY, gathered.memory);
    Filter filter = {.collides_with = UINT32_MAX, .ignored_group = placed_group_ignored(0), .time = 1.0};
    cr_assert(kernels->gather(&gathered.candidates, scene->snapshot, &gathered.frame, reach, &filter, NULL));
    return gathered;
}

static bool holds(const Gathered *gathered, uint32_t triangle)
{
    for (uint32_t index = 0; index < gathered->candidates.wide.count; ++index)
    {
        if (gathered->candidates.list[index].triangle == triangle)
        {
            return true;
        }
    }
    return false;
}

/* The triangle in ellipsoid space relative to a world place. */
static void corners_around(const Frame *frame, const SoupTriangle *triangle, Vector place, Vector out[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        Vec3 e = mat3_mul(frame->to_e, vec3_of(vector_sub(triangle->v[corner], place)));
        out[corner] = vector(e.x, e.y, e.z);
    }
}

/* Some place that the reach holds. */
static Vector place_in_reach(Random *random, const Reach *reach)
{
    double away = reach->radius * random_unit(random), along = random_unit(random);
    Vector ball = vector_scale(random_direction(random), away);
    Vector center = vector(reach->center.x, reach->center.y, reach->center.z);
    Vector segment = vector(reach->segment.x, reach->segment.y, reach->segment.z);
    return vector_along(vector_add(center, ball), along, segment);
}

/* Counts triangles that a place in the reach touches and the gather does not have. */
static uint32_t count_missing(Random *random, const Scene *scene, const Gathered *gathered,
                              const Reach *reach, uint32_t *touched)
{
    Vec3 c = gathered->frame.center;
    uint32_t missing = 0;
    for (int sample = 0; sample < 8; ++sample)
    {
        Vector place = vector_add(vector(c.x, c.y, c.z), place_in_reach(random, reach));
        for (uint32_t index = 0; index < scene->soup.count; ++index)
        {
            Vector corners[3];
            corners_around(&gathered->frame, &scene->soup.triangles[index], place, corners);
            if (oracle_closest(corners, vector(0, 0, 0)).distance < reach->swell - 1e-4)
            {
                *touched += 1;
                missing += !holds(gathered, index);
            }
        }
    }
    return missing;
}

static Vector random_vector(Random *random, double shortest, double longest)
{
    double length = random_scale(random, shortest, longest);
    return vector_scale(random_direction(random), length);
}

static Soup scattered(Random *random, double half)
{
    Soup soup = {0};
    soup_scatter(&soup, random, 400, half);
    return soup;
}

static Frame random_frame(Random *random, double half)
{
    Vector center = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    Vector turn = random_direction(random),
           radii = random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
    sidle_quat rotation = {(float)turn.x, (float)turn.y, (float)turn.z, 0.7f};
    return frame_make(vec3_of(center), rotation, vec3(exp(radii.x), exp(radii.y), exp(radii.z)));
}

static Reach random_reach(Random *random)
{
    Vector ball = random_vector(random, 0.01, 5.0), segment = random_vector(random, 1e-3, 3.0);
    double swell = random_between(random, 1.0, 1.2);
    return reach_of(swell, vector_scale(ball, 0.5), 0.5 * vector_length(ball), segment);
}

Test(brute_force, every_triangle_that_the_reach_touches_is_gathered)
{
    Random random = random_seeded(301);
    uint32_t missing = 0, touched = 0;
    for (int round = 0; round < 40; ++round)
    {
        double half = random_scale(&random, 3.0, 30.0);
        Scene scene = scene_of(scattered(&random, half), flying_ball());
        for (int query = 0; query < 20; ++query)
        {
            Frame frame = random_frame(&random, half);
            Reach reach = random_reach(&random);
            Gathered gathered = gather(&scene, query % 2 ? 1 : 4, frame, &reach);
            missing += count_missing(&random, &scene, &gathered, &reach, &touched);
            sidle_memory_free(&gathered.heap, gathered.memory, gathered.bytes, 1);
        }
        scene_close(&scene);
    }
    cr_expect(touched > 10000, "only %u touched", touched);
    cr_expect_eq(missing, 0, "%u of %u missing", missing, touched);
}

/* A large triangle across the x axis of ellipsoid space, so far out on it. Its corners round like numbers of
 * its size. */
static Soup soup_across(Random *random, const Frame *frame, double height)
{
    double size = random_scale(random, 1e2, 1e4), turn = random_between(random, 0.0, 6.3);
    Vec3 v[3];
    Soup soup = {0};
    for (int corner = 0; corner < 3; ++corner)
    {
        double angle = turn + 2.0943951023931953 * corner;
        Vec3 e = vec3(height, size * cos(angle), size * sin(angle));
        v[corner] = vec3_add(frame->center, mat3_mul(frame->to_w, e));
    }
    soup_triangle(&soup, vector(v[0].x, v[0].y, v[0].z), vector(v[1].x, v[1].y, v[1].z),
                  vector(v[2].x, v[2].y, v[2].z));
    soup_round(&soup);
    return soup;
}

/* The corners as the bake rounded them once more. */
static double distance_as_baked(const Scene *scene, const Frame *frame)
{
    sidle_triangle baked;
    Vector corners[3];
    demand(sidle_mesh_get_triangles(scene->meshes[0], 0, 1, &baked), "sidle_mesh_get_triangles");
    for (int corner = 0; corner < 3; ++corner)
    {
        sidle_position place = baked.vertices[corner];
        Vec3 e = mat3_mul(frame->to_e, vec3_sub(vec3(place.x, place.y, place.z), frame->center));
        corners[corner] = vector(e.x, e.y, e.z);
    }
    return oracle_closest(corners, vector(0, 0, 0)).distance;
}

/* The early cull must allow for its own rounding. */
Test(brute_force, what_the_reach_touches_by_a_hair_is_gathered)
{
    const Kernels *widths[WIDTH_COUNT];
    Random random = random_seeded(303);
    uint32_t width_count = widths_here(widths), missing = 0, touched = 0, beyond = 0;
    for (uint32_t round = 0; round < 2000; ++round)
    {
        Vector turn = random_direction(&random),
               place = random_in_box(&random, vector(-9, -9, -9), vector(9, 9, 9));
        sidle_quat rotation = {(float)turn.x, (float)turn.y, (float)turn.z, 0.7f};
        Frame frame = frame_make(vec3_of(place), rotation, vec3(1, 1, 1));
        double radius = random_scale(&random, 0.1, 2.0), edge = 1.02 + radius;
        Reach reach = reach_of(1.02, vector(0, 0, 0), radius, vector(0, 0, 0));
        double hair = random_scale(&random, 1e-8, 1e-3);
        Scene scene = scene_of(soup_across(&random, &frame, edge - hair), flying_ball());
        bool touches = distance_as_baked(&scene, &frame) < edge;
        Gathered gathered = gather(&scene, widths[round % width_count]->lane_count, frame, &reach);
        touched += touches;
        missing += touches && !holds(&gathered, 0);
        beyond += !touches;
        sidle_memory_free(&gathered.heap, gathered.memory, gathered.bytes, 1);
        scene_close(&scene);
    }
    cr_expect(touched > 800 && beyond > 10, "%u touch, %u do not", touched, beyond);
    cr_expect_eq(missing, 0, "%u of %u missing", missing, touched);
}

/* One triangle near a place, in a mesh that spans 200 km. */
static Soup soup_around(Random *random, Vector place)
{
    Soup soup = {0};
    Vector far = vector(1e5, 1e5, 1e5), v[3];
    for (int corner = 0; corner < 3; ++corner)
    {
        v[corner] = vector_add(place, random_direction(random));
    }
    soup_triangle(&soup, vector_scale(far, -1.0), far, far);
    soup_triangle(&soup, v[0], v[1], v[2]);
    soup_round(&soup);
    return soup;
}

/* By how much of its distance a gathered corner is off; the small triangle must be among them. */
static double worst_corner(const Scene *scene, const Gathered *gathered, Vector center)
{
    double worst = 0.0;
    bool finds_small = false;
    for (uint32_t index = 0; index < gathered->candidates.wide.count; ++index)
    {
        uint32_t triangle = gathered->candidates.list[index].triangle;
        finds_small |= triangle == 1;
        Vec3 corners[3];
        Vector expected[3];
        gathered->candidates.kernels->corners(&gathered->candidates, index, corners);
        corners_around(&gathered->frame, &scene->soup.triangles[triangle], center, expected);
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector place = vector(corners[corner].x, corners[corner].y, corners[corner].z);
            worst = worse(worst, vector_distance(place, expected[corner]) / vector_length(expected[corner]));
        }
    }
    return finds_small ? worst : INFINITY;
}

/* Corners move into ellipsoid space as if in double, rounded once: also where the agent is so far from the
 * mesh's origin that its own place is no float. */
Test(brute_force, gathered_corners_are_right_far_from_the_mesh_s_origin)
{
    Random random = random_seeded(302);
    double worst = 0.0;
    for (int query = 0; query < 200; ++query)
    {
        Vector center = random_in_box(&random, vector(-1e5, -1e5, -1e5), vector(1e5, 1e5, 1e5));
        Scene scene = scene_of(soup_around(&random, center), flying_ball());
        Reach reach = reach_of(2.0, vector(0, 0, 0), 0.0, vector(0, 0, 0));
        Frame frame = frame_make(vec3_of(center), (sidle_quat){0, 0, 0, 1}, vec3(1, 1, 1));
        Gathered gathered = gather(&scene, query % 2 ? 1 : 4, frame, &reach);
        worst = worse(worst, worst_corner(&scene, &gathered, center));
        sidle_memory_free(&gathered.heap, gathered.memory, gathered.bytes, 1);
        scene_close(&scene);
    }
    cr_expect(worst < 8.0 * 0x1p-24, "off by %g u of a corner's distance", worst * 0x1p24);
}
