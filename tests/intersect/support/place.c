#include "intersect/support/place.h"

#include <math.h>

NumberVector number_place(sidle_position a)
{
    return number_vector(vector(a.x, a.y, a.z));
}

NumberVector number_offset(sidle_position from, sidle_position to)
{
    return number_vector_sub(number_place(to), number_place(from));
}

NumberVector number_along(NumberVector start, NumberVector displacement, Number share)
{
    return number_vector_add(start, number_vector_scale(displacement, share));
}

NumberVector number_between(sidle_position a, sidle_position b, Number time)
{
    return number_along(number_place(a), number_offset(a, b), time);
}

NumberVector number_unit(NumberVector a)
{
    return number_vector_scale(a, number_div(number_of(1), number_length(a)));
}

Number number_plane_distance(const sidle_plane *plane, sidle_position p)
{
    return number_sub(number_dot(number_place(plane->normal), number_place(p)), number_of(plane->offset));
}

double place_off(NumberVector exact, sidle_position got)
{
    return number_double(number_length(number_vector_sub(number_place(got), exact)));
}

static double off_share(Number exact, double got)
{
    double off = number_error(exact, got);
    return off == 0 ? 0 : off / fabs(number_double(exact));
}

double place_off_share(NumberVector exact, sidle_position got)
{
    return fmax(fmax(off_share(exact.x, got.x), off_share(exact.y, got.y)), off_share(exact.z, got.z));
}
