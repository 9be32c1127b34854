/* B. Kenwright, "Workshop Series: Collision Detection", sections 3.1, 3.2, 5 and 6; K. Fauerby, "Improved
 * Collision Detection and Response", 2003, appendix C: from the formulas, with their choices. */
#include "intersect/support/polygon.h"

#include <math.h>

static float cross2(sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p)
{
    float ex = (float)(b.x - a.x), ey = (float)(b.y - a.y), px = (float)(p.x - a.x), py = (float)(p.y - a.y);
    return ex * py - ey * px;
}

bool printed_cross_products(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    bool inside = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_dvec2 a = corners[i], b = corners[(i + 1) % count], control = corners[(i + 2) % count];
        inside = inside && cross2(a, b, point) * cross2(a, b, control) > 0;
    }
    return inside;
}

bool printed_plane_equations(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    bool inside = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_dvec2 a = corners[i], b = corners[(i + 1) % count];
        float ex = (float)(a.x - b.x), ey = (float)(a.y - b.y), length = sqrtf(ex * ex + ey * ey);
        float nx = -ey / length, ny = ex / length; /* z times the unit edge */
        float d = nx * (float)a.x + ny * (float)a.y;
        inside = inside && !(d - (nx * (float)point.x + ny * (float)point.y) < 0);
    }
    return inside;
}

static bool printed_meet(sidle_dvec2 p0, sidle_dvec2 p1, sidle_dvec2 p2, sidle_dvec2 p3)
{
    float x0 = (float)p0.x, y0 = (float)p0.y, x1 = (float)p1.x, y1 = (float)p1.y;
    float x2 = (float)p2.x, y2 = (float)p2.y, x3 = (float)p3.x, y3 = (float)p3.y;
    float div = (y3 - y2) * (x1 - x0) - (x3 - x2) * (y1 - y0);
    if (fabsf(div) < 0.000001f)
    {
        return false;
    }
    float ta = ((x3 - x2) * (y0 - y2) - (y3 - y2) * (x0 - x2)) / div;
    float tb = ((x1 - x0) * (y0 - y2) - (y1 - y0) * (x0 - x2)) / div;
    return ta >= 0 && ta <= 1 && tb >= 0 && tb <= 1;
}

bool printed_crossings(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    bool odd = false;
    sidle_dvec2 far = {point.x + 1000, point.y + 1000};
    for (uint32_t i = 0; i < count; ++i)
    {
        odd ^= printed_meet(corners[i], corners[(i + 1) % count], point, far);
    }
    return odd;
}

bool printed_triangles(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count)
{
    bool odd = false;
    for (uint32_t i = 1; i + 1 < count; ++i)
    {
        float a = cross2(corners[0], corners[i], point), b = cross2(corners[i], corners[i + 1], point);
        float c = cross2(corners[i + 1], corners[0], point);
        odd ^= (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    return odd;
}

static float dot3(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void difference(sidle_position a, sidle_position b, float out[3])
{
    out[0] = (float)a.x - (float)b.x;
    out[1] = (float)a.y - (float)b.y;
    out[2] = (float)a.z - (float)b.z;
}

bool printed_in_triangle(const SpaceCase *asked)
{
    const sidle_position *v = asked->triangle.corners;
    float e[3], f[3], p[3];
    difference(v[1], v[0], e);
    difference(v[2], v[0], f);
    difference(asked->point, v[0], p);
    float a = dot3(e, e), b = dot3(e, f), c = dot3(f, f), d = dot3(p, e), g = dot3(p, f);
    float x = d * c - g * b, y = g * a - d * b, z = x + y - (a * c - b * b);
    return signbit(z) && !signbit(x) && !signbit(y);
}

bool printed_without_z(const SpaceCase *asked)
{
    sidle_dvec2 corners[3], point = {asked->point.x, asked->point.y};
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = (sidle_dvec2){asked->triangle.corners[i].x, asked->triangle.corners[i].y};
    }
    return printed_cross_products(point, corners, 3);
}
