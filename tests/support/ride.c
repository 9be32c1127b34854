#include "support/ride.h"

#include <stdio.h>
#include <stdlib.h>

SceneOptions person_at(int rate)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){0.4f, 0.9f, 0.4f};
    options.dt = 1.0f / (float)rate;
    return options;
}

bool is_grounded(const Agent *agent)
{
    return (agent->body.flags & SIDLE_BODY_GROUNDED) != 0;
}

Vector velocity_of(const Agent *agent)
{
    return vector((double)agent->body.velocity.x, (double)agent->body.velocity.y,
                  (double)agent->body.velocity.z);
}

Vector carried_over(const Agent *agent)
{
    sidle_vec3 v = agent->body.carried_over;
    return vector((double)v.x, (double)v.y, (double)v.z);
}

Ride ride_from(Soup resting, SceneOptions options, sidle_pose pose, Vector place)
{
    Ride ride = {.stage = stage_of(resting, options)};
    Soup plate = {0};
    soup_box(&plate, vector(-2, -0.2, -2), vector(2, 0, 2));
    ride.platform = stage_add(&ride.stage, plate, pose);
    stage_commit(&ride.stage);
    ride.agent = agent_in(place);
    for (int tick = 0; tick < 5000 && !is_grounded(&ride.agent); ++tick)
    {
        scene_tick(&ride.stage.scene, &ride.agent, still);
    }
    if (!is_grounded(&ride.agent))
    {
        fprintf(stderr, "ride: the agent does not land\n");
        abort();
    }
    scene_tick(&ride.stage.scene, &ride.agent, still);
    return ride;
}

Ride ride_on(SceneOptions options, sidle_pose pose, Vector place)
{
    return ride_from((Soup){0}, options, pose, place);
}

void go(Ride *ride, sidle_pose to, Vector wish)
{
    stage_move(&ride->stage, ride->platform, to);
    stage_commit(&ride->stage);
    scene_tick(&ride->stage.scene, &ride->agent, wish);
}

double time_of(const Ride *ride, int tick)
{
    return tick * (double)ride->stage.scene.options.dt;
}
