/* The sentence of a refusal names the field, its value and what is allowed. */
#include "mesh/blob.h"
#include "sidle/sidle.h"
#include "support/blobs.h"
#include "support/ride.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

static void expect_text(const char *text, const char *expected)
{
    cr_expect(strncmp(text, expected, strlen(expected)) == 0, "'%s' does not begin with '%s'", text,
              expected);
    cr_expect_lt(strlen(text), sizeof((sidle_error *)0)->text - 1, "cut off: '%s'", text);
}

/* ---- crowds ---- */

static void expect_crowd(sidle_crowd_desc desc, sidle_status status, const char *text)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_crowd *crowd = NULL;
    desc.error = &error;
    cr_expect_eq(sidle_crowd_create(&desc, NULL, &crowd), status, "%s", text);
    cr_expect_eq(error.status, status, "%s", text);
    cr_expect_null(crowd);
    expect_text(error.text, text);
}

static void expect_profile(sidle_profile profile, sidle_status status, const char *text)
{
    const sidle_profile good = {.size = sizeof good, .shape.radii = {.4f, .9f, .4f}};
    const sidle_profile profiles[3] = {good, good, profile};
    expect_crowd(
        (sidle_crowd_desc){.size = sizeof(sidle_crowd_desc), .profiles = profiles, .profile_count = 3},
        status, text);
}

#define PROFILE(field, value, status, text)                                                                  \
    profile = good;                                                                                          \
    profile.field = (value);                                                                                 \
    expect_profile(profile, (status), "profile 2: " text)

Test(errors, a_refused_profile_is_named_with_field_value_and_range)
{
    const sidle_profile good = {.size = sizeof good, .shape.radii = {.4f, .9f, .4f}};
    sidle_profile profile;
    PROFILE(skin, .7f, SIDLE_ERROR_ARGUMENT, "skin is 0.7, but must be from 0.005 to 0.1");
    PROFILE(max_slope_cos, 2, SIDLE_ERROR_ARGUMENT, "max_slope_cos is 2, but must be from 1e-06 to 1");
    PROFILE(step_up, 2e4f, SIDLE_ERROR_ARGUMENT,
            "step_up is 20000, but must be from 0 to 10000, or negative for none");
    PROFILE(step_down, (float)NAN, SIDLE_ERROR_ARGUMENT, "step_down is nan, but must be from 0 to 10000");
    PROFILE(recovery_speed, -1, SIDLE_ERROR_ARGUMENT, "recovery_speed is -1, but must be from 0 to 10000");
    PROFILE(mode, 3, SIDLE_ERROR_ARGUMENT, "mode is 3, but must be from 0 to 2");
    PROFILE(flags, 1024, SIDLE_ERROR_ARGUMENT, "flags is 1024, but must be from 0 to ");
    PROFILE(shape.radii.y, 0, SIDLE_ERROR_ARGUMENT, "radii.y is 0, but must be from 0.001 to 10000");
    PROFILE(shape.radii.z, 2e4f, SIDLE_ERROR_LIMIT, "radii.z is 20000, but must be from 0.001 to 10000");
    PROFILE(shape.radii.x, 200, SIDLE_ERROR_LIMIT,
            "radii.x is 200, but must be at most 100 times the smallest radius, 0.4");
    PROFILE(shape.half_height, -1, SIDLE_ERROR_ARGUMENT, "half_height is -1, but must be from 0 to 10000");
    PROFILE(size, sizeof good - 8, SIDLE_ERROR_ARGUMENT, "size is ");
}

#define CROWD(field, value, status, text)                                                                    \
    desc = good;                                                                                             \
    desc.field = (value);                                                                                    \
    expect_crowd(desc, (status), text)

Test(errors, a_refused_crowd_is_named_with_field_value_and_range)
{
    const sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    const sidle_crowd_desc good = {.size = sizeof good, .profiles = &profile, .profile_count = 1};
    sidle_crowd_desc desc;
    CROWD(profiles, NULL, SIDLE_ERROR_ARGUMENT, "profiles is NULL");
    CROWD(profile_count, 0, SIDLE_ERROR_ARGUMENT, "profile_count is 0, but must be from 1 to 65536");
    CROWD(profile_count, 65537, SIDLE_ERROR_LIMIT, "profile_count is 65537, but must be from 1 to 65536");
    CROWD(profile_stride, 3, SIDLE_ERROR_ARGUMENT, "profile_stride is 3, but must be 0 or a multiple of ");
    CROWD(max_candidates, 65537, SIDLE_ERROR_LIMIT, "max_candidates is 65537, but must be at most 65536");
    CROWD(lanes, 3, SIDLE_ERROR_UNSUPPORTED, "lanes is 3, which cannot run here: 1 and 4 always can");
    CROWD(up.y, (float)NAN, SIDLE_ERROR_NOT_FINITE, "up.y is nan, but must be finite");
    CROWD(gravity.z, (float)INFINITY, SIDLE_ERROR_NOT_FINITE, "gravity.z is inf, but must be finite");
}

/* ---- ticks and steering ---- */

static void expect_tick(const Scene *scene, sidle_tick_desc desc, sidle_status status, const char *text)
{
    sidle_error error = {.status = SIDLE_OK};
    desc.error = &error;
    cr_expect_eq(sidle_crowd_tick(scene->crowd, &desc), status, "%s", text);
    cr_expect_eq(error.status, status, "%s", text);
    expect_text(error.text, text);
}

#define TICK(field, value, status, text)                                                                     \
    desc = good;                                                                                             \
    desc.field = (value);                                                                                    \
    expect_tick(&scene, desc, (status), text)

Test(errors, a_refused_tick_is_named_with_field_value_and_range)
{
    Soup soup = {0};
    soup_floor(&soup, 10, 0);
    Scene scene = scene_of(soup, person_at(60));
    sidle_move moves[2] = {{.body.center = {0, 2, 0}}, {.id = 1, .body.center = {5, 2, 0}}};
    sidle_result results[2];
    const sidle_tick_desc good = {.size = sizeof good,
                                  .snapshot = scene.snapshot,
                                  .dt = 1 / 60.f,
                                  .moves = moves,
                                  .count = 2,
                                  .results = results};
    sidle_tick_desc desc;
    TICK(snapshot, NULL, SIDLE_ERROR_ARGUMENT, "snapshot is NULL");
    TICK(dt, 0, SIDLE_ERROR_ARGUMENT, "dt is 0, but must be above 0 and at most 1");
    TICK(dt, 1.5f, SIDLE_ERROR_ARGUMENT, "dt is 1.5, but must be above 0 and at most 1");
    TICK(dt, (float)NAN, SIDLE_ERROR_ARGUMENT, "dt is nan, but must be above 0 and at most 1");
    TICK(motion_begin, .5f, SIDLE_ERROR_ARGUMENT, "motion_begin is 0.5 and motion_end 0, but must be ");
    TICK(motion_end, 2, SIDLE_ERROR_ARGUMENT, "motion_begin is 0 and motion_end 2, but must be ");
    TICK(flags, 2, SIDLE_ERROR_ARGUMENT, "flags is 2, but must be from 0 to 1");
    TICK(count, SIDLE_MAX_AGENTS + 1, SIDLE_ERROR_LIMIT, "count is 16777217, but must be at most 16777216");
    TICK(moves, NULL, SIDLE_ERROR_ARGUMENT, "moves is NULL");
    TICK(results, NULL, SIDLE_ERROR_ARGUMENT, "results is NULL");
    TICK(move_stride, 8, SIDLE_ERROR_ARGUMENT, "move_stride is 8, but must be 0 or a multiple of 8 from ");
    TICK(result_stride, 8, SIDLE_ERROR_ARGUMENT,
         "result_stride is 8, but must be 0 or a multiple of 8 from ");
    TICK(results, (sidle_result *)(void *)moves, SIDLE_ERROR_ARGUMENT, "results overlap moves");
    TICK(contact_capacity, 7, SIDLE_ERROR_ARGUMENT, "contacts is NULL, but contact_capacity is 7");
    cr_expect_eq(sidle_crowd_tick(scene.crowd, &good), SIDLE_OK);
    scene_close(&scene);
}

static void expect_steer(const Scene *scene, sidle_steer_desc desc, const char *text)
{
    sidle_error error = {.status = SIDLE_OK};
    desc.error = &error;
    cr_expect_eq(sidle_steer(scene->crowd, &desc), SIDLE_ERROR_ARGUMENT, "%s", text);
    cr_expect_eq(error.status, SIDLE_ERROR_ARGUMENT, "%s", text);
    expect_text(error.text, text);
}

#define STEER(field, value, text)                                                                            \
    desc = good;                                                                                             \
    desc.field = (value);                                                                                    \
    expect_steer(&scene, desc, text)

Test(errors, a_refused_call_of_steering_is_named_with_field_value_and_range)
{
    Soup soup = {0};
    soup_floor(&soup, 10, 0);
    Scene scene = scene_of(soup, person_at(60));
    sidle_move moves[2] = {{.body.center = {0, 2, 0}}, {.id = 1, .body.center = {5, 2, 0}}};
    const sidle_steer_desc good = {.size = sizeof good,
                                   .snapshot = scene.snapshot,
                                   .dt = 1 / 60.f,
                                   .moves = moves,
                                   .count = 2,
                                   .displacements = &moves->displacement,
                                   .displacement_stride = sizeof *moves};
    sidle_steer_desc desc;
    STEER(snapshot, NULL, "snapshot is NULL");
    STEER(dt, 0, "dt is 0, but must be above 0 and at most 1");
    STEER(reach, -1, "reach is -1, but must be from 0 to 10000");
    STEER(max_speed, .5f, "max_speed is 0.5, but must be 0 or from 1 to 10");
    STEER(moves, NULL, "moves is NULL");
    STEER(displacements, NULL, "displacements is NULL");
    STEER(displacement_stride, 2, "displacement_stride is 2, but must be 0 or a multiple of 4 from 12 on");
    STEER(displacement_stride, 0, "displacements overlap moves");
    STEER(period, 6, "displacements are those of the moves, but a period of 6 needs an array of their own");
    cr_expect_eq(sidle_steer(scene.crowd, &good), SIDLE_OK);
    scene_close(&scene);
}

/* ---- meshes ---- */

static void expect_mesh(sidle_mesh_desc desc, sidle_status status, uint64_t index, const char *text)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_mesh *mesh = NULL;
    desc.error = &error;
    cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), status, "%s", text);
    cr_expect(error.status == status && error.index == index, "%s: %d, %u", text, (int)error.status,
              (unsigned)error.index);
    cr_expect_null(mesh);
    expect_text(error.text, text);
}

#define MESH(field, value, status, text)                                                                     \
    desc = good;                                                                                             \
    desc.field = (value);                                                                                    \
    expect_mesh(desc, (status), 0, text)

Test(errors, a_refused_mesh_is_named_with_field_value_and_range)
{
    double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
    uint32_t indices[2][3] = {{0, 1, 2}, {1, 2, 3}};
    const float floats[12] = {0};
    const sidle_position nowhere = {0, NAN, 0}, beyond = {0, 0, -2e9};
    const sidle_mesh_desc good = {.size = sizeof good,
                                  .vertices_d = corners[0],
                                  .vertex_count = 4,
                                  .indices = indices[0],
                                  .triangle_count = 2};
    sidle_mesh_desc desc;
    MESH(triangle_count, SIDLE_MAX_TRIANGLES + 1, SIDLE_ERROR_LIMIT,
         "triangle_count is 268435457, but must be at most 268435456");
    MESH(vertex_count, SIDLE_MAX_TRIANGLES + 1, SIDLE_ERROR_LIMIT,
         "vertex_count is 268435457, but must be at most ");
    MESH(vertices_d, NULL, SIDLE_ERROR_ARGUMENT,
         "vertices_f and vertices_d are both NULL, but exactly one is needed for a vertex_count of 4");
    MESH(vertices_f, floats, SIDLE_ERROR_ARGUMENT,
         "vertices_f and vertices_d are both given, but exactly one ");
    MESH(
        vertex_stride, 12, SIDLE_ERROR_ARGUMENT,
        "vertex_stride is 12, but must be 0 or a multiple of 8 from 24 on that the address space holds 4 of");
    MESH(index_stride, 8, SIDLE_ERROR_ARGUMENT,
         "index_stride is 8, but must be 0 or a multiple of 4 from 12 on that the address space holds 2 of");
    MESH(origin, &nowhere, SIDLE_ERROR_NOT_FINITE, "origin: y is nan, but must be finite");
    MESH(origin, &beyond, SIDLE_ERROR_LIMIT, "origin: z is -2e+09, but must be from -1e+09 to 1e+09");
    desc = good;
    indices[1][2] = 4;
    expect_mesh(desc, SIDLE_ERROR_INDEX, 1,
                "triangle 1: index 2 is 4, but must be below the vertex_count of 4");
    desc.indices = NULL;
    expect_mesh(desc, SIDLE_ERROR_INDEX, 1,
                "triangle 1: index 1 is 4, but must be below the vertex_count of 4");
    corners[3][1] = 2e9;
    expect_mesh(good, SIDLE_ERROR_LIMIT, 3, "vertex 3: y is 2e+09, but must be from -1e+09 to 1e+09");
    corners[2][0] = INFINITY;
    expect_mesh(good, SIDLE_ERROR_NOT_FINITE, 2, "vertex 2: x is inf, but must be finite");
}

/* ---- worlds ---- */

static void expect_add(sidle_world *world, sidle_instance_desc desc, sidle_status status, const char *text)
{
    sidle_instance id = {7, 7};
    cr_expect_eq(sidle_world_add(world, &desc, &id), status, "%s", text);
    cr_expect(sidle_world_error(world)->status == status && id.index == 7, "%s", text);
    expect_text(sidle_world_error(world)->text, text);
}

static void expect_move(sidle_world *world, sidle_instance id, sidle_pose from, sidle_pose to,
                        sidle_status status, const char *text)
{
    cr_expect_eq(sidle_world_move(world, id, &from, &to), status, "%s", text);
    cr_expect(sidle_world_error(world)->status == status && sidle_world_error(world)->index == id.index, "%s",
              text);
    expect_text(sidle_world_error(world)->text, text);
}

Test(errors, a_refused_instance_is_named_with_field_value_and_range)
{
    const float corners[9] = {0, 0, 0, 10, 0, 0, 0, 0, 10};
    const sidle_mesh_desc soup = {
        .size = sizeof soup, .vertices_f = corners, .vertex_count = 3, .triangle_count = 1};
    sidle_instance_desc good = {.size = sizeof good}, desc;
    sidle_world *world = NULL;
    cr_assert_eq(sidle_mesh_create(&soup, NULL, NULL, &good.mesh), SIDLE_OK);
    cr_assert_eq(sidle_world_create(NULL, NULL, &world), SIDLE_OK);
    cr_expect(sidle_world_error(world)->status == SIDLE_OK && sidle_world_error(NULL) == NULL);
#define ADD(field, value, status, text)                                                                      \
    desc = good;                                                                                             \
    desc.field = (value);                                                                                    \
    expect_add(world, desc, (status), text)
    ADD(size, 3, SIDLE_ERROR_ARGUMENT, "size is 3, but must be ");
    ADD(mesh, NULL, SIDLE_ERROR_ARGUMENT, "mesh is NULL");
    ADD(flags, 9, SIDLE_ERROR_ARGUMENT, "flags is 9, but must be from 0 to 7");
    ADD(pose.position.x, NAN, SIDLE_ERROR_NOT_FINITE, "pose: position.x is nan, but must be finite");
    ADD(pose.rotation.w, (float)INFINITY, SIDLE_ERROR_NOT_FINITE,
        "pose: rotation.w is inf, but must be finite");
    ADD(pose.scale.z, (float)NAN, SIDLE_ERROR_NOT_FINITE, "pose: scale.z is nan, but must be finite");
    ADD(pose.scale, ((sidle_vec3){1, -2e6f, 1}), SIDLE_ERROR_LIMIT,
        "pose: scale.y is -2e+06, but must be from 1e-06 to 1e+06, or the negative; or all three 0");
    ADD(pose.position.z, -1e9, SIDLE_ERROR_LIMIT,
        "pose: the largest |coordinate| of position is 1e+09 and the mesh reaches up to 20 from there, but "
        "the sum "
        "must be at most 1e+09");
    sidle_instance id;
    cr_assert_eq(sidle_world_add(world, &good, &id), SIDLE_OK);
    sidle_pose here = {.position = {0, 0, 0}}, far = {.position = {2e9, 0, 0}}, tiny = here, huge = here;
    tiny.position.x = 9.9e8;
    tiny.scale = (sidle_vec3){1e-3f, 1e-3f, 1e-3f};
    huge.scale = (sidle_vec3){1e6f, 1e6f, 1e6f};
    expect_move(world, id, far, here, SIDLE_ERROR_LIMIT,
                "from: the largest |coordinate| of position is 2e+09 ");
    expect_move(world, id, here, far, SIDLE_ERROR_LIMIT,
                "to: the largest |coordinate| of position is 2e+09 ");
    expect_move(world, id, tiny, huge, SIDLE_ERROR_LIMIT,
                "from with the scale of to: the largest |coordinate| ");
    expect_move(world, (sidle_instance){5, 9}, here, here, SIDLE_ERROR_STALE,
                "instance has index 5 and generation 9, but no such instance is in the world");
    sidle_world_destroy(world);
    sidle_mesh_release(good.mesh);
}

/* ---- blobs ---- */

static void expect_blob(sidle_blob_desc desc, uint64_t index, const char *text)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_mesh *mesh = NULL;
    desc.error = &error;
    cr_expect_eq(sidle_mesh_open(&desc, NULL, &mesh), SIDLE_ERROR_ARGUMENT, "%s", text);
    cr_expect(error.status == SIDLE_ERROR_ARGUMENT && error.index == index && mesh == NULL, "%s: %u", text,
              (unsigned)error.index);
    expect_text(error.text, text);
}

Test(errors, a_refused_blob_is_named_with_field_value_and_range)
{
    Blob blob = blob_of_terrain(3);
    BlobHeader *header = blob_header(&blob);
    const sidle_blob_desc good = {.size = sizeof good, .bytes = blob.bytes, .byte_count = blob.size};
    sidle_blob_desc desc = good;
    desc.bytes = NULL;
    expect_blob(desc, 0, "bytes is NULL");
    desc.bytes = blob.bytes + 4;
    expect_blob(desc, 0, "bytes is at the address ");
    desc = good;
    desc.flags = 2;
    expect_blob(desc, 0, "flags is 2, but must be from 0 to 1");
    desc = good;
    desc.byte_count = 100;
    expect_blob(desc, 100, "byte_count is 100, but a mesh has at least 256 bytes");
    desc.byte_count = 256;
    expect_blob(desc, 256, "byte_count is 256, but the mesh has ");
    header->degenerate_count = header->triangle_count + 1;
    expect_blob(good, offsetof(BlobHeader, degenerate_count),
                "the header contradicts itself: degenerate_count is ");
    header->degenerate_count = 0;
    header->origin[1] = 2e9;
    expect_blob(good, offsetof(BlobHeader, origin),
                "the header contradicts itself: origin.y is 2e+09, but must be from -1e+09 to 1e+09");
    blob_free(&blob);
}
