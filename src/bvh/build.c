/* The top of the tree, which makes tasks of about one size, and the subtrees below it.
 *
 * The top is planned by a sample. Then all primitives are sorted into its subtrees at once: each chunk counts them, and moves
 * them to where the counts say. */
#include "bvh/build.h"

#include "bvh/split.h"

#include <string.h>

#define WORTH_A_TASK 2048 /* primitives */
#define TOP_SAMPLE   16384
#define LEAST_SAMPLE 64 /* to be split */

/* ---- the top ---- */

static uint32_t copy_sample(BvhBuild *build, uint32_t step)
{
    BvhPrimitive *sample = (BvhPrimitive *)build->binary;
    uint32_t count = 0;
    for (uint64_t i = 0; i < build->count; i += step)
    {
        sample[count++] = build->primitives[i];
    }
    return count;
}

static uint32_t largest_subtree(const BvhBuild *build)
{
    uint32_t largest = 0;
    for (uint32_t i = 1; i < build->subtree_count; ++i)
    {
        largest = build->subtrees[i].count > build->subtrees[largest].count ? i : largest;
    }
    return largest;
}

/* Where the planes name a subtree that is split now. */
static void replace_side(BvhBuild *build, uint32_t subtree, uint32_t side)
{
    for (uint32_t i = 0; i < build->plane_count; ++i)
    {
        for (int half = 0; half < 2; ++half)
        {
            uint32_t *at = &build->planes[BVH_MAX_SUBTREES + i].side[half];
            *at = *at == subtree ? side : *at;
        }
    }
}

void sidle_bvh_sample(BvhBuild *build)
{
    uint32_t step = build->count / TOP_SAMPLE + 1, count = copy_sample(build, step);
    BvhPrimitive *sample = (BvhPrimitive *)build->binary, *aside = sample + count;
    for (uint32_t i = 0; i < BVH_MAX_SUBTREES; ++i)
    {
        build->planes[i] = (BvhPlane){.side = {i, i}};
    }
    build->plane_count = 0;
    build->subtree_count = 1;
    build->subtrees[0] = (BvhRange){.count = count, .is_rough = true};
    build->subtrees[0].bounds = sidle_bvh_measure(sample, count);
    while (build->subtree_count < BVH_MAX_SUBTREES)
    {
        uint32_t at = largest_subtree(build);
        BvhRange range = build->subtrees[at], halves[2];
        if ((uint64_t)range.count * step < WORTH_A_TASK || range.count < LEAST_SAMPLE)
        {
            return;
        }
        BvhCut cut = sidle_bvh_cut(build->leaf_bits, sample + range.first, aside, &range, halves);
        if (cut.bin <= 0) /* all in one place */
        {
            return;
        }
        replace_side(build, at, BVH_MAX_SUBTREES + build->plane_count);
        build->planes[BVH_MAX_SUBTREES + build->plane_count++] =
            (BvhPlane){cut, {at, build->subtree_count}, 0};
        build->subtrees[at] = halves[0];
        build->subtrees[build->subtree_count++] = halves[1];
    }
}

static uint32_t chunk_begin(const BvhBuild *build, uint32_t chunk)
{
    return (uint32_t)((uint64_t)build->count * chunk / BVH_CHUNKS);
}

/* One step towards a primitive's subtree, where it stays. */
static inline uint32_t next_side(const BvhBuild *build, const BvhPrimitive *p, uint32_t side)
{
    const BvhPlane *plane = &build->planes[side];
    return plane->side[!bvh_is_left(p, &plane->cut)];
}

/* Four at a time, since each step waits for the one before. */
void sidle_bvh_count_chunk(BvhBuild *build, uint32_t chunk)
{
    uint32_t *counts = build->chunks[chunk], end = chunk_begin(build, chunk + 1);
    const uint32_t root = BVH_MAX_SUBTREES;
    memset(counts, 0, sizeof build->chunks[chunk]);
    for (uint32_t i = chunk_begin(build, chunk); i < end; i += 4)
    {
        BvhPrimitive *p = &build->primitives[i], *last = &build->primitives[end - 1];
        BvhPrimitive *of[4] = {p, p + 1 < last ? p + 1 : last, p + 2 < last ? p + 2 : last,
                               p + 3 < last ? p + 3 : last};
        uint32_t side[4] = {root, root, root, root}; /* the first plane */
        while ((side[0] | side[1] | side[2] | side[3]) >= BVH_MAX_SUBTREES)
        {
            for (int k = 0; k < 4; ++k)
            {
                side[k] = next_side(build, of[k], side[k]);
            }
        }
        for (uint32_t k = 0; k < 4 && i + k < end; ++k)
        {
            of[k]->spare = side[k];
            ++counts[side[k]];
        }
    }
}

/* A subtree's primitives come in the order of its chunks, and those on the left of a plane first. */
static void place_side(BvhBuild *build, uint32_t side, uint32_t *next)
{
    if (side >= BVH_MAX_SUBTREES)
    {
        BvhPlane *plane = &build->planes[side];
        place_side(build, plane->side[0], next);
        plane->middle = *next;
        place_side(build, plane->side[1], next);
        return;
    }
    BvhRange *range = &build->subtrees[side];
    range->first = *next;
    for (uint32_t chunk = 0; chunk < BVH_CHUNKS; ++chunk)
    {
        uint32_t count = build->chunks[chunk][side];
        build->chunks[chunk][side] = *next - range->first;
        *next += count;
    }
    range->count = *next - range->first;
}

/* The inner node that splits before primitive m has slot 2m - 1, and the leaf that starts at primitive a slot 2a. All are
 * unique, so tasks need no allocator. */
static uint32_t slot_before(uint32_t middle)
{
    return 2 * middle - 1;
}

static void link_side(BvhBuild *build, uint32_t side, uint32_t *slot)
{
    if (side < BVH_MAX_SUBTREES)
    {
        build->subtrees[side].slot = slot;
        return;
    }
    const BvhPlane *plane = &build->planes[side];
    *slot = slot_before(plane->middle);
    BinaryNode *node = &build->binary[*slot];
    *node = (BinaryNode){.first = 1};
    link_side(build, plane->side[0], &node->child[0]);
    link_side(build, plane->side[1], &node->child[1]);
}

void sidle_bvh_place_chunks(BvhBuild *build)
{
    uint32_t next = 0;
    if (build->plane_count == 0)
    {
        build->subtrees[0].count = build->count;
        build->subtrees[0].slot = &build->root;
        return;
    }
    place_side(build, BVH_MAX_SUBTREES, &next);
    link_side(build, BVH_MAX_SUBTREES, &build->root);
}

/* The scratch memory of a range. Its last node can be its parent's. */
static BvhPrimitive *scratch(const BvhBuild *build, uint32_t first)
{
    return (BvhPrimitive *)(build->binary + 2 * (size_t)first);
}

void sidle_bvh_move_chunk(BvhBuild *build, uint32_t chunk)
{
    BvhPrimitive *to[BVH_MAX_SUBTREES];
    for (uint32_t i = 0; i < build->subtree_count; ++i)
    {
        to[i] = scratch(build, build->subtrees[i].first) + build->chunks[chunk][i];
    }
    for (uint32_t i = chunk_begin(build, chunk); i < chunk_begin(build, chunk + 1); ++i)
    {
        const BvhPrimitive *p = &build->primitives[i];
        *to[p->spare]++ = *p;
    }
}

void sidle_bvh_build_top(BvhBuild *build)
{
    sidle_bvh_sample(build);
    uint32_t chunks = build->plane_count > 0 ? BVH_CHUNKS : 0;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk)
    {
        sidle_bvh_count_chunk(build, chunk);
    }
    sidle_bvh_place_chunks(build);
    for (uint32_t chunk = 0; chunk < chunks; ++chunk)
    {
        sidle_bvh_move_chunk(build, chunk);
    }
}

/* ---- the subtrees ---- */

/* Makes the node of a range. Returns false for a leaf, else writes both parts. */
static bool make_node(BvhBuild *build, BvhRange range, BvhRange halves[2])
{
    BvhPrimitive *p = build->primitives + range.first;
    if (range.is_rough && sidle_bvh_sample_step(range.count) == 1)
    {
        range.bounds = sidle_bvh_measure(p, range.count);
        range.is_rough = false;
    }
    if (range.count <= 1u << build->leaf_bits)
    {
        build->binary[2 * (size_t)range.first] = (BinaryNode){range.bounds, {0, 0}, range.first, range.count};
        *range.slot = 2 * range.first;
        return false;
    }
    sidle_bvh_cut(build->leaf_bits, p, scratch(build, range.first), &range, halves);
    uint32_t slot = slot_before(halves[1].first);
    BinaryNode *node = &build->binary[slot];
    *node = (BinaryNode){range.bounds, {0, 0}, range.is_rough, 0};
    halves[0].slot = &node->child[0];
    halves[1].slot = &node->child[1];
    *range.slot = slot;
    return true;
}

void sidle_bvh_build_subtree(BvhBuild *build, uint32_t subtree)
{
    BvhRange *root = &build->subtrees[subtree], stack[BVH_MAX_DEPTH + 1];
    const BvhPrimitive *moved = scratch(build, root->first);
    for (uint32_t i = 0; i < root->count && build->plane_count > 0; ++i)
    {
        build->primitives[root->first + i] = moved[i];
        build->primitives[root->first + i].spare = 0;
    }
    uint32_t top = 0;
    stack[top++] = *root;
    while (top > 0)
    {
        BvhRange range = stack[--top];
        top += make_node(build, range, &stack[top]) ? 2 : 0;
    }
    sidle_bvh_plan(build, *root->slot, false, root->cost);
}
