/* From the binary tree to an eight-wide one of the least cost: V. Fuetterling, C. Lojewski, F.-J. Pfreundt, B. Hamann, A. Ebert,
 * "Accelerated Single Ray Tracing for Wide Vector Units", 2017, and H. Ylitie, T. Karras, S. Laine, "Efficient Incoherent Ray
 * Traversal on GPUs Through Compressed Wide BVHs", 2017, section 3.1, choose the children by dynamic programming, from the
 * leaves up. So do these functions, with the leaves as they are.
 *
 * The nodes are written in parts: the top, then each branch below it. */
#include "bvh/box.h"
#include "bvh/build.h"

#include <math.h>
#include <string.h>

/* ---- the choice of the children ---- */

/* The choices of an inner node, in BinaryNode.first, four bits for each number of roots from 2 on: how many of them are
 * below its first child, and whether the node itself as the only root is cheaper. */
#define CHOICE_SELF 8u

static uint32_t choice_of(uint32_t choices, uint32_t roots)
{
    return choices >> 4 * (roots - 2) & 15;
}

/* The least costs of both children together, and the share of the first one. */
static void share_roots(const float left[BVH_WIDTH], const float right[BVH_WIDTH], float cost[BVH_WIDTH],
                        uint32_t share[BVH_WIDTH])
{
    float from_right[2 * BVH_WIDTH]; /* none with no root */
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        from_right[i] = cost[i] = INFINITY;
        from_right[BVH_WIDTH + i] = right[i];
        share[i] = 1;
    }
    for (uint32_t k = 1; k < BVH_WIDTH; ++k)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            float sum = left[k - 1] + from_right[BVH_WIDTH + i - k];
            share[i] = sum < cost[i] ? k : share[i];
            cost[i] = sum < cost[i] ? sum : cost[i];
        }
    }
}

static bool find_planned(const BvhBuild *build, uint32_t slot, float cost[BVH_WIDTH])
{
    for (uint32_t i = 0; i < build->subtree_count; ++i)
    {
        if (*build->subtrees[i].slot == slot)
        {
            memcpy(cost, build->subtrees[i].cost, sizeof build->subtrees[i].cost);
            return true;
        }
    }
    return false;
}

/* From the costs of both children to those of the node. */
static uint32_t choose(const float left[BVH_WIDTH], const float right[BVH_WIDTH], float area,
                       float cost[BVH_WIDTH])
{
    uint32_t share[BVH_WIDTH], choices = 0;
    share_roots(left, right, cost, share);
    cost[0] = cost[BVH_WIDTH - 1] + BVH_NODE_COST * area;
    for (uint32_t roots = 2; roots <= BVH_WIDTH; ++roots)
    {
        bool is_cheaper = cost[0] <= cost[roots - 1];
        choices |= (share[roots - 1] | (is_cheaper ? CHOICE_SELF : 0)) << 4 * (roots - 2);
        cost[roots - 1] = is_cheaper ? cost[0] : cost[roots - 1];
    }
    return choices;
}

void sidle_bvh_plan(BvhBuild *build, uint32_t slot, bool at_top, float cost[BVH_WIDTH])
{
    BinaryNode *node = &build->binary[slot];
    if (at_top && find_planned(build, slot, cost))
    {
        return;
    }
    if (node->count > 0)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            cost[i] = BVH_LEAF_COST * bounds_half_area(&node->bounds);
        }
        return;
    }
    float left[BVH_WIDTH], right[BVH_WIDTH];
    sidle_bvh_plan(build, node->child[0], at_top, left);
    sidle_bvh_plan(build, node->child[1], at_top, right);
    if (node->first) /* mutant: rough_bounds */
    {
        node->bounds = build->binary[node->child[0]].bounds;
        bounds_add(&node->bounds, &build->binary[node->child[1]].bounds);
    }
    node->first = choose(left, right, bounds_half_area(&node->bounds), cost);
}

/* The children of a wide node. */
typedef struct Wide
{
    uint32_t slot[BVH_WIDTH];
    uint32_t count;
} Wide;

static void add_roots(const BvhBuild *build, uint32_t slot, uint32_t roots, Wide *wide)
{
    const BinaryNode *node = &build->binary[slot];
    if (node->count > 0 || roots == 1 || (choice_of(node->first, roots) & CHOICE_SELF))
    {
        wide->slot[wide->count++] = slot;
        return;
    }
    uint32_t share = choice_of(node->first, roots);
    add_roots(build, node->child[0], share, wide);
    add_roots(build, node->child[1], roots - share, wide);
}

static Wide children_of(const BvhBuild *build, uint32_t slot)
{
    const BinaryNode *node = &build->binary[slot];
    Wide wide = {.count = 0};
    if (node->count > 0) /* a tree of one leaf */
    {
        wide.slot[wide.count++] = slot;
        return wide;
    }
    uint32_t share = choice_of(node->first, BVH_WIDTH) & ~CHOICE_SELF;
    add_roots(build, node->child[0], share, &wide);
    add_roots(build, node->child[1], BVH_WIDTH - share, &wide);
    return wide;
}

/* ---- the branches ---- */

static bool is_leaf(const BvhBuild *build, uint32_t slot)
{
    return build->binary[slot].count > 0;
}

/* Opens the oldest branch, whose children become branches. */
static void open_branch(BvhBuild *build)
{
    uint32_t at = build->top_count++;
    BvhBranch *opened = &build->top[at];
    *opened = build->branches[0];
    memmove(build->branches, build->branches + 1, --build->branch_count * sizeof *opened);
    Wide wide = children_of(build, opened->slot);
    for (uint32_t i = 0; i < wide.count; ++i)
    {
        if (is_leaf(build, wide.slot[i]))
        {
            ++build->top_size.leaf_count;
        }
        else
        {
            build->branches[build->branch_count++] =
                (BvhBranch){.slot = wide.slot[i], .parent = at, .child = i};
        }
    }
}

void sidle_bvh_settle(BvhBuild *build)
{
    float cost[BVH_WIDTH];
    sidle_bvh_plan(build, build->root, true, cost);
    build->branches[0] = (BvhBranch){.slot = build->root};
    build->branch_count = 1;
    build->top_count = 0;
    build->top_size = (BvhSize){0, 0};
    do
    {
        open_branch(build);
    }
    while (build->branch_count > 0 && build->branch_count + BVH_WIDTH <= BVH_MAX_BRANCHES &&
           build->top_count < BVH_MAX_BRANCHES);
    build->top_size.node_count = build->top_count;
}

void sidle_bvh_count_branch(BvhBuild *build, uint32_t branch)
{
    BvhSize size = {0, 0};
    uint32_t stack[BVH_STACK_SIZE], top = 0;
    stack[top++] = build->branches[branch].slot;
    while (top > 0)
    {
        Wide wide = children_of(build, stack[--top]);
        ++size.node_count;
        for (uint32_t i = 0; i < wide.count; ++i)
        {
            bool is_end = is_leaf(build, wide.slot[i]);
            size.leaf_count += is_end;
            stack[top] = wide.slot[i];
            top += !is_end;
        }
    }
    build->branches[branch].size = size;
}

BvhSize sidle_bvh_place_branches(BvhBuild *build)
{
    BvhSize total = build->top_size;
    for (uint32_t i = 0; i < build->branch_count; ++i)
    {
        BvhBranch *branch = &build->branches[i];
        branch->first = total;
        total.node_count += branch->size.node_count;
        total.leaf_count += branch->size.leaf_count;
    }
    return total;
}

/* ---- the nodes ---- */

/* Where the next node and leaf are written. */
typedef struct Writer
{
    const BvhBuild *build;
    BvhNode *nodes;
    BvhLeaf *leaves;
    BvhSize next;
    double cost;
} Writer;

static BvhNode *node_of(const Writer *writer, uint32_t index)
{
    return (BvhNode *)bvh_node(writer->nodes, index * writer->build->node_rows);
}

/* Returns the child entry of a leaf. */
static uint32_t take_leaf(Writer *writer, const BinaryNode *leaf)
{
    writer->cost += (double)(BVH_LEAF_COST * bounds_half_area(&leaf->bounds));
    if (!writer->leaves)
    {
        return BVH_LEAF | writer->build->primitives[leaf->first].id;
    }
    writer->leaves[writer->next.leaf_count] = (BvhLeaf){leaf->first, leaf->count};
    return BVH_LEAF | writer->next.leaf_count++;
}

/* Writes a node, and 0 as the child that is a node. */
static BvhNode *write_node(Writer *writer, uint32_t slot, const Wide *wide)
{
    const BvhBuild *build = writer->build;
    BvhNode *node = node_of(writer, writer->next.node_count++);
    writer->cost += (double)(BVH_NODE_COST * bounds_half_area(&build->binary[slot].bounds));
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        const BinaryNode *child = i < wide->count ? &build->binary[wide->slot[i]] : NULL;
        bool is_end = child && child->count > 0;
        bvh_write_child(node, i, child ? &child->bounds : NULL, is_end ? take_leaf(writer, child) : 0);
    }
    return node;
}

/* A node that is not written yet, and the parent's child entry. */
typedef struct Pending
{
    uint32_t slot;
    uint32_t *link;
} Pending;

static void write_subtree(Writer *writer, uint32_t slot)
{
    Pending stack[BVH_STACK_SIZE];
    uint32_t top = 0, unused;
    stack[top++] = (Pending){slot, &unused};
    while (top > 0)
    {
        Pending pending = stack[--top];
        Wide wide = children_of(writer->build, pending.slot);
        *pending.link = writer->next.node_count * writer->build->node_rows;
        BvhNode *node = write_node(writer, pending.slot, &wide);
        for (uint32_t i = wide.count; i-- > 0;) /* so that the first child is written next */
        {
            if (!is_leaf(writer->build, wide.slot[i]))
            {
                stack[top++] = (Pending){wide.slot[i], &node->child[i]};
            }
        }
    }
}

static void write_top(Writer *writer)
{
    const BvhBuild *build = writer->build;
    for (uint32_t i = 0; i < build->top_count; ++i)
    {
        const BvhBranch *node = &build->top[i];
        Wide wide = children_of(build, node->slot);
        if (i > 0)
        {
            node_of(writer, node->parent)->child[node->child] = i * build->node_rows;
        }
        write_node(writer, node->slot, &wide);
    }
    for (uint32_t i = 0; i < build->branch_count; ++i)
    {
        const BvhBranch *branch = &build->branches[i];
        node_of(writer, branch->parent)->child[branch->child] = branch->first.node_count * build->node_rows;
    }
}

void sidle_bvh_write_branch(BvhBuild *build, uint32_t branch, BvhNode *nodes, BvhLeaf *leaves)
{
    Writer writer = {.build = build, .nodes = nodes, .leaves = leaves};
    if (branch == build->branch_count)
    {
        write_top(&writer);
        build->top[0].cost = writer.cost;
        return;
    }
    writer.next = build->branches[branch].first;
    write_subtree(&writer, build->branches[branch].slot);
    build->branches[branch].cost = writer.cost;
}

double sidle_bvh_cost(const BvhBuild *build, const Bounds *bounds)
{
    double cost = build->top[0].cost, area = (double)bounds_half_area(bounds);
    for (uint32_t i = 0; i < build->branch_count; ++i)
    {
        cost += build->branches[i].cost;
    }
    return area > 0 ? cost / area : 0;
}
