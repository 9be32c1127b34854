/* A world against a list: instances of meshes of all kinds are added, moved, given other meshes, removed, committed and read
 * in any order. Snapshots are kept for any number of commits, and meshes that they hold are released. */
#include "fuzz.h"
#include "world_model.h"

#include <string.h>

#define KEPT 4 /* snapshots */

typedef struct Fuzz
{
    sidle_world *world;
    Forms forms;
    Square squares[MODEL_MOST];   /* with all changes */
    Square committed[MODEL_MOST]; /* in the last epoch */
    Epoch kept[KEPT];
} Fuzz;

/* ---- what the world returns ---- */

static void check_reading(const Fuzz *fuzz)
{
    uint32_t expected = 0, count = 0;
    for (uint32_t i = 0; i < MODEL_MOST; ++i)
    {
        const Square *square = &fuzz->squares[i];
        sidle_instance found = sidle_world_find(fuzz->world, i + 1);
        sidle_instance_desc desc;
        sidle_status status = sidle_world_get(fuzz->world, square->id, &desc);
        fuzz_demand(status == (square->is_there ? SIDLE_OK : SIDLE_ERROR_STALE), "a status");
        fuzz_demand(square->is_there ? memcmp(&found, &square->id, sizeof found) == 0 : !found.generation,
                    "the id of a key");
        fuzz_demand(!square->is_there ||
                        (desc.pose.position.x == square->pose.position.x &&
                         desc.pose.position.y == square->pose.position.y && desc.key == i + 1 &&
                         desc.mesh == square->mesh && desc.flags == square->flags &&
                         desc.group == square->group && desc.member_of == square->layers),
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

static void give_mesh(Fuzz *fuzz, Input *input, Square *square)
{
    square->form = input_below(input, FORM_COUNT);
    square->mesh = forms_mesh(&fuzz->forms, square->form);
}

/* Mirrored along any axes, and turned by half around z. */
static void attach(Fuzz *fuzz, Input *input, Square *square, sidle_position position)
{
    uint32_t how = input_byte(input), more = input_byte(input);
    give_mesh(fuzz, input, square);
    square->pose = (sidle_pose){.position = position,
                                .rotation = {0, 0, how & 1 ? 1 : 0, how & 1 ? 0 : 1},
                                .scale = {how & 2 ? -1 : 1, how & 4 ? -1 : 1, how & 8 ? -1 : 1}};
    square->flags = how & 16 ? SIDLE_INSTANCE_ONE_SIDED : 0;
    square->group = more & 3;
    square->layers = more >> 2 & 3 ? more >> 2 & 3 : 1;
    sidle_instance_desc desc = {.size = sizeof desc,
                                .mesh = square->mesh,
                                .pose = square->pose,
                                .key = (uint64_t)(square - fuzz->squares) + 1,
                                .flags = square->flags,
                                .group = square->group,
                                .member_of = square->layers};
    fuzz_demand(sidle_world_add(fuzz->world, &desc, &square->id) == SIDLE_OK, "an instance");
    square->is_there = true;
}

static void move(Fuzz *fuzz, Square *square, uint32_t kind, sidle_position position)
{
    square->pose.position = position;
    const sidle_pose *to = &square->pose;
    sidle_pose from = *to;
    from.position.y += 1;
    sidle_status status = kind == 1 ? sidle_world_teleport(fuzz->world, square->id, to)
                          : kind == 2
                              ? sidle_world_loop(fuzz->world, square->id, &from, to)
                              : sidle_world_move(fuzz->world, square->id, kind == 3 ? &from : NULL, to);
    fuzz_demand(status == SIDLE_OK, "a motion");
}

static void change(Fuzz *fuzz, Input *input)
{
    Square *square = &fuzz->squares[input_below(input, MODEL_MOST)];
    uint32_t kind = input_below(input, 8);
    if (square->is_there && kind == 0)
    {
        fuzz_demand(sidle_world_remove(fuzz->world, square->id) == SIDLE_OK, "a removal");
        square->is_there = false;
        return;
    }
    if (square->is_there && kind == 4)
    {
        give_mesh(fuzz, input, square);
        fuzz_demand(sidle_world_replace(fuzz->world, square->id, square->mesh) == SIDLE_OK, "another mesh");
        return;
    }
    sidle_position position = {input_below(input, 256), input_below(input, 16), 0};
    position.x *= kind == 7 ? 1000 : .5;
    if (square->is_there)
    {
        move(fuzz, square, kind, position);
    }
    else
    {
        attach(fuzz, input, square, position);
    }
}

static void keep(Fuzz *fuzz, Input *input)
{
    Epoch *epoch = &fuzz->kept[input_below(input, KEPT)];
    Asked asked = asked_of(input, fuzz->squares);
    epoch_check(epoch, &asked); /* once more, after the commits since */
    sidle_snapshot_release(epoch->snapshot);
    fuzz_demand(sidle_world_snapshot(fuzz->world, &epoch->snapshot) == SIDLE_OK, "a snapshot");
    memcpy(epoch->squares, fuzz->committed, sizeof epoch->squares);
    epoch_check(epoch, &asked);
}

static void live(Fuzz *fuzz, Input *input)
{
    while (!input_ended(input))
    {
        uint32_t what = input_below(input, 16);
        if (what < 10)
        {
            change(fuzz, input);
        }
        else if (what < 13)
        {
            fuzz_demand(sidle_world_commit(fuzz->world, NULL) == SIDLE_OK, "a commit");
            memcpy(fuzz->committed, fuzz->squares, sizeof fuzz->committed);
        }
        else if (what == 13)
        {
            forms_release(&fuzz->forms, input_below(input, FORM_COUNT));
        }
        else if (what == 14)
        {
            keep(fuzz, input);
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
    const Asked plain = {.from = 24.5, .direction = -1};
    fuzz_demand(sidle_world_create(NULL, NULL, &fuzz.world) == SIDLE_OK, "a world");
    live(&fuzz, &input);
    sidle_world_destroy(fuzz.world);
    for (uint32_t form = 0; form < FORM_COUNT; ++form)
    {
        forms_release(&fuzz.forms, form);
    }
    for (uint32_t i = 0; i < KEPT; ++i)
    {
        epoch_check(&fuzz.kept[i], &plain);
        sidle_snapshot_release(fuzz.kept[i].snapshot);
    }
    return 0;
}
