#include "support/stage.h"

#include <stdlib.h>

Stage stage_of(Soup resting, SceneOptions options)
{
    return (Stage){.scene = scene_of(resting, options)};
}

void stage_close(Stage *stage)
{
    scene_close(&stage->scene);
    for (uint32_t body = 0; body < stage->body_count; ++body)
    {
        sidle_mesh_release(stage->bodies[body].mesh);
    }
    *stage = (Stage){0};
}

uint32_t stage_add(Stage *stage, Soup soup, sidle_pose pose)
{
    if (stage->body_count == STAGE_BODIES)
    {
        abort();
    }
    StageBody *body = &stage->bodies[stage->body_count];
    sidle_mesh_desc mesh = {.size = sizeof mesh,
                            .vertices_d = &soup.triangles[0].v[0].x,
                            .vertex_count = (uint32_t)(3 * soup.count),
                            .triangle_count = (uint32_t)soup.count};
    demand(sidle_mesh_create(&mesh, NULL, NULL, &body->mesh), "sidle_mesh_create");
    soup_free(&soup);
    sidle_instance_desc desc = {.size = sizeof desc,
                                .mesh = body->mesh,
                                .pose = pose,
                                .key = 1000 + stage->body_count,
                                .flags = stage->scene.options.instance_flags};
    demand(sidle_world_add(stage->scene.world, &desc, &body->instance), "sidle_world_add");
    body->pose = pose;
    return stage->body_count++;
}

void stage_move(Stage *stage, uint32_t body, sidle_pose to)
{
    StageBody *moved = &stage->bodies[body];
    demand(sidle_world_move(stage->scene.world, moved->instance, &moved->pose, &to), "sidle_world_move");
    moved->pose = to;
}

void stage_commit(Stage *stage)
{
    Scene *scene = &stage->scene;
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

sidle_pose pose_at(double x, double y, double z)
{
    return (sidle_pose){.position = {x, y, z}, .rotation = {.w = 1.0f}};
}

sidle_pose pose_turned(sidle_pose pose, Vector axis, double angle)
{
    double s = sin(angle / 2);
    Vector n = vector_scale(vector_unit(axis), s);
    pose.rotation = (sidle_quat){(float)n.x, (float)n.y, (float)n.z, (float)cos(angle / 2)};
    return pose;
}

void soup_box(Soup *soup, Vector low, Vector high)
{
    Vector c[8];
    for (int corner = 0; corner < 8; ++corner)
    {
        c[corner] =
            vector(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
    }
    soup_quad(soup, c[0], c[4], c[6], c[2]);
    soup_quad(soup, c[1], c[3], c[7], c[5]);
    soup_quad(soup, c[0], c[1], c[5], c[4]);
    soup_quad(soup, c[2], c[6], c[7], c[3]);
    soup_quad(soup, c[0], c[2], c[3], c[1]);
    soup_quad(soup, c[4], c[5], c[7], c[6]);
}
