/* Moves a few agents in a small soup for some ticks through the public API. Checks:
 * - results are finite; a path in the world is no longer than asked; a path without contacts is whole and straight
 * - no agent leaves a closed box, enters a closed solid, or sinks below the swept shell
 * - contacts lie on the triangles they name
 * - every width, other agents beside it, and a start from a kept state give the same bits
 * - so do a tick without any shortcut, a crowd without caches, and frames that are made as those of rotated agents. */
#include "fuzz.h"
#include "slide_stage.h"

#include <string.h>

/* ---- same bits: field by field, since the padding between them may differ ---- */

#define SAME(a, b, field) (memcmp(&(a)->field, &(b)->field, sizeof(a)->field) == 0)

static bool same_result(const sidle_result *a, const sidle_result *b)
{
    return SAME(a, b, body.center) && SAME(a, b, body.velocity) && SAME(a, b, body.ground_normal) &&
           SAME(a, b, body.ground) && SAME(a, b, body.ground_triangle) && SAME(a, b, body.ground_surface) &&
           SAME(a, b, body.flags) && SAME(a, b, reasons) && SAME(a, b, contact_count) &&
           SAME(a, b, impact_speed);
}

static bool same_contact(const sidle_contact *a, const sidle_contact *b)
{
    return SAME(a, b, agent) && SAME(a, b, instance_key) && SAME(a, b, point) && SAME(a, b, normal) &&
           SAME(a, b, instance) && SAME(a, b, triangle) && SAME(a, b, surface) && SAME(a, b, feature);
}

/* The agents of `a` from `first` on are those of `b`. */
static bool same_moved(const Moved *a, uint32_t first, const Moved *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const sidle_result *x = &a->results[first + i], *y = &b->results[i];
        if (!same_result(x, y))
        {
            return false;
        }
        for (uint32_t k = 0; k < x->contact_count; ++k)
        {
            if (!same_contact(&a->contacts[x->contact_first + k], &b->contacts[y->contact_first + k]))
            {
                return false;
            }
        }
    }
    return true;
}

/* ---- whole runs ---- */

static void set_wishes(const Stage *stage, sidle_move *moves, uint32_t number)
{
    for (uint32_t i = 0; i < stage->input->agent_count; ++i)
    {
        moves[i].displacement = stage->input->wishes[number][i];
    }
}

static void take(sidle_move *moves, const Moved *moved, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        moves[i].body = moved->results[i].body;
    }
}

static void clear_sign_of_zero(sidle_vec3 *v)
{
    v->x += 0, v->y += 0, v->z += 0;
}

/* Makes every -0 a 0: a product with a diagonal matrix keeps the sign of a zero, one with a whole matrix does not. */
static void clear_signs_of_zero(Moved *moved, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_body *body = &moved->results[i].body;
        clear_sign_of_zero(&body->velocity);
        clear_sign_of_zero(&body->ground_normal);
        body->center.x += 0, body->center.y += 0, body->center.z += 0;
    }
    for (uint32_t i = 0; i < moved->contact_count; ++i)
    {
        sidle_contact *contact = &moved->contacts[i];
        clear_sign_of_zero(&contact->normal);
        contact->point.x += 0, contact->point.y += 0, contact->point.z += 0;
    }
}

/* A frame that is not the profile's upright one, although it has the same numbers: quaternions of any length are taken. */
static void turn_by_nothing(const Stage *stage, const sidle_move *moves, sidle_move *out)
{
    for (uint32_t i = 0; i < stage->input->agent_count; ++i)
    {
        sidle_quat q = moves[i].rotation;
        bool is_upright = q.x == 0 && q.y == 0 && q.z == 0;
        out[i] = moves[i];
        out[i].rotation = is_upright ? (sidle_quat){0, 0, 0, 2} : q;
    }
}

/* The general functions give these bits, too: see src/crowd/cover.inl (is_free), rest.h, narrow/gather.inl (the cache), request.inl
 * (take_frame). */
static void compare_without_shortcuts(const Stage *stage, const sidle_move *moves, const Moved *moved)
{
    uint32_t count = stage->input->agent_count;
    sidle_move turned[SLIDE_AGENTS];
    Moved counted = stage_tick_counted(stage, stage->crowd_count - 1, moves, count);
    fuzz_demand(same_moved(moved, 0, &counted, count), "counting changes a move");
    Moved afresh = stage_tick_afresh(stage, moves, count);
    fuzz_demand(same_moved(moved, 0, &afresh, count), "what a crowd keeps changes a move");
    turn_by_nothing(stage, moves, turned);
    Moved general = stage_tick(stage, stage->crowd_count - 1, turned, count);
    Moved upright = *moved;
    clear_signs_of_zero(&upright, count);
    clear_signs_of_zero(&general, count);
    fuzz_demand(same_moved(&upright, 0, &general, count), "a rotation by nothing changes a move");
}

/* Every width gives these bits, and so does an agent alone. */
static void compare(const Stage *stage, const sidle_move *moves, const Moved *moved, uint32_t alone)
{
    for (uint32_t i = 1; i < stage->crowd_count; ++i)
    {
        Moved wide = stage_tick(stage, i, moves, stage->input->agent_count);
        fuzz_demand(same_moved(moved, 0, &wide, stage->input->agent_count), "another width, another end");
    }
    Moved single = stage_tick(stage, 0, &moves[alone], 1);
    fuzz_demand(same_moved(moved, alone, &single, 1), "another company, another end");
}

/* All agents through the ticks from `first` on. */
static void run(const Stage *stage, sidle_move *moves, uint32_t first, uint32_t end)
{
    uint32_t count = stage->input->agent_count;
    for (uint32_t number = first; number < end; ++number)
    {
        set_wishes(stage, moves, number);
        Moved moved = stage_tick(stage, 0, moves, count);
        stage_check(stage, moves, &moved);
        compare(stage, moves, &moved, number % count);
        compare_without_shortcuts(stage, moves, &moved);
        take(moves, &moved, count);
    }
}

/* Back to the state in the middle, and from there on at another width. */
static void roll_back(const Stage *stage, sidle_move *kept, const sidle_move *moves)
{
    const SlideInput *input = stage->input;
    for (uint32_t number = input->tick_count / 2; number < input->tick_count; ++number)
    {
        set_wishes(stage, kept, number);
        Moved moved = stage_tick(stage, stage->crowd_count - 1, kept, input->agent_count);
        take(kept, &moved, input->agent_count);
    }
    for (uint32_t i = 0; i < input->agent_count; ++i)
    {
        fuzz_demand(SAME(&kept[i], &moves[i], body.center) && SAME(&kept[i], &moves[i], body.velocity),
                    "back to a kept state, and on to another end");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SlideInput input;
    slide_input_decode(data, size, &input);
    Stage stage = stage_of(&input);
    sidle_move moves[SLIDE_AGENTS], kept[SLIDE_AGENTS];
    memcpy(moves, input.moves, sizeof moves);
    run(&stage, moves, 0, input.tick_count / 2);
    memcpy(kept, moves, sizeof kept);
    run(&stage, moves, input.tick_count / 2, input.tick_count);
    roll_back(&stage, kept, moves);
    stage_close(&stage);
    soup_free(&input.soup);
    return 0;
}
