/* What the tests of planes and spheres say over and over. */
#ifndef TESTS_SUPPORT_INTERSECT_PLANE_CHECKS_H
#define TESTS_SUPPORT_INTERSECT_PLANE_CHECKS_H

#include "intersect/support/place.h"
#include "intersect/support/plane_draw.h"
#include "support/queries.h"

#include <criterion/criterion.h>

static inline sidle_position place(double x, double y, double z)
{
    return (sidle_position){x, y, z};
}

static inline bool same_vector(sidle_dvec3 a, sidle_dvec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool is_opposite(sidle_dvec3 a, sidle_dvec3 b)
{
    return a.x == -b.x && a.y == -b.y && a.z == -b.z;
}

static inline double length_of(sidle_dvec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* How many questions an oracle is asked: none without MPFR. */
static inline uint32_t asked(uint32_t otherwise)
{
    return number_available() ? query_count(otherwise) : 0;
}

static inline void conclude(const Errors *errors, const char *what, double unit)
{
    print_errors(errors, what, unit);
    cr_expect_eq(errors->wrong, 0, "%s", what);
}

static inline void conclude_verdicts(const Errors *errors, const char *what)
{
    conclude(errors, what, 64); /* in u^2 */
    cr_expect(errors->hits >= errors->asked / 10 && errors->hits <= errors->asked * 19 / 20, "too one-sided");
}

/* NaN has no answer, an infinity none with NaN in it, and the unit of length changes no bit. */
static inline void check_questions(const Question *questions, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        Question q = questions[i];
        double out[QUESTION_NUMBERS];
        cr_expect(q.ask(q.in, out), "question %zu is no hit", i);
        uint32_t wrong = count_false_hits(q.in, q.in_count, q.ask, q.out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u answers to what is no number", i, wrong);
        wrong = count_scale_changes(q.in, q.powers, q.in_count, q.ask, q.out_powers, q.out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u changes with the unit", i, wrong);
    }
}

#endif
