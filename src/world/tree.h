/* The tree over the instances of the next epoch. Epochs share nodes: a change copies the nodes from its leaf to the root.
 *
 * Each node has a number, which its copies keep. The place of a leaf or node, its parent's number *
 * BVH_WIDTH + its child, therefore changes with the shape of the tree alone. Answers do not depend on that shape, since
 * every instance is tested against its own box as well. */
#ifndef WORLD_TREE_H
#define WORLD_TREE_H

#include "base/inlining.h"
#include "bvh/box.h"
#include "bvh/build.h"
#include "world/snapshot.h"

#define NO_PLACE UINT32_MAX

typedef struct NumberedNode
{
    BvhNode node;
    uint32_t number, unused[7];
} NumberedNode;

#define TREE_NODE_ROWS 8

_Static_assert(sizeof(NumberedNode) == TREE_NODE_ROWS * BVH_ROW, "the distance of two nodes");

/* The leaf of a slot. */
typedef struct Leaf
{
    uint32_t place;
    Bounds home; /* the leaf keeps its place while it stays near: tree.c */
} Leaf;

/* A node by its number. */
typedef struct TreeNode
{
    uint32_t at;     /* index of its copy in the next epoch; NO_ITEM: removed */
    uint32_t parent; /* place; NO_PLACE: the root */
    uint32_t level;  /* more than its parent's; [Limit] BVH_MAX_DEPTH */
    uint64_t epoch;  /* of the copy */
} TreeNode;

typedef struct Tree
{
    const sidle_allocator *allocator;
    Store nodes;
    const Store *placed;
    const Living *living;
    Leaf *leaves; /* by slot; of the world */
    TreeNode *numbers;
    uint32_t number_count, number_capacity;
    uint32_t room;     /* leaves that can be added before the tree has to be built */
    uint32_t *touched; /* 2 number_capacity; numbers of the nodes that are copied for the next epoch */
    uint32_t touched_count;
    uint32_t leaf_count;
    uint32_t root; /* as a child, if there are leaves */
    bool stale;    /* the next commit has to build it */
    Vec3 origin;
    double reach; /* the largest coordinate of a box */
} Tree;

void sidle_tree_open(Tree *tree, const sidle_allocator *allocator, const Store *placed, const Living *living);
void sidle_tree_close(Tree *tree);

/* Changes leaves for the next epoch. Returns false if the tree has to be built: there is no memory, or many leaves were
 * added since it was. `index`: of the instance in tree->placed. */
bool sidle_tree_add(Tree *tree, uint32_t index);
bool sidle_tree_remove(Tree *tree, uint32_t slot);
bool sidle_tree_move(Tree *tree, uint32_t index);

/* Ask for the memory of a later change: first of a leaf's place, then of its node. The slot may have no leaf. */
FORCE_INLINE void sidle_tree_prefetch_place(const Tree *tree, uint32_t slot)
{
    uint32_t number = tree->leaves[slot].place / BVH_WIDTH;
    __builtin_prefetch(&tree->numbers[number < tree->number_count ? number : 0]);
}

FORCE_INLINE void sidle_tree_prefetch_node(const Tree *tree, uint32_t slot)
{
    uint32_t number = tree->leaves[slot].place / BVH_WIDTH;
    number = number < tree->number_count ? number : 0;
    uint32_t at = tree->numbers[number].at;
    const char *node = store_item(&tree->nodes, at != NO_ITEM ? at : 0);
    for (int line = 0; line < 4; ++line)
    {
        __builtin_prefetch(node + 64 * line);
    }
}

/* After all changes: boxes of the changed nodes. */
void sidle_tree_refit(Tree *tree);

/* Builds the tree of the next epoch over those of `count` slots that can be hit. `index_of`: by slot. Returns MEMORY, or
 * INCOMPLETE if the jobs have not run every range once; the tree is then stale. */
sidle_status sidle_tree_build(Tree *tree, const uint32_t *index_of, uint32_t count, const sidle_jobs *jobs);

/* For the build: the nodes are new, and their leaves are indices of tree->placed. Returns false without memory. */
bool sidle_tree_number(Tree *tree, uint32_t leaf_count);

static inline Bounds tree_box(const Tree *tree, const Placed *placed)
{
    const double *c = placed->box_center, *h = placed->box_half;
    return bounds_around(vec3_sub(vec3(c[0], c[1], c[2]), tree->origin), vec3(h[0], h[1], h[2]));
}

/* Errors of six sums and differences of coordinates, each of 2^-53 of the largest. */
static inline double tree_doubt(const Tree *tree)
{
    return 0x1p-48 * tree->reach;
}

static inline double placed_reach(const Placed *placed)
{
    const double *c = placed->box_center, *h = placed->box_half;
    return vec3_max_component(vec3_add(vec3_abs(vec3(c[0], c[1], c[2])), vec3(h[0], h[1], h[2])));
}

#endif
