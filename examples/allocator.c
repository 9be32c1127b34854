/* All memory comes from the engine, here from a fixed arena that counts. The first tick allocates scratch memory, later
 * ones allocate nothing, and at the end all memory has been freed. */
#include "courtyard.h"

#define AGENTS 1000

typedef struct Arena
{
    unsigned char memory[64 << 20];
    size_t used, alive; /* bytes */
    unsigned allocations, frees;
} Arena;

static _Alignas(64) Arena arena;

/* With jobs on several threads these two would have to be thread-safe. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    Arena *a = user;
    size_t begin = (a->used + alignment - 1) / alignment * alignment;
    if (size > sizeof a->memory - begin)
        return NULL; /* the call returns SIDLE_ERROR_MEMORY and changes nothing */
    a->used = begin + size;
    a->alive += size;
    a->allocations++;
    return a->memory + begin;
}

static void give_back(void *user, void *memory, size_t size)
{
    Arena *a = user;
    (void)memory; /* the arena is emptied as a whole */
    a->alive -= size;
    a->frees++;
}

int main(void)
{
    static sidle_move moves[AGENTS];
    static sidle_result results[AGENTS];
    static sidle_contact contacts[AGENTS];
    const sidle_allocator allocator = {allocate, give_back, &arena};
    sidle_world *world = courtyard_world(&allocator);
    sidle_crowd *crowd = courtyard_crowd(&allocator);
    sidle_tick_desc tick = {.size = sizeof tick, .dt = .02f, .moves = moves, .count = AGENTS};
    tick.results = results;
    tick.contacts = contacts;
    tick.contact_capacity = AGENTS;
    must(sidle_world_snapshot(world, &tick.snapshot));
    courtyard_people(moves, AGENTS);

    unsigned before = arena.allocations;
    must(sidle_crowd_tick(crowd, &tick));
    unsigned first = arena.allocations - before, later = arena.allocations + arena.frees;
    for (int t = 1; t < 100; ++t)
    {
        for (uint32_t i = 0; i < AGENTS; ++i)
            moves[i].body = results[i].body;
        must(sidle_crowd_tick(crowd, &tick));
    }
    later = arena.allocations + arena.frees - later;
    printf("%.1f MB in use; the first tick allocated %u times, the next 99 allocated and freed %u times\n",
           (double)arena.alive / 1e6, first, later);

    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    printf("%zu bytes left at the end\n", arena.alive);
    return later != 0 || arena.alive != 0;
}
