#include "support/fauerby.h"

#include <math.h>

typedef float Real;

#include "support/fauerby_sweep.inl"

/* "Very close", in ellipsoid space although it scales with the units of the world: as published. */
static const float published_gap = 0.005f;
/* Sweeps after which a move gives up what is left: recursion depths 0 to 5. */
static const int published_sweeps = 6;

FauerbyHit fauerby_sweep(const FauerbyTriangle *triangles, size_t count, FauerbyVector base,
                         FauerbyVector velocity)
{
    Motion motion = motion_of(base, velocity);
    FauerbyHit nearest = {0};
    for (size_t index = 0; index < count; ++index)
    {
        sweep_into(&nearest, &triangles[index], &motion);
    }
    return nearest;
}

bool fauerby_inside(FauerbyVector point, const FauerbyTriangle *triangle)
{
    const Triple p[3] = {triple(triangle->p[0]), triple(triangle->p[1]), triple(triangle->p[2])};
    return inside(triple(point), p);
}

bool fauerby_lowest_root(float a, float b, float c, float limit, float *root)
{
    return lowest_root(a, b, c, limit, root);
}

static FauerbyVector over(FauerbyVector a, FauerbyVector b)
{
    return (FauerbyVector){a.x / b.x, a.y / b.y, a.z / b.z};
}

static FauerbyVector times(FauerbyVector a, FauerbyVector b)
{
    return (FauerbyVector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static FauerbyVector flat(Triple v)
{
    return (FauerbyVector){v.x, v.y, v.z};
}

/* The box in the world that a move from here with this velocity can touch. */
static void box_of_move(FauerbyVector base, FauerbyVector velocity, FauerbyVector radii, FauerbyVector *low,
                        FauerbyVector *high)
{
    FauerbyVector end = {base.x + velocity.x, base.y + velocity.y, base.z + velocity.z};
    FauerbyVector least = {fminf(base.x, end.x) - 1.0f, fminf(base.y, end.y) - 1.0f,
                           fminf(base.z, end.z) - 1.0f};
    FauerbyVector most = {fmaxf(base.x, end.x) + 1.0f, fmaxf(base.y, end.y) + 1.0f,
                          fmaxf(base.z, end.z) + 1.0f};
    *low = times(least, radii);
    *high = times(most, radii);
}

static FauerbyHit sweep_world(const FauerbyWorld *world, FauerbyVector radii, Triple position,
                              Triple velocity)
{
    const uint32_t *indices = world->candidates;
    size_t count = indices != NULL ? world->candidate_count : world->triangle_count;
    if (world->near != NULL)
    {
        FauerbyVector low, high;
        box_of_move(flat(position), flat(velocity), radii, &low, &high);
        indices = world->near(world->user, low, high, &count);
    }
    Motion motion = motion_of(flat(position), flat(velocity));
    FauerbyHit nearest = {0};
    for (size_t slot = 0; slot < count; ++slot)
    {
        const FauerbyTriangle *triangle = &world->triangles[indices != NULL ? indices[slot] : slot];
        FauerbyTriangle scaled = {
            {over(triangle->p[0], radii), over(triangle->p[1], radii), over(triangle->p[2], radii)}};
        sweep_into(&nearest, &scaled, &motion);
    }
    return nearest;
}

/* Sections 4.1 and 4.2: stop short of the hit by the gap, measured along the velocity, and turn what is left
 * of the displacement into the plane that touches the ball. Returns false where the remainder counts as nothing. */
static bool slide(const FauerbyHit *hit, float gap, Triple *position, Triple *velocity)
{
    Triple destination = along(*position, 1.0f, *velocity);
    Triple touch = triple(hit->point);
    if (hit->distance >= (double)gap)
    {
        float speed = (float)sqrt((double)dot(*velocity, *velocity));
        float advance = (float)(hit->distance - (double)gap) / speed;
        Triple step = {velocity->x * advance, velocity->y * advance, velocity->z * advance};
        *position = along(*position, 1.0f, step);
        touch = along(touch, -gap, unit(step));
    }
    Plane plane = {.normal = unit(minus(*position, touch))};
    plane.constant = -dot(plane.normal, touch);
    double beyond = (double)(dot(destination, plane.normal) + plane.constant);
    *velocity = minus(along(destination, (float)-beyond, plane.normal), touch);
    return !((float)sqrt((double)dot(*velocity, *velocity)) < gap);
}

static Triple collide_and_slide(const FauerbyWorld *world, FauerbyVector radii, Triple position,
                                Triple velocity)
{
    float units = world->units_per_metre > 0.0f ? world->units_per_metre : 100.0f;
    float gap = published_gap * (units / 100.0f);
    for (int sweep = 0; sweep < published_sweeps; ++sweep)
    {
        FauerbyHit hit = sweep_world(world, radii, position, velocity);
        if (!hit.found)
        {
            return along(position, 1.0f, velocity);
        }
        if (!slide(&hit, gap, &position, &velocity))
        {
            return position;
        }
    }
    return position;
}

FauerbyVector fauerby_move(const FauerbyWorld *world, FauerbyVector position, FauerbyVector radii,
                           FauerbyVector velocity, FauerbyVector gravity)
{
    Triple place = triple(over(position, radii));
    place = collide_and_slide(world, radii, place, triple(over(velocity, radii)));
    if (gravity.x != 0.0f || gravity.y != 0.0f || gravity.z != 0.0f)
    {
        place = collide_and_slide(world, radii, place, triple(over(gravity, radii)));
    }
    return times(flat(place), radii);
}
