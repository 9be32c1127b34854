#include "support/steered.h"

#include <stdlib.h>

static SteeredForm whole_form(SteeredForm form)
{
    if (form.rate == 0)
    {
        form.rate = 60;
    }
    if (form.shape.radii.x == 0)
    {
        form.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    }
    return form;
}

static float dt_of(const Steered *steered)
{
    return 1 / (float)steered->form.rate;
}

Steered *steered_open(Soup soup, SteeredForm form)
{
    Steered *steered = calloc(1, sizeof *steered);
    if (steered == NULL)
    {
        abort();
    }
    steered->form = whole_form(form);
    SceneOptions options = walking_ball();
    options.profile.shape = steered->form.shape;
    options.dt = dt_of(steered);
    options.lanes = form.lanes;
    steered->scene = scene_of(soup, options);
    return steered;
}

void steered_close(Steered *steered)
{
    scene_close(&steered->scene);
    free(steered);
}

sidle_move *steered_add(Steered *steered, double x, double z, double goal_x, double goal_z)
{
    uint32_t person = steered->count++;
    steered->goals[person] = vector(goal_x, 0, goal_z);
    steered->moves[person] = (sidle_move){.id = 100 + 7 * person, .body.center = {x, .92, z}};
    return &steered->moves[person];
}

Vector steered_place(const Steered *steered, uint32_t person)
{
    sidle_position center = steered->moves[person].body.center;
    return vector(center.x, 0, center.z);
}

double steered_left(const Steered *steered, uint32_t person)
{
    return vector_distance(steered_place(steered, person), steered->goals[person]);
}

void steered_wish(Steered *steered)
{
    for (uint32_t i = 0; i < steered->count; ++i)
    {
        Vector path = vector_sub(steered->goals[i], steered_place(steered, i));
        double length = fmin(STEERED_PACE / steered->form.rate, vector_length(path));
        Vector wish = vector_scale(vector_unit(path), length);
        steered->moves[i].displacement = (sidle_vec3){(float)wish.x, 0, (float)wish.z};
    }
}

sidle_steer_desc steered_desc(Steered *steered)
{
    return (sidle_steer_desc){.size = sizeof(sidle_steer_desc),
                              .snapshot = steered->scene.snapshot,
                              .jobs = steered->jobs,
                              .dt = dt_of(steered),
                              .moves = steered->moves,
                              .count = steered->count,
                              .displacements = &steered->moves->displacement,
                              .displacement_stride = sizeof *steered->moves};
}

/* Steers one agent in `period`. All take the first turn. */
static void steer_in_turn(Steered *steered)
{
    sidle_steer_desc desc = steered_desc(steered);
    desc.displacements = steered->kept;
    desc.displacement_stride = 0;
    desc.period = steered->turn == 0 ? 1 : steered->period;
    desc.turn = steered->turn++;
    demand(sidle_steer(steered->scene.crowd, &desc), "sidle_steer");
    for (uint32_t i = 0; i < steered->count; ++i)
    {
        steered->moves[i].displacement = steered->kept[i];
    }
}

void steered_step(Steered *steered)
{
    steered_wish(steered);
    if (!steered->is_unsteered)
    {
        steer_in_turn(steered);
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = steered->scene.snapshot,
                            .jobs = steered->jobs,
                            .dt = dt_of(steered),
                            .moves = steered->moves,
                            .count = steered->count,
                            .results = steered->results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(steered->scene.crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < steered->count; ++i)
    {
        steered->moves[i].body = steered->results[i].body;
    }
}

void steered_walk(Steered *steered, int ticks)
{
    for (int i = 0; i < ticks; ++i)
    {
        steered_step(steered);
    }
}

double steered_arrival(Steered *steered, double share, double near, double most)
{
    for (int tick = 1; tick <= most * steered->form.rate; ++tick)
    {
        steered_step(steered);
        uint32_t arrived = 0;
        for (uint32_t i = 0; i < steered->count; ++i)
        {
            arrived += steered_left(steered, i) < near;
        }
        if (arrived >= share * steered->count)
        {
            return tick / (double)steered->form.rate;
        }
    }
    return most;
}

uint64_t steered_hash(const Steered *steered)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < steered->count; ++i)
    {
        Agent agent = {.body = steered->moves[i].body, .id = steered->moves[i].id};
        sum += agents_hash(&agent, 1) * (2 * agent.id + 1);
    }
    return sum;
}

Steered *steered_streams(uint32_t count, SteeredForm form)
{
    Soup soup = {0};
    soup_plate(&soup, -90, 90, -4, 4, 0);
    soup_quad(&soup, vector(-90, 0, -2), vector(90, 0, -2), vector(90, 3, -2), vector(-90, 3, -2));
    soup_quad(&soup, vector(90, 0, 2), vector(-90, 0, 2), vector(-90, 3, 2), vector(90, 3, 2));
    Steered *steered = steered_open(soup, form);
    Random random = random_seeded(7 + form.seed);
    for (uint32_t i = 0; i < count; ++i)
    {
        int side = i % 2 ? 1 : -1, row = (int)i / 6, column = (int)i / 2 % 3;
        double x = side * (4 + row + .15 * random_unit(&random));
        double z = 1.2 * (column - 1) + random_between(&random, -.15, .15);
        steered_add(steered, x, z, -side * 60, z);
    }
    return steered;
}

Steered *steered_circle(uint32_t count, SteeredForm form)
{
    Soup soup = {0};
    double radius = count * .95 / 6.283185307179586;
    soup_plate(&soup, -60, 60, -60, 60, 0);
    Steered *steered = steered_open(soup, form);
    Random random = random_seeded(8 + form.seed);
    for (uint32_t i = 0; i < count; ++i)
    {
        double angle = 6.283185307179586 * i / count, from = radius + random_between(&random, -.3, .3);
        double x = from * cos(angle), z = from * sin(angle);
        steered_add(steered, x, z, -x, -z);
    }
    return steered;
}
