/* Single shots of a ball at one awkward shape in a random pose, checked by the oracle: is it hit where it is,
 * and only there? */
#ifndef TESTS_SUPPORT_SHOTS_H
#define TESTS_SUPPORT_SHOTS_H

#include "support/random.h"
#include "support/trial.h"

typedef enum ShotVerdict
{
    SHOT_AGREES,
    SHOT_IS_LATE,   /* hit later than the oracle says, or never */
    SHOT_IS_A_GHOST /* hit earlier, or where nothing is */
} ShotVerdict;

/* A flight along the wish. Where the path passes the shape within `slack` of touching it, either answer
 * agrees. */
ShotVerdict shot_verdict(Trial *trial, Vector wish, double slack);

/* A roof whose ridge has the given length; the ball comes down on it. */
ShotVerdict ridge_shot(Random *random, Subject subject, double length);
/* A needle from a corner to a short edge; the ball comes down above it or beside it. */
ShotVerdict needle_shot(Random *random, Subject subject, double length, double width);
/* A sliver: two edges that almost continue each other over a long one of length 4. */
ShotVerdict sliver_shot(Random *random, Subject subject, double height);

#endif
