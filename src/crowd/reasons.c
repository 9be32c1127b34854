/* Texts of the reasons. */
#include "sidle/crowd.h"

typedef struct Words
{
    uint32_t reason;
    const char *text, *advice;
} Words;

static const Words all[] = {
    {SIDLE_REASON_WALL, "a contact too steep to stand on shortened the move",
     "sidle_profile.step_up, if it is low enough to climb; sidle_move.collides_with or .ignore, if it should "
     "not block"},
    {SIDLE_REASON_SLOPE, "the ground is steeper than the slope limit",
     "sidle_profile.max_slope_cos: a lower cosine walks on steeper ground"},
    {SIDLE_REASON_STEP, "something that could be stood on is higher than a step",
     "sidle_profile.step_up: a larger one climbs it"},
    {SIDLE_REASON_EDGE, "climbing an edge shortened the horizontal path",
     "nothing, the next ticks go on; a smaller sidle_profile.step_up does not climb it"},
    {SIDLE_REASON_DEFERRED, "the agent was deferred; a later tick adds its displacement",
     "sidle_tick_desc.max_moves or sidle_move.interval"},
    {SIDLE_REASON_CEILING, "a contact above blocked the move",
     "sidle_profile.shape: a lower one passes below; sidle_move.collides_with or .ignore, if it should not "
     "block"},
    {SIDLE_REASON_AGENT, "another agent, or an instance with SIDLE_INSTANCE_AGENT, blocked the move",
     "sidle_move.collides_with_agents or .group of agents, .collides_with or .ignore of instances, if they "
     "should not block"},
    {SIDLE_REASON_SWEEPS, "eight sweeps did not use up the displacement, so the move ended early",
     "a shorter tick (sidle_tick_desc.dt), or less detail in the mesh there"},
    {SIDLE_REASON_CANDIDATES,
     "more triangles or instances are near than a tick tests, so the move ended early or took no step",
     "sidle_crowd_desc.max_candidates: more triangles; or a shorter displacement; or fewer than 65 instances "
     "that move near one agent"},
    {SIDLE_REASON_OVERLAP,
     "the tick began closer to something than a move ends, and pushed the agent out first",
     "where the agent was put, or what moved into it; a larger sidle_profile.skin keeps more distance"},
    {SIDLE_REASON_STUCK, "the agent ended closer to something than its radius and could not be freed",
     "where the agent was put, or a smaller sidle_profile.shape; sidle_move.ignore lets it through one "
     "instance"},
    {SIDLE_REASON_INVALID,
     "the request holds a NaN, an infinity or an unknown profile, or leads too far or out of the world",
     "the numbers of this sidle_move"},
    {SIDLE_REASON_CONTACTS, "contacts were dropped, which changed no motion",
     "sidle_tick_desc.contact_capacity; one agent keeps SIDLE_MAX_AGENT_CONTACTS at most"},
};

static const Words *find(uint32_t reason)
{
    static const Words none = {0, "no reason of sidle's", "nothing"};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; ++i)
    {
        if (all[i].reason == reason)
        {
            return &all[i];
        }
    }
    return &none;
}

const char *sidle_reason_text(uint32_t reason)
{
    return find(reason)->text;
}

const char *sidle_reason_advice(uint32_t reason)
{
    return find(reason)->advice;
}
