/* Debug drawing: the lines of moves and casts. */
#include "sidle/draw.h"

#include "support/scene.h"

#include <criterion/criterion.h>

#include <string.h>

#define MOST 4096

typedef struct Lines
{
    sidle_line list[MOST];
    uint32_t count;
} Lines;

static Vector vector_of(sidle_position p)
{
    return vector(p.x, p.y, p.z);
}

static Vector vector_from(sidle_vec3 v)
{
    return vector((double)v.x, (double)v.y, (double)v.z);
}

static uint32_t count_of(const Lines *lines, uint32_t kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines->count; ++i)
    {
        count += lines->list[i].kind == kind;
    }
    return count;
}

/* There must be one. */
static const sidle_line *first_of(const Lines *lines, uint32_t kind)
{
    uint32_t at = 0;
    while (at < lines->count && lines->list[at].kind != kind)
    {
        ++at;
    }
    cr_assert(at < lines->count, "no line of kind %u", kind);
    return &lines->list[at];
}

static bool is_line(const sidle_line *line, Vector from, Vector to)
{
    return vector_distance(vector_of(line->from), from) < 1e-6 &&
           vector_distance(vector_of(line->to), to) < 1e-6;
}

/* Whether three lines of this kind are the edges of the triangle. */
static bool has_triangle(const Lines *lines, uint32_t kind, const Vector v[3])
{
    for (uint32_t i = 0; i + 2 < lines->count; ++i)
    {
        const sidle_line *l = &lines->list[i];
        for (int turn = 0; turn < 3; ++turn)
        {
            const Vector *a = &v[turn], *b = &v[(turn + 1) % 3], *c = &v[(turn + 2) % 3];
            if (l->kind == kind && is_line(l, *a, *b) && is_line(l + 1, *b, *c) && is_line(l + 2, *c, *a))
            {
                return true;
            }
        }
    }
    return false;
}

typedef struct Moved
{
    sidle_move move;
    sidle_result result;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} Moved;

/* Lands, then makes the move. */
static Moved moved(const Scene *scene, Vector center, Vector wish)
{
    Moved moved = {.move = {.id = 7, .body.center = {center.x, center.y, center.z}}};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .moves = &moved.move,
                            .count = 1,
                            .results = &moved.result,
                            .contacts = moved.contacts,
                            .contact_capacity = SIDLE_MAX_AGENT_CONTACTS};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    moved.move.body = moved.result.body;
    moved.move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return moved;
}

static void draw(const Scene *scene, const Moved *moved, Lines *lines)
{
    demand(sidle_draw_move(scene->snapshot, 0, &scene->options.profile.shape, &moved->move, &moved->result,
                           moved->contacts, lines->list, MOST, &lines->count),
           "sidle_draw_move");
    cr_assert(lines->count <= MOST);
}

static Scene room(double degrees)
{
    Soup soup = {0};
    soup_grid(&soup, 20, 1, 0);
    soup_wall(&soup, 8, 3);
    SceneOptions options = walking_ball();
    options.turned = degrees;
    return scene_of(soup, options);
}

Test(draw, a_move_into_a_wall_shows_paths_contacts_and_ground)
{
    Scene scene = room(0);
    Moved move = moved(&scene, vector(1.9, 1.01, .2), vector(.5, 0, .1));
    static Lines lines;
    draw(&scene, &move, &lines);
    Vector start = vector_of(move.move.body.center), end = vector_of(move.result.body.center);
    cr_assert(move.result.contact_count > 0 && (move.result.body.flags & SIDLE_BODY_GROUNDED));
    cr_expect(count_of(&lines, SIDLE_LINE_START) == 48 && count_of(&lines, SIDLE_LINE_END) == 48);
    cr_expect(is_line(first_of(&lines, SIDLE_LINE_PATH), start, end));
    cr_expect(is_line(first_of(&lines, SIDLE_LINE_ASKED), start,
                      vector_add(start, vector_from(move.move.displacement))));
    cr_expect(count_of(&lines, SIDLE_LINE_CONTACT) == move.result.contact_count);
    Vector point = vector_of(move.contacts[0].point);
    cr_expect(is_line(first_of(&lines, SIDLE_LINE_CONTACT), point,
                      vector_add(point, vector_from(move.contacts[0].normal))));
    cr_expect(is_line(first_of(&lines, SIDLE_LINE_GROUND), vector_add(end, vector(0, -1, 0)), end));
    cr_expect(count_of(&lines, SIDLE_LINE_BOX) == 12);
    scene_close(&scene);
}

/* The soup's triangles are the instance's, in order. */
Test(draw, triangles_in_the_box_are_listed_and_those_touched_are_marked)
{
    Scene scene = room(20);
    Moved move = moved(&scene, vector(1.9, 1.01, .2), vector(.5, 0, .1));
    static Lines lines;
    draw(&scene, &move, &lines);
    Vector low = vector(1e9, 1e9, 1e9), high = vector(-1e9, -1e9, -1e9);
    for (uint32_t i = 0; i < lines.count; ++i)
    {
        if (lines.list[i].kind == SIDLE_LINE_BOX)
        {
            Vector p = vector_of(lines.list[i].from), q = vector_of(lines.list[i].to);
            low =
                vector(fmin(low.x, fmin(p.x, q.x)), fmin(low.y, fmin(p.y, q.y)), fmin(low.z, fmin(p.z, q.z)));
            high = vector(fmax(high.x, fmax(p.x, q.x)), fmax(high.y, fmax(p.y, q.y)),
                          fmax(high.z, fmax(p.z, q.z)));
        }
    }
    cr_expect(low.x < 1.9 - 1 && high.x > 2.4 + 1 && low.y < 0 && high.y > 2);
    uint32_t hits = 0, near = 0;
    for (size_t i = 0; i < scene.soup.count; ++i)
    {
        const Vector *v = scene.soup.triangles[i].v;
        bool is_touched = i == move.result.body.ground_triangle;
        for (uint32_t k = 0; k < move.result.contact_count; ++k)
        {
            is_touched |= move.contacts[k].triangle == i;
        }
        bool is_outside = false; /* on one side of the box */
        for (int axis = 0; axis < 3; ++axis)
        {
            double a = (&v[0].x)[axis], b = (&v[1].x)[axis], c = (&v[2].x)[axis];
            is_outside |= fmin(a, fmin(b, c)) > (&high.x)[axis] || fmax(a, fmax(b, c)) < (&low.x)[axis];
        }
        bool is_listed = has_triangle(&lines, SIDLE_LINE_TRIANGLE, v);
        bool is_marked = has_triangle(&lines, SIDLE_LINE_HIT, v);
        cr_expect(is_marked == is_touched, "triangle %zu: marked %d", i, is_marked);
        cr_expect(!is_outside || (!is_listed && !is_marked), "triangle %zu is outside", i);
        bool is_inside = false; /* a corner */
        for (int k = 0; k < 3; ++k)
        {
            is_inside |= v[k].x > low.x && v[k].x < high.x && v[k].y > low.y && v[k].y < high.y &&
                         v[k].z > low.z && v[k].z < high.z;
        }
        cr_expect(!is_inside || is_listed || is_marked, "triangle %zu is inside", i);
        hits += is_marked;
        near += is_listed;
    }
    cr_expect(hits >= 2 && near > 8);
    cr_expect(count_of(&lines, SIDLE_LINE_HIT) == 3 * hits);
    cr_expect(count_of(&lines, SIDLE_LINE_TRIANGLE) == 3 * near);
    scene_close(&scene);
}

Test(draw, with_little_room_the_first_lines_are_the_same)
{
    Scene scene = room(0);
    Moved move = moved(&scene, vector(1.9, 1.01, .2), vector(.5, 0, .1));
    static Lines lines, few;
    draw(&scene, &move, &lines);
    for (uint32_t capacity = 0; capacity < 300; capacity += 37)
    {
        memset(&few, 0xFF, sizeof few);
        uint32_t count;
        demand(sidle_draw_move(scene.snapshot, 0, &scene.options.profile.shape, &move.move, &move.result,
                               move.contacts, capacity ? few.list : NULL, capacity, &count),
               "sidle_draw_move");
        cr_expect_eq(count, lines.count);
        for (uint32_t i = 0; i < capacity && i < count; ++i)
        {
            cr_expect(few.list[i].kind == lines.list[i].kind &&
                      memcmp(&few.list[i].from, &lines.list[i].from, 2 * sizeof(sidle_position)) == 0);
        }
        cr_expect(few.list[capacity < count ? capacity : count].kind == UINT32_MAX);
    }
    scene_close(&scene);
}

/* Of a turned capsule: each point is on it, and the foot on its lower end. */
Test(draw, outlines_are_on_the_shape)
{
    Scene scene = room(0);
    const sidle_shape shapes[3] = {{{.5f, .5f, .5f}, 1}, {{.3f, .9f, .4f}, 0}, {{.5f, .5f, .5f}, 0}};
    /* By 90 degrees about z: the shape's y axis is the world's -x. */
    const sidle_move move = {.body.center = {5, 6, 7}, .rotation = {0, 0, 1, 1}};
    sidle_result result = {.body = move.body};
    result.body.ground_normal = (sidle_vec3){1, 0, 0};
    static Lines lines;
    for (int k = 0; k < 3; ++k)
    {
        const sidle_shape *s = &shapes[k];
        demand(sidle_draw_move(scene.snapshot, 0, s, &move, &result, NULL, lines.list, MOST, &lines.count),
               "sidle_draw_move");
        double reach = 0;
        cr_expect_eq(count_of(&lines, SIDLE_LINE_END), s->half_height > 0 ? 68 : 48);
        for (uint32_t i = 0; i < lines.count; ++i)
        {
            Vector p = vector_of(lines.list[i].from), at = vector_add(p, vector(-5, -6, -7)),
                   own = vector(at.y, -at.x, at.z);
            if (lines.list[i].kind == SIDLE_LINE_END)
            {
                double beyond = fmax(fabs(own.y) - (double)s->half_height, 0);
                double x = own.x / (double)s->radii.x, y = beyond / (double)s->radii.y,
                       z = own.z / (double)s->radii.z;
                cr_expect(fabs(x * x + y * y + z * z - 1) < 1e-6, "shape %d, line %u: %g %g %g", k, i, own.x,
                          own.y, own.z);
                reach = fmax(reach, fabs(own.y));
            }
        }
        double length = (double)s->radii.y + (double)s->half_height;
        cr_expect(fabs(reach - length) < 1e-6);
        cr_expect(vector_distance(vector_of(first_of(&lines, SIDLE_LINE_GROUND)->from),
                                  vector(5 - length, 6, 7)) < 1e-6);
    }
    scene_close(&scene);
}

/* An agent wanders over rough ground inside a ring of walls. */
Test(draw, each_triangle_of_a_contact_and_of_the_ground_is_marked_in_any_move)
{
    Soup soup = {0};
    soup_terrain(&soup, 16, 1, .4, 7);
    soup_ring(&soup, 24, 6, 5);
    Scene scene = scene_of(soup, walking_ball());
    static Lines lines;
    Random random = random_seeded(5);
    Moved move = moved(&scene, vector(0, 2, 0), vector(0, 0, 0));
    Vector wish = vector(0, 0, 0);
    uint32_t touched = 0;
    for (int tick = 0; tick < 1000; ++tick)
    {
        wish = tick % 20 ? wish : random_in_box(&random, vector(-.6, 0, -.6), vector(.6, 0, .6));
        Agent agent = {.body = move.result.body, .id = 7};
        move.move.body = agent.body;
        scene_tick(&scene, &agent, wish);
        move.move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
        move.result = (sidle_result){.body = agent.body, .contact_count = agent.contact_count};
        memcpy(move.contacts, agent.contacts, sizeof move.contacts);
        draw(&scene, &move, &lines);
        uint32_t expected[SIDLE_MAX_AGENT_CONTACTS + 1], count = 0;
        for (uint32_t i = 0; i <= agent.contact_count; ++i)
        {
            bool is_ground = i == agent.contact_count, is_known = is_ground && !agent.body.ground.generation;
            uint32_t triangle = is_ground ? agent.body.ground_triangle : agent.contacts[i].triangle;
            for (uint32_t k = 0; k < count; ++k)
            {
                is_known |= expected[k] == triangle;
            }
            expected[count] = triangle;
            count += !is_known;
        }
        cr_expect_eq(count_of(&lines, SIDLE_LINE_HIT), 3 * count, "tick %d: %u of %u", tick,
                     count_of(&lines, SIDLE_LINE_HIT), 3 * count);
        touched += agent.contact_count;
    }
    cr_expect_gt(touched, 1000);
    scene_close(&scene);
}

/* Each hit triangle of a cast is marked, whatever the length of a ray. */
Test(draw, a_cast_shows_its_path_and_the_triangle_that_it_hits)
{
    Scene scene = room(0);
    Random random = random_seeded(3);
    static Lines lines;
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 400; ++i)
    {
        double length = i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 10000;
        Vector from = random_in_box(&random, vector(-8, .7, -8), vector(2.3, 3, 8)),
               path = vector_scale(random_in_box(&random, vector(-1, -1, -1), vector(1, 1, 1)), length);
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)path.x, (float)path.y, (float)path.z}};
        float radius = i % 2 ? .5f : 0;
        cast.shape.radii = (sidle_vec3){radius, radius, radius};
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        demand(sidle_draw_cast(scene.snapshot, 0, &cast, &hit, lines.list, MOST, &lines.count),
               "sidle_draw_cast");
        bool is_hit = hit.hit == SIDLE_CAST_HIT;
        Vector asked = vector_from(cast.displacement),
               end = vector_add(from, vector_scale(asked, is_hit ? hit.t : 1));
        cr_expect(is_line(first_of(&lines, SIDLE_LINE_PATH), from, end));
        cr_expect(is_line(first_of(&lines, SIDLE_LINE_ASKED), from, vector_add(from, asked)));
        cr_expect_eq(count_of(&lines, SIDLE_LINE_CONTACT), is_hit);
        cr_expect_eq(count_of(&lines, SIDLE_LINE_HIT), 3 * is_hit);
        cr_expect_eq(count_of(&lines, SIDLE_LINE_END), radius > 0 ? 48 : 0);
        if (is_hit)
        {
            cr_expect(has_triangle(&lines, SIDLE_LINE_HIT, scene.soup.triangles[hit.triangle].v), "cast %d",
                      i);
        }
        hits += is_hit;
        misses += !is_hit;
    }
    cr_expect(hits > 100 && misses > 50, "%u hits, %u misses", hits, misses);
    scene_close(&scene);
}

Test(draw, what_it_cannot_do_is_refused_and_changes_nothing)
{
    Scene scene = room(0);
    Moved good = moved(&scene, vector(0, 2, 0), vector(0, 0, 0)), bad = good, far = good;
    bad.result.body.center.x = NAN;
    far.result.body.center.x = 2e9;
    const sidle_snapshot *s = scene.snapshot;
    const sidle_shape *ball = &scene.options.profile.shape, point = {{0, 0, 0}, 0};
    const sidle_cast cast = {.displacement = {1, 0, 0}}, nan_cast = {.displacement = {NAN, 0, 0}};
    const sidle_cast_hit hit = {.hit = SIDLE_CAST_MISS};
    sidle_line line = {.kind = 9};
    uint32_t n = 7;
    const sidle_move *m = &good.move;
    const sidle_result *r = &good.result;
    cr_expect_eq(sidle_draw_move(NULL, 0, ball, m, r, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 2, ball, m, r, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, NULL, m, r, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, &point, m, r, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, ball, NULL, r, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, ball, m, NULL, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, ball, m, r, NULL, NULL, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, ball, m, r, NULL, &line, 1, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_move(s, 0, ball, m, &bad.result, NULL, &line, 1, &n), SIDLE_ERROR_NOT_FINITE);
    cr_expect_eq(sidle_draw_move(s, 0, ball, m, &far.result, NULL, &line, 1, &n), SIDLE_ERROR_LIMIT);
    cr_expect_eq(sidle_draw_cast(NULL, 0, &cast, &hit, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_cast(s, 0, NULL, &hit, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_cast(s, 0, &cast, NULL, &line, 1, &n), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_draw_cast(s, 0, &nan_cast, &hit, &line, 1, &n), SIDLE_ERROR_NOT_FINITE);
    cr_expect(n == 7 && line.kind == 9);
    scene_close(&scene);
}
