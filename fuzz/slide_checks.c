#include "fuzz.h"
#include "slide_stage.h"

#include "kernels/constants.h"
#include "support/oracle.h"
#include "support/oracle_core.h"

static Vector place_of(const sidle_body *body)
{
    return vector(body->center.x, body->center.y, body->center.z);
}

static Vector from_float(sidle_vec3 v)
{
    return vector((double)v.x, (double)v.y, (double)v.z);
}

/* The corners of a triangle where the agent at `center` is the unit ball. */
static void corners_around(const Stage *stage, uint32_t agent, size_t triangle, Vector center, Vector out[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        Vector v = vector_sub(stage->soup.triangles[triangle].v[corner], center);
        out[corner] = vector_over(vector_rotated(&stage->turn[agent], v),
                                  from_float(stage->input->profile.shape.radii));
    }
}

/* Half of a capsule's core where the agent is the unit ball; else zero. */
static Vector core_of(const Stage *stage)
{
    const sidle_shape *shape = &stage->input->profile.shape;
    return vector(0, (double)shape->half_height / (double)shape->radii.y, 0);
}

static double distance_of_path(const Vector corners[3], Vector core, Vector path)
{
    Vector zero = {0, 0, 0};
    double length = vector_length(path);
    Vector direction = length > 0 ? vector_unit(path) : zero;
    if (core.y > 0)
    {
        return length > 0 ? oracle_core_approach(corners, core, zero, direction, length).distance
                          : oracle_core(corners, core, zero).distance;
    }
    return length > 0 ? oracle_approach(corners, zero, direction, length).distance
                      : oracle_closest(corners, zero).distance;
}

/* The least distance on the straight path between two centres. */
static double approach(const Stage *stage, uint32_t agent, Vector from, Vector to)
{
    Vector corners[3], core = core_of(stage), radii = from_float(stage->input->profile.shape.radii);
    Vector path = vector_over(vector_rotated(&stage->turn[agent], vector_sub(to, from)), radii);
    double least = INFINITY;
    for (size_t i = 0; i < stage->soup.count; ++i)
    {
        corners_around(stage, agent, i, from, corners);
        least = fmin(least, distance_of_path(corners, core, path));
    }
    return least;
}

/* From the middle of the shape to its farthest point, at most. */
static double size_of(const Stage *stage)
{
    const sidle_shape *shape = &stage->input->profile.shape;
    return vector_length(from_float(shape->radii)) + (double)shape->half_height;
}

static bool begins_free(const Stage *stage, uint32_t agent, Vector center)
{
    return approach(stage, agent, center, center) >= 1 + .5 * (double)stage->input->profile.skin;
}

/* What the modes may add to a wish: falling, steering, following the ground. */
static double longest_path(const Stage *stage, const sidle_move *move)
{
    const sidle_profile *profile = &stage->input->profile;
    double wish = vector_length(from_float(move->displacement)), dt = (double)stage->input->dt;
    double speed = vector_length(from_float(move->body.velocity));
    double fall = speed * dt + .5 * 9.81 * dt * dt;
    double radius = fmax((double)profile->shape.radii.x,
                         fmax((double)profile->shape.radii.y + (double)profile->shape.half_height,
                              (double)profile->shape.radii.z));
    switch (profile->mode)
    {
    case SIDLE_FLY:
        return wish;
    case SIDLE_SLIDE:
        return wish + (profile->flags & SIDLE_PROFILE_NO_GRAVITY ? 0 : fall);
    default: /* steered in the air; down by a step, which may be half of the own size */
        wish *= profile->flags & SIDLE_PROFILE_HORIZONTAL_SPEED ? 10 : 1; /* on slopes up to LEAST_RISE */
        radius = fmax(radius, (double)fmaxf(profile->step_up, profile->step_down));
        return 3 * wish + 3 * fall + 1.2 * radius;
    }
}

/* How near the end of a path may be. A sweep may graze by GRAZE_SLOPE of its path and an eighth of the skin,
 * and a slide has eight of them; lanes in float err by less than a sixteenth of the skin, and triangles
 * without a face of their own by 2.5e-5. */
static double shell_kept(const Stage *stage, const sidle_move *move)
{
    const sidle_vec3 *r = &stage->input->profile.shape.radii;
    double skin = (double)stage->input->profile.skin, least = (double)fminf(r->x, fminf(r->y, r->z));
    double grazed = fmin(skin, GRAZE_SLOPE * longest_path(stage, move) / least);
    return 1 + .4375 * skin - grazed - 2.5e-5;
}

static void check_numbers(const sidle_result *result)
{
    const sidle_body *body = &result->body;
    fuzz_demand(vector_is_finite(place_of(body)), "a centre is not finite");
    fuzz_demand(vector_is_finite(from_float(body->velocity)), "a velocity is not finite");
    fuzz_demand(vector_is_finite(from_float(body->ground_normal)), "a ground is not finite");
    fuzz_demand(!(result->reasons & SIDLE_REASON_INVALID), "a good agent is refused");
    double normal = vector_length(from_float(body->ground_normal));
    fuzz_demand(body->flags & SIDLE_BODY_GROUNDED ? fabs(normal - 1) < 1e-5 : normal <= 0, "an odd ground");
}

/* The rounding of centres far from the origin, of wishes and of what counts as no motion. */
static double path_rounding(const Stage *stage, Vector center)
{
    double far = fmax(fabs(center.x), fmax(fabs(center.y), fabs(center.z)));
    return 0x1p-48 * far + 1e-7 * size_of(stage);
}

static void check_path(const Stage *stage, uint32_t agent, const sidle_move *move, const sidle_result *result)
{
    Vector from = place_of(&move->body), to = place_of(&result->body), path = vector_sub(to, from);
    Vector wish = from_float(move->displacement);
    double rounding = path_rounding(stage, from);
    if (result->reasons & SIDLE_REASON_OVERLAP)
    {
        return;
    }
    fuzz_demand_at_most(vector_length(path), longest_path(stage, move) * (1 + 1e-6) + rounding,
                        "a path longer than asked");
    if (stage->input->profile.mode != SIDLE_FLY)
    {
        return;
    }
    fuzz_demand_at_most(-vector_dot(path, wish), rounding * vector_length(wish), "a path backwards");
    bool hindered = result->contact_count > 0 || result->reasons;
    if (!hindered && !(stage->input->profile.flags & SIDLE_PROFILE_ONE_SIDED))
    {
        fuzz_demand_at_most(vector_distance(path, wish), rounding + 2e-6 * size_of(stage),
                            "no contact, and not the whole path");
        fuzz_demand_at_most(begins_free(stage, agent, from) ? shell_kept(stage, move) : 0,
                            approach(stage, agent, from, to), "a straight path through something");
    }
}

static void check_end(const Stage *stage, uint32_t agent, const sidle_move *move, const sidle_result *result)
{
    bool one_sided = stage->input->profile.flags & SIDLE_PROFILE_ONE_SIDED;
    if (!one_sided && begins_free(stage, agent, place_of(&move->body)))
    {
        Vector end = place_of(&result->body);
        fuzz_demand_at_most(shell_kept(stage, move), approach(stage, agent, end, end),
                            "an end below the swept shell");
        fuzz_demand(!(result->reasons & SIDLE_REASON_STUCK), "stuck without an overlap");
    }
}

static void check_contact(const Stage *stage, uint32_t agent, const sidle_move *move,
                          const sidle_contact *contact)
{
    Vector normal = from_float(contact->normal), corners[3];
    Vector point = vector(contact->point.x, contact->point.y, contact->point.z);
    fuzz_demand(contact->agent == move->id && contact->instance_key == 7, "a contact of another agent");
    fuzz_demand(contact->triangle < stage->soup.count && contact->feature <= SIDLE_FEATURE_VERTEX,
                "a contact with nothing");
    fuzz_demand(contact->surface == (uint16_t)(3 * contact->triangle + 1), "a contact of another surface");
    fuzz_demand(vector_is_finite(point) && fabs(vector_length(normal) - 1) < 1e-5, "a contact is not finite");
    corners_around(stage, agent, contact->triangle, place_of(&move->body), corners);
    double size = 1; /* of the lane: float rounds a corner relative to its distance */
    for (int corner = 0; corner < 3; ++corner)
    {
        size = fmax(size, vector_length(corners[corner]));
    }
    corners_around(stage, agent, contact->triangle, point, corners);
    double far = path_rounding(stage, point) / .05;
    fuzz_demand_at_most(oracle_closest(corners, vector(0, 0, 0)).distance, 1e-6 * size + far,
                        "a contact beside its triangle");
}

/* ---- leaks ---- */

static bool is_in_box(const SlideInput *input, Vector center)
{
    Vector c = vector_sub(center, input->place);
    return fmax(fabs(c.x), fmax(fabs(c.y), fabs(c.z))) < input->box;
}

/* Inside the solid by more than `margin` of its size. */
static bool is_in_solid(const Stage *stage, size_t first, Vector center, double margin)
{
    const SoupTriangle *t = stage->soup.triangles + first;
    for (size_t face = 0; face < 4; ++face) /* wound to the outside */
    {
        Vector a = t[face].v[0];
        Vector normal = vector_unit(vector_cross(vector_sub(t[face].v[1], a), vector_sub(t[face].v[2], a)));
        if (!(vector_dot(normal, vector_sub(center, a)) < -margin))
        {
            return false;
        }
    }
    return true;
}

/* Flat ones have no inside. */
static bool has_inside(const SoupTriangle *t)
{
    Vector a = vector_sub(t[0].v[1], t[0].v[0]), b = vector_sub(t[0].v[2], t[0].v[0]);
    Vector c = vector_sub(t[1].v[1], t[0].v[0]);
    double size = fmax(vector_length(a), fmax(vector_length(b), vector_length(c)));
    return fabs(vector_dot(vector_cross(a, b), c)) > 1e-2 * size * size * size;
}

static void check_leaks(const Stage *stage, Vector from, Vector to)
{
    const SlideInput *input = stage->input;
    fuzz_demand(!(input->box > 0 && is_in_box(input, from)) || is_in_box(input, to), "out of the box");
    for (uint32_t i = 0; i < input->solid_count && !(input->profile.flags & SIDLE_PROFILE_ONE_SIDED); ++i)
    {
        if (has_inside(stage->soup.triangles + 4 * i))
        {
            bool was_outside = !is_in_solid(stage, 4 * i, from, -1e-3),
                 was_inside = is_in_solid(stage, 4 * i, from, 1e-3);
            fuzz_demand(!was_outside || !is_in_solid(stage, 4 * i, to, 1e-3), "into a solid");
            fuzz_demand(!was_inside || is_in_solid(stage, 4 * i, to, -1e-3), "out of a solid");
        }
    }
}

/* ---- all of it ---- */

void stage_check(const Stage *stage, const sidle_move *moves, const Moved *moved)
{
    for (uint32_t i = 0; i < stage->input->agent_count; ++i)
    {
        const sidle_result *result = &moved->results[i];
        check_numbers(result);
        check_path(stage, i, &moves[i], result);
        check_end(stage, i, &moves[i], result);
        check_leaks(stage, place_of(&moves[i].body), place_of(&result->body));
        for (uint32_t k = 0; k < result->contact_count; ++k)
        {
            check_contact(stage, i, &moves[i], &moved->contacts[result->contact_first + k]);
        }
    }
}
