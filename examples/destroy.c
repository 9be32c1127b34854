/* A wall of bricks: a person walks against it, an explosion takes some bricks out, and the person walks through the hole. */
#include "courtyard.h"

#define DT      (1 / 60.f)
#define COLUMNS 8
#define ROWS    5
#define Z       5 /* of its middle, beside the pillars */
#define BRICKS  (COLUMNS * ROWS)

/* Of each brick one face, of .5 by .5 m, at x = 2 m. */
typedef struct Wall
{
    float corners[BRICKS][4][3];
    uint32_t indices[BRICKS][2][3];
} Wall;

static void build(Wall *wall)
{
    for (uint32_t brick = 0; brick < BRICKS; ++brick)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            float *v = wall->corners[brick][i];
            v[0] = 2;
            v[1] = .5f * (float)(brick / COLUMNS + i / 2);
            v[2] = Z + .5f * (float)(brick % COLUMNS + i % 2) - .25f * COLUMNS;
        }
        const uint32_t at = 4 * brick, of[2][3] = {{at, at + 1, at + 2}, {at + 1, at + 3, at + 2}};
        for (uint32_t i = 0; i < 6; ++i)
        {
            wall->indices[brick][i / 3][i % 3] = of[i / 3][i % 3];
        }
    }
}

/* Bricks near the middle, up to 2 m above the ground, have no triangles any more. */
static void explode(Wall *wall)
{
    for (uint32_t brick = 0; brick < BRICKS; ++brick)
    {
        uint32_t column = brick % COLUMNS, row = brick / COLUMNS;
        if (column >= 2 && column < 6 && row < 4)
        {
            wall->indices[brick][0][0] = wall->indices[brick][1][0] = SIDLE_NO_TRIANGLE;
        }
    }
}

static sidle_mesh_desc desc_of(const Wall *wall)
{
    return (sidle_mesh_desc){.size = sizeof(sidle_mesh_desc),
                             .vertices_f = wall->corners[0][0],
                             .vertex_count = 4 * BRICKS,
                             .indices = wall->indices[0][0],
                             .triangle_count = 2 * BRICKS};
}

/* Commits, and lets the person walk along x for so many seconds. */
static void walk(sidle_world *world, sidle_crowd *crowd, sidle_move *person, float seconds)
{
    sidle_snapshot *snapshot;
    sidle_result result;
    must(sidle_world_commit(world, NULL));
    must(sidle_world_snapshot(world, &snapshot));
    sidle_tick_desc tick = {
        .size = sizeof tick, .snapshot = snapshot, .dt = DT, .moves = person, .count = 1, .results = &result};
    for (float t = 0; t < seconds; t += DT)
    {
        person->displacement = (sidle_vec3){1.4f * DT, 0, 0};
        must(sidle_crowd_tick(crowd, &tick));
        person->body = result.body;
    }
    sidle_snapshot_release(snapshot);
    printf("after %g s of walking at x = %.2f m\n", (double)seconds, person->body.center.x);
}

int main(void)
{
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc crowd_desc = {.size = sizeof crowd_desc, .profiles = &profile, .profile_count = 1};
    sidle_world *world = courtyard_world(NULL);
    sidle_crowd *crowd;
    must(sidle_crowd_create(&crowd_desc, NULL, &crowd));

    Wall wall;
    build(&wall);
    sidle_mesh_desc desc = desc_of(&wall);
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    must(sidle_mesh_create(&desc, NULL, NULL, &placed.mesh));
    must(sidle_world_add(world, &placed, &instance));

    sidle_move person = {.id = 1, .body.center = {-1, .92, Z}};
    walk(world, crowd, &person, 4);
    double stopped = person.body.center.x;

    sidle_mesh *broken;
    explode(&wall);
    must(sidle_mesh_refit(placed.mesh, &desc, NULL, NULL, &broken));
    must(sidle_world_replace(world, instance, broken));
    walk(world, crowd, &person, 2);
    double passed = person.body.center.x;

    sidle_mesh_release(broken);
    sidle_mesh_release(placed.mesh);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return stopped < 1.7 && passed > 3 ? 0 : 1;
}
