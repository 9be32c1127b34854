/* Fills the arrays that the page hands to the graphics card. */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN_SHARE .2f /* of the angle between the drawn heading and the velocity, per drawing */
#define SPEED_STEP .5  /* m/s between two colours */
#define SPEEDS     10
#define DISC_LIFT  .03f /* metres between the ground and the disc that marks the shadow of an agent */

enum ColourMode
{
    COLOUR_PLAIN,
    COLOUR_REASONS,
    COLOUR_SPEED,
    COLOUR_GROUND,
    COLOUR_COST
};

/* What the page passes, in this order. */
typedef struct View
{
    float planes[6][4]; /* of the frustum: a point is inside if dot(xyz, point) + w >= 0 */
    float camera[3];
    float near_distance; /* up to which agents are drawn in detail */
    float far_distance;  /* up to which they are drawn */
} View;

/* Instances of one mesh: 16 floats and a colour's number each. */
typedef struct Instances
{
    float *matrices;
    uint8_t *colours;
    uint32_t count;
} Instances;

enum Detail
{
    DETAIL_NEAR,
    DETAIL_FAR,
    DETAIL_DISC,
    DETAIL_COUNT
};

static Instances drawn[DETAIL_COUNT];
static uint32_t capacity;

static bool reserve(uint32_t count)
{
    for (int i = 0; count > capacity && i < DETAIL_COUNT; i++)
    {
        free(drawn[i].matrices);
        free(drawn[i].colours);
        drawn[i].matrices = malloc(16 * sizeof(float) * count);
        drawn[i].colours = malloc(count);
        if (!drawn[i].matrices || !drawn[i].colours)
        {
            return false;
        }
    }
    capacity = count > capacity ? count : capacity;
    return true;
}

/* The bit of greatest interest comes first; the page's legend has the same order (page/colours.js). */
static uint8_t colour_of_reasons(uint32_t reasons)
{
    static const uint32_t order[] = {SIDLE_REASON_INVALID | SIDLE_REASON_STUCK,
                                     SIDLE_REASON_OVERLAP,
                                     SIDLE_REASON_TRUNCATED,
                                     SIDLE_REASON_AGENT,
                                     SIDLE_REASON_CEILING,
                                     SIDLE_REASON_STEP,
                                     SIDLE_REASON_SLOPE,
                                     SIDLE_REASON_WALL,
                                     SIDLE_REASON_EDGE};
    uint8_t place = 0;
    while (place < sizeof order / sizeof *order && !(reasons & order[place]))
    {
        place++;
    }
    return place;
}

static uint8_t colour_of(const Record *record, uint32_t agent, uint32_t mode, const uint8_t *costs)
{
    if (costs)
    {
        return costs[agent];
    }
    sidle_vec3 v = record->body.velocity;
    if (mode == COLOUR_REASONS)
    {
        return colour_of_reasons(record->reasons);
    }
    if (mode == COLOUR_SPEED)
    {
        double speed = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
        return speed / SPEED_STEP < SPEEDS - 1 ? (uint8_t)(speed / SPEED_STEP) : SPEEDS - 1;
    }
    if (mode == COLOUR_GROUND)
    {
        bool is_on_edge = (double)record->body.overhang > .01;
        return record->body.flags & SIDLE_BODY_GROUNDED ? is_on_edge : 2;
    }
    return (uint8_t)(viewer.agents.list[agent].seed % 6);
}

static bool is_visible(const View *view, const float at[3], float radius)
{
    for (int i = 0; i < 6; i++)
    {
        const float *p = view->planes[i];
        if (p[0] * at[0] + p[1] * at[1] + p[2] * at[2] + p[3] < -radius)
        {
            return false;
        }
    }
    return true;
}

static float turned(float heading, sidle_vec3 velocity)
{
    if (velocity.x * velocity.x + velocity.z * velocity.z < .04f)
    {
        return heading;
    }
    float turn = atan2f(velocity.x, velocity.z) - heading;
    turn -= 6.2831853f * rintf(turn / 6.2831853f);
    return heading + TURN_SHARE * turn;
}

static void add(Instances *list, const float at[3], float heading, float scale, uint8_t colour)
{
    float c = scale * cosf(heading), s = scale * sinf(heading);
    const float matrix[16] = {c, 0, -s, 0, 0, scale, 0, 0, s, 0, c, 0, at[0], at[1], at[2], 1};
    memcpy(&list->matrices[16 * list->count], matrix, sizeof matrix);
    list->colours[list->count++] = colour;
}

/* Fills the instances of the agents in view after a number of ticks, except the one that a person moves. Returns false if memory
 * is short. */
EXPORT bool viewer_draw(uint32_t tick, const View *view, uint32_t colour_mode)
{
    uint32_t count = viewer.history.count;
    if (!reserve(count))
    {
        return false;
    }
    static uint32_t last_tick;
    const bool turns = tick != last_tick; /* the same tick has the same picture */
    last_tick = tick;
    const Record *row = history_row(tick);
    const uint8_t *costs = colour_mode == COLOUR_COST ? cost_of_agents(tick) : NULL;
    const sidle_shape shape = count ? shape_of(SHAPE_CROWD) : (sidle_shape){.half_height = 0};
    const float half = shape.radii.y + shape.half_height;
    drawn[DETAIL_NEAR].count = drawn[DETAIL_FAR].count = drawn[DETAIL_DISC].count = 0;
    for (uint32_t i = 0; i < count; i++)
    {
        const sidle_body *body = &row[i].body;
        const float at[3] = {(float)body->center.x, (float)body->center.y - body->step_offset,
                             (float)body->center.z};
        viewer.headings[i] = turns ? turned(viewer.headings[i], body->velocity) : viewer.headings[i];
        float dx = at[0] - view->camera[0], dy = at[1] - view->camera[1], dz = at[2] - view->camera[2];
        float distance = sqrtf(dx * dx + dy * dy + dz * dz);
        if (i == viewer.player.agent || distance > view->far_distance || !is_visible(view, at, half))
        {
            continue;
        }
        bool is_near = distance < view->near_distance;
        uint8_t colour = colour_of(&row[i], i, colour_mode, costs);
        add(&drawn[is_near ? DETAIL_NEAR : DETAIL_FAR], at, viewer.headings[i], 1, colour);
        if (is_near && (body->flags & SIDLE_BODY_GROUNDED))
        {
            const float foot[3] = {at[0], at[1] - half + DISC_LIFT, at[2]};
            add(&drawn[DETAIL_DISC], foot, 0, 1, 0);
        }
    }
    return true;
}

EXPORT const float *viewer_matrices(uint32_t detail)
{
    return drawn[detail].matrices;
}

EXPORT const uint8_t *viewer_colours(uint32_t detail)
{
    return drawn[detail].colours;
}

EXPORT uint32_t viewer_drawn_count(uint32_t detail)
{
    return drawn[detail].count;
}

/* ---- Lines: two points each, six floats. ---- */

static float *lines;
static uint32_t line_count, line_capacity;

static void add_line(const float from[3], const float to[3])
{
    if (line_count < line_capacity)
    {
        memcpy(&lines[6 * line_count], from, 3 * sizeof *from);
        memcpy(&lines[6 * line_count + 3], to, 3 * sizeof *to);
        line_count++;
    }
}

static void begin_lines(uint32_t most)
{
    if (most > line_capacity)
    {
        free(lines);
        lines = malloc(6 * sizeof *lines * most);
        line_capacity = lines ? most : 0;
    }
    line_count = 0;
}

EXPORT const float *viewer_lines(void)
{
    return lines;
}

static void position_of(const Record *record, float out[3])
{
    out[0] = (float)record->body.center.x;
    out[1] = (float)record->body.center.y - record->body.step_offset;
    out[2] = (float)record->body.center.z;
}

/* From the feet along the normal of the ground. Returns the number of lines. */
EXPORT uint32_t viewer_normal_lines(uint32_t tick, float length)
{
    begin_lines(viewer.history.count);
    const Record *row = history_row(tick);
    for (uint32_t i = 0; i < viewer.history.count; i++)
    {
        sidle_vec3 n = row[i].body.ground_normal;
        float from[3];
        position_of(&row[i], from);
        from[1] -= shape_of(row[i].profile).radii.y + shape_of(row[i].profile).half_height;
        const float to[3] = {from[0] + length * n.x, from[1] + length * n.y, from[2] + length * n.z};
        if (row[i].body.flags & SIDLE_BODY_GROUNDED)
        {
            add_line(from, to);
        }
    }
    return line_count;
}

/* The paths of all agents, or of one, in the last ticks: a line for each `every` ticks. */
EXPORT uint32_t viewer_trail_lines(uint32_t tick, uint32_t ticks, uint32_t every, uint32_t only)
{
    uint32_t first = tick > viewer.history.oldest + ticks ? tick - ticks : viewer.history.oldest;
    uint32_t pieces = (tick - first) / every, begin = only == NO_AGENT ? 0 : only;
    uint32_t end = only == NO_AGENT ? viewer.history.count : only + 1;
    begin_lines(pieces * (end - begin));
    for (uint32_t i = begin; i < end && i < viewer.history.count; i++)
    {
        for (uint32_t piece = 0; piece < pieces; piece++)
        {
            float from[3], to[3];
            position_of(&history_row(tick - every * piece)[i], from);
            position_of(&history_row(tick - every * (piece + 1))[i], to);
            add_line(from, to);
        }
    }
    return line_count;
}
