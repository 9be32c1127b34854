#include "support/face_checker.h"

#include "kernels/constants.h"
#include "support/capsule_checker.h"

#include <math.h>
#include <string.h>

/* Of S, and of the length of a normal. Both normals are cross products of two edges, and err by 4 roundings of the product of
 * their lengths. That is at most NARROW^-1 = 1000 times the length of the product: 4.4e-13. A time errs by the sum for the distance
 * from the plane and for the approach, times S over the approach. */
#define TOLERANCE 4e-12
#define NARROW    1e-3

/* Of S: how far from its edges a float lane may take a point for one of the face, with the room that the culls leave. */
#define INSIDE (FLOAT_ERROR_FACTOR * 0x1p-24)

/* The part of a normal along a core with which an end of the core touches. The function refuses less than .01. */
#define LEANS .011

/* Below this slope a hit may be a graze. The limit is 1e-4. */
#define SHALLOW 2e-4

typedef struct Found
{
    SweepQuery query;
    Vec3 v[3], n; /* n: the cross product of two edges */
    double core, size, longest;
    KernelContact contact; /* of the answer */
} Found;

/* Returns false unless a single lane hits its face, and the contact is not the closest point at that lane's time. */
static bool find(const Query *query, const Kernels *kernels, double core, Found *found)
{
    Filled filled;
    filled_set_core(&filled, kernels, query, NULL, core);
    found->query = query_for_kernels(query);
    SweepAnswer answer =
        core > 0 ? kernels->core_sweep(&filled.batch, &found->query, core, filled.candidates, NULL)
                 : kernels->sweep(&filled.batch, &found->query, filled.candidates, NULL);
    Hit hit;
    bool is_hit = false;
    if (answer.candidate == NO_HIT || !answer.is_face ||
        !capsule_answer(kernels, query, vector(0, core, 0), false, &is_hit, &hit) || !is_hit ||
        hit.contact.feature != SIDLE_FEATURE_FACE || !(hit.contact.t < answer.t || hit.contact.t > answer.t))
    {
        return false;
    }
    const Vector *corners = query->triangles[hit.candidate];
    for (uint32_t i = 0; i < 3; ++i)
    {
        found->v[i] = vec3_of_vector(corners[i]);
        found->longest = fmax(i ? found->longest : 0, vector_distance(corners[i], corners[(i + 1) % 3]));
    }
    found->n = vec3_cross(vec3_sub(found->v[1], found->v[0]), vec3_sub(found->v[2], found->v[0]));
    found->contact = hit.contact;
    found->core = core;
    found->size = capsule_size(query, hit.candidate, vector(0, core, 0));
    return true;
}

/* Whether the triangle is broad and high, and the point is inside all edges by more than float errs. */
static bool is_well_inside(const Found *found)
{
    double twice_area = vec3_length(found->n), longest = found->longest;
    bool is = twice_area > NARROW * longest * longest && twice_area > 1.01 * THIN_HEIGHT * longest;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Vec3 e = vec3_sub(found->v[(i + 1) % 3], found->v[i]);
        Vec3 inward = vec3_normalize(vec3_cross(found->n, e));
        is = is && vec3_dot(inward, vec3_sub(found->contact.point, found->v[i])) > INSIDE * found->size;
    }
    return is && (!(found->core > 0) || fabs(found->contact.normal.y) > LEANS);
}

static bool same_bits(const KernelContact *a, const KernelContact *b)
{
    return memcmp(&a->t, &b->t, sizeof a->t) == 0 && memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

FaceVerdict face_check(const Query *query, const Kernels *kernels, double core)
{
    Found found;
    if (!find(query, kernels, core, &found))
    {
        return FACE_NOT_ASKED;
    }
    if (!is_well_inside(&found))
    {
        return FACE_AT_RIM;
    }
    KernelContact whole, *face = &found.contact;
    const SweepQuery *asked = &found.query;
    double approach = -vec3_dot(face->normal, asked->direction), allowed = TOLERANCE * found.size;
    if (!(core > 0 ? sidle_contact_of_core_sweep(found.v, asked, core, &whole)
                   : sidle_contact_of_sweep(found.v, asked, &whole)))
    {
        bool is_past = (face->t - asked->length) * approach > -allowed;
        return is_past || approach < SHALLOW ? FACE_BEYOND : FACE_WRONG;
    }
    if (whole.feature == SIDLE_FEATURE_FACE && same_bits(&whole, face))
    {
        return FACE_EXACT;
    }
    bool is_alike = whole.feature == SIDLE_FEATURE_FACE && fabs(whole.t - face->t) * approach <= allowed &&
                    vec3_length(vec3_sub(whole.normal, face->normal)) <= TOLERANCE &&
                    vec3_length(vec3_sub(whole.point, face->point)) * approach <= 2 * allowed;
    return is_alike ? FACE_ALIKE : FACE_WRONG;
}
