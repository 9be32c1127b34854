/* One tick: the wishes of the crowd, those of the person at the page, the lift, the library. */
#include "viewer.h"

#include "tools/console.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define JUMP_SPEED   5.0f /* m/s: 1.3 m high */
#define LIFT_SECONDS 8.0  /* up and down */
#define LIFT_HEIGHT  3.0
#define LIFT_HALF    1.6f

/* ---- The lift. ---- */

static sidle_pose lift_pose(double tick)
{
    double phase = fmod(tick / HZ, LIFT_SECONDS) / LIFT_SECONDS;
    double share = phase < .5 ? 2 * phase : 2 - 2 * phase;
    /* Waits at both ends. */
    share = share < .15 ? 0 : share > .85 ? 1 : (share - .15) / .7;
    sidle_position p = viewer.lift.foot;
    p.y += LIFT_HEIGHT * share;
    return (sidle_pose){.position = p};
}

static sidle_status publish(void)
{
    sidle_snapshot *snapshot;
    sidle_status status = sidle_world_commit(viewer.run.world, NULL);
    if (status == SIDLE_OK)
    {
        status = sidle_world_snapshot(viewer.run.world, &snapshot);
    }
    if (status == SIDLE_OK)
    {
        sidle_snapshot_release(viewer.run.snapshot);
        viewer.run.snapshot = snapshot;
    }
    return status;
}

static sidle_status move_lift(void)
{
    if (!viewer.lift.mesh)
    {
        return SIDLE_OK;
    }
    sidle_pose from = lift_pose(viewer.run.tick), to = lift_pose(viewer.run.tick + 1.0);
    sidle_status status = sidle_world_move(viewer.run.world, viewer.lift.instance, &from, &to);
    return status == SIDLE_OK ? publish() : status;
}

void tick_rest_lift(void)
{
    if (viewer.lift.mesh)
    {
        sidle_pose pose = lift_pose(viewer.run.tick);
        if (sidle_world_teleport(viewer.run.world, viewer.lift.instance, &pose) == SIDLE_OK)
        {
            publish();
        }
    }
}

static sidle_status make_lift(sidle_position foot)
{
    const float w = LIFT_HALF, top = 0, low = -.3f;
    const float vertices[] = {-w, low, -w, w, low, -w, w, low, w, -w, low, w,
                              -w, top, -w, w, top, -w, w, top, w, -w, top, w};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                       1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};
    sidle_mesh_desc desc = {.size = sizeof desc, .vertices_f = vertices, .vertex_count = 8};
    desc.indices = indices;
    desc.triangle_count = 12;
    sidle_mesh *mesh;
    sidle_status status = sidle_mesh_create(&desc, NULL, NULL, &mesh);
    if (status != SIDLE_OK)
    {
        return status;
    }
    viewer.lift = (Lift){.mesh = mesh, .foot = foot};
    sidle_instance_desc placed = {
        .size = sizeof placed, .mesh = mesh, .pose = lift_pose(viewer.run.tick), .key = 1};
    status = sidle_world_add(viewer.run.world, &placed, &viewer.lift.instance);
    return status == SIDLE_OK ? publish() : status;
}

/* Places the lift at its lowest position, which it leaves with the next round, or removes it (`there` false). */
EXPORT bool viewer_set_lift(bool there, double x, double y, double z)
{
    viewer_lock();
    bool good = viewer.state == VIEWER_READY;
    if (good && viewer.lift.mesh)
    {
        sidle_world_remove(viewer.run.world, viewer.lift.instance);
        sidle_mesh_release(viewer.lift.mesh);
        viewer.lift = (Lift){.mesh = NULL};
        publish();
    }
    if (good && there)
    {
        good = make_lift((sidle_position){x, y, z}) == SIDLE_OK;
    }
    viewer_unlock();
    return good;
}

/* Three numbers at which the lift is drawn in a tick; NULL: there is none. */
EXPORT const double *viewer_lift_at(uint32_t tick)
{
    static double at[3];
    if (!viewer.lift.mesh)
    {
        return NULL;
    }
    sidle_pose pose = lift_pose(tick);
    memcpy(at, &pose.position, sizeof at);
    return at;
}

/* ---- The person. ---- */

static void move_player(void)
{
    Player *player = &viewer.player;
    if (player->agent == NO_AGENT)
    {
        return;
    }
    sidle_move *move = &viewer.run.moves[player->agent];
    move->displacement = (sidle_vec3){player->x / HZ, 0, player->z / HZ};
    if (player->jumps && (move->body.flags & SIDLE_BODY_GROUNDED))
    {
        move->body.flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
        move->body.velocity.y = move->body.carried_over.y + JUMP_SPEED;
    }
    player->jumps = false;
}

static double half_of(sidle_shape shape)
{
    return (double)shape.radii.y + (double)shape.half_height;
}

/* Gives the agent a shape whose feet are where they were. */
static void reshape(uint32_t agent, uint32_t profile)
{
    sidle_move *move = &viewer.run.moves[agent];
    if (move->profile != profile)
    {
        move->body.center.y += half_of(shape_of(profile)) - half_of(shape_of(move->profile));
        move->profile = profile;
    }
}

/* Takes over an agent with a shape, or lets the last one walk on its own again (NO_AGENT). */
EXPORT void viewer_take(uint32_t agent, uint32_t shape)
{
    viewer_lock();
    Player *player = &viewer.player;
    if (player->agent != NO_AGENT)
    {
        reshape(player->agent, SHAPE_CROWD);
    }
    *player = (Player){.agent = agent < viewer.run.count ? agent : NO_AGENT, .shape = shape};
    if (player->agent != NO_AGENT)
    {
        reshape(player->agent, shape);
    }
    viewer_unlock();
}

EXPORT void viewer_steer_player(float x, float z, bool jumps)
{
    viewer_lock();
    viewer.player.x = x;
    viewer.player.z = z;
    viewer.player.jumps |= jumps;
    viewer_unlock();
}

/* ---- The tick. ---- */

static void ask_for_contacts(void)
{
    for (uint32_t i = 0; i < viewer.run.count; i++)
    {
        bool wanted = viewer.all_contacts || i == viewer.selected;
        viewer.run.moves[i].flags = wanted ? 0 : SIDLE_MOVE_NO_CONTACTS;
    }
}

/* `seconds` is the time of the library. */
bool tick_run(double *seconds)
{
    CrowdRun *run = &viewer.run;
    double steering = 0, ticking = 0;
    workers_reset();
    sidle_status status = move_lift();
    if (status == SIDLE_OK)
    {
        status = crowd_run_wish(run, &steering);
    }
    move_player();
    ask_for_contacts();
    run->stats = (sidle_stats){.size = sizeof run->stats};
    sidle_tick_desc tick = crowd_run_tick_desc(run);
    tick.stats = viewer.counts ? &run->stats : NULL;
    tick.contacts = viewer.contacts;
    tick.contact_capacity = viewer.contact_capacity;
    tick.contact_count = &viewer.contact_count;
    if (status == SIDLE_OK)
    {
        status = ticker_tick(&run->ticker, run->crowd, &tick, &ticking);
    }
    *seconds = steering + ticking;
    viewer.stats = run->stats;
    viewer.busy += .05 * (workers_share(*seconds) - viewer.busy);
    if (status != SIDLE_OK)
    {
        return explain(viewer.message, MESSAGE_BYTES, "Tick %u failed: %s", run->tick,
                       sidle_status_text(status));
    }
    crowd_run_adopt(run);
    run->tick++;
    history_store();
    return true;
}

/* The hash that `sidle crowd --json` prints, as 16 digits behind the number of ticks. */
EXPORT const char *viewer_hash(void)
{
    static char text[40];
    viewer_lock();
    text[0] = 0;
    if (viewer.state == VIEWER_READY)
    {
        snprintf(text, sizeof text, "%u %016llx", viewer.run.tick,
                 (unsigned long long)crowd_run_hash(&viewer.run));
    }
    viewer_unlock();
    return text;
}

EXPORT void viewer_set_flags(bool all_contacts, bool stats)
{
    viewer_lock();
    viewer.all_contacts = all_contacts;
    viewer.counts = stats;
    viewer_unlock();
}
