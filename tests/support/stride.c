#include "support/stride.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81 /* m/s^2: the crowd's default */
#define SKIN    0.02 /* of the radius: that of walking_ball */

const sidle_shape stride_shapes[STRIDE_SHAPES] = {
    {.radii = {0.4f, 0.9f, 0.4f}},
    {.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f},
    {.radii = {0.4f, 0.4f, 0.4f}},
};
const char *const stride_shape_names[STRIDE_SHAPES] = {"ellipsoid", "capsule", "ball"};
const int stride_rates[STRIDE_RATES] = {15, 30, 60, 120, 240, 480};

void stride_next(Stride *stride, Actor *actor, Vector velocity)
{
    Stride next = {.from = actor_place(actor),
                   .asked = hypot(velocity.x, velocity.z) * (double)actor->scene.options.dt,
                   .fallen = fmax(-stride->rise, 0.0),
                   .stood = (actor->agent.body.flags & SIDLE_BODY_GROUNDED) != 0};
    actor_tick(actor, velocity);
    next.to = actor_place(actor);
    next.done = hypot(next.to.x - next.from.x, next.to.z - next.from.z);
    next.rise = next.to.y - next.from.y;
    next.stands = (actor->agent.body.flags & SIDLE_BODY_GROUNDED) != 0;
    *stride = next;
}

double setting_skin(const MotionSetting *setting)
{
    return SKIN * (double)setting->shape.radii.y;
}

double setting_reach(const MotionSetting *setting)
{
    return (double)setting->shape.radii.x;
}

double setting_gravity_step(const MotionSetting *setting)
{
    return GRAVITY / ((double)setting->rate * setting->rate);
}

double stride_excess_down(const Stride *stride, const MotionSetting *setting)
{
    double along_ground = tan(radians(setting->slope)) * stride->done;
    return fmax(-stride->rise - fmax(along_ground, stride->fallen + setting_gravity_step(setting)), 0.0);
}

double stride_excess_up(const Stride *stride, const MotionSetting *setting)
{
    double along_ground = tan(radians(setting->slope)) * stride->done;
    return fmax(stride->rise - along_ground - setting_skin(setting), 0.0);
}

bool actor_is_near(const Actor *actor, double distance)
{
    sidle_shape shape = actor->setting.shape;
    float more = (float)distance;
    shape.radii = (sidle_vec3){shape.radii.x + more, shape.radii.y + more, shape.radii.z + more};
    sidle_cast cast = {.origin = actor->agent.body.center, .rotation = actor->agent.rotation, .shape = shape};
    sidle_cast_hit hit = {0};
    demand(sidle_cast_closest(actor->scene.snapshot, 0.0f, &cast, &hit), "sidle_cast_closest");
    return hit.hit != SIDLE_CAST_MISS;
}

void tally(Tally *tally, double value, double limit, const char *format, ...)
{
    ++tally->cases;
    tally->faults += !(value <= limit);
    if (tally->cases == 1 || !(value <= tally->worst))
    {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(tally->text, sizeof tally->text, format, arguments);
        va_end(arguments);
        tally->worst = value;
    }
}

int count_from(const char *variable, int otherwise)
{
    const char *given = getenv(variable);
    return given != NULL ? atoi(given) : otherwise;
}
