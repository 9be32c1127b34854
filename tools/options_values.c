#include "options_values.h"

#include "console.h"
#include "options.h"
#include "ticker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_number(const char *text, double *out)
{
    size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789+-.eE") != length)
    {
        return false;
    }
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || !isfinite(value))
    {
        return false;
    }
    *out = value;
    return true;
}

bool parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint32_t *out)
{
    uint64_t value = 0;
    size_t length = strlen(text);
    if (length == 0 || length > 18 || strspn(text, "0123456789") != length)
    {
        return false;
    }
    for (; *text; text++)
    {
        value = 10 * value + (uint64_t)(*text - '0');
    }
    if (value < minimum || value > maximum)
    {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

int option_count(const char *option, const char *text, uint32_t minimum, uint32_t maximum, uint32_t *out)
{
    if (parse_count(text, minimum, maximum, out))
    {
        return EXIT_DONE;
    }
    return usage_error("--%s takes a whole number from %u to %u, not '%s'", option, minimum, maximum, text);
}

static bool find_name(const char *text, const char *const names[3], uint32_t *out)
{
    for (uint32_t i = 0; i < 3; i++)
    {
        if (strcmp(text, names[i]) == 0)
        {
            *out = i;
            return true;
        }
    }
    return false;
}

int option_mode(const char *text, uint32_t *out)
{
    static const char *const names[3] = {[SIDLE_WALK] = "walk", [SIDLE_SLIDE] = "slide", [SIDLE_FLY] = "fly"};
    return find_name(text, names, out) ? EXIT_DONE
                                       : usage_error("--mode takes walk, slide or fly, not '%s'", text);
}

int option_jobs(const char *text, uint32_t *out)
{
    static const char *const names[3] = {[JOBS_POOL] = "pool", [JOBS_LOOP] = "loop", [JOBS_PULL] = "pull"};
    return find_name(text, names, out) ? EXIT_DONE
                                       : usage_error("--jobs takes pool, loop or pull, not '%s'", text);
}

int option_lanes(const char *text, uint32_t *out)
{
    if (parse_count(text, 0, 16, out) && (*out == 0 || *out == 1 || *out == 4 || *out == 8 || *out == 16))
    {
        return EXIT_DONE;
    }
    return usage_error("--lanes takes 0, 1, 4, 8 or 16, not '%s'", text);
}

int option_scale(const char *text, double *out)
{
    if (parse_number(text, out) && *out > 0 && *out <= LEVEL_MAX_SCALE)
    {
        return EXIT_DONE;
    }
    return usage_error("--scale takes a number above 0 and at most %g, not '%s'", LEVEL_MAX_SCALE, text);
}

int option_up(const char *text, char *out)
{
    if (strlen(text) == 1 && strchr("xyz", *text))
    {
        *out = *text;
        return EXIT_DONE;
    }
    return usage_error("--up takes x, y or z, not '%s'", text);
}

/* Splits "A,B,C" into exactly `count` numbers. */
static bool parse_list(const char *text, int count, double *out)
{
    for (int i = 0; i < count; i++)
    {
        char field[64];
        size_t length = strcspn(text, ",");
        if (length >= sizeof field)
        {
            return false;
        }
        memcpy(field, text, length);
        field[length] = '\0';
        bool ends_right = text[length] == (i + 1 < count ? ',' : '\0');
        if (!ends_right || !parse_number(field, &out[i]))
        {
            return false;
        }
        text += length + 1;
    }
    return true;
}

/* [Limit] of instances: sidle_pose. */
#define LEAST_INSTANCE_SCALE 1e-6
#define MOST_INSTANCE_SCALE  1e6

int option_instance_scale(const char *text, double out[3])
{
    bool good = parse_list(text, 3, out);
    if (!good && parse_list(text, 1, out))
    {
        out[1] = out[2] = out[0];
        good = true;
    }
    for (int axis = 0; axis < 3 && good; axis++)
    {
        good = fabs(out[axis]) >= LEAST_INSTANCE_SCALE && fabs(out[axis]) <= MOST_INSTANCE_SCALE;
    }
    return good ? EXIT_DONE
                : usage_error("--instance-scale takes X or X,Y,Z, each from %g to %g or negative, not '%s'",
                              LEAST_INSTANCE_SCALE, MOST_INSTANCE_SCALE, text);
}

int option_shape(const char *text, sidle_shape *out)
{
    double n[3];
    *out = (sidle_shape){0};
    if (strncmp(text, "ball:", 5) == 0 && parse_list(text + 5, 1, n))
    {
        n[1] = n[2] = n[0];
    }
    else if (strncmp(text, "capsule:", 8) == 0 && parse_list(text + 8, 2, n) && n[1] > 0)
    {
        out->half_height = (float)n[1];
        n[1] = n[2] = n[0];
    }
    else if (strncmp(text, "ellipsoid:", 10) != 0 || !parse_list(text + 10, 3, n))
    {
        return usage_error("--shape takes ellipsoid:RX,RY,RZ, ball:R or capsule:R,HALF, not '%s'", text);
    }
    if (!(n[0] > 0 && n[1] > 0 && n[2] > 0))
    {
        return usage_error("--shape takes radii above 0, not '%s'", text);
    }
    out->radii = (sidle_vec3){(float)n[0], (float)n[1], (float)n[2]};
    return EXIT_DONE;
}

/* "N@T=FILE" */
int option_capture(const char *text, CaptureWish *out)
{
    char agent[20], tick[20];
    size_t agent_length = strcspn(text, "@");
    const char *rest = text + agent_length + (text[agent_length] == '@');
    size_t tick_length = strcspn(rest, "=");
    bool good = agent_length < sizeof agent && tick_length < sizeof tick && rest[tick_length] == '=' &&
                rest[tick_length + 1] != '\0';
    if (good)
    {
        memcpy(agent, text, agent_length);
        memcpy(tick, rest, tick_length);
        agent[agent_length] = tick[tick_length] = '\0';
        out->path = rest + tick_length + 1;
        good = parse_count(agent, 0, UINT32_MAX, &out->agent) && parse_count(tick, 0, UINT32_MAX, &out->tick);
    }
    return good ? EXIT_DONE
                : usage_error("--capture takes AGENT@TICK=FILE, as in 1731@42=stuck.txt, not '%s'", text);
}
