/* The cost of moving ground: agents on platforms that rest, on the same platforms while they lift and turn,
 * and on the floor between them. Every run is the same tick on the same snapshot. */
#include "bench.h"
#include "sidle/sidle.h"

#include <stdlib.h>
#include <string.h>

#define SIDE      16 /* platforms along each axis */
#define SPACING   8.0f
#define PER_PLATE 16
#define COUNT     (SIDE * SIDE * PER_PLATE)

typedef struct Riding
{
    sidle_mesh *plate, *floor;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    sidle_move moves[COUNT];
    sidle_result results[COUNT];
    sidle_instance plates[SIDE * SIDE];
} Riding;

static uint64_t run(void *state)
{
    Riding *riding = state;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = riding->snapshot,
                            .dt = 1.0f / 60,
                            .moves = riding->moves,
                            .count = COUNT,
                            .results = riding->results};
    return sidle_crowd_tick(riding->crowd, &tick) ? 0 : COUNT;
}

static void end(void *state)
{
    Riding *riding = state;
    sidle_crowd_destroy(riding->crowd);
    sidle_snapshot_release(riding->snapshot);
    sidle_world_destroy(riding->world);
    sidle_mesh_release(riding->plate);
    sidle_mesh_release(riding->floor);
    free(riding);
}

/* Returns a mesh of cells x cells squares around the origin. */
static sidle_mesh *make_grid(uint32_t cells, float size)
{
    uint32_t across = cells + 1, count = 0;
    float *vertices = malloc(3 * (size_t)across * across * sizeof *vertices);
    uint32_t *indices = malloc(6 * (size_t)cells * cells * sizeof *indices);
    sidle_mesh *mesh = NULL;
    for (uint32_t i = 0; vertices && indices && i < across * across; ++i)
    {
        uint32_t x = i % across, z = i / across;
        const float v[3] = {((float)x - (float)cells / 2) * size, 0, ((float)z - (float)cells / 2) * size};
        memcpy(vertices + 3 * i, v, sizeof v);
        if (x < cells && z < cells)
        {
            const uint32_t square[6] = {i, i + across, i + across + 1, i, i + across + 1, i + 1};
            memcpy(indices + count, square, sizeof square);
            count += 6;
        }
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = across * across,
                            .indices = indices,
                            .triangle_count = count / 3};
    if (vertices && indices)
    {
        (void)sidle_mesh_create(&desc, NULL, NULL, &mesh);
    }
    free(vertices);
    free(indices);
    return mesh;
}

static sidle_pose plate_pose(uint32_t plate)
{
    double x = ((double)(plate % SIDE) - SIDE / 2.0) * (double)SPACING;
    double z = ((double)(plate / SIDE) - SIDE / 2.0) * (double)SPACING;
    return (sidle_pose){.position = {x, 0.3, z}, .rotation = {.w = 1}};
}

static bool place_plates(Riding *riding, bool moving)
{
    bool good = true;
    for (uint32_t i = 0; good && i < SIDE * SIDE; ++i)
    {
        sidle_pose from = plate_pose(i), to = from;
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = riding->plate, .pose = from, .key = i + 1};
        to.position.y += 0.02;
        to.rotation = (sidle_quat){.y = 0.02f, .w = 0.9998f};
        good = !sidle_world_add(riding->world, &desc, &riding->plates[i]) &&
               (!moving || !sidle_world_move(riding->world, riding->plates[i], &from, &to));
    }
    return good;
}

/* Each agent walks; 16 to a platform of 4 x 4 m, or to a spot of that size between four of them. */
static void place_agents(Riding *riding, bool between)
{
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        uint32_t plate = i / PER_PLATE, seat = i % PER_PLATE;
        sidle_move *move = &riding->moves[i];
        sidle_position at = plate_pose(plate).position;
        double away = between ? (double)SPACING / 2 : 0;
        move->id = i + 1;
        move->displacement = (sidle_vec3){seat % 2 ? 0.03f : -0.02f, 0, seat % 3 ? 0.02f : -0.03f};
        move->body.center =
            (sidle_position){at.x + away + 0.8 * (seat % 4) - 1.2, between ? 0.918 : at.y + 0.918,
                             at.z + away + 0.8 * (double)(seat / 4) - 1.2};
        move->body.ground_normal = (sidle_vec3){0, 1, 0};
        move->body.flags = SIDLE_BODY_GROUNDED;
        move->body.ground = between ? (sidle_instance){0, 0} : riding->plates[plate];
    }
}

static bool make_world(Riding *riding, bool moving)
{
    sidle_instance_desc floor = {.size = sizeof floor};
    sidle_instance id;
    riding->plate = make_grid(2, 2);
    riding->floor = floor.mesh = make_grid(SIDE * 8, 1);
    return riding->plate && riding->floor && !sidle_world_create(NULL, NULL, &riding->world) &&
           !sidle_world_add(riding->world, &floor, &id) && place_plates(riding, moving) &&
           !sidle_world_commit(riding->world, NULL) &&
           !sidle_world_snapshot(riding->world, &riding->snapshot);
}

static void *begin(const Bench *bench)
{
    Riding *riding = calloc(1, sizeof *riding);
    if (!riding)
    {
        return NULL;
    }
    sidle_profile profile = {.size = sizeof profile, .mode = bench->mode, .shape.radii = {0.4f, 0.9f, 0.4f}};
    sidle_crowd_desc crowd = {
        .size = sizeof crowd, .profiles = &profile, .profile_count = 1, .lanes = bench->lanes};
    bool moving = !strstr(bench->name, "rest"), between = strstr(bench->name, "between");
    if (!make_world(riding, moving) || sidle_crowd_create(&crowd, NULL, &riding->crowd))
    {
        end(riding);
        return NULL;
    }
    place_agents(riding, between);
    run(riding); /* the first tick allocates */
    return riding;
}

#define RIDE(title, lane_count)                                                                              \
    {                                                                                                        \
        .name = "ride/" title "/" #lane_count, .items = "moves", .lanes = lane_count, .mode = SIDLE_WALK,    \
        .begin = begin, .run = run, .end = end                                                               \
    }

const Bench bench_ride[] = {RIDE("on/rest", 4),        RIDE("on/moving", 4),      RIDE("between/rest", 4),
                            RIDE("between/moving", 4), RIDE("on/rest", 8),        RIDE("on/moving", 8),
                            RIDE("between/rest", 8),   RIDE("between/moving", 8), {0}};
