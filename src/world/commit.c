/* Commits: from the changes of a world to the next epoch. What did not change is shared with the epochs before.
 *
 *     arrivals ─► pages ─► tree ─► snapshot
 *
 * Each step but the last can fail, and can then be repeated. */
#include "base/memory.h"
#include "jobs/loop.h"
#include "world/changes.h"
#include "world/pose.h"

#include <string.h>

/* ---- arrivals ---- */

/* The published motion was the last epoch's; in the next one the instance rests where it arrived. */
static bool arrive(sidle_world *world, uint32_t slot)
{
    if (world->index_of[slot] == NO_PLACED || world->index_of[slot] != world->slots[slot].published ||
        !world_published(world, slot)->moves)
    {
        return true;
    }
    Placed placed = *world_published(world, slot);
    sidle_placed_move(&placed, &placed.to, &placed.to);
    uint32_t kept = sidle_world_keep(world, &placed);
    if (kept == NO_ITEM)
    {
        return false;
    }
    world->index_of[slot] = kept;
    return true;
}

/* ---- pages ---- */

static bool write_page(sidle_world *world, uint32_t slot)
{
    uint32_t page = slot >> PAGE_BITS;
    uint64_t epoch = world->living.next_epoch;
    if (world->page_epoch[page] != epoch)
    {
        uint32_t copy = sidle_store_take(&world->pages, &world->living), old = world->page_of[page];
        if (copy == NO_ITEM)
        {
            return false;
        }
        memset(store_item(&world->pages, copy), 0, world->pages.unit);
        if (old != NO_ITEM)
        {
            memcpy(store_item(&world->pages, copy), store_item(&world->pages, old), world->pages.unit);
            sidle_store_retire(&world->pages, old, epoch);
        }
        world->page_of[page] = copy;
        world->page_epoch[page] = epoch;
    }
    uint32_t *slots = store_item(&world->pages, world->page_of[page]);
    slots[slot & (PAGE_SLOTS - 1)] = world->index_of[slot];
    return true;
}

/* ---- the tree ---- */

FORCE_INLINE void prefetch_leaf(const sidle_world *world, uint32_t i)
{
    prefetch_slot(world, i + SLOTS_AHEAD);
    if (i + PLACES_AHEAD < world->change_count)
    {
        sidle_tree_prefetch_place(&world->tree, world->changes[i + PLACES_AHEAD]);
    }
    if (i + NODES_AHEAD < world->change_count)
    {
        prefetch_placed(world_placed(world, world->changes[i + NODES_AHEAD]));
        sidle_tree_prefetch_node(&world->tree, world->changes[i + NODES_AHEAD]);
    }
}

static bool change_leaf(sidle_world *world, uint32_t slot)
{
    uint32_t index = world->index_of[slot];
    bool was = world->slots[slot].hit, is = placed_can_be_hit(world_placed(world, slot));
    if (index == world->slots[slot].published || (!was && !is))
    {
        return true;
    }
    return !was  ? sidle_tree_add(&world->tree, index)
           : !is ? sidle_tree_remove(&world->tree, slot)
                 : sidle_tree_move(&world->tree, index);
}

static sidle_status change_tree(sidle_world *world, const ChangeSum *sum, const sidle_jobs *jobs)
{
    bool done = !world->tree.stale && sum->present_count > 0;
    for (uint32_t i = 0; i < world->change_count && done; ++i)
    {
        prefetch_leaf(world, i);
        done = change_leaf(world, world->changes[i]);
    }
    if (done)
    {
        sidle_tree_refit(&world->tree);
        return SIDLE_OK;
    }
    world->tree.stale = true;
    return sum->present_count > 0 ? sidle_tree_build(&world->tree, world->index_of, world->slot_count, jobs)
                                  : SIDLE_OK;
}

/* ---- the epoch ---- */

static void reclaim(sidle_world *world)
{
    sidle_living_prune(&world->living);
    sidle_store_reclaim(&world->placed, &world->living);
    sidle_store_reclaim(&world->pages, &world->living);
    sidle_store_reclaim(&world->tree.nodes, &world->living);
}

static void use_block(sidle_snapshot *snapshot, int i, Block *block)
{
    if (block)
    {
        block_retain(block);
    }
    snapshot->blocks[i] = block;
}

/* Of an epoch with instances that can be hit. */
static void show_tree(sidle_snapshot *snapshot, const Tree *tree)
{
    use_block(snapshot, 2, tree->nodes.block);
    snapshot->nodes = store_item(&tree->nodes, 0);
    snapshot->root = tree->root;
    snapshot->origin = tree->origin;
    snapshot->doubt = tree_doubt(tree);
    const BvhNode *root = bvh_node(snapshot->nodes, tree->root);
    for (uint32_t i = 0; snapshot->present_count == 1 && i < BVH_WIDTH; ++i)
    {
        if (root->child[i] & BVH_LEAF)
        {
            snapshot->only = snapshot->all_placed[root->child[i] & ~BVH_LEAF].slot;
        }
    }
}

/* The sets of the last epoch, and its own if that differs. */
static void list_recent(sidle_snapshot *snapshot, const sidle_snapshot *last, const ChangeSum *sum)
{
    Recent own = {last->resting, sum->low, sum->high};
    uint32_t added = !sum->rests_as_before, count = last->recent_count,
             skipped = count + added > RECENT_SETS ? count + added - RECENT_SETS : 0;
    for (uint32_t i = skipped; i < count; ++i)
    {
        Recent older = last->recent[i];
        older.low = vec3_lesser(older.low, sum->low);
        older.high = vec3_larger(older.high, sum->high);
        snapshot->recent[snapshot->recent_count++] = older;
    }
    if (added)
    {
        snapshot->recent[snapshot->recent_count++] = own;
    }
}

static void show(sidle_snapshot *snapshot, const sidle_world *world, const ChangeSum *sum)
{
    snapshot->epoch = world->living.next_epoch;
    /* mutant: cache_of_moved_wall */
    snapshot->resting = sum->rests_as_before ? world->current->resting : sidle_snapshot_serial();
    list_recent(snapshot, world->current, sum);
    snapshot->present_count = sum->present_count;
    snapshot->moving_count = sum->moving_count;
    snapshot->closed_count = sum->closed_count;
    snapshot->mesh_bytes = sum->mesh_bytes;
    snapshot->placed_count = world->slot_count;
    use_block(snapshot, 0, world->placed.block);
    snapshot->all_placed = store_item(&world->placed, 0);
    if (world->slot_count > 0)
    {
        use_block(snapshot, 1, world->pages.block);
        for (uint32_t page = 0; page < snapshot->page_count; ++page)
        {
            snapshot->pages[page] = store_item(&world->pages, world->page_of[page]);
        }
    }
    if (sum->present_count > 0)
    {
        show_tree(snapshot, &world->tree);
    }
}

/* Instances in motion are a change: in the epoch after, they rest. */
static void end_changes(sidle_world *world)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->change_count; ++i)
    {
        uint32_t at = world->changes[i];
        Slot *slot = &world->slots[at];
        const Placed *placed = world_placed(world, at);
        if (slot->published != NO_PLACED && slot->published != world->index_of[at])
        {
            sidle_store_retire(&world->placed, slot->published, world->living.next_epoch);
        }
        slot->published = world->index_of[at];
        slot->hit = placed_can_be_hit(placed);
        slot->rests = placed->mesh && !placed->moves;
        slot->replaced = false;
        slot->listed = placed->moves;
        world->changes[kept] = at;
        kept += slot->listed;
    }
    world->change_count = kept;
    world->changed = kept > 0;
}

static void publish(sidle_world *world, sidle_snapshot *snapshot)
{
    sidle_snapshot_release(world->current);
    reference_retain(&snapshot->memory);
    world->living.list[world->living.count++] = snapshot;
    world->current = snapshot;
    ++world->living.next_epoch;
    reclaim(world);
}

bool sidle_world_publish_empty(sidle_world *world)
{
    sidle_snapshot *snapshot = sidle_living_reserve(&world->living, &world->allocator)
                                   ? sidle_snapshot_create(&world->allocator, 0)
                                   : NULL;
    if (snapshot)
    {
        snapshot->epoch = world->living.next_epoch;
        snapshot->resting = sidle_snapshot_serial();
        publish(world, snapshot);
    }
    return snapshot != NULL;
}

static sidle_status prepare(sidle_world *world, const sidle_jobs *jobs, sidle_snapshot *snapshot)
{
    bool done = snapshot && sidle_living_reserve(&world->living, &world->allocator);
    for (uint32_t i = 0; i < world->change_count && done; ++i)
    {
        done = arrive(world, world->changes[i]) && write_page(world, world->changes[i]);
    }
    if (!done)
    {
        return SIDLE_ERROR_MEMORY;
    }
    ChangeSum sum = sidle_world_sum_changes(world);
    sidle_status status = change_tree(world, &sum, jobs);
    if (status == SIDLE_OK)
    {
        show(snapshot, world, &sum);
    }
    return status;
}

static FP_BODY sidle_status commit(sidle_world *world, const sidle_jobs *jobs)
{
    if (!world || !sidle_jobs_are_valid(jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (!world->changed)
    {
        reclaim(world);
        return SIDLE_OK;
    }
    sidle_snapshot *snapshot = sidle_snapshot_create(&world->allocator, pages_over(world->slot_count));
    sidle_status status = prepare(world, jobs, snapshot);
    if (status != SIDLE_OK)
    {
        sidle_snapshot_release(snapshot);
        return status;
    }
    end_changes(world);
    publish(world, snapshot);
    return SIDLE_OK;
}

sidle_status sidle_world_commit(sidle_world *world, const sidle_jobs *jobs)
{
    FpEnvironment host = fp_enter();
    sidle_status status = commit(world, jobs);
    fp_leave(host);
    return status;
}

sidle_status sidle_world_snapshot(sidle_world *world, sidle_snapshot **out)
{
    if (!world || !out)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_snapshot_retain(world->current);
    *out = world->current;
    return SIDLE_OK;
}
