/* One scene, two subjects: the published algorithm and sidle go through the same pushes, so that one check
 * can say of both whether they behave as claimed. */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include "support/fauerby.h"
#include "support/scene.h"
#include "support/soup.h"

typedef enum Subject
{
    SUBJECT_PUBLISHED,
    SUBJECT_SIDLE
} Subject;

typedef struct Trial
{
    Subject subject;
    SceneOptions options;
    float units_per_metre; /* the published form's constant; sidle has none */
    Soup soup;             /* where it stands in the world */
    FauerbyTriangle *triangles;
    Scene scene;
    Agent agent;
} Trial;

/* Takes the soup. Radii, mode, gravity and dt of the options hold for both subjects. */
Trial trial_of(Subject subject, Soup soup, SceneOptions options, Vector start);
void trial_end(Trial *trial);

void trial_push(Trial *trial, Vector wish);
void trial_pushes(Trial *trial, Vector wish, int ticks);
/* A push, and pushes for the rest as long as the subject reports that it was cut short. */
void trial_fly(Trial *trial, Vector wish);

Vector trial_center(const Trial *trial);
/* Least distance to the soup where the body is the unit ball. */
double trial_clearance(const Trial *trial);

/* The gap that the subject means to keep to a surface, where the body is the unit ball. */
double trial_gap(const Trial *trial);
/* The radius at which the subject's sweep touches. */
double trial_sweep_radius(const Trial *trial);
/* How far along the wish the ball first touches; negative: it does not. Moves the subject. Balls only. */
double trial_first_touch(Trial *trial, Vector wish);
/* The same from the oracle, at the subject's sweep radius. */
double trial_expected_touch(const Trial *trial, Vector wish);
/* Whether a flight hits anything: the published sweep finds a hit, sidle reports a wall or falls short. */
bool trial_is_hindered(Trial *trial, Vector wish);
/* Whether the last push reported that it was truncated. */
bool trial_reports_truncation(const Trial *trial);

#endif
