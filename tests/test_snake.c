/* A body of many parts that crawls beside agents: as one mesh that is refitted, and as an instance a part. */
#include "support/sheet.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

#define PART_TRIANGLES 16
#define PART_SIDES     8
#define PART_LENGTH    .5
#define AGENTS         9
#define TICKS          40

static double sway(double x, double phase)
{
    return sin(.4 * x + phase);
}

/* Tubes of sixteen triangles along x, in the tree of another snake; NULL: baked. */
static sidle_mesh *snake(const sidle_mesh *from, uint32_t parts, double phase)
{
    uint32_t rings = parts + 1;
    float(*vertices)[3] = calloc((size_t)rings * PART_SIDES, sizeof *vertices);
    uint32_t(*indices)[3] = calloc((size_t)parts * PART_TRIANGLES, sizeof *indices);
    for (uint32_t i = 0; i < rings * PART_SIDES; ++i)
    {
        double x = PART_LENGTH * (i / PART_SIDES - .5 * parts),
               angle = i % PART_SIDES * (6.283185307 / PART_SIDES);
        vertices[i][0] = (float)x;
        vertices[i][1] = (float)(.3 * cos(angle));
        vertices[i][2] = (float)(.3 * sin(angle) + sway(x, phase));
    }
    for (uint32_t i = 0; i < parts * PART_TRIANGLES; ++i)
    {
        uint32_t side = i / 2 % PART_SIDES, at = i / PART_TRIANGLES * PART_SIDES,
                 next = (side + 1) % PART_SIDES;
        indices[i][0] = i % 2 ? at + PART_SIDES + next : at + side;
        indices[i][1] = i % 2 ? at + next : at + PART_SIDES + side;
        indices[i][2] = i % 2 ? at + PART_SIDES + side : at + next;
    }
    sidle_mesh *mesh;
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = &vertices[0][0],
                            .vertex_count = rings * PART_SIDES,
                            .triangle_count = parts * PART_TRIANGLES,
                            .indices = &indices[0][0]};
    demand(from ? sidle_mesh_refit(from, &desc, NULL, NULL, &mesh)
                : sidle_mesh_create(&desc, NULL, NULL, &mesh),
           "sidle_mesh_create or _refit");
    free(vertices);
    free(indices);
    return mesh;
}

typedef struct Snake
{
    sidle_world *world;
    sidle_mesh *mesh; /* of all parts, or of each */
    sidle_instance *parts;
    uint32_t part_count, instance_count;
} Snake;

static sidle_pose pose_of(const Snake *body, uint32_t part, double phase)
{
    double x = body->instance_count == 1 ? 0 : PART_LENGTH * (part - .5 * body->part_count);
    return (sidle_pose){.position = {x, 0, body->instance_count == 1 ? 0 : sway(x, phase)}};
}

static Snake snake_of(uint32_t parts, bool as_one_mesh)
{
    Snake body = {.mesh = snake(NULL, as_one_mesh ? parts : 1, 0),
                  .parts = calloc(parts, sizeof *body.parts),
                  .part_count = parts,
                  .instance_count = as_one_mesh ? 1 : parts};
    demand(sidle_world_create(NULL, NULL, &body.world), "sidle_world_create");
    for (uint32_t i = 0; i < body.instance_count; ++i)
    {
        sidle_instance_desc desc = {
            .size = sizeof desc, .mesh = body.mesh, .key = i, .pose = pose_of(&body, i, 0)};
        demand(sidle_world_add(body.world, &desc, &body.parts[i]), "sidle_world_add");
    }
    return body;
}

static void crawl(Snake *body, double phase)
{
    if (body->instance_count == 1)
    {
        sidle_mesh *next = snake(body->mesh, body->part_count, phase);
        sidle_mesh_release(body->mesh);
        body->mesh = next;
        demand(sidle_world_replace(body->world, body->parts[0], next), "sidle_world_replace");
        return;
    }
    for (uint32_t i = 0; i < body->part_count; ++i)
    {
        sidle_pose to = pose_of(body, i, phase);
        demand(sidle_world_move(body->world, body->parts[i], NULL, &to), "sidle_world_move");
    }
}

/* Flying agents press against it from one side. */
static sidle_stats counted(uint32_t parts, bool as_one_mesh)
{
    Snake body = snake_of(parts, as_one_mesh);
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .4f, .4f}, .mode = SIDLE_FLY};
    sidle_crowd_desc crowd_desc = {.size = sizeof crowd_desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&crowd_desc, NULL, &crowd), "sidle_crowd_create");
    sidle_stats stats = {.size = sizeof stats};
    sidle_move moves[AGENTS] = {{0}};
    sidle_result results[AGENTS];
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].body.center = (sidle_position){i - 4., .01 * i, 1.8};
        moves[i].displacement = (sidle_vec3){0, 0, -.02f};
    }
    for (uint32_t number = 0; number < TICKS; ++number)
    {
        crawl(&body, .05 * number);
        sidle_snapshot *snapshot = sheet_snapshot(body.world);
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = AGENTS,
                                .results = results,
                                .stats = &stats};
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
        sidle_snapshot_release(snapshot);
    }
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(body.world);
    sidle_mesh_release(body.mesh);
    free(body.parts);
    return stats;
}

/* Parts that are not near the agents cost them nothing. */
static void expect_equal_work(bool as_one_mesh)
{
    sidle_stats of_short = counted(50, as_one_mesh), of_long = counted(1000, as_one_mesh);
    cr_expect(of_short.candidates > 500 && of_short.hit_face > 0);
    cr_expect_eq(of_short.leaf_triangles, of_long.leaf_triangles);
    cr_expect_eq(of_short.candidates, of_long.candidates);
    cr_expect_eq(of_short.sweeps, of_long.sweeps);
}

Test(snake, of_one_mesh_only_the_parts_near_an_agent_are_looked_at)
{
    expect_equal_work(true);
}

Test(snake, of_many_instances_only_the_parts_near_an_agent_are_looked_at)
{
    expect_equal_work(false);
}
