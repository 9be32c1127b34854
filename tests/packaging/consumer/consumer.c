/* A user's program: an agent stands on a floor, moved by a pool of two. */
#include <sidle/sidle.h>

/* Names that the library uses inside. Here they are the game's, and must stay so. */
int slide(void);
int recover(void);
int project(void);

int slide(void)
{
    return 1;
}

int recover(void)
{
    return 2;
}

int project(void)
{
    return 3;
}

static int walk(sidle_world *world, const sidle_jobs *jobs)
{
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc people = {.size = sizeof people, .profiles = &profile, .profile_count = 1};
    sidle_move move = {.body.center = {0, 2, 0}, .displacement = {.05f, 0, 0}};
    sidle_result result = {.reasons = 0};
    sidle_tick_desc tick = {
        .size = sizeof tick, .jobs = jobs, .dt = .02f, .moves = &move, .count = 1, .results = &result};
    sidle_crowd *crowd;
    if (sidle_crowd_create(&people, NULL, &crowd) || sidle_world_snapshot(world, &tick.snapshot))
        return 1;
    for (int i = 0; i < 100 && sidle_crowd_tick(crowd, &tick) == SIDLE_OK; ++i)
        move.body = result.body;
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    return move.body.flags != SIDLE_BODY_GROUNDED || move.body.center.x < 1;
}

int main(void)
{
    const float floor[] = {-90, 0, -90, 0, 0, 90, 90, 0, -90};
    sidle_mesh_desc soup = {.size = sizeof soup, .vertices_f = floor, .vertex_count = 3, .triangle_count = 1};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_pool_desc two = {.size = sizeof two, .worker_count = 2};
    sidle_instance instance;
    sidle_world *world;
    sidle_pool *pool;
    if (sidle_pool_create(&two, NULL, &pool) || sidle_mesh_create(&soup, NULL, NULL, &placed.mesh) ||
        sidle_world_create(NULL, NULL, &world) || sidle_world_add(world, &placed, &instance) ||
        sidle_world_commit(world, NULL))
        return 1;
    int failed = walk(world, sidle_pool_jobs(pool));
    sidle_world_destroy(world);
    sidle_mesh_release(placed.mesh);
    sidle_pool_destroy(pool);
    return failed || slide() != 1 || recover() != 2 || project() != 3;
}
