/* The same triangles in worlds of different make, and in crowds with another past: no agent moves by a bit
 * otherwise. */
#include "support/troop.h"
#include "support/variants.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <string.h>

typedef struct Rerun
{
    VariantForm form;
    bool renews;        /* a new epoch for every tick: nothing found in an earlier one is of use */
    bool starts_afresh; /* a new crowd for every tick */
} Rerun;

static bool same_contacts(const Troop *one, const Troop *other, uint32_t agent)
{
    const sidle_result *a = &one->results[agent], *b = &other->results[agent];
    bool same = a->contact_count == b->contact_count;
    for (uint32_t index = 0; same && index < a->contact_count; ++index)
    {
        const sidle_contact *p = &one->contacts[a->contact_first + index];
        const sidle_contact *q = &other->contacts[b->contact_first + index];
        same = p->agent == q->agent && memcmp(&p->point, &q->point, sizeof p->point) == 0 &&
               memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 && p->surface == q->surface &&
               p->feature == q->feature;
    }
    return same;
}

static bool same_body(const sidle_body *a, const sidle_body *b)
{
    return memcmp(&a->center, &b->center, sizeof a->center) == 0 &&
           memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0 &&
           memcmp(&a->ground_normal, &b->ground_normal, sizeof a->ground_normal) == 0 &&
           a->ground_surface == b->ground_surface && a->flags == b->flags;
}

/* A stuck agent begins inside several triangles and hits them at the same time, 0. Where ties may go to
 * another triangle, such an agent goes on in both worlds as it did in the first. */
static uint32_t differences(const Troop *one, Troop *other, bool ties_may_differ)
{
    uint32_t count = 0;
    for (uint32_t agent = 0; agent < one->count; ++agent)
    {
        const sidle_result *a = &one->results[agent];
        sidle_result *b = &other->results[agent];
        bool same = same_body(&a->body, &b->body) && a->reasons == b->reasons &&
                    a->impact_speed == b->impact_speed && same_contacts(one, other, agent);
        if (!same && ties_may_differ && (a->reasons & SIDLE_REASON_STUCK))
        {
            b->body = a->body;
            continue;
        }
        count += !same;
    }
    return count;
}

static void run_tick(sidle_crowd *crowd, Troop *troop, const Variant *variant, uint32_t number)
{
    Scene level = {.snapshot = variant->snapshot};
    sidle_tick_desc tick = troop_tick(troop, &level, number);
    for (uint32_t agent = 0; agent < troop->count; ++agent)
    {
        sidle_body *body = &troop->moves[agent].body;
        body->center = variant_on_grid(body->center);
    }
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
}

/* Agents of every mode and shape, side by side in the soup as one mesh and in another make of it. */
static void expect_same_moves(const Soup *soup, Rerun rerun)
{
    Variant plain = variant_of(soup, VARIANT_ONE_MESH), variant = variant_of(soup, rerun.form);
    sidle_crowd *crowd = troop_crowd(0, NULL), *other = troop_crowd(0, NULL);
    Troop one = troop_of(300), two = troop_of(300);
    uint32_t wrong = 0, contacts = 0;
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        run_tick(crowd, &one, &plain, tick);
        run_tick(other, &two, &variant, tick);
        wrong += differences(&one, &two, rerun.form == VARIANT_MESH_SHUFFLED);
        contacts += one.contact_count;
        troop_take(&one);
        troop_take(&two);
        if (rerun.renews)
        {
            variant_renew(&variant);
        }
        if (rerun.starts_afresh)
        {
            sidle_crowd_destroy(other);
            other = troop_crowd(0, NULL);
        }
    }
    cr_expect_eq(wrong, 0, "form %d: %u differences", (int)rerun.form, wrong);
    cr_expect(contacts > 3000, "hardly any contacts: %u", contacts);
    troop_free(&one);
    troop_free(&two);
    sidle_crowd_destroy(crowd);
    sidle_crowd_destroy(other);
    variant_close(&plain);
    variant_close(&variant);
}

/* Any triangles; a grid, where neighbours are hit at the same time; ground and boxes. */
static Soup soup_of_kind(int kind)
{
    Soup soup = {0};
    Random random = random_seeded(303);
    if (kind == 0)
    {
        soup_scatter(&soup, &random, 1500, 24.0);
        soup_stretch(&soup, vector(1.0, 0.15, 1.0));
    }
    else if (kind == 1)
    {
        soup_grid(&soup, 25, 2.0, 0.0);
    }
    else
    {
        Scene level = troop_level();
        soup = soup_copy(&level.soup);
        scene_close(&level);
    }
    variant_soup_on_grid(&soup);
    return soup;
}

static void expect_same_moves_everywhere(Rerun rerun)
{
    for (int kind = 0; kind < 3; ++kind)
    {
        Soup soup = soup_of_kind(kind);
        expect_same_moves(&soup, rerun);
        soup_free(&soup);
    }
}

Test(variants, a_mesh_cut_into_instances_of_two_triangles_moves_agents_the_same)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_QUADS});
}

Test(variants, a_mesh_cut_into_instances_of_one_triangle_moves_agents_the_same)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_TRIANGLES});
}

Test(variants, keys_decide_ties_whatever_the_order_of_the_instances)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_INSTANCES_SHUFFLED});
}

/* Without shared edges there are hardly any ties, and else a triangle's place in the mesh decides nothing. */
Test(variants, the_order_of_the_triangles_of_a_mesh_changes_no_bit)
{
    Soup soup = soup_of_kind(0);
    expect_same_moves(&soup, (Rerun){.form = VARIANT_MESH_SHUFFLED});
    soup_free(&soup);
}

Test(variants, triangles_far_away_change_no_bit)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_MORE_IN_MESH});
    expect_same_moves_everywhere((Rerun){.form = VARIANT_MORE_INSTANCES});
}

Test(variants, a_new_epoch_for_every_tick_changes_no_bit)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_ONE_MESH, .renews = true});
}

Test(variants, a_new_crowd_and_a_new_epoch_for_every_tick_change_no_bit)
{
    expect_same_moves_everywhere(
        (Rerun){.form = VARIANT_MORE_INSTANCES, .renews = true, .starts_afresh = true});
}

/* What a crowd found in one level is of no use in another: the same agents, in both by turns. */
Test(variants, a_crowd_that_alternates_between_two_levels_keeps_no_triangles_of_the_other)
{
    Soup soups[2] = {soup_of_kind(0), soup_of_kind(2)};
    Variant levels[2] = {variant_of(&soups[0], VARIANT_ONE_MESH), variant_of(&soups[1], VARIANT_ONE_MESH)};
    sidle_crowd *shared = troop_crowd(0, NULL), *own[2] = {troop_crowd(0, NULL), troop_crowd(0, NULL)};
    Troop troops[4] = {troop_of(300), troop_of(300), troop_of(300), troop_of(300)};
    uint32_t wrong = 0;
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        for (int level = 0; level < 2; ++level)
        {
            run_tick(shared, &troops[level], &levels[level], tick);
            run_tick(own[level], &troops[2 + level], &levels[level], tick);
            wrong += differences(&troops[level], &troops[2 + level], false);
            troop_take(&troops[level]);
            troop_take(&troops[2 + level]);
        }
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
    sidle_crowd_destroy(shared);
    for (int index = 0; index < 4; ++index)
    {
        troop_free(&troops[index]);
        if (index < 2)
        {
            sidle_crowd_destroy(own[index]);
            variant_close(&levels[index]);
            soup_free(&soups[index]);
        }
    }
}

/* ---- float lanes and double ones ---- */

/* Two floors in one plane, one so large that only double serves it, hit at exactly the same time: all numbers
 * in between have few binary digits. */
static uint32_t floor_hit_first(bool large_first, uint32_t lanes)
{
    Soup soup = {0};
    for (int index = 0; index < 2; ++index)
    {
        double size = (index == 0) == large_first ? 0x1p20 : 8.0;
        soup_triangle(&soup, vector(-size, 0, -size), vector(-size, 0, 2.0 * size),
                      vector(2.0 * size, 0, -size));
    }
    SceneOptions options = flying_ball();
    options.profile.skin = 0x1p-5f;
    options.lanes = lanes;
    Scene scene = scene_of(soup, options);
    Agent agent = agent_at(1, 3, 1);
    scene_tick(&scene, &agent, vector(0, -4, 0));
    cr_assert_eq(agent.contact_count, 1);
    uint32_t triangle = agent.contacts[0].triangle;
    scene_close(&scene);
    return triangle;
}

Test(variants, a_tie_of_float_and_double_lanes_goes_to_the_first_triangle_too)
{
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t width = 0; width < width_count; ++width)
    {
        cr_expect_eq(floor_hit_first(false, widths[width]->lane_count), 0);
        cr_expect_eq(floor_hit_first(true, widths[width]->lane_count), 0);
    }
}
