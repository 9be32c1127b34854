/* One tick of walking, measured from outside: how far the agent came, how much it rose, and what explains that. */
#ifndef TESTS_SUPPORT_STRIDE_H
#define TESTS_SUPPORT_STRIDE_H

#include "support/motion.h"
#include "support/report.h"

#include <stdbool.h>

typedef struct Stride
{
    Vector from, to;    /* the centre before and after, in the scene's axes */
    double asked, done; /* horizontal distances, m */
    double rise;        /* of the centre, m */
    double fallen;      /* drop of the centre in the tick before, m; 0 if it rose */
    bool stood, stands; /* GROUNDED before and after */
} Stride;

/* One tick. The stride given is that of the tick before, or all 0. */
void stride_next(Stride *stride, Actor *actor, Vector velocity);

/* The drop beyond what the ground's slope or gravity explains, m: max(tan(slope limit) * done, fallen + g dt^2). */
double stride_excess_down(const Stride *stride, const MotionSetting *setting);
/* The rise beyond what the ground's slope explains, m: tan(slope limit) * done + skin. */
double stride_excess_up(const Stride *stride, const MotionSetting *setting);

double setting_skin(const MotionSetting *setting);         /* m */
double setting_reach(const MotionSetting *setting);        /* m: of the foot, the horizontal radius */
double setting_gravity_step(const MotionSetting *setting); /* m: g dt^2 */

/* The three shapes of docs/motion.md: ellipsoid, capsule, ball. */
#define STRIDE_SHAPES 3
extern const sidle_shape stride_shapes[STRIDE_SHAPES];
extern const char *const stride_shape_names[STRIDE_SHAPES];
/* 15, 30, 60, 120, 240 and 480 ticks a second. */
#define STRIDE_RATES 6
extern const int stride_rates[STRIDE_RATES];

/* Whether anything is this near to the shape, m. */
bool actor_is_near(const Actor *actor, double distance);

/* How many cases of a kind broke a limit, the worst figure, and the case that it comes from. */
typedef struct Tally
{
    int cases, faults;
    double worst;
    char text[200]; /* of the worst case */
} Tally;

/* Counts a case. It is a fault if the value is above the limit or NaN. */
void tally(Tally *tally, double value, double limit, const char *format, ...) REPORT_PRINTS(4, 5);

/* A count of runs: what the environment variable says, else the default. */
int count_from(const char *variable, int otherwise);

#endif
