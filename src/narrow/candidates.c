/* The memory of candidates. */
#include "narrow/candidates.h"

#include "base/memory.h"

/* Divides one allocation into pieces. Without memory it only counts. */
typedef struct Cut
{
    char *memory;
    size_t used;
} Cut;

static void *cut_off(Cut *cut, size_t bytes)
{
    void *piece = cut->memory ? cut->memory + cut->used : NULL;
    cut->used += MEMORY_LINES(bytes);
    return piece;
}

/* Half the capacity, which is enough for any gather that fits, but not below what a cache holds. */
static uint32_t leaf_capacity(uint32_t capacity)
{
    uint32_t least = capacity < 512 ? capacity : 512;
    return capacity / 2 > least ? capacity / 2 : least;
}

static size_t lay_out(Candidates *c, const Kernels *kernels, uint32_t capacity, void *memory)
{
    Cut cut = {memory, 0};
    *c = (Candidates){.kernels = kernels,
                      .capacity = capacity,
                      .asked_capacity = capacity,
                      .most_leaves = leaf_capacity(capacity),
                      .most_seen = MAX_LEAVES_SEEN};
    c->list = cut_off(&cut, capacity * sizeof *c->list);
    c->origins.leaf = cut_off(&cut, (capacity + 8) * sizeof *c->origins.leaf);
    c->origins.triangle = cut_off(&cut, (capacity + 8) * sizeof *c->origins.triangle);
    c->origins.tag = cut_off(&cut, (capacity + 8) * sizeof *c->origins.tag);
    c->runs = cut_off(&cut, capacity * sizeof *c->runs);
    c->leaves = cut_off(&cut, capacity * sizeof *c->leaves);
    c->instances = cut_off(&cut, capacity * sizeof *c->instances);
    c->mappings = cut_off(&cut, MAPPINGS * sizeof *c->mappings);
    c->exact_of = cut_off(&cut, capacity * sizeof *c->exact_of);
    c->wide = (Batch){.blocks = cut_off(&cut, batch_bytes(kernels, capacity)), .capacity = capacity};
    c->wide.row_stride = batch_row_stride(capacity);
    c->wide.rows = cut_off(&cut, (size_t)9 * c->wide.row_stride * sizeof *c->wide.rows);
    uint32_t exact = capacity < MAX_GATHER_EXACT ? capacity : MAX_GATHER_EXACT;
    c->exact = (Batch){.blocks = cut_off(&cut, batch_bytes(&sidle_kernels_1d, exact)), .capacity = exact};
    return cut.used;
}

size_t sidle_candidates_bytes(const Kernels *kernels, uint32_t capacity)
{
    Candidates unused;
    return lay_out(&unused, kernels, capacity, NULL);
}

void sidle_candidates_place(Candidates *candidates, const Kernels *kernels, uint32_t capacity, void *memory)
{
    lay_out(candidates, kernels, capacity, memory);
}
