#include "intersect/support/plane_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Style draw_style(Random *random)
{
    return (Style)random_below(random, STYLE_COUNT);
}

double draw_number(Random *random, Style style)
{
    double whole = (double)random_below(random, 9) - 4;
    switch (style)
    {
    case STYLE_LATTICE:
        return whole;
    case STYLE_EVEN:
        return random_between(random, -10, 10);
    case STYLE_FAR:
        return 1e6 + random_between(random, -1, 1);
    case STYLE_RATIOS:
        return random_chance(random, 0.5) ? random_scale(random, 1e-9, 1e9)
                                          : -random_scale(random, 1e-9, 1e9);
    default:
        return whole * 0x1p-90;
    }
}

double draw_length(Random *random, Style style)
{
    if (random_chance(random, 0.1))
    {
        return 0;
    }
    return fabs(style == STYLE_FAR ? random_between(random, 0, 2) : draw_number(random, style));
}

sidle_position draw_place(Random *random, Style style)
{
    double x = draw_number(random, style), y = draw_number(random, style), z = draw_number(random, style);
    return (sidle_position){x, y, z};
}

sidle_dvec3 draw_unit(Random *random)
{
    static const sidle_dvec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.6, 0.8, 0}};
    if (random_chance(random, 0.3))
    {
        return axes[random_below(random, 4)];
    }
    Vector unit = random_direction(random);
    return (sidle_dvec3){unit.x, unit.y, unit.z};
}

sidle_dquat draw_rotation(Random *random, Style style)
{
    double x = draw_number(random, style), y = draw_number(random, style);
    double z = draw_number(random, style), w = draw_number(random, style);
    return (sidle_dquat){x, y, z, w};
}

sidle_plane draw_plane(Random *random, Style style)
{
    sidle_plane plane = {draw_unit(random), 0};
    sidle_position point = draw_place(random, style);
    plane.offset = plane.normal.x * point.x + plane.normal.y * point.y + plane.normal.z * point.z;
    return plane;
}

double nudged(Random *random, double a)
{
    int steps = (int)random_below(random, 7) - 3;
    for (; steps > 0; --steps)
    {
        a = nextafter(a, (double)INFINITY);
    }
    for (; steps < 0; ++steps)
    {
        a = nextafter(a, -(double)INFINITY);
    }
    return fabs(a) < 1e-60 ? 0 : a; /* nothing that small is promised */
}

sidle_position nudged_place(Random *random, sidle_position a)
{
    if (random_chance(random, 0.5))
    {
        return a;
    }
    double x = nudged(random, a.x), y = nudged(random, a.y), z = nudged(random, a.z);
    return (sidle_position){x, y, z};
}

sidle_position place_along(sidle_position a, double t, sidle_dvec3 b)
{
    return (sidle_position){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

double largest_of(const double *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i)
    {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

/* ---- errors ---- */

void note_error(Errors *errors, double error, double allowed)
{
    double share = error == 0 ? 0 : fabs(error) / allowed;
    errors->asked += 1;
    errors->worst = worse(errors->worst, share);
    errors->wrong += !(share <= 1);
}

void note_verdict(Errors *errors, bool got, double margin, double allowed)
{
    bool exact = margin >= 0;
    errors->asked += 1;
    errors->hits += got;
    errors->close += got != exact && fabs(margin) <= allowed;
    if (got != exact && allowed > 0)
    {
        errors->worst = worse(errors->worst, fabs(margin) / allowed);
    }
    errors->wrong += got != exact && !(fabs(margin) <= allowed);
}

void note_wrong(Errors *errors, bool right)
{
    errors->asked += 1;
    errors->wrong += !right;
}

void print_errors(const Errors *errors, const char *what, double unit)
{
    printf("%s: %llu asked, %llu hits, worst %.3g, %llu within the margin, %llu wrong\n", what,
           (unsigned long long)errors->asked, (unsigned long long)errors->hits, errors->worst * unit,
           (unsigned long long)errors->close, (unsigned long long)errors->wrong);
    fflush(stdout);
}

/* ---- any function ---- */

static uint32_t holds_nan(const double *numbers, size_t count)
{
    uint32_t found = 0;
    for (size_t i = 0; i < count; ++i)
    {
        found += isnan(numbers[i]) != 0;
    }
    return found > 0;
}

uint32_t count_false_hits(double *input, size_t count, bool (*hit)(const double *input, double *out),
                          size_t out_count)
{
    uint32_t failures = 0;
    double out[QUESTION_NUMBERS], untouched[QUESTION_NUMBERS];
    for (size_t i = 0; i < QUESTION_NUMBERS; ++i)
    {
        untouched[i] = 77;
    }
    for (size_t i = 0; i < count; ++i)
    {
        double kept = input[i];
        input[i] = (double)NAN;
        memcpy(out, untouched, sizeof out);
        failures += hit(input, out) || memcmp(out, untouched, sizeof out) != 0;
        input[i] = (double)INFINITY;
        failures += hit(input, out) && holds_nan(out, out_count);
        input[i] = -(double)INFINITY;
        failures += hit(input, out) && holds_nan(out, out_count);
        input[i] = kept;
    }
    return failures;
}

bool same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (a[i] != b[i])
        {
            return false;
        }
    }
    return true;
}

uint32_t count_scale_changes(const double *input, const int *powers, size_t count,
                             bool (*hit)(const double *input, double *out), const int *out_powers,
                             size_t out_count)
{
    uint32_t failures = 0;
    double plain[QUESTION_NUMBERS] = {0}, scaled_input[QUESTION_NUMBERS], scaled[QUESTION_NUMBERS] = {0};
    bool hits = hit(input, plain);
    for (int k = -195; k <= 195; ++k)
    {
        for (size_t i = 0; i < count; ++i)
        {
            scaled_input[i] = ldexp(input[i], k * powers[i]);
        }
        failures += hit(scaled_input, scaled) != hits;
        for (size_t i = 0; hits && i < out_count; ++i)
        {
            failures += scaled[i] != ldexp(plain[i], k * out_powers[i]);
        }
    }
    return failures;
}

uint64_t stirred_bits(uint64_t hash, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        uint64_t bits;
        double number = numbers[i] + 0.0; /* -0 and 0 are one answer */
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ bits) * 0x100000001B3u;
        hash ^= hash >> 29;
    }
    return hash;
}
