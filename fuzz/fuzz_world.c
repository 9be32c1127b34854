/* A world against a list: instances are added, moved, given other meshes, removed, committed and read in any order, and snapshots are kept for
 * any number of commits. All are squares of 2 by 2 on a lattice, so that a ray downwards hits the highest one of those
 * around it, of equals that of the lowest key. */
#include "fuzz.h"
#include "input.h"

#include "support/scene.h"

#include <math.h>
#include <string.h>

#define MOST 96 /* instances; the key is the index + 1 */
#define KEPT 4  /* snapshots */
#define TOP  1000

typedef struct Square
{
    bool is_there;
    sidle_instance id;
    double x, y;
    uint32_t form; /* of its mesh */
} Square;

enum /* forms */
{
    FLAT,
    LIFTED, /* by FORM_LIFT */
    ABSENT, /* of both triangles */
    FORM_COUNT
};

#define FORM_LIFT 3

typedef struct Epoch
{
    sidle_snapshot *snapshot;
    Square squares[MOST];
} Epoch;

typedef struct Fuzz
{
    sidle_world *world;
    Square squares[MOST];   /* with all changes */
    Square committed[MOST]; /* in the last epoch */
    Epoch kept[KEPT];
} Fuzz;

/* The flat one is baked, the others are its refits. */
static sidle_mesh *square_mesh(uint32_t form)
{
    static sidle_mesh *meshes[FORM_COUNT];
    const float top = form == LIFTED ? FORM_LIFT : 0;
    const float corners[] = {-1, top, -1, -1, top, 1, 1, top, 1, 1, top, -1};
    const uint32_t first = form == ABSENT ? SIDLE_NO_TRIANGLE : 0, indices[] = {first, 1, 2, first, 2, 3};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = corners,
                            .vertex_count = 4,
                            .indices = indices,
                            .triangle_count = 2};
    sidle_mesh *flat = form == FLAT ? NULL : square_mesh(FLAT);
    fuzz_demand(meshes[form] || (flat ? sidle_mesh_refit(flat, &desc, NULL, NULL, &meshes[form])
                                      : sidle_mesh_create(&desc, NULL, NULL, &meshes[form])) == SIDLE_OK,
                "a mesh");
    return meshes[form];
}

/* ---- what a snapshot shows ---- */

static void expect_highest(const Epoch *epoch, double x)
{
    sidle_cast cast = {.origin = {x, TOP, .25}, .displacement = {0, -2 * TOP, 0}};
    sidle_cast_hit hit;
    double height = -INFINITY;
    uint64_t key = 0;
    for (uint32_t i = 0; i < MOST; ++i)
    {
        const Square *square = &epoch->squares[i];
        double y = square->y + (square->form == LIFTED ? FORM_LIFT : 0);
        if (square->is_there && square->form != ABSENT && fabs(square->x - x) < 1 && y > height)
        {
            height = y;
            key = i + 1;
        }
    }
    fuzz_demand(sidle_cast_closest(epoch->snapshot, 1, &cast, &hit) == SIDLE_OK, "a ray");
    fuzz_demand((hit.hit != SIDLE_CAST_MISS) == (key > 0), "a hit where there is a square");
    fuzz_demand(!key || (hit.instance_key == key && hit.point.y == height), "the highest square is hit");
}

static void check(const Epoch *epoch)
{
    for (uint32_t i = 0; i < MOST && epoch->snapshot; ++i)
    {
        expect_highest(epoch, epoch->squares[i].x + .25);
    }
}

/* ---- what the world returns ---- */

static void check_reading(const Fuzz *fuzz)
{
    uint32_t expected = 0, count = 0;
    for (uint32_t i = 0; i < MOST; ++i)
    {
        const Square *square = &fuzz->squares[i];
        sidle_instance found = sidle_world_find(fuzz->world, i + 1);
        sidle_instance_desc desc;
        sidle_status status = sidle_world_get(fuzz->world, square->id, &desc);
        fuzz_demand(status == (square->is_there ? SIDLE_OK : SIDLE_ERROR_STALE), "a status");
        fuzz_demand(square->is_there ? memcmp(&found, &square->id, sizeof found) == 0 : !found.generation,
                    "the id of a key");
        fuzz_demand(!square->is_there ||
                        (desc.pose.position.x == square->x && desc.pose.position.y == square->y &&
                         desc.key == i + 1 && desc.mesh == square_mesh(square->form)),
                    "what was added");
        expected += square->is_there;
    }
    sidle_instance id = {0, 0};
    while (id = sidle_world_next(fuzz->world, id), id.generation)
    {
        ++count;
    }
    fuzz_demand(count == expected, "each instance once");
}

/* ---- changes ---- */

static void change(Fuzz *fuzz, Input *input)
{
    Square *square = &fuzz->squares[input_below(input, MOST)];
    uint32_t kind = input_below(input, 8);
    sidle_pose pose = {.position = {input_below(input, 256), input_below(input, 16), 0}};
    pose.position.x *= kind == 7 ? 1000 : .5;
    if (square->is_there && kind == 0)
    {
        fuzz_demand(sidle_world_remove(fuzz->world, square->id) == SIDLE_OK, "a removal");
        square->is_there = false;
        return;
    }
    if (square->is_there && kind == 4)
    {
        square->form = input_below(input, FORM_COUNT);
        fuzz_demand(sidle_world_replace(fuzz->world, square->id, square_mesh(square->form)) == SIDLE_OK,
                    "another mesh");
        return;
    }
    sidle_status status;
    if (!square->is_there)
    {
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = square_mesh(FLAT),
                                    .pose = pose,
                                    .key = (uint64_t)(square - fuzz->squares) + 1};
        status = sidle_world_add(fuzz->world, &desc, &square->id);
        square->form = FLAT;
    }
    else
    {
        sidle_pose from = pose;
        from.position.y += 1;
        status = kind == 1   ? sidle_world_teleport(fuzz->world, square->id, &pose)
                 : kind == 2 ? sidle_world_loop(fuzz->world, square->id, &from, &pose)
                             : sidle_world_move(fuzz->world, square->id, kind == 3 ? &from : NULL, &pose);
    }
    fuzz_demand(status == SIDLE_OK, "a change");
    square->is_there = true;
    square->x = pose.position.x;
    square->y = pose.position.y;
}

static void keep(Fuzz *fuzz, Epoch *epoch)
{
    check(epoch); /* once more, after the commits since */
    sidle_snapshot_release(epoch->snapshot);
    fuzz_demand(sidle_world_snapshot(fuzz->world, &epoch->snapshot) == SIDLE_OK, "a snapshot");
    memcpy(epoch->squares, fuzz->committed, sizeof epoch->squares);
    check(epoch);
}

static void live(Fuzz *fuzz, Input *input)
{
    while (!input_ended(input))
    {
        uint32_t what = input_below(input, 16);
        if (what < 11)
        {
            change(fuzz, input);
        }
        else if (what < 14)
        {
            fuzz_demand(sidle_world_commit(fuzz->world, NULL) == SIDLE_OK, "a commit");
            memcpy(fuzz->committed, fuzz->squares, sizeof fuzz->committed);
        }
        else if (what == 14)
        {
            keep(fuzz, &fuzz->kept[input_below(input, KEPT)]);
        }
        else
        {
            check_reading(fuzz);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = input_of(data, size);
    Fuzz fuzz = {.world = NULL};
    fuzz_demand(sidle_world_create(NULL, NULL, &fuzz.world) == SIDLE_OK, "a world");
    live(&fuzz, &input);
    sidle_world_destroy(fuzz.world);
    for (uint32_t i = 0; i < KEPT; ++i)
    {
        check(&fuzz.kept[i]);
        sidle_snapshot_release(fuzz.kept[i].snapshot);
    }
    return 0;
}
