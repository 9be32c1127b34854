/* Random places in a courtyard: many are in its walls, its pillars, its ground or other people. Each person is put on near ground with
 * room to stand. */
#include "courtyard.h"

#include "sidle/agents.h"

#include <math.h>

#define PEOPLE 300

static double between(uint32_t *state, double low, double high)
{
    *state = *state * 1664525 + 1013904223;
    return low + (high - low) * (*state >> 8) / 16777216.;
}

static uint32_t overlaps(const sidle_snapshot *snapshot, const sidle_agents *people, const sidle_place *place)
{
    uint32_t triangles, others;
    must(sidle_place_overlaps(snapshot, 0, place, NULL, 1, &triangles));
    must(sidle_agents_overlaps(people, place, NULL, NULL, 1, &others));
    return triangles + others;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    sidle_profile profile = {.size = sizeof profile,
                             .shape = {{.4f, .4f, .4f}, .5f}}; /* a capsule 1.8 m high */
    static sidle_move moves[PEOPLE];
    sidle_agents_desc crowd = {
        .size = sizeof crowd, .moves = moves, .profiles = &profile, .profile_count = 1};
    sidle_agents *people;
    must(sidle_agents_create(NULL, &people));
    sidle_free_desc desc = {
        .size = sizeof desc, .place.shape = profile.shape, .radius = 6, .drop = 2, .agents = people};
    uint32_t state = 1, were_free = 0;
    double moved = 0;
    for (int i = 0; i < PEOPLE; ++i)
    {
        sidle_position at = {between(&state, -10, 10), between(&state, 0, 2), between(&state, -10, 10)},
                       place;
        uint32_t found;
        desc.place.center = at;
        must(sidle_agents_build(people, &crowd)); /* those before this one */
        were_free += !overlaps(snapshot, people, &desc.place);
        must(sidle_place_find_free(snapshot, 0, &desc, &place, &found));
        desc.place.center = place;
        if (found && !overlaps(snapshot, people, &desc.place))
        {
            moves[crowd.count] = (sidle_move){.id = crowd.count, .body.center = place};
            crowd.count += 1;
            moved += hypot(hypot(place.x - at.x, place.z - at.z), place.y - at.y);
        }
    }
    printf("%u of %u places were free; the others moved %.2f m on average; %u without a place\n", were_free,
           PEOPLE, moved / crowd.count, PEOPLE - crowd.count);
    sidle_agents_destroy(people);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return crowd.count < PEOPLE;
}
