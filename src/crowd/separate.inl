/* The normal along which two convex shapes are farthest apart: E. G. Gilbert, D. W. Johnson and S. S. Keerthi, "A Fast Procedure for
 * Computing the Distance Between Complex Objects", 1988. It finds the point nearest to the origin of the difference of both, the
 * points of one less those of the other, on a simplex of up to four points of it. The direction to that point is the normal. */

/* Most iterations. Radii that differ fortyfold take 9 on average. */
#define SEPARATING_ITERATIONS 32

/* Share of the distance to the origin at which a gap is good enough. */
#define SEPARATING_SHARE .9999

typedef struct Simplex
{
    Vec3 at[4];
    uint32_t count;
} Simplex;

/* Each of these returns the point nearest to the origin, and keeps the corners that span it. */
static Vec3 nearest_on_segment(Simplex *simplex)
{
    Vec3 a = simplex->at[0], b = simplex->at[1], ab = vec3_sub(b, a);
    double along = -vec3_dot(a, ab), length2 = vec3_length2(ab);
    if (along > 0 && along < length2)
    {
        return vec3_add_scaled(a, ab, along / length2);
    }
    simplex->at[0] = along > 0 ? b : a;
    simplex->count = 1;
    return simplex->at[0];
}

static Vec3 nearest_on_triangle(Simplex *simplex)
{
    Vec3 a = simplex->at[0], b = simplex->at[1], c = simplex->at[2];
    Vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    if (vec3_dot(vec3_cross(b, c), n) > 0 && vec3_dot(vec3_cross(c, a), n) > 0 &&
        vec3_dot(vec3_cross(a, b), n) > 0)
    {
        return vec3_scale(n, vec3_dot(a, n) / vec3_length2(n));
    }
    Simplex edges[3] = {{{a, b}, 2}, {{b, c}, 2}, {{c, a}, 2}};
    Vec3 nearest = {0, 0, 0};
    double least2 = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 point = nearest_on_segment(&edges[i]);
        if (vec3_length2(point) < least2)
        {
            least2 = vec3_length2(point);
            nearest = point;
            *simplex = edges[i];
        }
    }
    return nearest;
}

/* The origin, if it is inside. */
static Vec3 nearest_on_tetrahedron(Simplex *simplex)
{
    const Simplex whole = *simplex;
    Vec3 nearest = {0, 0, 0};
    double least2 = INFINITY;
    for (uint32_t i = 0; i < 4; ++i)
    {
        Vec3 a = whole.at[i], b = whole.at[(i + 1) % 4], c = whole.at[(i + 2) % 4], d = whole.at[(i + 3) % 4];
        Vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        if (vec3_dot(vec3_sub(d, a), n) * -vec3_dot(a, n) > 0) /* both on one side of the face */
        {
            continue;
        }
        Simplex face = {{a, b, c}, 3};
        Vec3 point = nearest_on_triangle(&face);
        if (vec3_length2(point) < least2)
        {
            least2 = vec3_length2(point);
            nearest = point;
            *simplex = face;
        }
    }
    return nearest;
}

static Vec3 nearest_on_simplex(Simplex *simplex)
{
    switch (simplex->count)
    {
    case 1:
        return simplex->at[0];
    case 2:
        return nearest_on_segment(simplex);
    case 3:
        return nearest_on_triangle(simplex);
    default:
        return nearest_on_tetrahedron(simplex);
    }
}

/* The point of a shape that is farthest along n, from its centre. */
static Vec3 farthest_point(const Peer *peer, Vec3 n)
{
    Vec3 product = matrix_mul(peer, n), core = peer->shape->core;
    Vec3 point = vec3_scale(product, 1 / sqrt(vec3_dot(n, product)));
    return vec3_add_scaled(point, core, vec3_dot(core, n) < 0 ? -1 : 1);
}

/* With centres `away` from one another. Begins with n, and returns the best normal that it has seen. */
static Vec3 separating_normal(const Couple *couple, Vec3 away, Vec3 n)
{
    Simplex simplex = {.count = 0};
    Vec3 best = n;
    double gap = -INFINITY, distance = INFINITY;
    for (int i = 0; i < SEPARATING_ITERATIONS && gap < SEPARATING_SHARE * distance; ++i)
    {
        Vec3 point =
            vec3_sub(away, vec3_add(farthest_point(couple->low, n), farthest_point(couple->high, n)));
        if (vec3_dot(point, n) > gap)
        {
            gap = vec3_dot(point, n);
            best = n;
        }
        simplex.at[simplex.count++] = point;
        Vec3 nearest = nearest_on_simplex(&simplex);
        distance = vec3_length(nearest);
        if (distance == 0) /* an overlap */
        {
            break;
        }
        n = vec3_scale(nearest, 1 / distance);
    }
    return best;
}
