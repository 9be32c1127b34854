/* Chapter 3 and appendices B to D of the paper over `Real`, which the including file defines: float as
 * published, double for what a compiler with wide intermediates makes of it. Times are double and distances
 * come and go through both types, as in the paper. */

typedef struct Triple
{
    Real x, y, z;
} Triple;

typedef struct Plane
{
    Triple normal;
    Real constant;
} Plane;

typedef struct Motion
{
    Triple base, velocity, direction;
} Motion;

/* The times between which the ball cuts the plane. */
typedef struct Slab
{
    double enter, leave;
    bool embedded; /* moving within the plane: cuts it all the time */
} Slab;

typedef struct Contact
{
    bool found;
    Real time;
    Triple point;
} Contact;

static Triple triple(FauerbyVector v)
{
    return (Triple){(Real)v.x, (Real)v.y, (Real)v.z};
}

static Triple minus(Triple a, Triple b)
{
    return (Triple){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Triple along(Triple a, Real t, Triple b)
{
    return (Triple){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static Real dot(Triple a, Triple b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Triple unit(Triple a)
{
    Real length = (Real)sqrt((double)dot(a, a));
    return (Triple){a.x / length, a.y / length, a.z / length};
}

static Plane plane_through(const Triple p[3])
{
    Triple u = minus(p[1], p[0]), v = minus(p[2], p[0]);
    Plane plane = {.normal =
                       unit((Triple){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x})};
    plane.constant = -dot(plane.normal, p[0]);
    return plane;
}

/* Section 3.2. The published cull: only faces that look against the motion or along it. */
static bool slab_of(const Plane *plane, const Motion *motion, Slab *slab)
{
    double facing = (double)dot(plane->normal, motion->direction);
    if (!(facing <= 0.0))
    {
        return false;
    }
    double distance = (double)(dot(motion->base, plane->normal) + plane->constant);
    Real speed = dot(plane->normal, motion->velocity);
    if (speed == (Real)0)
    {
        *slab = (Slab){0.0, 1.0, true};
        return fabs(distance) < 1.0;
    }
    double front = (1.0 - distance) / (double)speed, back = (-1.0 - distance) / (double)speed;
    slab->embedded = false;
    slab->enter = front < back ? front : back;
    slab->leave = front < back ? back : front;
    if (slab->enter > 1.0 || slab->leave < 0.0)
    {
        return false;
    }
    slab->enter = slab->enter < 0.0 ? 0.0 : slab->enter;
    return true;
}

/* Appendix C: both barycentric numerators from the Gram matrix of two edges, decided by their sign bits. */
static bool inside(Triple point, const Triple p[3])
{
    Triple u = minus(p[1], p[0]), v = minus(p[2], p[0]), w = minus(point, p[0]);
    Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    Real gram = uu * vv - uv * uv;
    Real wu = dot(w, u), wv = dot(w, v);
    Real first = wu * vv - wv * uv, second = wv * uu - wu * uv;
    Real rest = first + second - gram;
    return signbit(rest) && !signbit(first) && !signbit(second);
}

/* Appendix D: textbook roots, the smaller one first, each only if strictly between 0 and the limit. */
static bool lowest_root(Real a, Real b, Real c, Real limit, Real *root)
{
    Real discriminant = b * b - (Real)4 * a * c;
    if (discriminant < (Real)0)
    {
        return false;
    }
    Real spread = (Real)sqrt((double)discriminant);
    Real one = (-b - spread) / ((Real)2 * a), two = (-b + spread) / ((Real)2 * a);
    Real low = one > two ? two : one, high = one > two ? one : two;
    if (low > (Real)0 && low < limit)
    {
        *root = low;
        return true;
    }
    if (high > (Real)0 && high < limit)
    {
        *root = high;
        return true;
    }
    return false;
}

/* Equation 3.5. */
static void sweep_vertex(Contact *contact, const Motion *motion, Triple vertex)
{
    Triple from = minus(motion->base, vertex);
    Real a = dot(motion->velocity, motion->velocity);
    Real b = (Real)2 * dot(motion->velocity, from);
    Real c = dot(from, from) - (Real)1;
    Real time;
    if (lowest_root(a, b, c, contact->time, &time))
    {
        *contact = (Contact){true, time, vertex};
    }
}

/* The quadratic after equation 3.5 and the place on the edge, equation 3.6. */
static void sweep_edge(Contact *contact, const Motion *motion, Triple start, Triple end)
{
    Triple edge = minus(end, start), to_vertex = minus(start, motion->base);
    Real squared = dot(edge, edge), speed = dot(motion->velocity, motion->velocity);
    Real edge_velocity = dot(edge, motion->velocity), edge_vertex = dot(edge, to_vertex);
    Real a = squared * -speed + edge_velocity * edge_velocity;
    Real b = squared * ((Real)2 * dot(motion->velocity, to_vertex)) - (Real)2 * edge_velocity * edge_vertex;
    Real c = squared * ((Real)1 - dot(to_vertex, to_vertex)) + edge_vertex * edge_vertex;
    Real time;
    if (!lowest_root(a, b, c, contact->time, &time))
    {
        return;
    }
    Real place = (edge_velocity * time - edge_vertex) / squared;
    if (place >= (Real)0 && place <= (Real)1)
    {
        *contact = (Contact){true, time, along(start, place, edge)};
    }
}

static Contact sweep_triangle(const Triple p[3], const Motion *motion)
{
    Contact contact = {.time = (Real)1};
    Plane plane = plane_through(p);
    Slab slab;
    if (!slab_of(&plane, motion, &slab))
    {
        return contact;
    }
    Triple touch = along(minus(motion->base, plane.normal), (Real)slab.enter, motion->velocity);
    if (!slab.embedded && inside(touch, p))
    {
        return (Contact){true, (Real)slab.enter, touch};
    }
    for (int corner = 0; corner < 3; ++corner)
    {
        sweep_vertex(&contact, motion, p[corner]);
    }
    for (int corner = 0; corner < 3; ++corner)
    {
        sweep_edge(&contact, motion, p[corner], p[(corner + 1) % 3]);
    }
    return contact;
}

static Motion motion_of(FauerbyVector base, FauerbyVector velocity)
{
    return (Motion){triple(base), triple(velocity), unit(triple(velocity))};
}

static void sweep_into(FauerbyHit *nearest, const FauerbyTriangle *triangle, const Motion *motion)
{
    const Triple p[3] = {triple(triangle->p[0]), triple(triangle->p[1]), triple(triangle->p[2])};
    Contact contact = sweep_triangle(p, motion);
    if (!contact.found)
    {
        return;
    }
    Real distance = contact.time * (Real)sqrt((double)dot(motion->velocity, motion->velocity));
    if (!nearest->found || (double)distance < nearest->distance)
    {
        FauerbyVector point = {(float)contact.point.x, (float)contact.point.y, (float)contact.point.z};
        *nearest = (FauerbyHit){true, (double)distance, point};
    }
}
