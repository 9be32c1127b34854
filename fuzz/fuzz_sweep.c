/* The kernels on a few triangles and a path in ellipsoid space: every width gives the same bits, whatever the
 * order of the triangles, and what they answer keeps the error law, in float and in double: sweeps, closest
 * points and the contact of a single triangle, of a single face, edge or corner of it. Numbers of any bits; or a query drawn to be awkward, with
 * numbers changed in it. */
#include "fuzz.h"
#include "input.h"

#include "kernels/core_contact.h"
#include "support/closest_checker.h"
#include "support/face_checker.h"
#include "support/sweep_checker.h"
#include "support/widths.h"

#include <string.h>

/* Agents move by at most 1e4 radii in a tick, and the lanes near them hold what they can reach. */
#define MOST_RADII 1e5

static Vector decode_direction(Input *input)
{
    Vector v = input_vector(input, 0x1p60);
    double length = vector_length(v);
    return length > 0x1p-60 ? vector_scale(v, 1 / length) : vector(0, -1, 0);
}

static void decode_path(Input *input, Query *query)
{
    query->origin = input_corner(input);
    query->direction = decode_direction(input);
    query->length = fabs((double)input_number(input));
}

/* Given number by number. */
static void decode_plainly(Input *input, Query *query)
{
    query->count = 1 + input_below(input, QUERY_TRIANGLES);
    decode_path(input, query);
    for (uint32_t i = 0; i < 3 * query->count; ++i)
    {
        query->triangles[i / 3][i % 3] = input_corner(input);
    }
}

static void decode_changes(Input *input, Query *query)
{
    while (!input_ended(input))
    {
        uint32_t what = input_byte(input);
        Vector *corner = &query->triangles[what / 3 % query->count][what % 3];
        if (what == 255)
        {
            query->length = fabs((double)input_number(input));
        }
        else if (what == 254)
        {
            query->direction = decode_direction(input);
        }
        else
        {
            *(what / 64 == 0   ? &corner->x
              : what / 64 == 1 ? &corner->y
                               : &corner->z) = (double)input_number(input);
        }
    }
}

static Query decode(Input *input)
{
    const double skins[4] = {.02, .005, .1, .05};
    uint32_t how = input_byte(input);
    Query query = {.count = 1};
    if (how % 2)
    {
        Random random = random_seeded(input_bits(input, 4));
        query = query_drawn(&random);
        decode_changes(input, &query);
    }
    else
    {
        decode_plainly(input, &query);
    }
    query.skin = skins[how / 2 % 4];
    return query_in_float(&query);
}

static bool same_answer(SweepAnswer a, SweepAnswer b)
{
    return memcmp(&a.t, &b.t, sizeof a.t) == 0 && a.candidate == b.candidate;
}

static bool same_fields(const Filled *one, const Filled *other, uint32_t end)
{
    bool same = one->exact_count == other->exact_count;
    for (uint32_t lane = 0; lane < one->batch.count; ++lane)
    {
        same = same && one->candidates[lane].exact == other->candidates[lane].exact;
        for (uint32_t field = 0; field < end; ++field)
        {
            double a = batch_read(&one->batch, one->kernels, lane, field);
            double b = batch_read(&other->batch, other->kernels, lane, field);
            same = same && (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)));
        }
    }
    return same;
}

static void check_number(const Query *query, SweepAnswer answer)
{
    bool is_hit = answer.candidate != NO_HIT;
    fuzz_demand(is_hit ? answer.t >= 0 && answer.t <= query->length * (1 + 0x1p-23) : isinf(answer.t),
                "a time outside of the path");
    fuzz_demand(!is_hit || answer.candidate < query->count, "a hit of no candidate");
}

static void compare_widths(const Query *query, const Filled *one, SweepAnswer answer, double radius)
{
    const Kernels *widths[BUILD_COUNT];
    uint32_t count = builds_here(widths); /* one lane first */
    double least = one->kernels->closest(&one->batch, vec3_of_vector(query->origin), radius);
    for (uint32_t i = 1; i < count; ++i)
    {
        Filled wide;
        filled_set(&wide, widths[i], query, NULL);
        fuzz_demand(same_fields(one, &wide, FIELD_ANSWER), "another width packs other bits");
        fuzz_demand(same_answer(answer, filled_sweep(&wide, query)), "another width, another sweep");
        double other = widths[i]->closest(&wide.batch, vec3_of_vector(query->origin), radius);
        fuzz_demand(!memcmp(&least, &other, sizeof least) && same_fields(one, &wide, FIELD_ANSWER + 1),
                    "another width, another closest point");
    }
}

static void compare_order(const Query *query, const Kernels *kernels, SweepAnswer answer)
{
    uint32_t order[QUERY_TRIANGLES];
    for (uint32_t lane = 0; lane < query->count; ++lane)
    {
        order[lane] = query->count - 1 - lane;
    }
    Filled turned;
    filled_set(&turned, kernels, query, order);
    fuzz_demand(same_answer(answer, filled_sweep(&turned, query)), "another order, another answer");
}

/* |N| / longest^2: the sine of the sharpest corner, about. */
static double sharpness(const Vector v[3], double *height)
{
    double longest = 0;
    for (int corner = 0; corner < 3; ++corner)
    {
        longest = fmax(longest, vector_distance(v[corner], v[(corner + 1) % 3]));
    }
    double twice_area = vector_length(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
    *height = longest > 0 ? twice_area / longest : 0;
    return longest > 0 ? *height / longest : 0;
}

/* Lanes in double have none to turn to where a face is too sharp for them: u S > 8 sharpness^2, as in
 * docs/numerics.md for float. 10^4 radii are far from that, whatever the triangle. */
static bool double_serves(const Query *query)
{
    bool serves = true;
    for (uint32_t i = 0; i < query->count; ++i)
    {
        double height, sharp = sharpness(query->triangles[i], &height);
        bool has_face = height > .5 * THIN_HEIGHT;
        serves = serves && (!has_face || 0x1p-53 * query_size(query, i) <= 8 * sharp * sharp);
    }
    return serves;
}

/* The oracles compute in double as well. The nearest point of a face that they return may lie beside the face
 * by their roundoff over the sharpness, of S; but beside an edge by no more than half the height. */
static double roundoff_in_double(const Query *query)
{
    double worst = 0;
    for (uint32_t i = 0; i < query->count; ++i)
    {
        double height, size = query_size(query, i);
        sharpness(query->triangles[i], &height);
        worst = height > 0 ? fmax(worst, fmin(0x1p-51 * size / height, height / size)) : worst;
    }
    return 0x1p-50 + worst;
}

/* One width against the oracles. */
static void check_lanes(const Query *query, const Kernels *kernels, double roundoff, double radius)
{
    Filled filled;
    SweepChecker checker = sweep_checker_of(roundoff);
    ClosestChecker closest = {.law = {.roundoff = roundoff}};
    filled_set(&filled, kernels, query, NULL);
    SweepAnswer answer = filled_sweep(&filled, query);
    check_number(query, answer);
    sweep_check(&checker, query, &filled, answer);
    fuzz_demand(checker.wrong == 0, "a sweep breaks the law");
    compare_order(query, kernels, answer);
    if (kernels == &sidle_kernels_1)
    {
        compare_widths(query, &filled, answer, radius);
    }
    closest_check(&closest, query, &filled, radius);
    fuzz_demand(closest.wrong == 0, "a closest point breaks the law");
}

/* Where double has no thousandths of a radius any more, a centre may be rounded onto the point that it
 * touches. */
static bool is_number(const KernelContact *contact, double size)
{
    const double largest = 0x1p40;
    double normal = vec3_length(contact->normal);
    return isfinite(contact->t) && vec3_is_finite(contact->point) &&
           (fabs(normal - 1) < 1e-9 || (size > largest && normal <= 0));
}

/* The contact of one corner or edge, or of a wall, at which a ball or a capsule touches the triangle: to 1e-11 S, as in
 * test_rim_contact. `core`: 0 for a ball. */
static void check_rim(const Vec3 corners[3], const SweepQuery *asked, double core, double time, double size)
{
    RimPath path = {asked->direction, asked->length, asked->radius};
    KernelContact rim;
    Vec3 v[3];
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        v[corner] = vec3_sub(corners[corner], asked->origin);
    }
    if (size >= MOST_RADII ||
        !(core > 0 ? contact_of_core(v, core, path, time, &rim) : contact_of_rim(v, path, time, &rim)))
    {
        return;
    }
    Vec3 center = vec3_scale(path.direction, rim.t);
    KernelContact closest =
        core > 0 ? sidle_contact_of_core(v, core, center) : sidle_contact_of_closest(v, center, center);
    fuzz_demand(is_number(&rim, size), "the contact of a rim is not finite");
    fuzz_demand(fabs(closest.t - path.radius) <= 1e-11 * (size + core),
                "a contact of a rim that does not touch");
}

/* `core`: of capsules with the query's path. */
static void check_contacts(const Query *query, double core)
{
    SweepQuery asked = query_for_kernels(query);
    for (uint32_t i = 0; i < query->count; ++i)
    {
        Vec3 corners[3];
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            corners[corner] = vec3_of_vector(query->triangles[i][corner]);
        }
        double size = query_size(query, i);
        KernelContact swept, closest = sidle_contact_of_closest(corners, asked.origin, asked.origin);
        fuzz_demand(is_number(&closest, size), "a closest contact is not finite");
        bool is_hit = sidle_contact_of_sweep(corners, &asked, &swept);
        fuzz_demand(!is_hit || is_number(&swept, size), "a swept contact is not finite");
        check_rim(corners, &asked, 0, is_hit ? swept.t : query->length / 2, size);
        bool hits_core = sidle_contact_of_core_sweep(corners, &asked, core, &swept);
        fuzz_demand(!hits_core || is_number(&swept, size), "a swept contact of a capsule is not finite");
        check_rim(corners, &asked, core, hits_core ? swept.t : query->length / 2, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = input_of(data, size);
    Query query = decode(&input);
    double radius = 1 + query.skin * (double)(size % 5) / 4;
    double core = .25 * (double)(1 + size % 9);
    check_contacts(&query, core);
    fuzz_demand(face_check(&query, &sidle_kernels_1, 0) != FACE_WRONG, "a contact of a face that is another");
    fuzz_demand(face_check(&query, &sidle_kernels_1, core) != FACE_WRONG,
                "a capsule's contact of a face that is another");
    check_lanes(&query, &sidle_kernels_1, 0x1p-24, radius);
    if (double_serves(&query))
    {
        check_lanes(&query, &sidle_kernels_1d, roundoff_in_double(&query), radius);
    }
    return 0;
}
