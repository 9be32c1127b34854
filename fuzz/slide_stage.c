#include "slide_stage.h"

#include "support/blobs.h"
#include "support/scene.h"

#include <stdlib.h>

static void take_soup(Stage *stage)
{
    sidle_mesh_info info = {.size = sizeof info};
    demand(sidle_mesh_get_info(stage->mesh, &info), "sidle_mesh_get_info");
    sidle_triangle *triangles = calloc((size_t)info.triangle_count + 1, sizeof *triangles);
    demand(sidle_mesh_get_triangles(stage->mesh, 0, info.triangle_count, triangles),
           "sidle_mesh_get_triangles");
    for (uint32_t i = 0; i < info.triangle_count; ++i)
    {
        Vector v[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            sidle_position p = triangles[i].vertices[corner];
            v[corner] = vector_add(vector(p.x, p.y, p.z), stage->input->place);
        }
        soup_triangle(&stage->soup, v[0], v[1], v[2]);
    }
    free(triangles);
}

static sidle_crowd *make_crowd(const SlideInput *input, uint32_t lanes)
{
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = &input->profile,
                             .profile_count = 1,
                             .max_candidates = input->max_candidates,
                             .lanes = lanes};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

static void make_crowds(Stage *stage)
{
    const uint32_t widths[STAGE_WIDTHS] = {1, 4, 8, 16};
    for (uint32_t i = 0; i < STAGE_WIDTHS; ++i)
    {
        if (sidle_cast_lanes(widths[i])) /* else not built, or not here */
        {
            stage->crowds[stage->crowd_count++] = make_crowd(stage->input, widths[i]);
        }
    }
}

Stage stage_of(const SlideInput *input)
{
    Stage stage = {.input = input, .mesh = mesh_of(soup_copy(&input->soup))};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = stage.mesh, .key = 7};
    desc.pose.position = (sidle_position){input->place.x, input->place.y, input->place.z};
    sidle_instance instance;
    demand(sidle_world_create(NULL, NULL, &stage.world), "sidle_world_create");
    demand(sidle_world_add(stage.world, &desc, &instance), "sidle_world_add");
    demand(sidle_world_commit(stage.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(stage.world, &stage.snapshot), "sidle_world_snapshot");
    take_soup(&stage);
    make_crowds(&stage);
    for (uint32_t i = 0; i < input->agent_count; ++i)
    {
        stage.turn[i] = slide_input_turn(input->moves[i].rotation);
    }
    return stage;
}

void stage_close(Stage *stage)
{
    for (uint32_t i = 0; i < stage->crowd_count; ++i)
    {
        sidle_crowd_destroy(stage->crowds[i]);
    }
    sidle_snapshot_release(stage->snapshot);
    sidle_world_destroy(stage->world);
    sidle_mesh_release(stage->mesh);
    soup_free(&stage->soup);
}

static Moved tick_with(const Stage *stage, sidle_crowd *crowd, sidle_stats *stats, const sidle_move *moves,
                       uint32_t count)
{
    Moved moved = {.contact_count = 0};
    sidle_tick_desc desc = {.size = sizeof desc, .snapshot = stage->snapshot, .dt = stage->input->dt};
    desc.moves = moves;
    desc.count = count;
    desc.results = moved.results;
    desc.contacts = moved.contacts;
    desc.contact_capacity = SLIDE_AGENTS * SIDLE_MAX_AGENT_CONTACTS;
    desc.contact_count = &moved.contact_count;
    desc.stats = stats;
    demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
    return moved;
}

Moved stage_tick(const Stage *stage, uint32_t crowd, const sidle_move *moves, uint32_t count)
{
    return tick_with(stage, stage->crowds[crowd], NULL, moves, count);
}

Moved stage_tick_counted(const Stage *stage, uint32_t crowd, const sidle_move *moves, uint32_t count)
{
    sidle_stats stats = {.size = sizeof stats};
    return tick_with(stage, stage->crowds[crowd], &stats, moves, count);
}

Moved stage_tick_afresh(const Stage *stage, const sidle_move *moves, uint32_t count)
{
    sidle_crowd *crowd = make_crowd(stage->input, 1);
    Moved moved = tick_with(stage, crowd, NULL, moves, count);
    sidle_crowd_destroy(crowd);
    return moved;
}
