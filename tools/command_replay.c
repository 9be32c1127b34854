/* `sidle replay`: makes a captured move again and explains it. */
#include "commands.h"
#include "console.h"
#include "json.h"
#include "options.h"
#include "replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ReplayCommand
{
    Options options;
    Replay replay;
    ReplayRun run;
    const char *difference; /* NULL: the bits agree */
    char message[MESSAGE_SIZE];
} ReplayCommand;

static const char *const modes[] = {[SIDLE_WALK] = "walk", [SIDLE_SLIDE] = "slide", [SIDLE_FLY] = "fly"};
static const char *const features[] = {
    [SIDLE_FEATURE_FACE] = "face", [SIDLE_FEATURE_EDGE] = "edge", [SIDLE_FEATURE_VERTEX] = "vertex"};

static double length_of(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

static double asked(const ReplayCommand *c)
{
    sidle_vec3 wish = c->replay.head.move.displacement;
    return length_of((double)wish.x, (double)wish.y, (double)wish.z);
}

static double moved(const ReplayCommand *c)
{
    sidle_position from = c->replay.head.move.body.center, to = c->run.result.body.center;
    return length_of(to.x - from.x, to.y - from.y, to.z - from.z);
}

/* ---- The answer for programs. ---- */

static void put_position(Json *json, const char *name, sidle_position position)
{
    const double values[3] = {position.x, position.y, position.z};
    json_numbers(json, name, values, 3);
}

static void put_vector(Json *json, const char *name, sidle_vec3 vector)
{
    const float values[3] = {vector.x, vector.y, vector.z};
    json_floats(json, name, values, 3);
}

static void print_json(const ReplayCommand *c)
{
    const sidle_move *move = &c->replay.head.move;
    const sidle_result *result = &c->run.result;
    Json json;
    json_begin(&json, stdout);
    json_text(&json, "capture", c->options.level);
    json_count(&json, "agent", move->id);
    json_count(&json, "lanes", c->run.lanes);
    json_text(&json, "mode", modes[c->replay.head.profile.mode]);
    json_count(&json, "instances", c->replay.instance_count);
    json_count(&json, "triangles", c->replay.triangle_count);
    json_count(&json, "neighbours", c->replay.head.neighbour_count);
    put_position(&json, "from", move->body.center);
    put_vector(&json, "displacement", move->displacement);
    json_numbers(&json, "correction", c->replay.head.correction, 3);
    put_position(&json, "to", result->body.center);
    json_rounded(&json, "asked", asked(c));
    json_rounded(&json, "moved", moved(c));
    json_count(&json, "grounded", (result->body.flags & SIDLE_BODY_GROUNDED) != 0);
    json_float(&json, "impact_speed", result->impact_speed);
    json_count(&json, "contacts", result->contact_count);
    json_count(&json, "reasons", result->reasons);
    json_object_begin(&json, "why");
    for (uint32_t bit = 1; bit && bit <= result->reasons; bit *= 2)
    {
        char name[16];
        snprintf(name, sizeof name, "%" PRIu32, bit);
        if (result->reasons & bit)
        {
            json_text(&json, name, sidle_reason_text(bit));
        }
    }
    json_object_end(&json);
    json_count(&json, "agrees", !c->difference);
    json_text(&json, "differs_in", c->difference ? c->difference : "");
    json_end(&json);
}

/* ---- The answer for people. ---- */

static void print_body(const char *name, const sidle_body *body)
{
    printf("%-9s (%.6g, %.6g, %.6g)", name, body->center.x, body->center.y, body->center.z);
    if (body->flags & SIDLE_BODY_GROUNDED)
    {
        printf(", on triangle %u of instance %u, normal (%.3g, %.3g, %.3g)", body->ground_triangle,
               body->ground.index, (double)body->ground_normal.x, (double)body->ground_normal.y,
               (double)body->ground_normal.z);
    }
    else
    {
        printf(", in the air");
    }
    printf("\n          velocity (%.4g, %.4g, %.4g)\n", (double)body->velocity.x, (double)body->velocity.y,
           (double)body->velocity.z);
}

static void print_request(const ReplayCommand *c)
{
    const CaptureHead *head = &c->replay.head;
    sidle_vec3 radii = head->profile.shape.radii, wish = head->move.displacement;
    printf("agent     %" PRIu64 ", %s, radii %g %g %g, a tick of %.4g ms\n", head->move.id,
           modes[head->profile.mode], (double)radii.x, (double)radii.y, (double)radii.z,
           1e3 * (double)head->dt);
    printf("around    %u triangle%s of %u instance%s, epoch %" PRIu64 "\n", c->replay.triangle_count,
           c->replay.triangle_count == 1 ? "" : "s", c->replay.instance_count,
           c->replay.instance_count == 1 ? "" : "s", head->epoch);
    print_body("from", &head->move.body);
    printf("wish      (%.6g, %.6g, %.6g)\n", (double)wish.x, (double)wish.y, (double)wish.z);
    if (head->neighbour_count > 0)
    {
        const double *correction = head->correction;
        printf("others    %u near; they correct the wish by (%.6g, %.6g, %.6g)\n", head->neighbour_count,
               correction[0], correction[1], correction[2]);
    }
}

static void print_contact(const sidle_contact *contact)
{
    if (contact->feature == SIDLE_FEATURE_AGENT)
    {
        printf("agent %" PRIu64, contact->instance_key);
    }
    else
    {
        printf("%s of triangle %u, surface %u, instance %u (key %" PRIu64 ")",
               contact->feature < SIDLE_FEATURE_AGENT ? features[contact->feature] : "part",
               contact->triangle, (unsigned)contact->surface, contact->instance.index, contact->instance_key);
    }
    printf(", normal (%.3g, %.3g, %.3g)\n", (double)contact->normal.x, (double)contact->normal.y,
           (double)contact->normal.z);
}

static void print_contacts(const ReplayRun *run)
{
    for (uint32_t i = 0; i < run->result.contact_count; i++)
    {
        printf("%-9s ", i ? "" : "hit");
        print_contact(&run->contacts[i]);
    }
    if (run->result.contact_count == 0)
    {
        puts("hit       nothing");
    }
}

static void print_reasons(uint32_t reasons)
{
    for (uint32_t bit = 1; bit && bit <= reasons; bit *= 2)
    {
        if (reasons & bit)
        {
            printf("why       %s\n          what would change it: %s\n", sidle_reason_text(bit),
                   sidle_reason_advice(bit));
        }
    }
}

static void print_table(const ReplayCommand *c)
{
    print_request(c);
    print_body("to", &c->run.result.body);
    if (c->run.result.impact_speed > 0)
    {
        printf("landed    at %.4g m/s\n", (double)c->run.result.impact_speed);
    }
    printf("path      %.6g of %.6g asked\n", moved(c), asked(c));
    print_contacts(&c->run);
    print_reasons(c->run.result.reasons);
    if (!c->difference)
    {
        printf("bits      agree with the capture, %u at a time\n", c->run.lanes);
    }
}

/* ---- The command. ---- */

static int conclude(const ReplayCommand *c)
{
    return c->difference ? failure("%s: %s is not what was captured", c->options.level, c->difference)
                         : EXIT_DONE;
}

int command_replay(int argc, char **argv)
{
    ReplayCommand c;
    int exit_code;
    memset(&c, 0, sizeof c);
    if (!options_parse(COMMAND_REPLAY, argc, argv, &c.options, &exit_code))
    {
        return exit_code;
    }
    if (!replay_read(c.options.level, &c.replay, c.message, MESSAGE_SIZE))
    {
        return failure("%s", c.message);
    }
    if (replay_run(&c.replay, c.options.lanes, &c.run, c.message, MESSAGE_SIZE))
    {
        c.difference = replay_difference(&c.replay, &c.run);
        (c.options.json ? print_json : print_table)(&c);
        exit_code = conclude(&c);
    }
    else
    {
        exit_code = failure("%s: %s", c.options.level, c.message);
    }
    replay_free(&c.replay);
    return exit_code;
}
