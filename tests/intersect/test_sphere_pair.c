/* Two moving spheres: named cases, the defects of print, and against exact numbers. SIDLE_QUERIES says how
 * many. */
#include "intersect/support/plane_checks.h"
#include "intersect/support/plane_printed.h"
#include "intersect/support/sphere_draw.h"

#include <string.h>

static bool meet(sidle_moving_sphere a, sidle_moving_sphere b, double first, double last, uint32_t motion)
{
    sidle_passage passage;
    return sidle_sphere_sphere_sweep(&a, &b, &passage) && passage.first == first && passage.last == last &&
           passage.motion == motion;
}

static sidle_moving_sphere along_x(double from, double to, double y, double radius)
{
    return (sidle_moving_sphere){{from, y, 3}, {to, y, 3}, radius};
}

Test(intersect_sphere_pair, two_spheres_pass_each_other_from_first_to_last_contact)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 1);
    sidle_passage passage;
    cr_expect(meet(rest, along_x(4, -4, 0, 1), 0.25, 0.75, SIDLE_PASSAGE_APPROACHING));
    cr_expect(meet(along_x(0, 4, 0, 1), along_x(4, 0, 0, 1), 0.25, 0.75, SIDLE_PASSAGE_APPROACHING),
              "both move");
    cr_expect(meet(rest, along_x(4, 2, 0, 1), 1, 1, SIDLE_PASSAGE_APPROACHING), "touch at the end");
    cr_expect(meet(rest, along_x(2, 4, 0, 1), 0, 0, SIDLE_PASSAGE_SEPARATING), "touch at the start");
    cr_expect(meet(rest, along_x(1, 3, 0, 1), 0, 0.5, SIDLE_PASSAGE_SEPARATING), "begin in touch and part");
    cr_expect(meet(rest, along_x(1, -3, 0, 1), 0, 0.75, SIDLE_PASSAGE_APPROACHING), "begin in touch, go in");
    cr_expect(meet(rest, along_x(1, 1, 1, 1), 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(meet(along_x(0, 5, 0, 1), along_x(1, 6, 1, 1), 0, 1, SIDLE_PASSAGE_STAYING), "side by side");
    cr_expect(meet(rest, along_x(0, 8, 0, 1), 0, 0.25, SIDLE_PASSAGE_SEPARATING), "from the same centre");
    cr_expect(meet(rest, along_x(0, 8, 2, 1), 0, 0, SIDLE_PASSAGE_SEPARATING), "touch at the start, across");
    sidle_moving_sphere far = along_x(4, 2.5, 0, 1), leaving = along_x(4, 8, 0, 1),
                        beside = along_x(4, -4, 3, 1);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &far, &passage));
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &leaving, &passage));
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &beside, &passage));
    far.radius = -1;
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &far, NULL));
}

Test(intersect_sphere_pair, two_spheres_that_graze_touch_in_one_moment)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 1), grazing = along_x(4, -4, 2, 1);
    sidle_passage passage;
    cr_assert(sidle_sphere_sphere_sweep(&rest, &grazing, &passage));
    cr_expect(passage.first == 0.5 && passage.last == 0.5 && passage.motion == SIDLE_PASSAGE_APPROACHING);
    cr_expect(same_vector(passage.normal, place(0, 1, 0)) && same_vector(passage.points[0], place(0, 1, 3)));
    grazing.radius = nextafter(1, 0);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &grazing, NULL));
    grazing.radius = nextafter(1, 2);
    cr_expect(sidle_sphere_sphere_sweep(&rest, &grazing, &passage) && passage.first < 0.5 &&
              passage.last > 0.5);
}

/* The numbers that both times come from are each rounded differently here. */
Test(intersect_sphere_pair, a_graze_is_one_moment_whatever_was_rounded)
{
    Random random = random_seeded(712);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        sidle_moving_sphere rest = along_x(0, 0, 0, 0.5), grazing = along_x(4, -4, 1, 0.5);
        sidle_passage passage = {.first = -1};
        grazing.from.x = random_between(&random, 1, 9);
        grazing.to.x = random_between(&random, -9, -1);
        cr_expect(sidle_sphere_sphere_sweep(&rest, &grazing, &passage) && passage.first == passage.last);
    }
}

Test(intersect_sphere_pair, two_points_that_hit_each_other_have_a_normal_along_their_motion)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 0), point = along_x(4, -4, 0, 0);
    sidle_passage passage;
    cr_assert(sidle_sphere_sphere_sweep(&rest, &point, &passage));
    cr_expect(passage.first == 0.5 && passage.last == 0.5 && same_vector(passage.normal, place(1, 0, 0)));
    point = along_x(4, -4, 1e-30, 0);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &point, NULL));
    point = along_x(4, 0, 0, 0);
    cr_expect(meet(rest, point, 1, 1, SIDLE_PASSAGE_APPROACHING));
    point = along_x(0, 4, 0, 0);
    cr_expect(meet(rest, point, 0, 0, SIDLE_PASSAGE_SEPARATING));
}

/* b^2 - 4ac of spheres that come from far (D11). They touch when the centres are sqrt(1 - .81) short of each
 * other. */
Test(intersect_sphere_pair, print_loses_the_contact_of_spheres_that_come_from_far)
{
    const double distance = 1e8;
    sidle_moving_sphere rest = {{0, 0, 0}, {0, 0, 0}, 0.5},
                        far = {{distance, 0.9, 0}, {-distance, 0.9, 0}, 0.5};
    double times[2] = {0, 0}, wanted = sqrt(1 - 0.9 * 0.9);
    sidle_passage passage;
    cr_expect(!printed_sphere_sphere_sweep(&rest, &far, times) ||
                  fabs(distance - times[0] * 2 * distance - wanted) > 0.1,
              "print is right: %g", distance - times[0] * 2 * distance);
    cr_assert(sidle_sphere_sphere_sweep(&rest, &far, &passage));
    cr_expect(fabs(passage.centers_b[0].x - wanted) < 4e-8, "%g", passage.centers_b[0].x - wanted);
    cr_expect(fabs(passage.normal.x - wanted) < 4e-16 && fabs(passage.normal.y - 0.9) < 4e-16);
    sidle_moving_sphere leaving = along_x(1, 3, 0, 1);
    cr_expect(printed_sphere_sphere_sweep(&(sidle_moving_sphere){{0, 0, 3}, {0, 0, 3}, 1}, &leaving, times));
    cr_expect(times[0] == 0 && times[1] == 0, "the printed sweep stops spheres that leave");
}

/* From far on one side to far on the other, past one another in a distance of 1 or so. */
static void draw_far_pass(Random *random, sidle_moving_sphere *a, sidle_moving_sphere *b)
{
    sidle_dvec3 displacement = draw_unit(random), aside = draw_unit(random);
    double far = random_scale(random, 1, 1e9);
    *a = (sidle_moving_sphere){{0, 0, 0}, {0, 0, 0}, draw_length(random, STYLE_LATTICE) / 8};
    b->from = place_along(aside, far, displacement);
    b->to = place_along(aside, -far * random_between(random, 0.1, 2), displacement);
}

/* Any two; or so that the start, the end or the nearest moment touches, or all but. */
static void draw_chase(Random *random, sidle_moving_sphere *a, sidle_moving_sphere *b)
{
    Style style = draw_style(random);
    *a = draw_moving(random, style);
    *b = draw_moving(random, style);
    if (random_chance(random, 0.3))
    {
        draw_far_pass(random, a, b);
    }
    Vector start = offset_between(a->from, b->from), end = offset_between(a->to, b->to);
    Vector displacement = vector_sub(end, start);
    double t = -vector_dot(start, displacement) / vector_dot(displacement, displacement), reach = -1;
    switch (random_below(random, 5))
    {
    case 0:
        reach = vector_length(start);
        break;
    case 1:
        reach = vector_length(end);
        break;
    case 2:
        reach = t > 0 && t < 1
                    ? vector_length(vector_cross(start, displacement)) / vector_length(displacement)
                    : -1;
        break;
    default:
        break;
    }
    if (reach >= 0)
    {
        a->radius = a->radius < reach ? a->radius : 0;
        b->radius = touching_radius(random, reach, a->radius);
    }
}

typedef struct ChaseAnswer
{
    NumberVector start, displacement;
    Number reach, first, last, margin;
    double size, speed; /* the largest distance of the centres or radius; of the relative motion */
} ChaseAnswer;

static ChaseAnswer exact_chase(const sidle_moving_sphere *a, const sidle_moving_sphere *b)
{
    ChaseAnswer x = {.start = number_offset(a->from, b->from), .first = number_of(0), .last = number_of(1)};
    NumberVector end = number_offset(a->to, b->to);
    x.displacement = number_vector_sub(end, x.start);
    x.reach = number_sum(a->radius, b->radius);
    Number square = number_dot(x.displacement, x.displacement), along = number_dot(x.start, x.displacement);
    Number least = number_length(x.start);
    x.size = fmax(number_double(number_max(x.reach, number_max(least, number_length(end)))), 0);
    x.speed = number_double(number_sqrt(square));
    if (number_sign(square) > 0)
    {
        Number nearest = number_clamp(number_div(number_negate(along), square), 0, 1);
        least = number_length(number_along(x.start, x.displacement, nearest));
        Number inside = number_sub(
            number_mul(along, along),
            number_mul(square, number_sub(number_dot(x.start, x.start), number_mul(x.reach, x.reach))));
        Number root = number_sqrt(inside);
        x.first = number_clamp(number_div(number_sub(number_negate(along), root), square), 0, 1);
        x.last = number_clamp(number_div(number_sub(root, along), square), 0, 1);
    }
    x.margin = number_sub(x.reach, least);
    return x;
}

/* How far the exact time, and the reported centre and normal then, may be off. */
static double time_allowed(const ChaseAnswer *x, double time)
{
    double reach = number_double(x->reach);
    return x->speed > 0 ? 6 * ULP * time + 8 * ULP * reach / x->speed + VERDICT_MARGIN * x->size / x->speed
                        : 0;
}

static void judge_chase(const sidle_moving_sphere *a, const sidle_moving_sphere *b, const ChaseAnswer *x,
                        const sidle_passage *got, Errors *times, Errors *places, Errors *normals)
{
    const Number wanted[2] = {x->first, x->last};
    const double got_times[2] = {got->first, got->last};
    double size = fmax(places_size(a), places_size(b)), displacements = path_length(a) + path_length(b);
    for (int k = 0; k < 2; ++k)
    {
        double allowed = time_allowed(x, number_double(wanted[k]));
        note_error(times, number_error(wanted[k], got_times[k]), allowed);
        NumberVector at_a = number_between(a->from, a->to, wanted[k]),
                     at_b = number_between(b->from, b->to, wanted[k]);
        double room = 6 * ULP * size + allowed * displacements;
        note_error(places, place_off(at_a, got->centers_a[k]), room);
        note_error(places, place_off(at_b, got->centers_b[k]), room);
    }
    NumberVector apart = number_along(x->start, x->displacement, x->first);
    double distance = number_double(number_length(apart));
    if (distance > 1e-12 * x->size)
    {
        note_error(normals, place_off(number_unit(apart), got->normal),
                   4 * ULP * (1 + sqrt(x->size / distance)) + VERDICT_MARGIN * x->size / distance);
    }
}

Test(intersect_sphere_pair, two_spheres_pass_each_other_when_and_where_they_do)
{
    Random random = random_seeded(707);
    Errors verdicts = {0}, times = {0}, places = {0}, normals = {0}, motions = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_passage got;
        draw_chase(&random, &a, &b);
        number_begin();
        ChaseAnswer exact = exact_chase(&a, &b);
        double noise = VERDICT_MARGIN * exact.size, margin = number_double(exact.margin);
        bool hit = sidle_sphere_sphere_sweep(&a, &b, &got);
        note_verdict(&verdicts, hit, margin, noise);
        if (!hit || margin < 0)
        {
            continue;
        }
        judge_chase(&a, &b, &exact, &got, &times, &places, &normals);
        double begin = number_double(depth_of(at_start(&a), at_start(&b)));
        double along = number_double(number_dot(exact.start, exact.displacement));
        uint32_t motion = begin < 0 || along < 0 ? SIDLE_PASSAGE_APPROACHING
                          : exact.speed > 0      ? SIDLE_PASSAGE_SEPARATING
                                                 : SIDLE_PASSAGE_STAYING;
        note_wrong(&motions,
                   got.motion == motion || fabs(begin) < noise || fabs(along) < noise * exact.speed);
        note_wrong(&motions, is_in_order(&got));
    }
    conclude_verdicts(&verdicts, "sweep spheres, verdict");
    conclude(&times, "sweep spheres, times (of what is allowed)", 1);
    conclude(&places, "sweep spheres, centres (u size)", 6);
    conclude(&normals, "sweep spheres, normal (u)", 4);
    conclude(&motions, "sweep spheres, motion", 1);
}

Test(intersect_sphere_pair, swapped_moving_spheres_give_the_same_bits)
{
    Random random = random_seeded(708);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_passage one, two;
        draw_chase(&random, &a, &b);
        bool got = sidle_sphere_sphere_sweep(&a, &b, &one), other = sidle_sphere_sphere_sweep(&b, &a, &two);
        bool even = a.radius == b.radius; /* equal and concentric: nothing says which is which */
        wrong += got != other;
        hits += got;
        wrong += got && other &&
                 (!same_times_and_points(&one, &two) || one.motion != two.motion ||
                  (!is_opposite(one.normal, two.normal) && !even) ||
                  !same_vector(one.centers_a[0], two.centers_b[0]));
    }
    cr_expect_eq(wrong, 0, "%u of %u", wrong, hits);
    cr_expect(hits > 5000);
}

/* A sweep says the same of its start and its end as the test at rest. */
Test(intersect_sphere_pair, what_touches_at_rest_touches_at_the_ends_of_a_sweep)
{
    Random random = random_seeded(711);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_passage passage = {.first = -1};
        draw_chase(&random, &a, &b);
        sidle_sphere from_a = at_start(&a), from_b = at_start(&b), to_a = at_end(&a), to_b = at_end(&b);
        bool begins = sidle_sphere_sphere(&from_a, &from_b, NULL);
        bool ends = sidle_sphere_sphere(&to_a, &to_b, NULL);
        bool got = sidle_sphere_sphere_sweep(&a, &b, &passage);
        wrong += !ends_agree(begins, ends, got, &passage);
    }
    cr_expect_eq(wrong, 0);
}

static bool ask_chase(const double *in, double *out)
{
    sidle_moving_sphere pair[2];
    sidle_passage passage;
    memcpy(pair, in, sizeof pair);
    return write_passage(sidle_sphere_sphere_sweep(&pair[0], &pair[1], &passage), &passage, out);
}

static const Question questions[] = {
    {ask_chase,
     14,
     24,
     {1, 2, 3, 9, 9, 9, 0.7, 5, 4, 3, 2, 1, 9, 3.3},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
    {ask_chase,
     14,
     24,
     {1, 2, 3, 9, 9, 9, 3.7, 5, 4, 3, 2, 1, 9, 3.3},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
    {ask_chase,
     14,
     24,
     {0, 0, 0, 4, 4, 4, 0, 4, 4, 4, 0, 0, 0, 0},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
};

Test(intersect_sphere_pair, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}

/* What all compilers and machines compute, recorded once. The input comes without a function of the
 * system's. */
Test(intersect_sphere_pair, answers_have_the_same_bits_everywhere)
{
    Random random = random_seeded(710);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 10000; ++i)
    {
        double in[14], out[QUESTION_NUMBERS] = {0};
        for (int k = 0; k < 14; ++k)
        {
            in[k] = random_between(&random, k == 6 || k == 13 ? 0 : -4, 4);
        }
        if (ask_chase(in, out))
        {
            hash = stirred_bits(hash, out, 24);
        }
    }
    cr_expect_eq(hash, UINT64_C(0x8a6c495a753fea16), "%#llx", (unsigned long long)hash);
}
