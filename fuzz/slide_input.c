#include "slide_input.h"

#define MOST_TRIANGLES 24
#define MOST_SOLIDS    3
#define NEAR           8.0 /* metres from the middle to the box */
#define WIDE           3e4

static const float skins[4] = {.02f, .005f, .1f, .05f};
static const float slopes[4] = {0, .2f, .9f, 1};
static const float steps[4] = {0, -1, .3f, 2};
static const float rates[4] = {60, 15, 240, 960};

static sidle_vec3 to_float(Vector v)
{
    return (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static float decode_radius(Input *input)
{
    double size = fabs(input_within(input, 4));
    return (float)fmax(size, .05);
}

/* 0 of one byte each is a ball of the first size. */
static void decode_profile(Input *input, SlideInput *out)
{
    uint32_t how = input_byte(input), more = input_byte(input);
    out->profile = (sidle_profile){.size = sizeof out->profile,
                                   .mode = how % 3,
                                   .skin = skins[more % 4],
                                   .max_slope_cos = slopes[more / 4 % 4],
                                   .step_up = steps[more / 16 % 4],
                                   .step_down = steps[more / 64 % 4]};
    out->profile.flags = (how / 3 % 4 == 1 ? SIDLE_PROFILE_NO_GRAVITY : 0u) |
                         (how / 3 % 4 == 2 ? SIDLE_PROFILE_ONE_SIDED : 0u) |
                         (how / 3 % 4 == 3 ? SIDLE_PROFILE_HORIZONTAL_SPEED : 0u);
    out->dt = 1 / rates[how / 12 % 4];
    out->profile.shape.radii.x = decode_radius(input);
    out->profile.shape.radii.y = decode_radius(input);
    out->profile.shape.radii.z = decode_radius(input);
}

static Vector within(Vector v, double limit)
{
    v.x = fabs(v.x) <= limit ? v.x : fmod(v.x, limit);
    v.y = fabs(v.y) <= limit ? v.y : fmod(v.y, limit);
    v.z = fabs(v.z) <= limit ? v.z : fmod(v.z, limit);
    return v;
}

/* Four corners, wound so that the faces look outwards. Flat ones are triangles like others. */
static void decode_solid(Input *input, double limit, SlideInput *out)
{
    Vector v[4];
    for (int i = 0; i < 4; ++i)
    {
        v[i] = vector_as_float(within(input_corner(input), limit));
    }
    Vector a = vector_sub(v[1], v[0]), b = vector_sub(v[2], v[0]), c = vector_sub(v[3], v[0]);
    if (vector_dot(vector_cross(a, b), c) > 0)
    {
        Vector swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
    soup_triangle(&out->soup, v[0], v[1], v[2]);
    soup_triangle(&out->soup, v[0], v[3], v[1]);
    soup_triangle(&out->soup, v[0], v[2], v[3]);
    soup_triangle(&out->soup, v[1], v[3], v[2]);
}

static void add_box(SlideInput *out)
{
    double h = out->box;
    Vector v[8];
    for (int i = 0; i < 8; ++i)
    {
        v[i] = vector(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
    }
    soup_quad(&out->soup, v[0], v[2], v[6], v[4]);
    soup_quad(&out->soup, v[1], v[5], v[7], v[3]);
    soup_quad(&out->soup, v[0], v[4], v[5], v[1]);
    soup_quad(&out->soup, v[2], v[3], v[7], v[6]);
    soup_quad(&out->soup, v[0], v[1], v[3], v[2]);
    soup_quad(&out->soup, v[4], v[6], v[7], v[5]);
}

static void decode_soup(Input *input, double limit, SlideInput *out)
{
    uint32_t how = input_byte(input);
    out->solid_count = how / 64 % (MOST_SOLIDS + 1);
    for (uint32_t i = 0; i < out->solid_count; ++i)
    {
        decode_solid(input, limit, out);
    }
    for (uint32_t i = 0; i < how % 64 && i < MOST_TRIANGLES; ++i)
    {
        Vector v[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            v[corner] = within(input_corner(input), limit);
        }
        soup_triangle(&out->soup, v[0], v[1], v[2]);
    }
    if (out->box > 0)
    {
        add_box(out);
    }
}

static void decode_agents(Input *input, uint32_t flags, double limit, SlideInput *out)
{
    const sidle_vec3 *radii = &out->profile.shape.radii;
    double least = fmin((double)radii->x, fmin((double)radii->y, (double)radii->z));
    double longest = .5 * SIDLE_MAX_PATH * least; /* along each axis */
    out->agent_count = 1 + input_below(input, SLIDE_AGENTS);
    out->tick_count = 1 + input_below(input, SLIDE_TICKS);
    for (uint32_t i = 0; i < out->agent_count; ++i)
    {
        Vector center = vector_add(within(input_corner(input), limit), out->place);
        sidle_move *move = &out->moves[i];
        move->id = 1 + i;
        move->body.center = (sidle_position){center.x, center.y, center.z};
        if (flags & SLIDE_TURNED)
        {
            Vector turn = input_vector(input, 1e6);
            move->rotation = (sidle_quat){(float)turn.x, (float)turn.y, (float)turn.z, 1};
        }
    }
    for (uint32_t i = 0; i < out->tick_count * out->agent_count; ++i)
    {
        sidle_vec3 *wish = &out->wishes[i / out->agent_count][i % out->agent_count];
        uint32_t how = input_byte(input); /* as the tick before, unless given */
        bool same = how % 2 && i >= out->agent_count;
        *wish = same ? out->wishes[i / out->agent_count - 1][i % out->agent_count]
                     : to_float(input_vector(input, fmin(4 * limit, longest)));
    }
}

void slide_input_decode(const uint8_t *data, size_t size, SlideInput *out)
{
    Input input = input_of(data, size);
    *out = (SlideInput){.max_candidates = 64};
    decode_profile(&input, out);
    uint32_t flags = input_byte(&input);
    double limit = flags & SLIDE_WIDE ? WIDE : NEAR;
    out->profile.shape.half_height = flags & SLIDE_CAPSULE ? decode_radius(&input) : 0;
    out->max_candidates = flags & SLIDE_CROWDED ? 6 : 64;
    out->box = flags & SLIDE_BOX ? limit : 0;
    out->place = flags & SLIDE_FAR ? vector(1e6, -1e5, 3e6) : vector(0, 0, 0);
    decode_soup(&input, limit, out);
    decode_agents(&input, flags, .999 * limit, out);
}

Rotation slide_input_turn(sidle_quat rotation)
{
    double x = (double)rotation.x, y = (double)rotation.y, z = (double)rotation.z, w = (double)rotation.w;
    double n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;
    return (Rotation){{vector(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
                       vector(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
                       vector(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y))}};
}

void slide_input_encode(InputWriter *writer, uint32_t mode, uint32_t flags, const Vector *solid,
                        const Soup *soup, Vector radii, Vector center, const Vector *wishes, uint32_t count)
{
    input_put_byte(writer, mode);
    input_put_byte(writer, 0);
    input_put_vector(writer, radii);
    input_put_byte(writer, flags);
    if (flags & SLIDE_CAPSULE)
    {
        input_put_number(writer, radii.y / 2);
    }
    input_put_byte(writer, (solid ? 64u : 0) + (uint32_t)soup->count);
    for (size_t i = 0; i < (solid ? 4u : 0); ++i)
    {
        input_put_corner(writer, solid[i]);
    }
    for (size_t i = 0; i < 3 * soup->count; ++i)
    {
        input_put_corner(writer, soup->triangles[i / 3].v[i % 3]);
    }
    input_put_byte(writer, 0);
    input_put_byte(writer, count - 1);
    input_put_corner(writer, center);
    for (uint32_t i = 0; i < count; ++i)
    {
        input_put_byte(writer, 0);
        input_put_vector(writer, wishes[i]);
    }
}
