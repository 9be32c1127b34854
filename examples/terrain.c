/* A world without triangles of your own: hills of 16-bit heights with a cave's mouth, a pond, boulders and crates. A swimmer sinks
 * through the pond's surface, on which all others stand. The example checks that itself. */
#include <math.h>
#include <sidle/sidle.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE  65 /* samples */
#define WATER 4  /* a surface */

static void must(sidle_status status)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "%s\n", sidle_status_text(status));
        exit(1);
    }
}

/* Hills up to 4 m high, and a hollow for the pond in the middle. */
static sidle_mesh *hills(void)
{
    static uint16_t heights[SIDE * SIDE];
    static uint8_t surfaces[(SIDE - 1) * (SIDE - 1)];
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        double x = i % SIDE - SIDE / 2, z = i / SIDE - SIDE / 2, far = sqrt(x * x + z * z);
        double y = far < 6 ? far * far / 18 - 2 : 2 * (1 - cos((far - 6) / 6));
        heights[i] = (uint16_t)(10000 * (y + 2));
    }
    surfaces[50 * (SIDE - 1) + 50] = SIDLE_FIELD_HOLE; /* the mouth of a cave */
    sidle_field_desc desc = {.size = sizeof desc,
                             .heights = heights,
                             .columns = SIDE,
                             .rows = SIDE,
                             .spacing_x = 1,
                             .spacing_z = 1,
                             .scale = 1e-4f,
                             .base = -2,
                             .surfaces = surfaces,
                             .origin = {-SIDE / 2, 0, -SIDE / 2}};
    sidle_mesh *mesh;
    must(sidle_mesh_create_field(&desc, NULL, &mesh));
    return mesh;
}

static void put(sidle_world *world, sidle_mesh *mesh, double x, double y, double z)
{
    sidle_instance instance;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh, .pose.position = {x, y, z}};
    must(sidle_world_add(world, &desc, &instance));
    sidle_mesh_release(mesh); /* the world has its own reference */
}

static sidle_mesh *solid(uint32_t kind, sidle_vec3 half, float radius, uint32_t surface)
{
    sidle_solid_desc desc = {
        .size = sizeof desc, .kind = kind, .half_extents = half, .radius = radius, .surface = surface};
    sidle_mesh *mesh;
    must(sidle_mesh_create_solid(&desc, NULL, &mesh));
    return mesh;
}

/* Where an agent that ignores these surfaces comes to rest. */
static double rest_height(sidle_snapshot *snapshot, sidle_crowd *crowd, double x, double z, uint32_t ignored)
{
    sidle_move move = {.id = 1, .body.center = {x, 9, z}, .ignored_surfaces = ignored};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = &move,
                            .results = &result,
                            .count = 1};
    for (int i = 0; i < 180; ++i)
    {
        must(sidle_crowd_tick(crowd, &tick));
        move.body = result.body;
    }
    return move.body.center.y - .9; /* of the feet */
}

int main(void)
{
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    const sidle_profile person = {.size = sizeof person, .shape.radii = {.4f, .9f, .4f}};
    const sidle_crowd_desc people = {.size = sizeof people, .profiles = &person, .profile_count = 1};
    must(sidle_world_create(NULL, NULL, &world));
    put(world, hills(), 0, 0, 0);
    put(world, solid(SIDLE_SOLID_BOX, (sidle_vec3){5, .05f, 5}, 0, WATER), 0, -.05, 0);
    put(world, solid(SIDLE_SOLID_BALL, (sidle_vec3){0, 0, 0}, 2, 0), 12, 1, 0);
    put(world, solid(SIDLE_SOLID_BOX, (sidle_vec3){1, 1, 1}, 0, 0), -12, 3, 0);
    must(sidle_world_commit(world, NULL));
    must(sidle_world_snapshot(world, &snapshot));
    must(sidle_crowd_create(&people, NULL, &crowd));
    double walker = rest_height(snapshot, crowd, 0, 0, 0),
           swimmer = rest_height(snapshot, crowd, 0, 0, 1u << WATER),
           climber = rest_height(snapshot, crowd, -12, 0, 0),
           caver = rest_height(snapshot, crowd, 18.5, 18.5, 0);
    printf("on the pond %.2f, in it %.2f, on the crate %.2f, in the cave's mouth %.0f\n", walker, swimmer,
           climber, caver);
    sidle_crowd_destroy(crowd);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return !(fabs(walker) < .1 && fabs(swimmer + 2) < .2 && fabs(climber - 4) < .1 && caver < -9);
}
