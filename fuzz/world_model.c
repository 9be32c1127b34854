#include "world_model.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

/* Beside the middle, so that what moves along y is far from all edges: those of cells, their diagonals, and the sides of boxes. */
#define BESIDE_X .25
#define BESIDE_Z .5

#define PATH     64    /* length */
#define EXTENT   .0625 /* of shapes along y; they are no wider */
#define BOX_HALF .25
#define LIFT     3
#define ROUNDING 1e-5

#define COLUMNS 12 /* in which all is asked */

/* ---- meshes ---- */

/* On either side of x = 0; -1: nothing is there. */
static const int surfaces_of[FORM_COUNT][2] = {{1, 1}, {1, 1}, {-1, -1}, {2, 3}, {4, -1}, {5, 5}};

static sidle_mesh *make_flat(Forms *forms, uint32_t form)
{
    const float top = form == FORM_LIFTED ? LIFT : 0;
    const float corners[] = {-1, top, -1, -1, top, 1, 1, top, 1, 1, top, -1};
    const uint32_t first = form == FORM_ABSENT ? SIDLE_NO_TRIANGLE : 0,
                   indices[] = {first, 1, 2, first, 2, 3};
    const uint16_t surfaces[2] = {1, 1};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = corners,
                            .vertex_count = 4,
                            .indices = indices,
                            .triangle_count = 2,
                            .surfaces = surfaces};
    sidle_mesh *mesh;
    sidle_status status = form == FORM_FLAT
                              ? sidle_mesh_create(&desc, NULL, NULL, &mesh)
                              : sidle_mesh_refit(forms_mesh(forms, FORM_FLAT), &desc, NULL, NULL, &mesh);
    fuzz_demand(status == SIDLE_OK, "a mesh");
    return mesh;
}

static sidle_mesh *make_field(uint32_t form)
{
    const float heights[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint8_t surfaces[4];
    for (int i = 0; i < 4; ++i)
    {
        int surface = surfaces_of[form][i % 2];
        surfaces[i] = surface < 0 ? SIDLE_FIELD_HOLE : (uint8_t)surface;
    }
    sidle_field_desc desc = {.size = sizeof desc,
                             .heights_f = heights,
                             .columns = 3,
                             .rows = 3,
                             .spacing_x = 1,
                             .spacing_z = 1,
                             .surfaces = surfaces,
                             .origin = {-1, 0, -1}};
    sidle_mesh *mesh;
    fuzz_demand(sidle_mesh_create_field(&desc, NULL, &mesh) == SIDLE_OK, "a heightfield");
    return mesh;
}

static sidle_mesh *make_box(void)
{
    sidle_solid_desc desc = {.size = sizeof desc,
                             .kind = SIDLE_SOLID_BOX,
                             .surface = (uint32_t)surfaces_of[FORM_BOX][0],
                             .half_extents = {1, (float)BOX_HALF, 1}};
    sidle_mesh *mesh;
    fuzz_demand(sidle_mesh_create_solid(&desc, NULL, &mesh) == SIDLE_OK, "a box");
    return mesh;
}

sidle_mesh *forms_mesh(Forms *forms, uint32_t form)
{
    sidle_mesh **mesh = &forms->meshes[form];
    if (!*mesh)
    {
        *mesh = form == FORM_BOX     ? make_box()
                : form >= FORM_FIELD ? make_field(form)
                                     : make_flat(forms, form);
    }
    return *mesh;
}

void forms_release(Forms *forms, uint32_t form)
{
    sidle_mesh_release(forms->meshes[form]);
    forms->meshes[form] = NULL;
}

/* ---- faces ---- */

typedef struct FaceAt
{
    double height, front; /* front: 1, it looks up */
} FaceAt;

/* The faces of a square in a column, at most two, that pass the filter but for their side. Returns their number. */
static uint32_t faces_of(const Square *square, double x, const Asked *asked, FaceAt faces[2])
{
    const sidle_pose *pose = &square->pose;
    double turned = pose->rotation.z != 0 ? -1 : 1, across = x - pose->position.x, y = pose->position.y;
    if (!square->is_there || fabs(across) > 1)
    {
        return 0;
    }
    across *= turned * (double)pose->scale.x;
    double up = turned * (double)pose->scale.y;
    int surface = surfaces_of[square->form][across > 0];
    bool is_ignored = memcmp(&asked->ignore, &square->id, sizeof square->id) == 0 ||
                      (asked->group != 0 && asked->group == square->group);
    if (surface < 0 || is_ignored || (asked->surfaces >> surface & 1) ||
        (asked->layers != 0 && !(asked->layers & square->layers)))
    {
        return 0;
    }
    if (square->form == FORM_BOX)
    {
        faces[0] = (FaceAt){y + BOX_HALF, 1};
        faces[1] = (FaceAt){y - BOX_HALF, -1};
        return 2;
    }
    faces[0] = (FaceAt){y + up * (square->form == FORM_LIFTED ? LIFT : 0), up};
    return 1;
}

/* How far along the path of the request a face is hit; INFINITY: not at all. */
static double hit_at(const Square *square, const FaceAt *face, const Asked *asked)
{
    bool sees_fronts = asked->one_sided || (square->flags & SIDLE_INSTANCE_ONE_SIDED);
    double distance = asked->direction * (face->height - asked->from);
    bool is_hit = distance >= 0 && distance <= PATH && !(sees_fronts && face->front == asked->direction);
    return is_hit ? distance : INFINITY;
}

/* What a column answers. */
typedef struct Expected
{
    double distance; /* along the path; INFINITY: no hit */
    uint64_t key;    /* of the first there */
    uint32_t count;
} Expected;

static Expected expected_on_path(const Epoch *epoch, double x, const Asked *asked)
{
    Expected out = {INFINITY, 0, 0};
    for (uint32_t i = 0; i < MODEL_MOST; ++i)
    {
        FaceAt faces[2];
        uint32_t count = faces_of(&epoch->squares[i], x, asked, faces);
        for (uint32_t k = 0; k < count; ++k)
        {
            double distance = hit_at(&epoch->squares[i], &faces[k], asked);
            out.count += distance < (double)INFINITY;
            if (distance < out.distance)
            {
                out.distance = distance;
                out.key = i + 1;
            }
        }
    }
    return out;
}

/* Whether an instance has a face at this height. `sided`: that the path hits. */
static bool has_face(const Epoch *epoch, uint64_t key, double x, double height, const Asked *asked,
                     bool sided)
{
    FaceAt faces[2];
    fuzz_demand(key > 0 && key <= MODEL_MOST, "the key of an instance");
    const Square *square = &epoch->squares[key - 1];
    uint32_t count = faces_of(square, x, asked, faces);
    bool found = false;
    for (uint32_t k = 0; k < count; ++k)
    {
        found |= fabs(faces[k].height - height) <= ROUNDING &&
                 (!sided || hit_at(square, &faces[k], asked) < (double)INFINITY);
    }
    return found;
}

/* ---- casts ---- */

static const sidle_shape shapes[] = {{{0, 0, 0}, 0},
                                     {{(float)EXTENT, (float)EXTENT, (float)EXTENT}, 0},
                                     {{.05f, (float)EXTENT, .03125f}, 0},
                                     {{.03125f, .03125f, .03125f}, .03125f}};

static sidle_cast cast_of(double x, const sidle_shape *shape, const Asked *asked)
{
    return (sidle_cast){.origin = {x, asked->from, BESIDE_Z},
                        .displacement = {0, (float)(asked->direction * PATH), 0},
                        .shape = *shape,
                        .ignore = asked->ignore,
                        .collides_with = asked->layers,
                        .flags = asked->one_sided ? SIDLE_CAST_ONE_SIDED : 0,
                        .ignored_surfaces = asked->surfaces,
                        .ignored_group = asked->group};
}

static void check_hit(const Epoch *epoch, double x, const Asked *asked, const Expected *expected,
                      const sidle_cast *cast, const sidle_cast_hit *hit)
{
    double height = asked->from + asked->direction * expected->distance;
    bool is_ray = cast->shape.radii.x == 0;
    fuzz_demand((hit->hit == SIDLE_CAST_HIT) == (expected->count > 0), "a hit where there is a face");
    if (expected->count > 0)
    {
        fuzz_demand_at_most(fabs(hit->point.y - height), ROUNDING, "the nearest face is hit");
        fuzz_demand(is_ray ? hit->instance_key == expected->key
                           : has_face(epoch, hit->instance_key, x, height, asked, true),
                    "of the instance that has it");
    }
}

static void check_casts(const Epoch *epoch, double x, const Asked *asked)
{
    Expected expected = expected_on_path(epoch, x, asked);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
    {
        sidle_cast cast = cast_of(x, &shapes[i], asked);
        sidle_cast_hit hit, list[4];
        uint32_t count;
        fuzz_cast(epoch->snapshot, &cast, 1, &hit);
        check_hit(epoch, x, asked, &expected, &cast, &hit);
        fuzz_demand(sidle_cast_all(epoch->snapshot, 1, &cast, list, 4, &count) == SIDLE_OK, "all hits");
        fuzz_demand(count == expected.count, "each face once");
        if (count > 0)
        {
            check_hit(epoch, x, asked, &expected, &cast, &list[0]);
        }
        for (uint32_t k = 1; k < count && k < 4; ++k)
        {
            fuzz_demand(list[k - 1].t <= list[k].t + ROUNDING, "in order");
        }
        cast.flags |= SIDLE_CAST_ANY;
        fuzz_cast(epoch->snapshot, &cast, 1, &hit);
        fuzz_demand((hit.hit == SIDLE_CAST_HIT) == (expected.count > 0), "any hit");
    }
}

/* ---- places ---- */

/* Half an extent above the height of faces, and a quarter of BOX_HALF. */
#define ABOVE .03125

/* Counts the faces within a distance of a height, and the least distance. */
static Expected expected_around(const Epoch *epoch, double x, double height, double within,
                                const Asked *asked)
{
    Expected out = {INFINITY, 0, 0};
    for (uint32_t i = 0; i < MODEL_MOST; ++i)
    {
        FaceAt faces[2];
        uint32_t count = faces_of(&epoch->squares[i], x, asked, faces);
        for (uint32_t k = 0; k < count; ++k)
        {
            double distance = fabs(faces[k].height - height);
            out.count += distance < within;
            out.distance = distance < out.distance ? distance : out.distance;
        }
    }
    return out;
}

static void check_places(const Epoch *epoch, double x, double near, const Asked *asked)
{
    const float within = .2f; /* not as far as the sides of a box */
    sidle_place place = {.center = {x, near + ABOVE, BESIDE_Z},
                         .ignore = asked->ignore,
                         .collides_with = asked->layers,
                         .ignored_surfaces = asked->surfaces,
                         .ignored_group = asked->group};
    sidle_closest closest;
    Expected around = expected_around(epoch, x, place.center.y, (double)within, asked),
             over = expected_around(epoch, x, place.center.y, EXTENT, asked);
    fuzz_demand(sidle_place_closest(epoch->snapshot, 1, &place, within, &closest) == SIDLE_OK, "a place");
    fuzz_demand(closest.found == (around.count > 0), "a face near the place");
    if (closest.found)
    {
        fuzz_demand_at_most(fabs(closest.distance - around.distance), ROUNDING, "the closest face");
        fuzz_demand(has_face(epoch, closest.instance_key, x, closest.point.y, asked, false),
                    "of its instance");
    }
    for (uint32_t i = 0; i < 2; ++i)
    {
        uint32_t count;
        place.shape = shapes[1];
        place.flags = i ? SIDLE_PLACE_BOX : 0;
        fuzz_demand(sidle_place_overlaps(epoch->snapshot, 1, &place, NULL, 0, &count) == SIDLE_OK,
                    "overlaps");
        fuzz_demand(count == over.count, "each face that the shape overlaps");
    }
}

/* ---- moves ---- */

static sidle_crowd *crowd_of(bool one_sided)
{
    static sidle_crowd *crowds[2];
    sidle_profile profile = {.size = sizeof profile,
                             .shape = shapes[1],
                             .mode = SIDLE_FLY,
                             .flags = one_sided ? SIDLE_PROFILE_ONE_SIDED : 0};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd **crowd = &crowds[one_sided];
    fuzz_demand(*crowd || sidle_crowd_create(&desc, NULL, crowd) == SIDLE_OK, "a crowd");
    return *crowd;
}

/* Agents that fly along the paths end before the faces. The motion of the epoch has moved them already. */
static void check_moves(const Epoch *epoch, const double *columns, uint32_t count, const Asked *asked)
{
    sidle_move moves[COLUMNS];
    sidle_result results[COLUMNS];
    memset(moves, 0, sizeof moves);
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_move *move = &moves[i];
        move->id = i;
        move->body.center = (sidle_position){columns[i], asked->from, BESIDE_Z};
        move->body.motion_epoch = (uint32_t)sidle_snapshot_epoch(epoch->snapshot);
        move->body.motion_done = 1;
        move->displacement.y = (float)(asked->direction * PATH);
        move->ignore = asked->ignore;
        move->collides_with = asked->layers;
        move->ignored_surfaces = asked->surfaces;
        move->ignored_group = asked->group;
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = epoch->snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .count = count,
                            .results = results};
    fuzz_demand(sidle_crowd_tick(crowd_of(asked->one_sided), &tick) == SIDLE_OK, "a tick");
    for (uint32_t i = 0; i < count; ++i)
    {
        Expected expected = expected_on_path(epoch, columns[i], asked);
        double flown = asked->direction * (results[i].body.center.y - asked->from);
        double end = expected.count > 0 ? expected.distance - EXTENT * 1.02 : PATH;
        if (!(results[i].reasons & SIDLE_REASON_TRUNCATED))
        {
            fuzz_demand_at_most(fabs(flown - end), 1e-3, "an agent flies up to the nearest face");
        }
    }
}

/* ---- all of it ---- */

Asked asked_of(Input *input, const Square *squares)
{
    uint32_t what = input_byte(input), filter = input_byte(input);
    Asked asked = {.from = 24.5, .direction = -1};
    asked.from = what & 1 ? (double)input_below(input, 16) + .5 : asked.from;
    asked.direction = what & 2 ? 1 : asked.direction;
    asked.one_sided = what & 4;
    asked.ignore = what & 8 ? squares[input_below(input, MODEL_MOST)].id : asked.ignore;
    asked.surfaces = what & 16 ? input_byte(input) : 0;
    asked.group = filter & 3;
    asked.layers = filter >> 2 & 3;
    return asked;
}

void epoch_check(const Epoch *epoch, const Asked *asked)
{
    double columns[COLUMNS];
    uint32_t count = 0, all = 0;
    for (uint32_t i = 0; i < MODEL_MOST && epoch->snapshot; ++i)
    {
        const Square *square = &epoch->squares[i];
        double x = square->pose.position.x + (i % 2 ? BESIDE_X : -BESIDE_X);
        Expected expected = expected_on_path(epoch, x, asked);
        sidle_cast ray = cast_of(x, &shapes[0], asked);
        sidle_cast_hit hit;
        fuzz_demand(sidle_cast_closest(epoch->snapshot, 1, &ray, &hit) == SIDLE_OK, "a ray");
        check_hit(epoch, x, asked, &expected, &ray, &hit);
        if (square->is_there && count < COLUMNS && all++ % 4 == 0)
        {
            columns[count++] = x;
            check_casts(epoch, x, asked);
            check_places(epoch, x, square->pose.position.y, asked);
        }
    }
    if (count > 0)
    {
        check_moves(epoch, columns, count, asked);
    }
}
