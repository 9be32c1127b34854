/* Triangles whose third corner nearly lies on their longest edge are kept in two pieces: nobody is told, no
 * ray slips through, and float serves what took double before. */
#include "mesh/caps.h"
#include "narrow/candidates.h"
#include "narrow/view.h"
#include "support/blobs.h"
#include "support/casts.h"
#include "support/queries.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static StoredTriangle stored(Vector a, Vector b, Vector c)
{
    return (StoredTriangle){{{(float)a.x, (float)a.y, (float)a.z},
                             {(float)b.x, (float)b.y, (float)b.z},
                             {(float)c.x, (float)c.y, (float)c.z}}};
}

static Vector corner_of(const StoredTriangle *triangle, uint32_t corner)
{
    const float *v = triangle->v[corner % 3];
    return vector((double)v[0], (double)v[1], (double)v[2]);
}

static Vector normal_of(const StoredTriangle *triangle)
{
    Vector a = corner_of(triangle, 0), b = corner_of(triangle, 1), c = corner_of(triangle, 2);
    return vector_cross(vector_sub(b, a), vector_sub(c, a));
}

/* ---- what is cut, and how ---- */

Test(caps, they_begin_where_kappa_falls_below_a_sixty_fourth)
{
    for (double kappa = 0x1p-4; kappa > 0x1p-12; kappa *= .75)
    {
        /* with both edges of length 1 and t of each along the base: kappa is 2 t h, t^2 + h^2 = 1 */
        double h = sqrt(.5 - .5 * sqrt(1 - kappa * kappa)), t = sqrt(1 - h * h);
        for (uint32_t turn = 0; turn < 3; ++turn)
        {
            const Vector v[3] = {vector(-t, 0, 0), vector(t, 0, 0), vector(0, h, 0)};
            StoredTriangle triangle = stored(v[turn], v[(turn + 1) % 3], v[(turn + 2) % 3]);
            CapCut cut;
            cr_expect_eq(cap_cut(&triangle, &cut), kappa < 0x1p-6, "kappa %g", kappa);
            cr_expect(kappa >= 0x1p-6 || (cut.begin == (3 - turn) % 3 && cut.foot[1] == 0));
        }
    }
}

Test(caps, what_has_no_area_or_is_lower_than_rounding_lets_see_stays_whole)
{
    const Vector begin = vector(1001.1, 2002.2, -3003.3), end = vector(1717.7, -300.3, 5005.5);
    CapCut cut;
    StoredTriangle none = stored(vector(0, 0, 0), vector(2, 0, 0), vector(1, 0, 0));
    StoredTriangle low = stored(
        begin, end, vector_add(vector_along(begin, .4, vector_sub(end, begin)), vector(.001, .001, .001)));
    StoredTriangle high =
        stored(begin, end, vector_add(vector_along(begin, .4, vector_sub(end, begin)), vector(10, 10, 10)));
    cr_expect_not(cap_cut(&none, &cut));
    cr_expect_not(cap_cut(&low, &cut));
    cr_expect(cap_cut(&high, &cut));
}

static StoredTriangle cap_drawn(Random *random)
{
    Rotation turn = random_rotation(random);
    double size = random_scale(random, 1e-3, 1e3);
    double share = random_between(random, .05, .95), kappa = random_scale(random, 0x1p-10, 0x1p-7);
    double height = size * share * (1 - share) * kappa; /* an angle of kappa short of straight */
    const Vector flat[3] = {vector(0, 0, 0), vector(size, 0, 0), vector(size * share, height, 0)};
    Vector v[3], place = vector_scale(random_direction(random), size), side = vector(0, 0, 0);
    for (int i = 0; i < 3; ++i)
    {
        v[i] = vector_add(vector_add(place, side), vector_rotated(&turn, flat[i]));
    }
    uint32_t first = random_below(random, 3);
    return stored(v[first], v[(first + 1) % 3], v[(first + 2) % 3]);
}

/* A piece has a right angle at the foot, the whole's winding and nearly its plane, and is no cap again. */
static void expect_good_piece(const StoredTriangle *whole, const CapCut *cut, enum CapPart part)
{
    StoredTriangle piece = cap_piece(whole, cut, part);
    Bounds bounds = cap_piece_bounds(whole, cut, part);
    CapCut again;
    Vector n = vector_unit(normal_of(whole)), m = vector_unit(normal_of(&piece));
    cr_expect_not(cap_cut(&piece, &again));
    cr_expect(vector_dot(n, m) > .5 && vector_distance(n, m) < 1.01 * CAP_FOOT_OFF);
    uint32_t foot = part == CAP_FIRST ? 2 : 1;
    Vector a = vector_sub(corner_of(&piece, foot + 1), corner_of(&piece, foot));
    Vector b = vector_sub(corner_of(&piece, foot + 2), corner_of(&piece, foot));
    cr_expect(fabs(vector_dot(vector_unit(a), vector_unit(b))) < 0x1p-9);
    for (int axis = 0; axis < 3; ++axis)
    {
        float low = fminf(whole->v[0][axis], fminf(whole->v[1][axis], whole->v[2][axis]));
        float high = fmaxf(whole->v[0][axis], fmaxf(whole->v[1][axis], whole->v[2][axis]));
        cr_expect(low <= bounds.min[axis] && bounds.max[axis] <= high, "larger than the whole");
        cr_expect((double)bounds.min[axis] <= cut->exact[axis] &&
                      cut->exact[axis] <= (double)bounds.max[axis],
                  "a ray at the edge would not find the whole");
        for (int i = 0; i < 3; ++i)
        {
            cr_expect(bounds.min[axis] <= piece.v[i][axis] && piece.v[i][axis] <= bounds.max[axis]);
        }
    }
}

Test(caps, pieces_have_a_right_angle_and_lie_in_the_plane_of_the_whole)
{
    Random random = random_seeded(91);
    uint32_t cuts = 0, count = query_count(20000);
    for (uint32_t i = 0; i < count; ++i)
    {
        StoredTriangle whole = cap_drawn(&random);
        CapCut cut;
        if (cap_cut(&whole, &cut))
        {
            ++cuts;
            expect_good_piece(&whole, &cut, CAP_FIRST);
            expect_good_piece(&whole, &cut, CAP_SECOND);
        }
    }
    cr_expect_gt(cuts, count / 4);
}

/* ---- nobody is told ---- */

/* Caps and what is none, in any order, turned. */
static Soup mixed_soup(int rows)
{
    Random random = random_seeded(92);
    Rotation turn = random_rotation(&random);
    Soup soup = {0};
    soup_caps(&soup, rows, 30, .1);
    soup_terrain(&soup, 10, 3, .5, 7);
    soup_turn(&soup, &turn);
    soup_shuffle(&soup, &random);
    soup_round(&soup);
    return soup;
}

static void expect_sources(const sidle_mesh *mesh, const Soup *soup)
{
    uint32_t count = (uint32_t)soup->count;
    sidle_triangle *triangles = calloc(count, sizeof *triangles);
    cr_assert_eq(sidle_mesh_get_triangles(mesh, 0, count, triangles), SIDLE_OK);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            sidle_position v = triangles[i].vertices[corner];
            cr_expect(vector_same_bits(vector(v.x, v.y, v.z), soup->triangles[i].v[corner]), "%u", i);
        }
        cr_expect_eq(triangles[i].surface, 3 * i + 1);
    }
    free(triangles);
}

Test(caps, a_mesh_tells_of_its_triangles_and_not_of_their_pieces)
{
    enum
    {
        ROWS = 40
    };
    Soup soup = mixed_soup(ROWS);
    sidle_mesh *baked = mesh_of(soup_copy(&soup)), *opened = NULL;
    sidle_mesh_info info = {.size = sizeof info}, again = info;
    cr_assert_eq(sidle_mesh_get_info(baked, &info), SIDLE_OK);
    cr_expect_eq(info.triangle_count, soup.count);
    cr_expect_eq(info.split_count, ROWS);
    expect_sources(baked, &soup);
    Blob blob = blob_of(baked);
    cr_assert_eq(blob_open(&blob, 0, NULL, &opened), SIDLE_OK);
    Blob copy = blob_of(opened);
    cr_expect(copy.size == blob.size && memcmp(copy.bytes, blob.bytes, blob.size) == 0);
    sidle_mesh_get_info(opened, &again);
    cr_expect_eq(memcmp(&info, &again, sizeof info), 0);
    expect_sources(opened, &soup);
    sidle_mesh_release(baked);
    sidle_mesh_release(opened);
    blob_free(&blob);
    blob_free(&copy);
    soup_free(&soup);
}

Test(caps, of_two_pieces_the_first_comes_first_whatever_else_is_told_of_them)
{
    sidle_mesh *mesh = mesh_of(mixed_soup(1));
    uint32_t seconds = 0;
    for (uint32_t n = 0; n < mesh->node_count; ++n)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t unit = mesh->nodes[n].child[i] & ~BVH_LEAF;
            const LeafPacket *packet = (const LeafPacket *)(mesh->packets + (size_t)unit * PACKET_UNIT);
            for (uint32_t k = 0; (mesh->nodes[n].child[i] & BVH_LEAF) && k < packet->triangle_count; ++k)
            {
                Candidate one = {.packet = packet, .local = (uint8_t)k}, other = one;
                LeafPacket first = {.second_pieces = 0};
                other.packet = &first;
                cr_expect_not(candidate_before(&one, &one));
                cr_expect_not(candidate_before(&one, &other));
                cr_expect_eq(candidate_before(&other, &one), packet_piece(packet, k) == 1);
                seconds += packet_piece(packet, k);
            }
        }
    }
    cr_expect_eq(seconds, 1);
    sidle_mesh_release(mesh);
}

/* ---- what agents and casts meet ---- */

/* Where the cap 0 of soup_caps(.., 30, .5) is cut, and beside it. */
static Agent fallen(Soup soup, double x, double z)
{
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_at(x, 3, z);
    scene_ticks(&scene, &agent, vector(0, -1, 0), 4);
    scene_close(&scene);
    return agent;
}

Test(caps, a_ball_on_the_cut_has_one_answer_whatever_the_tree)
{
    for (int step = -2; step <= 2; ++step)
    {
        double x = 1.5 + step * 1e-7, z = 0;
        Soup alone = {0}, among = {0};
        soup_caps(&alone, 1, 30, .25);
        soup_append(&among, &alone);
        soup_plate(&among, -40, 40, -90, -80, 0);
        for (int i = 0; i < 60; ++i)
        {
            soup_plate(&among, i - 31, i - 29.5, -70, -20, 0);
        }
        Agent one = fallen(alone, x, z), other = fallen(among, x, z);
        cr_expect(agent_same_bits(&one, &other), "step %d", step);
        cr_expect(one.contact_count == 1 && other.contact_count == 1);
        cr_expect(memcmp(&one.contacts[0].point, &other.contacts[0].point, sizeof(sidle_position)) == 0 &&
                  one.contacts[0].feature == other.contacts[0].feature && one.contacts[0].triangle == 0);
        cr_expect(fabs(one.body.center.y - 1.02) < 1e-4);
    }
}

/* A closed box: each of its sides a cap over one edge and three triangles that fill up the rest, so that
 * every second edge of the box has a foot on it that the side beyond does not know. */
static Soup box_of_caps(double depth)
{
    Soup soup = {0};
    for (int face = 0; face < 6; ++face)
    {
        int axis = face % 3, side = face < 3 ? 1 : -1;
        Vector v[5];
        for (int i = 0; i < 5; ++i)
        {
            int corner = side > 0 ? i : 3 - i;
            double c[3], u = i == 4 ? .17 : corner == 1 || corner == 2 ? 1 : -1;
            c[axis] = side;
            c[(axis + 1) % 3] = u;
            c[(axis + 2) % 3] = i == 4 ? -1 + depth : corner >= 2 ? 1 : -1;
            v[i] = vector(c[0], c[1], c[2]);
        }
        int first = side > 0 ? 0 : 2; /* the edge under the apex */
        for (int i = 0; i < 4; ++i)
        {
            soup_triangle(&soup, v[(first + i) % 4], v[(first + i + 1) % 4], v[4]);
        }
    }
    return soup;
}

static uint32_t leaks_of(Random *random, uint32_t rays)
{
    uint32_t leaks = 0;
    Rotation turn = random_rotation(random);
    Soup soup = box_of_caps(random_scale(random, .002, .01));
    soup_turn(&soup, &turn);
    soup_shift(&soup, vector_scale(random_direction(random), 3));
    soup_round(&soup);
    CastScene scene = cast_scene();
    cast_scene_add(&scene, soup, &(sidle_pose){.rotation = {0, 0, 0, 1}}, 0);
    cast_scene_commit(&scene);
    Vector middle = vector(0, 0, 0);
    for (size_t i = 0; i < scene.count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            middle = vector_along(middle, 1.0 / (3.0 * (double)scene.count), scene.triangles[i].v[corner]);
        }
    }
    for (uint32_t i = 0; i < rays; ++i)
    {
        const Vector *v = scene.triangles[random_below(random, (uint32_t)scene.count)].v;
        Vector from = vector_along(middle, .5 * random_unit(random), random_direction(random));
        Vector at = vector_along(v[0], random_between(random, .4, .7), vector_sub(v[1], v[0]));
        Vector way = vector_scale(vector_sub(at, from), 3);
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)way.x, (float)way.y, (float)way.z}};
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        leaks += hit.hit != SIDLE_CAST_HIT;
    }
    cast_scene_close(&scene);
    return leaks;
}

Test(caps, no_ray_leaves_a_closed_mesh_of_caps)
{
    Random random = random_seeded(93);
    uint32_t rays = query_count(400000) / 200, leaks = 0;
    for (int round = 0; round < 200; ++round)
    {
        leaks += leaks_of(&random, rays);
    }
    cr_expect_eq(leaks, 0, "%u of %u", leaks, 200 * rays);
}

/* ---- what it is for ---- */

typedef struct Served
{
    uint32_t lanes, exact;
} Served;

static Candidates candidates_made(uint32_t capacity, void **memory)
{
    Candidates candidates;
    *memory = aligned_alloc(64, (candidates_bytes(&kernels_4, capacity) + 63) / 64 * 64);
    cr_assert_not_null(*memory);
    candidates_place(&candidates, &kernels_4, capacity, *memory);
    return candidates;
}

/* All triangles of a scene around a ball of radius 1 above the origin, as pieces or as wholes. */
static Served served(const Scene *scene, bool wholes)
{
    enum
    {
        CAPACITY = 4096
    };
    void *memory;
    Candidates c = candidates_made(CAPACITY, &memory);
    const Bounds all = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    const Placed *placed = &scene->snapshot->placed[0];
    Frame frame = frame_make(vec3(0, 1.02, 0), (sidle_quat){0, 0, 0, 1}, vec3(1, 1, 1));
    View view = view_of(placed, &frame, 1);
    PackTransform transform = view_transform(&view, placed, 0);
    PackRules rules = {.reach_length = 1, .slack = .02f / 8, .condition = 1};
    uint32_t count = kernels_4.collect(placed->mesh->nodes, &all, c.leaves, CAPACITY);
    for (uint32_t i = 0; i < count && wholes; ++i)
    {
        c.leaves[i] +=
            packet_to_rays((const LeafPacket *)(placed->mesh->packets + (size_t)c.leaves[i] * PACKET_UNIT));
    }
    cr_assert(kernels_4.append(placed->mesh->packets, c.leaves, count, &transform, &all, &c.wide, c.list));
    candidates_finish(&c, scene->snapshot, &frame, &rules, 1);
    Served out = {c.wide.count, c.exact.count};
    free(memory);
    return out;
}

Test(caps, float_serves_the_pieces_of_what_would_take_double)
{
    Soup soup = {0};
    soup_caps(&soup, 60, 600, 600 / 512.);
    Scene scene = scene_of(soup, flying_ball());
    Served wholes = served(&scene, true), pieces = served(&scene, false);
    cr_expect_geq(wholes.exact, 60);
    cr_expect_eq(pieces.lanes, 60 * 4);
    cr_expect_eq(pieces.exact, 0);
    scene_close(&scene);
}

Test(caps, casts_at_pieces_tell_of_the_whole)
{
    Soup caps = {0};
    Random random = random_seeded(94);
    soup_caps(&caps, 12, 30, .1);
    Rotation turn = random_rotation(&random);
    soup_turn(&caps, &turn);
    soup_round(&caps);
    CastScene scene = cast_scene();
    cast_scene_add(&scene, caps, &(sidle_pose){.scale = {1, 1, 1}}, 0);
    cast_scene_commit(&scene);
    static const CastStyle styles[3] = {
        {.least_radius = .01, .greatest_radius = 1, .aspect = 1, .shortest = .01, .longest = 30},
        {.least_radius = .02, .greatest_radius = .3, .aspect = 8, .shortest = .01, .longest = 30},
        {.rays = true, .shortest = .01, .longest = 50}};
    CastTally tally = {0};
    uint32_t count = query_count(30000);
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_cast cast = cast_drawn(&random, &scene, &styles[i % 3]);
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        cast_judged(&tally, &scene, &cast, &hit);
    }
    cast_tally_print(&tally, "casts at caps");
    cr_expect_eq(tally.wrong, 0);
    cr_expect_gt(tally.hits, count / 10);
    cast_scene_close(&scene);
}
