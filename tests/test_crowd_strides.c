/* Strides: a tick and a crowd read and write structures of the caller. */
#include "support/fixture.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stddef.h>
#include <string.h>

/* What an engine keeps of an agent, here and there. */
typedef struct Being
{
    char name[20];
    float health;
    sidle_move move;
    uint64_t inventory[3];
    sidle_result result;
    double age;
} Being;

Test(crowd_strides, strides_reach_into_structures_of_the_caller)
{
    enum
    {
        COUNT = 70
    };
    static Being beings[COUNT], before[COUNT];
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(COUNT);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    memset(beings, 0x55, sizeof beings);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        beings[i].move = troop.moves[i];
    }
    memcpy(before, beings, sizeof beings);
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    tick.moves = &beings[0].move;
    tick.results = &beings[0].result;
    tick.move_stride = tick.result_stride = sizeof beings[0];
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        const sidle_result *a = &beings[i].result, *b = &troop.results[i];
        cr_expect(memcmp(&a->body.center, &b->body.center, sizeof a->body.center) == 0 &&
                  a->reasons == b->reasons && a->contact_first == b->contact_first);
        before[i].result = beings[i].result;
        cr_expect_eq(memcmp(&before[i], &beings[i], offsetof(Being, result)), 0, "writes beside the result");
        cr_expect(memcmp(&before[i].age, &beings[i].age, sizeof(double)) == 0, "writes behind the result");
    }
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(crowd_strides, profiles_may_stand_in_structures_of_the_caller)
{
    struct
    {
        uint64_t color;
        sidle_profile profile;
        float weight;
    } kinds[3];
    memset(kinds, 0x55, sizeof kinds);
    for (uint32_t i = 0; i < 3; ++i)
    {
        kinds[i].profile = flying_ball().profile;
        kinds[i].profile.shape.radii.x = kinds[i].profile.shape.radii.y = 1.0f + (float)i;
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = &kinds[0].profile,
                             .profile_stride = sizeof kinds[0],
                             .profile_count = 3};
    Fixture fixture;
    fixture_set(&fixture, flying_ball());
    sidle_crowd_destroy(fixture.scene.crowd);
    fixture.scene.crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &fixture.scene.crowd), "sidle_crowd_create");
    memset(kinds, 0xFF, sizeof kinds);
    for (uint32_t i = 0; i < 3; ++i)
    {
        fixture.move = (sidle_move){.body = {.center = {0, 5, 0}}, .displacement = {0, -20, 0}, .profile = i};
        demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
        cr_expect_float_eq(fixture.result.body.center.y, 1.02 * (1.0 + i), 1e-4);
    }
    scene_close(&fixture.scene);
}

Test(crowd_strides, no_agents_are_moved_at_once)
{
    Fixture fixture;
    fixture_set(&fixture, flying_ball());
    uint32_t contact_count = 77;
    fixture.tick.count = 0;
    fixture.tick.moves = NULL;
    fixture.tick.results = NULL;
    fixture.tick.contact_count = &contact_count;
    cr_expect_eq(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), SIDLE_OK);
    cr_expect_eq(contact_count, 0);
    scene_close(&fixture.scene);
}
