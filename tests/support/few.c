#include "support/few.h"

void tick_few_at(Few *few, float dt)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few->scene.snapshot,
                            .dt = dt,
                            .moves = few->moves,
                            .count = few->count,
                            .results = few->results,
                            .contacts = few->contacts,
                            .contact_capacity = FEW * SIDLE_MAX_AGENT_CONTACTS,
                            .contact_count = &few->contact_count,
                            .flags = few->flags};
    demand(sidle_crowd_tick(few->scene.crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < few->count; ++i)
    {
        few->moves[i].body = few->results[i].body;
    }
}

void tick_few(Few *few)
{
    tick_few_at(few, 1.0f / 60);
}

Few few_of(uint32_t count, double apart)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    Few few = {.scene = scene_of(soup, options), .count = count};
    for (uint32_t i = 0; i < count; ++i)
    {
        few.moves[i] = (sidle_move){.id = 10 + i, .body = {.center = {apart * i, .92, 0}}};
    }
    for (int i = 0; i < 3; ++i)
    {
        tick_few(&few);
    }
    few.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return few;
}

void walk_first(Few *few, double seconds)
{
    few->moves[0].displacement.x = 1.4f / 60;
    for (int i = 0; i < (int)(seconds * 60); ++i)
    {
        tick_few(few);
    }
}

double x_of(const Few *few, uint32_t i)
{
    return few->moves[i].body.center.x;
}
