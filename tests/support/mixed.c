#include "support/mixed.h"

static sidle_mesh *make_mesh(void)
{
    Soup soup = {0};
    soup_terrain(&soup, 12, 1.0, .5, 9);
    soup_ring(&soup, 7, 3, 2);
    sidle_mesh_desc desc = {.size = sizeof desc, .vertices_d = &soup.triangles[0].v[0].x};
    uint16_t surfaces[400];
    desc.vertex_count = (uint32_t)(3 * soup.count);
    desc.triangle_count = (uint32_t)soup.count;
    for (uint16_t i = 0; i < 400; ++i)
    {
        surfaces[i] = i % 5;
    }
    desc.surfaces = soup.count <= 400 ? surfaces : NULL;
    sidle_mesh *mesh = NULL;
    demand(sidle_mesh_create(&desc, NULL, NULL, &mesh), "sidle_mesh_create");
    soup_free(&soup);
    return mesh;
}

static void add_instance(sidle_world *world, sidle_mesh *mesh, Random *random, uint32_t i)
{
    Vector place = random_in_box(random, vector(-9, -2, -9), vector(9, 1, 9));
    sidle_pose from = {.position = {place.x, place.y, place.z}, .rotation = {0, 0, 0, 1}};
    from.rotation.y = (float)random_between(random, -1, 1);
    from.rotation.x = (float)random_between(random, -.1, .1);
    from.scale = (sidle_vec3){(float)random_between(random, .2, 1), i % 3 ? 1 : -1, .5f};
    sidle_pose to = from;
    to.position.y += i % 2 ? .2 : 0;
    to.rotation.z = i % 4 ? 0 : .05f;
    sidle_instance_desc desc = {.size = sizeof desc,
                                .mesh = mesh,
                                .pose = from,
                                .key = i / 3,
                                .member_of = 1u << i % 3,
                                .flags = i % 4 == 1 ? SIDLE_INSTANCE_AGENT : 0};
    sidle_instance instance;
    demand(sidle_world_add(world, &desc, &instance), "sidle_world_add");
    if (i % 5)
    {
        demand(sidle_world_move(world, instance, &from, &to), "sidle_world_move");
    }
}

sidle_world *mixed_world(Random *random)
{
    sidle_mesh *mesh = make_mesh();
    sidle_world *world = NULL;
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    for (uint32_t i = 0; i < MIXED_INSTANCES; ++i)
    {
        add_instance(world, mesh, random, i);
    }
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    sidle_mesh_release(mesh);
    return world;
}

sidle_move mixed_move(Random *random, uint32_t number)
{
    Vector place = random_in_box(random, vector(-9, -1, -9), vector(9, 3, 9));
    sidle_move move = {
        .id = number, .body.center = {place.x, place.y, place.z}, .profile = number % MIXED_INSTANCES};
    move.body.flags = random_chance(random, .5) ? SIDLE_BODY_GROUNDED : 0;
    move.body.velocity.y = random_chance(random, .5) ? -3 : 0;
    move.body.ground = number % 2 ? (sidle_instance){number % MIXED_INSTANCES, 1} : (sidle_instance){0, 0};
    move.body.ground_triangle = number % 100;
    move.rotation = (sidle_quat){0, (float)random_unit(random), .1f, 1};
    move.collides_with = number % 5 ? 0 : 3;
    move.ignore = number % 7 ? (sidle_instance){0, 0} : (sidle_instance){number / 7 % MIXED_INSTANCES, 1};
    return move;
}
