/* A crowd keeps the moves of agents that stand still, and repeats them. No bit of a result says so. */
#include "support/troop.h"

#include <criterion/criterion.h>

#include <string.h>

#define AGENTS 300
#define TICKS  150

/* How a tick may differ from the one before: whatever a kept move depends on. */
typedef struct Habits
{
    bool collide, changes_dt, changes_contacts, renews_world;
} Habits;

/* An agent walks for 40 ticks and stands for as many, a third always stands. */
static bool stands(uint64_t id, uint32_t tick)
{
    return id % 3 == 0 || (tick / 40 + id) % 2 == 0;
}

static sidle_tick_desc standing_tick(Troop *troop, const Scene *level, uint32_t number, const Habits *habits)
{
    sidle_tick_desc tick = troop_tick(troop, level, number);
    for (uint32_t i = 0; i < troop->count; ++i)
    {
        sidle_move *move = &troop->moves[i];
        if (stands(move->id, number))
        {
            move->displacement = (sidle_vec3){0, 0, 0};
        }
        bool is_silent = habits->changes_contacts && (number / 7 + move->id) % 4 == 0;
        move->flags = is_silent ? (uint32_t)SIDLE_MOVE_NO_CONTACTS : 0;
    }
    tick.flags = habits->collide ? (uint32_t)SIDLE_TICK_AGENTS_COLLIDE : 0;
    if (habits->changes_dt && number % 11 > 5)
    {
        tick.dt /= 2;
    }
    if (habits->changes_contacts && number % 5 == 0)
    {
        tick.contacts = NULL;
        tick.contact_capacity = 0;
    }
    return tick;
}

static bool same_result(const Troop *one, const Troop *other, uint32_t agent, bool with_contacts)
{
    const sidle_result *a = &one->results[agent], *b = &other->results[agent];
    bool same = memcmp(&a->body, &b->body, sizeof a->body) == 0 && a->reasons == b->reasons &&
                a->contact_count == b->contact_count && a->impact_speed == b->impact_speed;
    return same &&
           (!with_contacts || memcmp(&one->contacts[a->contact_first], &other->contacts[b->contact_first],
                                     a->contact_count * sizeof *one->contacts) == 0);
}

/* One crowd that keeps what it can beside a new crowd for each tick. */
static void expect_no_difference(Habits habits)
{
    Scene level = troop_level();
    Troop one = troop_of(AGENTS), two = troop_of(AGENTS);
    sidle_crowd *keeps = troop_crowd(0, NULL);
    uint32_t wrong = 0, still = 0;
    for (uint32_t number = 0; number < TICKS; ++number)
    {
        if (habits.renews_world && number % 20 == 0)
        {
            sidle_pose pose = {.position = {0, number % 40 ? .25 : 0, 0}};
            demand(sidle_world_teleport(level.world, level.instances[0], &pose), "sidle_world_teleport");
            demand(sidle_world_commit(level.world, NULL), "sidle_world_commit");
            sidle_snapshot_release(level.snapshot);
            demand(sidle_world_snapshot(level.world, &level.snapshot), "sidle_world_snapshot");
        }
        sidle_crowd *fresh = troop_crowd(0, NULL);
        sidle_tick_desc tick = standing_tick(&one, &level, number, &habits);
        bool with_contacts = tick.contacts != NULL;
        demand(sidle_crowd_tick(keeps, &tick), "sidle_crowd_tick");
        tick = standing_tick(&two, &level, number, &habits);
        demand(sidle_crowd_tick(fresh, &tick), "sidle_crowd_tick");
        sidle_crowd_destroy(fresh);
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            wrong += !same_result(&one, &two, i, with_contacts);
            still += memcmp(&one.moves[i].body, &one.results[i].body, sizeof one.moves[i].body) == 0;
            one.moves[i].body = one.results[i].body;
            two.moves[i].body = two.results[i].body;
        }
    }
    cr_expect(wrong == 0, "%u of %u results differ", wrong, AGENTS * TICKS);
    cr_expect(still > AGENTS * TICKS / 5, "only %u of %u moves led to where they began", still,
              AGENTS * TICKS);
    sidle_crowd_destroy(keeps);
    troop_free(&one);
    troop_free(&two);
    scene_close(&level);
}

Test(rest, what_is_kept_changes_no_bit)
{
    expect_no_difference((Habits){.collide = false});
}

Test(rest, neighbours_wake_standing_agents)
{
    expect_no_difference((Habits){.collide = true});
}

Test(rest, another_tick_length_or_other_contacts_are_another_move)
{
    expect_no_difference((Habits){.changes_dt = true, .changes_contacts = true});
    expect_no_difference((Habits){.collide = true, .changes_dt = true, .changes_contacts = true});
}

Test(rest, a_floor_that_moves_away_wakes_standing_agents)
{
    expect_no_difference((Habits){.renews_world = true});
    expect_no_difference((Habits){.collide = true, .renews_world = true});
}
