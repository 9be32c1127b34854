/* Moves that are reported invalid while the tick goes on. */
#include "support/fixture.h"

#include <criterion/criterion.h>

#include <string.h>

/* A move whose numbers are good and lead nowhere. */
static void expect_no_place(SceneOptions options, sidle_move move, const char *what)
{
    Fixture fixture;
    fixture_set(&fixture, options);
    fixture.move = move;
    demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
    const sidle_body *end = &fixture.result.body;
    cr_expect((end->flags & SIDLE_BODY_INVALID) && fixture.result.reasons == SIDLE_REASON_INVALID, "%s",
              what);
    cr_expect_eq(memcmp(&end->center, &move.body.center, sizeof end->center), 0, "%s: moved", what);
    cr_expect_eq(memcmp(&end->velocity, &move.body.velocity, sizeof end->velocity), 0, "%s: sped up", what);
    scene_close(&fixture.scene);
}

/* So a flag of a later version is not taken for granted by this one. */
Test(crowd_moves, an_agent_with_an_unknown_flag_is_reported_invalid_and_stays)
{
    const sidle_move good = {
        .id = 5, .body = {.center = {0, 3, 0}, .velocity = {1, 2, 3}}, .displacement = {.x = .1f}};
    for (uint32_t flag = SIDLE_MOVE_NO_AGENTS << 1; flag; flag <<= 1)
    {
        sidle_move move = good;
        move.flags = SIDLE_MOVE_NO_CONTACTS | flag;
        expect_no_place(flying_ball(), move, "a flag");
    }
}

Test(crowd_moves, an_agent_outside_the_limit_of_coordinates_is_reported_invalid_and_stays)
{
    const sidle_move good = {.id = 5, .body = {.center = {0, 3, 0}, .velocity = {1, 2, 3}}};
    sidle_move move = good;
    move.displacement.y = 1e38f;
    expect_no_place(flying_ball(), move, "a wish");
    move = good;
    move.body.center.z = -1.001 * SIDLE_MAX_COORDINATE;
    expect_no_place(flying_ball(), move, "a place");
    move = good;
    move.body.center.z = .9999999 * SIDLE_MAX_COORDINATE;
    move.displacement.z = 9999;
    expect_no_place(flying_ball(), move, "beyond the edge");
    move = good;
    move.gravity.y = 3e38f;
    expect_no_place(walking_ball(), move, "gravity");
    move = good;
    move.body.velocity.y = 3e38f;
    expect_no_place(sliding_ball(), move, "a velocity");
}

/* One of the fields that move an agent of radius 1, at this share of its limit. */
static sidle_move move_of(int field, double share)
{
    const double limit = share * SIDLE_MAX_PATH, hertz = 60;
    sidle_move move = {.id = 5, .body = {.center = {0, 3, 0}}};
    sidle_vec3 *fields[] = {&move.displacement, &move.body.velocity, &move.body.carried_over, &move.gravity};
    const double sizes[] = {limit, limit * hertz, limit * hertz, 2 * limit * hertz * hertz};
    *fields[field] = (sidle_vec3){0, (float)(.6 * sizes[field]), (float)sizes[field]};
    return move;
}

Test(crowd_moves, a_displacement_above_ten_thousand_radii_is_reported_invalid)
{
    static const char *const names[] = {"displacement", "velocity", "carried_over", "gravity"};
    for (int field = 0; field < 4; ++field)
    {
        const SceneOptions modes[] = {flying_ball(), walking_ball(), sliding_ball()};
        for (int mode = 0; mode < 3; ++mode)
        {
            Fixture fixture;
            fixture_set(&fixture, modes[mode]);
            fixture.move = move_of(field, 1);
            demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
            cr_expect(!(fixture.result.body.flags & SIDLE_BODY_INVALID), "%s", names[field]);
            scene_close(&fixture.scene);
            expect_no_place(modes[mode], move_of(field, 1.00001), names[field]);
        }
    }
}

/* Of the smallest agent. */
Test(crowd_moves, no_displacement_is_too_long_for_a_wall_beside_its_beginning)
{
    SceneOptions options = flying_ball();
    options.profile.shape.radii = (sidle_vec3){1e-3f, 1e-3f, 1e-3f};
    Soup wall = {0};
    soup_wall(&wall, 10, 10);
    Scene scene = scene_of(wall, options);
    for (double length = SIDLE_MAX_PATH * 1e-3; length > 1e-3; length /= 2)
    {
        for (int i = 0; i < 64; ++i)
        {
            Agent agent = agent_at(10 - 1e-3 * (1.02 + .1 * i), 2, -3);
            scene_tick(&scene, &agent, vector(length, 0, 0));
            cr_expect_lt(agent.body.center.x, 10, "%g m, %d tenths of a radius before a wall", length, i);
            cr_expect_not(agent.body.flags & SIDLE_BODY_INVALID, "%g m", length);
        }
    }
    scene_close(&scene);
}
