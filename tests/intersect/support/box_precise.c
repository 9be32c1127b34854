#include "intersect/support/box.h"
#include "intersect/support/number.h"
#include "support/precise.h"

static Vector place_of(const Body *body, int index)
{
    return vector(body->numbers[3 * index], body->numbers[3 * index + 1], body->numbers[3 * index + 2]);
}

/* ---- sizes, in double ---- */

static void cover(const Body *body, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k)
    {
        const double *n = body->numbers;
        if (body->form == BODY_ORIENTED || body->form == BODY_SPHERE)
        {
            double reach = body->form == BODY_SPHERE
                               ? n[3]
                               : fabs(n[3] * n[6 + k]) + fabs(n[4] * n[9 + k]) + fabs(n[5] * n[12 + k]);
            low[k] = fmin(low[k], n[k] - reach);
            high[k] = fmax(high[k], n[k] + reach);
        }
        for (int i = 0; i < 3 && body->form != BODY_ORIENTED && body->form != BODY_SPHERE; ++i)
        {
            int place = body->form == BODY_BOX ? i % 2 : i;
            low[k] = fmin(low[k], n[3 * place + k]);
            high[k] = fmax(high[k], n[3 * place + k]);
        }
    }
}

double bodies_size(const Body *a, const Body *b)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    cover(a, low, high);
    cover(b, low, high);
    return (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
}

double body_size(const Body *body)
{
    return bodies_size(body, body);
}

/* ---- by brute force ---- */

/* Of a box: centre, axes, half extents along them. */
typedef struct Frame
{
    NumberVector center, axes[3];
    Number half[3];
} Frame;

static Frame frame_of(const Body *body)
{
    Frame frame;
    for (int i = 0; i < 3; ++i)
    {
        bool oriented = body->form == BODY_ORIENTED;
        Vector unit = vector(i == 0, i == 1, i == 2);
        frame.axes[i] = number_vector(oriented ? place_of(body, 2 + i) : unit);
        frame.half[i] = number_of(body->numbers[3 + i]);
        if (!oriented)
        {
            Number low = number_of(body->numbers[i]);
            frame.half[i] = number_mul(number_sub(frame.half[i], low), number_of(.5));
        }
    }
    frame.center = number_vector(place_of(body, 0));
    if (body->form == BODY_BOX)
    {
        NumberVector sum = number_vector_add(frame.center, number_vector(place_of(body, 1)));
        frame.center = number_vector_scale(sum, number_of(.5));
    }
    return frame;
}

typedef struct Span
{
    Number low, high;
} Span;

static Span span_of(const Body *body, NumberVector axis)
{
    Span span;
    if (body->form == BODY_TRIANGLE)
    {
        Number at[3];
        for (int i = 0; i < 3; ++i)
        {
            at[i] = number_dot(axis, number_vector(place_of(body, i)));
        }
        span.low = number_min(at[0], number_min(at[1], at[2]));
        span.high = number_max(at[0], number_max(at[1], at[2]));
        return span;
    }
    Frame frame = frame_of(body);
    Number middle = number_dot(axis, frame.center), reach = number_of(0);
    for (int i = 0; i < 3; ++i)
    {
        Number along = number_mul(frame.half[i], number_abs(number_dot(axis, frame.axes[i])));
        reach = number_add(reach, along);
    }
    return (Span){number_sub(middle, reach), number_add(middle, reach)};
}

/* What makes one, in doubles: long numbers live for one axis at a time. */
typedef struct Axis
{
    Vector from, to;
} Axis;

static int faces_of(const Body *body, Axis axes[3])
{
    for (int i = 0; i < 3; ++i)
    {
        Vector unit = vector(i == 0, i == 1, i == 2);
        axes[i].from = vector(0, 0, 0);
        axes[i].to = body->form == BODY_ORIENTED ? place_of(body, 2 + i) : unit;
        if (body->form == BODY_TRIANGLE)
        {
            axes[i] = (Axis){place_of(body, i), place_of(body, (i + 1) % 3)};
        }
    }
    return 3;
}

static NumberVector edge_of(Axis axis)
{
    return number_vector_sub(number_vector(axis.to), number_vector(axis.from));
}

/* The depth along an axis, in the shorter direction, if it is less; axes of no length are skipped. */
static void note_axis(const Body *a, const Body *b, NumberVector axis, double *least)
{
    Number length = number_length(axis);
    if (number_sign(length) > 0)
    {
        Span of_a = span_of(a, axis), of_b = span_of(b, axis);
        Number up = number_sub(of_a.high, of_b.low), down = number_sub(of_b.high, of_a.low);
        *least = fmin(*least, number_double(number_div(number_min(up, down), length)));
    }
}

static double sphere_depth(const Body *box, const Body *sphere)
{
    number_begin();
    Frame frame = frame_of(box);
    NumberVector offset = number_vector_sub(number_vector(place_of(sphere, 0)), frame.center);
    Number square = number_of(0), inside = number_of(INFINITY), radius = number_of(sphere->numbers[3]);
    for (int i = 0; i < 3; ++i)
    {
        Number beyond = number_sub(number_abs(number_dot(offset, frame.axes[i])), frame.half[i]);
        Number outside = number_max(beyond, number_of(0));
        square = number_add(square, number_mul(outside, outside));
        inside = number_min(inside, number_sub(number_of(0), beyond));
    }
    if (number_sign(square) > 0)
    {
        return number_double(number_sub(radius, number_sqrt(square)));
    }
    return number_double(number_add(radius, inside));
}

double precise_least_depth(const Body *a, const Body *b)
{
    Axis of_a[3], of_b[3];
    double least = INFINITY;
    if (b->form == BODY_SPHERE)
    {
        return sphere_depth(a, b);
    }
    faces_of(a, of_a);
    faces_of(b, of_b);
    for (int i = 0; i < 3; ++i)
    {
        number_begin();
        note_axis(a, b, edge_of(of_a[i]), &least);
        if (b->form != BODY_TRIANGLE)
        {
            note_axis(a, b, edge_of(of_b[i]), &least);
        }
        else if (i == 0)
        {
            note_axis(a, b, number_cross(edge_of(of_b[0]), edge_of(of_b[1])), &least);
        }
        for (int j = 0; j < 3 && (a->form != BODY_BOX || b->form != BODY_BOX); ++j)
        {
            number_begin();
            note_axis(a, b, number_cross(edge_of(of_a[i]), edge_of(of_b[j])), &least);
        }
    }
    return least;
}

double precise_depth_along(const Body *a, const Body *b, Vector direction)
{
    number_begin();
    NumberVector axis = number_vector(direction);
    Number length = number_length(axis), high = span_of(a, axis).high, low;
    if (b->form == BODY_SPHERE)
    {
        Number middle = number_dot(axis, number_vector(place_of(b, 0)));
        low = number_sub(middle, number_mul(number_of(b->numbers[3]), length));
    }
    else
    {
        low = span_of(b, axis).low;
    }
    return number_double(number_div(number_sub(high, low), length));
}

double precise_outside(const Body *body, Vector point)
{
    if (body->form == BODY_TRIANGLE)
    {
        Vector corners[3] = {place_of(body, 0), place_of(body, 1), place_of(body, 2)};
        return precise_excess(corners, point, 0);
    }
    number_begin();
    if (body->form == BODY_SPHERE)
    {
        NumberVector offset = number_vector_sub(number_vector(point), number_vector(place_of(body, 0)));
        return number_double(number_sub(number_length(offset), number_of(body->numbers[3])));
    }
    Frame frame = frame_of(body);
    NumberVector offset = number_vector_sub(number_vector(point), frame.center);
    Number most = number_of(-INFINITY);
    for (int i = 0; i < 3; ++i)
    {
        most = number_max(most, number_sub(number_abs(number_dot(offset, frame.axes[i])), frame.half[i]));
    }
    return number_double(most);
}
