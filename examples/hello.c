/* An agent runs into a wall at an angle for two seconds and slides along it. */
#include <sidle/sidle.h>
#include <stdio.h>

int main(void)
{
    /* A floor, and a wall that stands on its edge at x = 2; fronts are counter-clockwise. */
    const float vertices[] = {-9, 0, -9, -9, 0, 9, 2, 0, 9, 2, 0, -9, 2, 4, 9, 2, 4, -9};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5};
    sidle_mesh_desc soup = {.size = sizeof soup, .vertices_f = vertices, .vertex_count = 6};
    soup.indices = triangles;
    soup.triangle_count = 4;
    const sidle_profile person = {.size = sizeof person, .shape.radii = {.4f, .9f, .4f}};
    const sidle_crowd_desc people = {.size = sizeof people, .profiles = &person, .profile_count = 1};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance wall;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    if (sidle_mesh_create(&soup, NULL, NULL, &placed.mesh) || sidle_world_create(NULL, NULL, &world) ||
        sidle_world_add(world, &placed, &wall) || sidle_world_commit(world, NULL) ||
        sidle_world_snapshot(world, &snapshot) || sidle_crowd_create(&people, NULL, &crowd))
        return 1;

    sidle_move move = {.id = 1, .body.center = {0, 1, 0}, .displacement = {3 / 60.f, 0, 1 / 60.f}};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = snapshot, .dt = 1 / 60.f};
    tick.moves = &move;
    tick.results = &result;
    tick.count = 1;
    for (int i = 0; i < 120 && sidle_crowd_tick(crowd, &tick) == SIDLE_OK; ++i)
        move.body = result.body;
    printf("%.2f %.2f %.2f\n", move.body.center.x, move.body.center.y, move.body.center.z);

    sidle_crowd_destroy(crowd);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    sidle_mesh_release(placed.mesh);
    return 0;
}
