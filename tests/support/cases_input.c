/* Cases 33 to 36: input that is none. Nothing changes, nothing is written, and the error names the place. */
#include "support/cases.h"
#include "support/scene.h"

#include <math.h>
#include <string.h>

static sidle_move move_from(double x, double y, double z)
{
    return (sidle_move){.id = 1, .body = {.center = {x, y, z}}, .displacement = {0.1f, 0.0f, 0.0f}};
}

/* Ticks the move between two good ones. */
static void expect_invalid(Report *report, const Scene *scene, sidle_move bad, const char *what)
{
    sidle_move moves[3] = {move_from(0, 5, 0), bad, move_from(0, 5, 0)};
    moves[0].id = 7;
    moves[2].id = 9;
    sidle_result results[3] = {{.reasons = 0}};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .moves = moves,
                            .count = 3,
                            .results = results};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    const sidle_body *body = &results[1].body;
    report_expect(report, (body->flags & SIDLE_BODY_INVALID) != 0, "%s: not reported invalid", what);
    report_expect(report, (results[1].reasons & SIDLE_REASON_INVALID) != 0, "%s: no reason reported", what);
    report_expect(report, memcmp(&body->center, &bad.body.center, sizeof body->center) == 0, "%s: moved",
                  what);
    report_expect(report, memcmp(&body->velocity, &bad.body.velocity, sizeof body->velocity) == 0,
                  "%s: another velocity", what);
    report_expect(report, results[0].body.center.x > 0.099 && results[2].body.center.x > 0.099,
                  "%s: the others do not move", what);
}

void case_not_finite_agent(Report *report)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    Scene scene = scene_of(floor, flying_ball());
    const double odd[3] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
    for (int index = 0; index < 3; ++index)
    {
        float value = (float)odd[index];
        expect_invalid(report, &scene, move_from(odd[index], 5, 0), "centre.x");
        expect_invalid(report, &scene, move_from(0, odd[index], 0), "centre.y");
        sidle_move move = move_from(1, 5, 1);
        move.displacement.z = value;
        expect_invalid(report, &scene, move, "wish");
        move = move_from(1, 5, 1);
        move.body.velocity.y = value;
        expect_invalid(report, &scene, move, "velocity");
        move = move_from(1, 5, 1);
        move.up = (sidle_vec3){0.0f, value, 0.0f};
        expect_invalid(report, &scene, move, "up");
        move = move_from(1, 5, 1);
        move.gravity = (sidle_vec3){0.0f, value, 0.0f};
        expect_invalid(report, &scene, move, "gravity");
        move = move_from(1, 5, 1);
        move.rotation.w = value;
        expect_invalid(report, &scene, move, "rotation");
    }
    sidle_move move = move_from(1, 5, 1);
    move.profile = 1;
    expect_invalid(report, &scene, move, "profile");
    scene_close(&scene);
}

/* Expects the mesh to be refused with this status and index, and out to stay as it is. */
static void expect_refused(Report *report, sidle_mesh_desc desc, sidle_status expected, uint64_t index,
                           const char *what)
{
    sidle_error error = {0};
    desc.error = &error;
    sidle_mesh *untouched = (sidle_mesh *)(void *)&error, *out = untouched;
    sidle_status status = sidle_mesh_create(&desc, NULL, NULL, &out);
    report_expect(report, status == expected && error.status == expected, "%s: returns %d, reports %d", what,
                  (int)status, (int)error.status);
    report_expect(report, error.index == index, "%s: names %llu", what, (unsigned long long)error.index);
    report_expect(report, error.text[0] != '\0', "%s: says nothing", what);
    report_expect(report, out == untouched, "%s: writes its out", what);
}

void case_not_finite_mesh(Report *report)
{
    const float odd[3] = {NAN, INFINITY, -INFINITY};
    for (int index = 0; index < 9; ++index)
    {
        float floats[15] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 2, 2, 2};
        double doubles[15] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 2, 2, 2};
        const uint32_t indices[6] = {0, 1, 2, 1, 3, 2};
        int vertex = index / 3 + 1;
        floats[3 * vertex + index % 3] = odd[index % 3];
        doubles[3 * vertex + index % 3] = (double)odd[index % 3];
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_f = floats,
                                .vertex_count = 5,
                                .triangle_count = 2,
                                .indices = indices};
        expect_refused(report, desc, SIDLE_ERROR_NOT_FINITE, (uint64_t)vertex, "float vertex");
        desc.vertices_f = NULL;
        desc.vertices_d = doubles;
        expect_refused(report, desc, SIDLE_ERROR_NOT_FINITE, (uint64_t)vertex, "double vertex");
    }
}

static void expect_empty_mesh_blocks_nothing(Report *report)
{
    Scene scene = scene_of((Soup){0}, flying_ball());
    Agent agent = agent_at(0, 0, 0);
    scene_tick(&scene, &agent, vector(1, 2, 3));
    report_expect(report, vector_distance(agent_center(&agent), vector(1, 2, 3)) < 1e-12,
                  "an empty mesh blocks the path");
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_get_info(scene.meshes[0], &info), "sidle_mesh_get_info");
    report_expect(report, info.triangle_count == 0 && info.min.x > info.max.x, "an empty mesh has bounds");
    scene_close(&scene);
}

void case_index_range(Report *report)
{
    const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
    const uint32_t bad[4] = {4, 5, 0x7FFFFFFFu, 0xFFFFFFFFu};
    for (int index = 0; index < 4; ++index)
    {
        uint32_t indices[9] = {0, 1, 2, 1, 3, 2, 0, 1, 3};
        indices[3 + index % 3] = bad[index];
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_f = vertices,
                                .vertex_count = 4,
                                .triangle_count = 3,
                                .indices = indices};
        expect_refused(report, desc, SIDLE_ERROR_INDEX, 1, "index");
    }
    expect_empty_mesh_blocks_nothing(report);
}

/* A crowd whose second profile has these radii. Outside a documented range is ARGUMENT or LIMIT, as you read
 * it. */
static void expect_bad_radii(Report *report, float x, float y, float z)
{
    sidle_profile profiles[2] = {flying_ball().profile, flying_ball().profile};
    profiles[1].shape.radii = (sidle_vec3){x, y, z};
    sidle_error error = {0};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2, .error = &error};
    sidle_crowd *untouched = (sidle_crowd *)(void *)&error, *out = untouched;
    sidle_status status = sidle_crowd_create(&desc, NULL, &out);
    bool refused = status == SIDLE_ERROR_ARGUMENT || status == SIDLE_ERROR_LIMIT;
    bool odd = !isfinite(x) || !isfinite(y) || !isfinite(z);
    report_expect(report, odd ? status == SIDLE_ERROR_NOT_FINITE : refused, "radii (%g, %g, %g): answers %d",
                  (double)x, (double)y, (double)z, (int)status);
    report_expect(report, error.index == 1 && error.text[0] != '\0', "radii (%g, %g, %g): names %llu: '%s'",
                  (double)x, (double)y, (double)z, (unsigned long long)error.index, error.text);
    report_expect(report, out == untouched, "radii (%g, %g, %g): writes its out", (double)x, (double)y,
                  (double)z);
}

void case_bad_radii(Report *report)
{
    const float few[5] = {0.0f, -0.0f, -1.0f, 1e-30f, 1e7f};
    for (int index = 0; index < 5; ++index)
    {
        expect_bad_radii(report, few[index], few[index], few[index]);
        expect_bad_radii(report, 1.0f, few[index], 1.0f);
    }
    expect_bad_radii(report, NAN, 1.0f, 1.0f);
    expect_bad_radii(report, 1.0f, 1.0f, INFINITY);
    expect_bad_radii(report, 1.0f, 1e-5f, 1.0f);
}
