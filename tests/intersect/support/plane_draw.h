/* Input for the tests of planes and spheres: places where ties, parallels and cancellation are common, and
 * what all those tests do with their errors. */
#ifndef TESTS_SUPPORT_INTERSECT_PLANE_DRAW_H
#define TESTS_SUPPORT_INTERSECT_PLANE_DRAW_H

#include "sidle/intersect.h"
#include "support/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ULP 0x1p-53 /* u */

typedef enum Style
{
    STYLE_LATTICE, /* whole numbers -4 .. 4 */
    STYLE_EVEN,    /* -10 .. 10 */
    STYLE_FAR,     /* a unit or so around 1e6, 1e6, 1e6 */
    STYLE_RATIOS,  /* 1e-9 .. 1e9, each coordinate its own */
    STYLE_SMALL,   /* whole numbers -4 .. 4, times 2^-90 */
    STYLE_COUNT
} Style;

Style draw_style(Random *random);
double draw_number(Random *random, Style style);
double draw_length(Random *random, Style style); /* >= 0, 0 at times */
sidle_position draw_place(Random *random, Style style);
sidle_dvec3 draw_unit(Random *random); /* at times an axis */
sidle_dquat draw_rotation(Random *random, Style style);
sidle_plane draw_plane(Random *random, Style style);
double nudged(Random *random, double a);                               /* up to 3 doubles away */
sidle_position nudged_place(Random *random, sidle_position a);         /* at times */
sidle_position place_along(sidle_position a, double t, sidle_dvec3 b); /* a + t b */
double largest_of(const double *numbers, size_t count);                /* the largest |number| */

/* How wrong answers were, as shares of what is allowed, and counts of verdicts. */
typedef struct Errors
{
    double worst;
    uint64_t asked, hits, wrong, close; /* close: verdicts that differ from the exact one within the margin */
} Errors;

void note_error(Errors *errors, double error, double allowed);
/* `margin` is exact, >= 0 where it should hit; below `allowed` either verdict will do. */
void note_verdict(Errors *errors, bool got, double margin, double allowed);
void note_wrong(Errors *errors, bool right);
/* Prints the worst, in `unit`s where worst = 1 means all that is allowed. */
void print_errors(const Errors *errors, const char *what, double unit);

/* Asks of every number of an input: is the answer with NaN in its place a hit (`may_hit` false), and does a
 * hit with an infinity hold NaN? `hit` answers whether there is a hit, and writes to `out`, `out_count`
 * numbers, then. The number of failures; `input` is as it was. */
uint32_t count_false_hits(double *input, size_t count, bool (*hit)(const double *input, double *out),
                          size_t out_count);

/* The scene times 2^k, k = -195 .. 195 (the limits of lengths). `powers` says of each number of the input how
 * many times it is multiplied (0: a direction or a time), `out_powers` the same of the output. How many
 * answers differ in any bit. */
uint32_t count_scale_changes(const double *input, const int *powers, size_t count,
                             bool (*hit)(const double *input, double *out), const int *out_powers,
                             size_t out_count);

/* Equal but for the sign of zero. */
bool same_numbers(const double *a, const double *b, size_t count);

/* A hash of many answers; -0 and 0 are one. */
uint64_t stirred_bits(uint64_t hash, const double *numbers, size_t count);

#define QUESTION_NUMBERS 32 /* of an input or an output, at most */

/* One call of a function, as numbers. */
typedef struct Question
{
    bool (*ask)(const double *in, double *out);
    size_t in_count, out_count;
    double in[QUESTION_NUMBERS];
    int powers[QUESTION_NUMBERS], out_powers[QUESTION_NUMBERS];
} Question;

#endif
