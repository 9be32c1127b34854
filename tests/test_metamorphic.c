/* What must not matter: how triangles are written down, how often they are there, where the scene stands, and
 * the unit of length. At every width. (The order of the triangles and the make of the world:
 * test_sweep_oracle.c, test_variants.c.) */
#include "support/sweep_checker.h"
#include "support/troop.h"
#include "support/variants.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

/* ---- single triangles ---- */

/* The same triangles with their corners in another order, the other winding among them. */
static Query rewritten(Random *random, const Query *query)
{
    Query other = *query;
    for (uint32_t index = 0; index < query->count; ++index)
    {
        uint32_t turn = random_below(random, 3), step = 1 + random_below(random, 2);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            other.triangles[index][corner] = query->triangles[index][(turn + step * corner) % 3];
        }
    }
    return other;
}

static void rewrite_and_check(const Kernels *kernels, double roundoff, uint64_t seed)
{
    Random random = random_seeded(seed);
    SweepChecker checker = sweep_checker_of(roundoff);
    uint32_t count = query_count(30000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        query = kernels == &sidle_kernels_1d ? query : query_in_float(&query);
        Query other = rewritten(&random, &query);
        Filled filled;
        filled_set(&filled, kernels, &other, NULL);
        sweep_check(&checker, &query, &filled, filled_sweep(&filled, &other));
    }
    cr_expect_eq(checker.wrong, 0, "%u lanes: %u answers break the law", kernels->lane_count, checker.wrong);
    cr_expect(checker.hits > count / 2);
}

Test(metamorphic, rotated_indices_and_flipped_windings_keep_the_law)
{
    const Kernels *widths[BUILD_COUNT];
    uint32_t width_count = builds_here(widths);
    for (uint32_t width = 0; width < width_count; ++width)
    {
        rewrite_and_check(widths[width], 0x1p-24, 601 + width);
    }
    rewrite_and_check(&sidle_kernels_1d, 0x1p-53, 600);
}

/* As many copies as a batch holds, in any order. */
static Query copied(Random *random, const Query *query, uint32_t origin[QUERY_TRIANGLES])
{
    Query many = *query;
    many.count = QUERY_TRIANGLES;
    for (uint32_t index = 0; index < QUERY_TRIANGLES; ++index)
    {
        origin[index] = index < query->count ? index : random_below(random, query->count);
        memcpy(many.triangles[index], query->triangles[origin[index]], sizeof many.triangles[0]);
    }
    return many;
}

Test(metamorphic, copies_of_triangles_change_no_bit)
{
    const Kernels *widths[BUILD_COUNT + 1];
    uint32_t width_count = builds_here(widths), count = query_count(30000), wrong = 0, hits = 0;
    Random random = random_seeded(610);
    widths[width_count++] = &sidle_kernels_1d;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        uint32_t origin[QUERY_TRIANGLES];
        query.count = query.count < 3 ? query.count : 3;
        Query many = copied(&random, &query, origin);
        Filled once, often;
        filled_set(&once, widths[i % width_count], &query, NULL);
        filled_set(&often, widths[i % width_count], &many, NULL);
        SweepAnswer one = filled_sweep(&once, &query), other = filled_sweep(&often, &many);
        bool same = memcmp(&one.t, &other.t, sizeof one.t) == 0;
        wrong += !same || one.candidate != other.candidate; /* of equal ones the first */
        hits += one.candidate != NO_HIT;
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
    cr_expect(hits > count / 4);
}

/* ---- whole scenes ---- */

#define AGENTS 150
#define TICKS  40

/* Between two scenes: first the scale, then the offset. */
typedef struct Likeness
{
    double scale;
    Vector offset;
    bool on_grid;     /* each tick begins at places where adding the offset is exact */
    double tolerance; /* of places, in units of the second scene */
} Likeness;

typedef struct Twin
{
    Variant level;
    sidle_crowd *crowd;
    Troop troop;
} Twin;

static sidle_crowd *crowd_of(double scale, uint32_t lanes)
{
    const Vector shapes[3] = {{0.5, 0.875, 0.5}, {0.5, 0.5, 0.5}, {0.25, 0.25, 0.625}};
    sidle_profile profiles[9];
    for (uint32_t index = 0; index < 9; ++index)
    {
        Vector r = vector_scale(shapes[index / 3], scale);
        profiles[index] = (sidle_profile){.size = sizeof profiles[index],
                                          .shape = {.radii = {(float)r.x, (float)r.y, (float)r.z}},
                                          .step_up = (float)(0.375 * scale),
                                          .mode = index % 3};
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = 9,
                             .lanes = lanes,
                             .gravity = {0, (float)(-9.75 * scale), 0}};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

static Twin twin_of(const Likeness *likeness, uint32_t lanes)
{
    Scene level = troop_level();
    Soup soup = soup_copy(&level.soup);
    double s = likeness->scale;
    variant_soup_on_grid(&soup);
    soup_stretch(&soup, vector(s, s, s));
    soup_shift(&soup, likeness->offset);
    Twin twin = {variant_of(&soup, VARIANT_ONE_MESH), crowd_of(s, lanes), troop_of(AGENTS)};
    for (uint32_t index = 0; index < AGENTS; ++index)
    {
        twin.troop.moves[index].profile %= 9;
    }
    soup_free(&soup);
    scene_close(&level);
    return twin;
}

static void twin_end(Twin *twin)
{
    troop_free(&twin->troop);
    sidle_crowd_destroy(twin->crowd);
    variant_close(&twin->level);
}

static Vector place_of(sidle_position place)
{
    return vector(place.x, place.y, place.z);
}

static Vector moved(const Likeness *likeness, Vector place)
{
    return vector_add(vector_scale(place, likeness->scale), likeness->offset);
}

static sidle_vec3 scaled(const Likeness *likeness, sidle_vec3 v)
{
    double s = likeness->scale;
    return (sidle_vec3){(float)((double)v.x * s), (float)((double)v.y * s), (float)((double)v.z * s)};
}

/* The second begins where the first does, and wishes what the first wishes. */
static void begin_alike(const Likeness *likeness, Troop *one, Troop *other)
{
    for (uint32_t index = 0; index < AGENTS; ++index)
    {
        sidle_move *a = &one->moves[index], *b = &other->moves[index];
        a->body.center = likeness->on_grid ? variant_on_grid(a->body.center) : a->body.center;
        Vector place = moved(likeness, place_of(a->body.center));
        b->body = a->body;
        b->body.center = (sidle_position){place.x, place.y, place.z};
        b->body.velocity = scaled(likeness, a->body.velocity);
        b->displacement = scaled(likeness, a->displacement);
    }
}

static bool same_vec3(sidle_vec3 a, sidle_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_place(const Likeness *likeness, sidle_position a, sidle_position b)
{
    return vector_distance(moved(likeness, place_of(a)), place_of(b)) <= likeness->tolerance;
}

static bool same_contacts(const Likeness *likeness, const Troop *one, const Troop *other, uint32_t agent)
{
    const sidle_result *a = &one->results[agent], *b = &other->results[agent];
    bool same = a->contact_count == b->contact_count;
    for (uint32_t index = 0; same && index < a->contact_count; ++index)
    {
        const sidle_contact *p = &one->contacts[a->contact_first + index];
        const sidle_contact *q = &other->contacts[b->contact_first + index];
        same = same_place(likeness, p->point, q->point) && same_vec3(p->normal, q->normal) &&
               p->triangle == q->triangle && p->feature == q->feature;
    }
    return same;
}

static bool same_result(const Likeness *likeness, const Troop *one, const Troop *other, uint32_t agent)
{
    const sidle_result *a = &one->results[agent], *b = &other->results[agent];
    return same_place(likeness, a->body.center, b->body.center) &&
           same_vec3(scaled(likeness, a->body.velocity), b->body.velocity) &&
           same_vec3(a->body.ground_normal, b->body.ground_normal) && a->body.flags == b->body.flags &&
           a->body.ground_triangle == b->body.ground_triangle && a->reasons == b->reasons &&
           same_contacts(likeness, one, other, agent);
}

/* What a tick compares of one agent. */
typedef void Compare(const Likeness *likeness, const Troop *one, const Troop *other, uint32_t agent,
                     void *sum);

static uint32_t run_alike(const Likeness *likeness, uint32_t lanes, Compare *compare, void *sum)
{
    const Likeness itself = {.scale = 1.0};
    Twin one = twin_of(&itself, lanes), other = twin_of(likeness, lanes);
    uint32_t contacts = 0;
    for (uint32_t number = 0; number < TICKS; ++number)
    {
        Scene first = {.snapshot = one.level.snapshot}, second = {.snapshot = other.level.snapshot};
        sidle_tick_desc tick = troop_tick(&one.troop, &first, number);
        sidle_tick_desc like = troop_tick(&other.troop, &second, number);
        begin_alike(likeness, &one.troop, &other.troop);
        demand(sidle_crowd_tick(one.crowd, &tick), "sidle_crowd_tick");
        demand(sidle_crowd_tick(other.crowd, &like), "sidle_crowd_tick");
        for (uint32_t agent = 0; agent < AGENTS; ++agent)
        {
            compare(likeness, &one.troop, &other.troop, agent, sum);
        }
        contacts += one.troop.contact_count;
        troop_take(&one.troop);
    }
    twin_end(&one);
    twin_end(&other);
    return contacts;
}

static void count_differences(const Likeness *likeness, const Troop *one, const Troop *other, uint32_t agent,
                              void *sum)
{
    *(uint32_t *)sum += !same_result(likeness, one, other, agent);
}

static void expect_the_same_bits(const Likeness *likeness, const char *what)
{
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t width = 0; width < width_count; ++width)
    {
        uint32_t wrong = 0, lanes = widths[width]->lane_count;
        uint32_t contacts = run_alike(likeness, lanes, count_differences, &wrong);
        cr_expect_eq(wrong, 0, "%s, %u lanes: %u differences", what, lanes, wrong);
        cr_expect(contacts > 1000, "hardly any contacts: %u", contacts);
    }
}

/* Places of the second scene have as many bits left as the offset leaves them. */
Test(metamorphic, a_scene_moved_by_an_exact_offset_behaves_the_same)
{
    const double offsets[3] = {64, 8192, 0x1p20};
    for (int index = 0; index < 3; ++index)
    {
        double far = offsets[index];
        Likeness likeness = {1.0, vector(far, -0.5 * far, 2.0 * far), true, 2.0 * far * 0x1p-51};
        expect_the_same_bits(&likeness, "moved");
    }
}

Test(metamorphic, a_scene_scaled_by_a_power_of_two_behaves_the_same_to_the_bit)
{
    const double scales[4] = {2.0, 0.5, 1024.0, 0x1p-7};
    for (int index = 0; index < 4; ++index)
    {
        Likeness likeness = {.scale = scales[index]};
        expect_the_same_bits(&likeness, "scaled");
    }
}

/* Of the places of two ticks that began alike, in units of the first scene. */
typedef struct Spread
{
    double sum, worst;
    uint32_t count, apart;
} Spread;

/* Decisions with a threshold (a graze, a step, a slope) may fall differently if a bit changes; else
 * places agree as well as float lanes know them. */
#define APART 1e-5

static void note_spread(const Likeness *likeness, const Troop *one, const Troop *other, uint32_t agent,
                        void *sum)
{
    Spread *spread = sum;
    Vector a = moved(likeness, place_of(one->results[agent].body.center));
    double distance = vector_distance(a, place_of(other->results[agent].body.center)) / likeness->scale;
    spread->count += 1;
    if (distance > APART)
    {
        spread->apart += 1;
        return;
    }
    spread->sum += distance;
    spread->worst = worse(spread->worst, distance);
}

Test(metamorphic, the_same_scene_in_centimetres_and_millimetres_behaves_the_same)
{
    const double scales[3] = {10.0, 100.0, 1000.0};
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t index = 0; index < 3 * width_count; ++index)
    {
        Likeness likeness = {.scale = scales[index % 3]};
        Spread spread = {0};
        uint32_t lanes = widths[index / 3]->lane_count;
        uint32_t contacts = run_alike(&likeness, lanes, note_spread, &spread);
        printf("x %g, %u lanes: apart by %.2g on average, %.2g at most; decided otherwise: %u of %u\n",
               likeness.scale, lanes, spread.sum / spread.count, spread.worst, spread.apart, spread.count);
        cr_expect(spread.sum / spread.count < 1e-6);
        cr_expect(spread.apart * 1000 < spread.count, "%u of %u", spread.apart, spread.count);
        cr_expect(contacts > 1000, "hardly any contacts: %u", contacts);
    }
}
