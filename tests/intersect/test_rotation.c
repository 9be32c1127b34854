/* Rotations between others: named cases, and against exact numbers. SIDLE_QUERIES says how many. */
#include "intersect/support/plane_checks.h"

#include <string.h>

static bool same_rotation(sidle_dquat a, double x, double y, double z, double w)
{
    return fabs(a.x - x) < 1e-15 && fabs(a.y - y) < 1e-15 && fabs(a.z - z) < 1e-15 && fabs(a.w - w) < 1e-15;
}

Test(intersect_rotation, rotations_turn_evenly_along_the_shorter_arc)
{
    const double half = sqrt(0.5);
    sidle_dquat none = {0, 0, 0, 1}, quarter = {0, half, 0, half}, back = {0, -half, 0, -half}, turn,
                zero = {0, 0, 0, 0};
    cr_assert(sidle_slerp(&none, &quarter, 1 / 3.0, &turn)); /* 30 of 90 degrees */
    cr_expect(same_rotation(turn, 0, 0.25881904510252074, 0, 0.96592582628906831));
    cr_assert(sidle_slerp(&none, &back, 1 / 3.0, &turn)); /* the same rotation */
    cr_expect(same_rotation(turn, 0, 0.25881904510252074, 0, 0.96592582628906831));
    cr_expect(sidle_slerp(&none, &quarter, 0, &turn) && same_rotation(turn, 0, 0, 0, 1));
    cr_expect(sidle_slerp(&none, &quarter, 1, &turn) && same_rotation(turn, 0, half, 0, half));
    cr_expect(sidle_slerp(&none, &quarter, 7, &turn) && same_rotation(turn, 0, half, 0, half),
              "beyond the end");
    cr_expect(sidle_slerp(&zero, &quarter, -7, &turn) && same_rotation(turn, 0, 0, 0, 1),
              "zero turns nothing");
    cr_expect(sidle_slerp(&quarter, &quarter, 0.3, &turn) && same_rotation(turn, 0, half, 0, half), "equal");
    cr_expect(sidle_slerp(&quarter, &back, 0.3, &turn) && same_rotation(turn, 0, half, 0, half), "opposite");
    sidle_dquat about = {3, 0, 0, 0}; /* half a turn: both arcs are equally long */
    cr_expect(sidle_slerp(&none, &about, 0.5, &turn) && same_rotation(turn, half, 0, 0, half));
}

/* At right angles exactly, which twice the precision cannot decide. */
Test(intersect_rotation, half_a_turn_ends_at_to_itself_whatever_its_numbers_are)
{
    Random random = random_seeded(711);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 10000; ++i)
    {
        double a = random_scale(&random, 1e-9, 1), b = random_scale(&random, 1e-9, 1);
        double c = random_scale(&random, 1e-9, 1), d = random_scale(&random, 1e-9, 1);
        sidle_dquat from = {a, b, a, b}, to = {c, d, -c, -d}, turn;
        cr_assert(sidle_slerp(&from, &to, 1, &turn));
        wrong += !(turn.x > 0 && turn.y > 0 && turn.z < 0 && turn.w < 0);
        cr_assert(sidle_slerp(&to, &from, 1, &turn));
        wrong += !(turn.x > 0 && turn.y > 0 && turn.z > 0 && turn.w > 0);
    }
    cr_expect_eq(wrong, 0, "%u of 20000 end at the opposite of it", wrong);
}

static double length4(sidle_dquat q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/* Any two, or nearly equal, opposite or at right angles. */
static void draw_turn(Random *random, sidle_dquat *from, sidle_dquat *to, double *time)
{
    *from = draw_rotation(random, draw_style(random));
    *to = draw_rotation(random, draw_style(random));
    uint32_t kind = random_below(random, 5);
    double size = length4(*from), sign = random_chance(random, 0.5) ? 1 : -1;
    if (kind == 1)
    {
        double offset = size * random_scale(random, 1e-17, 1);
        sidle_dquat off = draw_rotation(random, STYLE_LATTICE);
        *to = (sidle_dquat){sign * (from->x + offset * off.x), sign * (from->y + offset * off.y),
                            sign * (from->z + offset * off.z), sign * (from->w + offset * off.w)};
    }
    else if (kind == 2)
    {
        *to = (sidle_dquat){-from->y, from->x, -from->w, nudged(random, from->z)};
    }
    static const double times[] = {0, 1, 0.5, 1e-20, 0.25};
    *time = random_chance(random, 0.3) ? times[random_below(random, 5)] : random_unit(random);
}

typedef struct NumberQuaternion
{
    NumberVector i;
    Number w;
} NumberQuaternion;

static Number dot4(NumberQuaternion a, NumberQuaternion b)
{
    return number_add(number_dot(a.i, b.i), number_mul(a.w, b.w));
}

static NumberQuaternion given4(const sidle_dquat *q)
{
    bool zero = q->x == 0 && q->y == 0 && q->z == 0 && q->w == 0;
    return (NumberQuaternion){number_place(place(q->x, q->y, q->z)), number_of(zero ? 1 : q->w)};
}

static NumberQuaternion unit4(NumberQuaternion a)
{
    Number inverse = number_div(number_of(1), number_sqrt(dot4(a, a)));
    return (NumberQuaternion){number_vector_scale(a.i, inverse), number_mul(a.w, inverse)};
}

static NumberQuaternion mixed4(NumberQuaternion a, Number s, NumberQuaternion b, Number t)
{
    return (NumberQuaternion){number_vector_add(number_vector_scale(a.i, s), number_vector_scale(b.i, t)),
                              number_add(number_mul(a.w, s), number_mul(b.w, t))};
}

static NumberQuaternion exact_slerp(const sidle_dquat *from, const sidle_dquat *to, double time)
{
    NumberQuaternion given_p = given4(from), given_q = given4(to), p = unit4(given_p), q = unit4(given_q);
    Number side = number_of(number_sign(dot4(given_p, given_q)) < 0 ? -1 : 1); /* exact there */
    Number angle = number_acos(number_min(number_abs(dot4(p, q)), number_of(1))), sine = number_sin(angle);
    Number t = number_of(time), rest = number_sub(number_of(1), t);
    if (fabs(number_double(sine)) < 1e-80) /* equal, but for the rounding of lengths */
    {
        return p;
    }
    return mixed4(p, number_div(number_sin(number_mul(rest, angle)), sine), q,
                  number_mul(side, number_div(number_sin(number_mul(t, angle)), sine)));
}

Test(intersect_rotation, interpolated_rotations_are_right_to_a_few_ulps)
{
    Random random = random_seeded(706);
    Errors errors = {0}, lengths = {0}, mirrored = {0};
    for (uint32_t i = 0, count = asked(30000); i < count; ++i)
    {
        sidle_dquat from, to, got, other;
        double time;
        draw_turn(&random, &from, &to, &time);
        cr_assert(sidle_slerp(&from, &to, time, &got));
        number_begin();
        NumberQuaternion exact = exact_slerp(&from, &to, time);
        note_error(&errors, place_off(exact.i, place(got.x, got.y, got.z)), 8 * ULP);
        note_error(&errors, number_error(exact.w, got.w), 8 * ULP);
        NumberQuaternion given = given4(&got);
        note_error(&lengths, number_error(dot4(given, given), 1), 10 * ULP);
        if (1 - (1 - time) == time)
        {
            cr_assert(sidle_slerp(&to, &from, 1 - time, &other));
            const double *a = &got.x, *b = &other.x;
            const double opposite[4] = {-other.x, -other.y, -other.z, -other.w};
            note_wrong(&mirrored, same_numbers(a, b, 4) || same_numbers(a, opposite, 4));
        }
    }
    conclude(&errors, "slerp (u)", 8);
    conclude(&lengths, "slerp, squared length (u)", 10);
    conclude(&mirrored, "slerp, swapped", 1);
}

static bool ask_slerp(const double *in, double *out)
{
    sidle_dquat turns[2], turn;
    memcpy(turns, in, sizeof turns);
    bool got = sidle_slerp(&turns[0], &turns[1], in[8], &turn);
    if (got)
    {
        memcpy(out, &turn, sizeof turn);
    }
    return got;
}

static const Question questions[] = {
    {ask_slerp, 9, 4, {1, 2, 3, 4, -3, 1, 1, 7, 0.3}, {1, 1, 1, 1, 1, 1, 1, 1, 0}, {0, 0, 0, 0}},
};

Test(intersect_rotation, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}

/* What all compilers and machines compute, recorded once. The input comes without a function of the
 * system's. */
Test(intersect_rotation, answers_have_the_same_bits_everywhere)
{
    Random random = random_seeded(710);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 10000; ++i)
    {
        double in[9], out[QUESTION_NUMBERS] = {0};
        for (int k = 0; k < 9; ++k)
        {
            in[k] = random_between(&random, k < 8 ? -4 : 0, k < 8 ? 4 : 1);
        }
        if (ask_slerp(in, out))
        {
            hash = stirred_bits(hash, out, 4);
        }
    }
    cr_expect_eq(hash, UINT64_C(0x8803cb9cae9831eb), "%#llx", (unsigned long long)hash);
}
