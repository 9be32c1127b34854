#include "support/shots.h"

ShotVerdict shot_verdict(Trial *trial, Vector wish, double slack)
{
    Vector start = trial_center(trial);
    double nearest = soup_approach(&trial->soup, start, vector_add(start, wish), vector(1, 1, 1));
    double expected = trial_expected_touch(trial, wish);
    double touch = trial_first_touch(trial, wish);
    if (fabs(nearest - trial_sweep_radius(trial)) <= slack)
    {
        return SHOT_AGREES;
    }
    if (expected < 0.0 || touch < 0.0)
    {
        return expected < 0.0 ? (touch < 0.0 ? SHOT_AGREES : SHOT_IS_A_GHOST) : SHOT_IS_LATE;
    }
    if (touch > expected + slack)
    {
        return SHOT_IS_LATE;
    }
    return touch < expected - slack ? SHOT_IS_A_GHOST : SHOT_AGREES;
}

/* Takes the soup: turns it, the start and the wish into a random pose and lets the subject fly. */
static ShotVerdict shot_in_a_random_pose(Random *random, Subject subject, Soup soup, Vector start,
                                         Vector wish)
{
    double size = 0.0;
    Rotation pose = random_rotation(random);
    soup_turn(&soup, &pose);
    soup_round(&soup);
    for (size_t index = 0; index < soup.count; ++index)
    {
        size = fmax(size, vector_length(soup.triangles[index].v[0]));
    }
    Trial trial = trial_of(subject, soup, flying_ball(), vector_as_float(vector_rotated(&pose, start)));
    /* A mesh keeps its corners as floats: two ulps of the size are given away besides. */
    double slack = 0.01 + 2.4e-7 * size;
    ShotVerdict verdict = shot_verdict(&trial, vector_as_float(vector_rotated(&pose, wish)), slack);
    trial_end(&trial);
    return verdict;
}

ShotVerdict ridge_shot(Random *random, Subject subject, double length)
{
    Soup ridge = {0};
    soup_ridge(&ridge, length, 3, 4);
    Vector start = random_in_box(random, vector(-0.5, 3, -0.4 * length), vector(0.5, 3, 0.4 * length));
    Vector wish = random_in_box(random, vector(-0.3, -4, 0), vector(0.3, -4, 0));
    return shot_in_a_random_pose(random, subject, ridge, start, wish);
}

ShotVerdict needle_shot(Random *random, Subject subject, double length, double width)
{
    Soup needle = {0};
    soup_triangle(&needle, vector(0, 0, 0), vector(length, 0, 0), vector(length, 0, -width));
    Vector start = random_in_box(random, vector(0.1 * length, 3, -1.5 - width), vector(0.9 * length, 3, 1.5));
    return shot_in_a_random_pose(random, subject, needle, start, vector(0, -4, 0));
}

ShotVerdict sliver_shot(Random *random, Subject subject, double height)
{
    Soup sliver = {0};
    soup_triangle(&sliver, vector(-2, 0, 0), vector(2, 0, 0), vector(0, 0, -height));
    Vector start = random_in_box(random, vector(-2.5, 3, -1.5), vector(2.5, 3, 1.5));
    Vector wish = random_in_box(random, vector(-1, -4, -1), vector(1, -4, 1));
    return shot_in_a_random_pose(random, subject, sliver, start, wish);
}
