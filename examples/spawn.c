/* Random places in a courtyard: many are in its walls, its pillars or its ground. Each person is put on the nearest ground with room
 * to stand. */
#include "courtyard.h"

#include <math.h>

#define PEOPLE 1000

static double between(uint32_t *state, double low, double high)
{
    *state = *state * 1664525 + 1013904223;
    return low + (high - low) * (*state >> 8) / 16777216.;
}

static uint32_t overlaps(const sidle_snapshot *snapshot, const sidle_place *place)
{
    uint32_t count;
    must(sidle_place_overlaps(snapshot, 0, place, NULL, 1, &count));
    return count;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    sidle_free_desc desc = {.size = sizeof desc, .radius = 3, .drop = 2};
    desc.place.shape = (sidle_shape){{.4f, .4f, .4f}, .5f}; /* a capsule 1.8 m high */
    uint32_t state = 1, were_free = 0, missing = 0;
    double moved = 0;
    sidle_position place = {0, 0, 0};
    for (int i = 0; i < PEOPLE; ++i)
    {
        sidle_position at = {between(&state, -10, 10), between(&state, 0, 2), between(&state, -10, 10)};
        desc.place.center = at;
        were_free += !overlaps(snapshot, &desc.place);
        uint32_t found;
        must(sidle_place_find_free(snapshot, 0, &desc, &place, &found));
        desc.place.center = place;
        missing += !found || overlaps(snapshot, &desc.place);
        moved += hypot(hypot(place.x - at.x, place.z - at.z), place.y - at.y);
    }
    printf("%u of %u places were free; the others moved %.2f m on average; %u without a place\n", were_free,
           PEOPLE, moved / PEOPLE, missing);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return missing > 0;
}
