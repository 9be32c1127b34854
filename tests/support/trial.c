#include "support/trial.h"

#include "support/oracle.h"

#include <stdlib.h>

static FauerbyVector published(Vector v)
{
    return (FauerbyVector){(float)v.x, (float)v.y, (float)v.z};
}

static Vector radii_of(const Trial *trial)
{
    sidle_vec3 radii = trial->options.profile.shape.radii;
    return vector((double)radii.x, (double)radii.y, (double)radii.z);
}

Trial trial_of(Subject subject, Soup soup, SceneOptions options, Vector start)
{
    Trial trial = {.subject = subject, .soup = soup, .options = options, .agent = agent_in(start)};
    if (subject == SUBJECT_SIDLE)
    {
        trial.scene = scene_of(soup_copy(&soup), options);
        return trial;
    }
    trial.triangles = calloc(soup.count + 1, sizeof *trial.triangles);
    if (trial.triangles == NULL)
    {
        abort();
    }
    for (size_t index = 0; index < soup.count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            trial.triangles[index].p[corner] = published(soup.triangles[index].v[corner]);
        }
    }
    return trial;
}

void trial_end(Trial *trial)
{
    if (trial->subject == SUBJECT_SIDLE)
    {
        scene_close(&trial->scene);
    }
    free(trial->triangles);
    soup_free(&trial->soup);
}

/* The paper's gravity is the displacement of one frame. */
static Vector fall_of(const Trial *trial)
{
    if (trial->options.profile.mode == SIDLE_FLY)
    {
        return vector(0, 0, 0);
    }
    sidle_vec3 gravity = trial->options.gravity;
    double squared = (double)trial->options.dt * (double)trial->options.dt;
    return vector_scale(vector((double)gravity.x, (double)gravity.y, (double)gravity.z), squared);
}

void trial_push(Trial *trial, Vector wish)
{
    if (trial->subject == SUBJECT_SIDLE)
    {
        scene_tick(&trial->scene, &trial->agent, wish);
        return;
    }
    FauerbyWorld world = {.triangles = trial->triangles,
                          .triangle_count = trial->soup.count,
                          .units_per_metre = trial->units_per_metre};
    FauerbyVector end = fauerby_move(&world, published(agent_center(&trial->agent)),
                                     published(radii_of(trial)), published(wish), published(fall_of(trial)));
    trial->agent.body.center = (sidle_position){(double)end.x, (double)end.y, (double)end.z};
}

void trial_pushes(Trial *trial, Vector wish, int ticks)
{
    for (int tick = 0; tick < ticks; ++tick)
    {
        trial_push(trial, wish);
    }
}

void trial_fly(Trial *trial, Vector wish)
{
    Vector direction = vector_unit(wish), goal = vector_add(trial_center(trial), wish);
    trial_push(trial, wish);
    for (int tick = 0; tick < 256 && trial_reports_truncation(trial); ++tick)
    {
        double rest = vector_dot(vector_sub(goal, trial_center(trial)), direction);
        trial_push(trial, vector_scale(direction, fmax(rest, 0.0)));
    }
}

Vector trial_center(const Trial *trial)
{
    return agent_center(&trial->agent);
}

double trial_clearance(const Trial *trial)
{
    return soup_distance(&trial->soup, trial_center(trial), radii_of(trial));
}

double trial_gap(const Trial *trial)
{
    if (trial->subject == SUBJECT_SIDLE)
    {
        return (double)trial->options.profile.skin;
    }
    return 0.005 * (trial->units_per_metre > 0.0f ? (double)trial->units_per_metre / 100.0 : 1.0);
}

double trial_sweep_radius(const Trial *trial)
{
    return trial->subject == SUBJECT_SIDLE ? 1.0 + 0.5 * trial_gap(trial) : 1.0;
}

/* sidle reports a contact's place and normal; the centre stood one sweep radius from the place along the
 * normal. */
static double touch_of_contact(const Trial *trial, Vector start, Vector direction)
{
    if (trial->agent.contact_count == 0)
    {
        return -1.0;
    }
    const sidle_contact *contact = &trial->agent.contacts[0];
    Vector normal = vector((double)contact->normal.x, (double)contact->normal.y, (double)contact->normal.z);
    Vector point = vector(contact->point.x, contact->point.y, contact->point.z);
    Vector center = vector_along(point, trial_sweep_radius(trial), normal);
    return vector_dot(vector_sub(center, start), direction);
}

double trial_first_touch(Trial *trial, Vector wish)
{
    Vector start = trial_center(trial);
    if (trial->subject == SUBJECT_SIDLE)
    {
        trial_push(trial, wish);
        return touch_of_contact(trial, start, vector_unit(wish));
    }
    FauerbyHit hit = fauerby_sweep(trial->triangles, trial->soup.count, published(start), published(wish));
    return hit.found ? hit.distance : -1.0;
}

double trial_expected_touch(const Trial *trial, Vector wish)
{
    double length = vector_length(wish), first = INFINITY;
    Vector start = trial_center(trial), direction = vector_unit(wish);
    for (size_t index = 0; index < trial->soup.count; ++index)
    {
        OracleSweep sweep =
            oracle_sweep(trial->soup.triangles[index].v, start, direction, length, trial_sweep_radius(trial));
        first = sweep.hit && sweep.time < first ? sweep.time : first;
    }
    return isfinite(first) ? first : -1.0;
}

bool trial_is_hindered(Trial *trial, Vector wish)
{
    if (trial->subject == SUBJECT_PUBLISHED)
    {
        return trial_first_touch(trial, wish) >= 0.0;
    }
    Vector start = trial_center(trial);
    trial_fly(trial, wish);
    double moved = vector_dot(vector_sub(trial_center(trial), start), vector_unit(wish));
    return (trial->agent.reasons & SIDLE_REASON_WALL) != 0 || moved < vector_length(wish) - 1e-3;
}

bool trial_reports_truncation(const Trial *trial)
{
    return trial->subject == SUBJECT_SIDLE && (trial->agent.reasons & SIDLE_REASON_TRUNCATED) != 0;
}
