/* From the binary tree to an eight-wide one: a node replaces its largest child by that child's children until it has
 * eight (greedy, as in I. Wald, C. Benthin, S. Boulos, "Getting Rid of Packets", 2008, section 3.1). */
#include "bvh/build.h"

#include <math.h>

typedef struct Wide
{
    uint32_t slot[BVH_WIDTH];
    uint32_t count;
} Wide;

static Wide gather_children(const BvhBuild *build, uint32_t root)
{
    Wide wide = {.slot = {root}, .count = 1};
    while (wide.count < BVH_WIDTH)
    {
        int largest = -1;
        float largest_area = -1;
        for (uint32_t i = 0; i < wide.count; ++i)
        {
            const BinaryNode *node = &build->binary[wide.slot[i]];
            float area = bounds_half_area(&node->bounds);
            if (node->count == 0 && area > largest_area)
            {
                largest = (int)i;
                largest_area = area;
            }
        }
        if (largest < 0)
        {
            break;
        }
        const BinaryNode *opened = &build->binary[wide.slot[largest]];
        wide.slot[largest] = opened->child[0];
        wide.slot[wide.count++] = opened->child[1];
    }
    return wide;
}

static void write_child(BvhNode *node, uint32_t i, const Bounds *bounds, uint32_t child)
{
    node->min_x[i] = bounds->min[0];
    node->min_y[i] = bounds->min[1];
    node->min_z[i] = bounds->min[2];
    node->max_x[i] = bounds->max[0];
    node->max_y[i] = bounds->max[1];
    node->max_z[i] = bounds->max[2];
    node->child[i] = child;
}

/* A wide node that is not written yet. */
typedef struct Pending
{
    uint32_t slot;  /* of its binary root */
    uint32_t *link; /* the parent's child entry */
} Pending;

typedef struct Writer
{
    const BvhBuild *build;
    BvhNode *nodes;
    BvhLeaf *leaves; /* both NULL: only count */
    BvhSize size;
    double area;
    Pending stack[BVH_STACK_SIZE];
    uint32_t top;
} Writer;

static void write_node(Writer *writer, Pending pending)
{
    const BvhBuild *build = writer->build;
    Wide wide = gather_children(build, pending.slot);
    uint32_t index = writer->size.node_count++;
    BvhNode *node = writer->nodes ? &writer->nodes[index] : NULL;
    if (node)
    {
        if (pending.link) /* the root has no parent */
        {
            *pending.link = index;
        }
        Bounds none = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            write_child(node, i, &none, 0);
            node->reserved[i] = 0;
        }
        writer->area += (double)bounds_half_area(&build->binary[pending.slot].bounds);
    }
    /* In reverse, so that the first child's subtree is popped, and written, next. */
    for (uint32_t i = wide.count; i-- > 0;)
    {
        const BinaryNode *child = &build->binary[wide.slot[i]];
        if (node)
        {
            write_child(node, i, &child->bounds, BVH_LEAF | writer->size.leaf_count);
        }
        if (child->count == 0)
        {
            writer->stack[writer->top++] = (Pending){wide.slot[i], node ? &node->child[i] : NULL};
            continue;
        }
        if (node)
        {
            writer->leaves[writer->size.leaf_count] = (BvhLeaf){child->first, child->count};
            writer->area += 2 * (double)bounds_half_area(&child->bounds);
        }
        ++writer->size.leaf_count;
    }
}

static void write_all(Writer *writer)
{
    writer->stack[writer->top++] = (Pending){writer->build->root, NULL};
    while (writer->top > 0)
    {
        write_node(writer, writer->stack[--writer->top]);
    }
}

BvhSize sidle_bvh_count_nodes(const BvhBuild *build)
{
    Writer writer = {.build = build};
    write_all(&writer);
    return writer.size;
}

double sidle_bvh_write_nodes(const BvhBuild *build, BvhNode *nodes, BvhLeaf *leaves)
{
    Writer writer = {.build = build, .nodes = nodes, .leaves = leaves};
    write_all(&writer);
    double root_area = (double)bounds_half_area(&build->binary[build->root].bounds);
    return root_area > 0 ? writer.area / root_area : 0;
}
