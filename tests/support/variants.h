/* The same triangles in worlds of different make: cut into meshes, in another order, with others far away.
 * Each triangle's surface is its number in the soup, so that hits can be compared whatever keys,
 * instances and indices it has. */
#ifndef TESTS_SUPPORT_VARIANTS_H
#define TESTS_SUPPORT_VARIANTS_H

#include "sidle/sidle.h"
#include "support/soup.h"

typedef enum VariantForm
{
    VARIANT_ONE_MESH,
    VARIANT_QUADS,              /* every two triangles are an instance of their own; keys keep the order */
    VARIANT_TRIANGLES,          /* every triangle is */
    VARIANT_INSTANCES_SHUFFLED, /* the same, added in another order: keys decide the order */
    VARIANT_MESH_SHUFFLED,      /* one mesh in another order: exact ties may go to another triangle */
    VARIANT_MORE_IN_MESH,       /* one mesh, with thousands of triangles far away */
    VARIANT_MORE_INSTANCES      /* one mesh, with hundreds of instances far away */
} VariantForm;

typedef struct Variant
{
    sidle_world *world;
    sidle_snapshot *snapshot; /* of the last commit */
} Variant;

Variant variant_of(const Soup *soup, VariantForm form);
void variant_close(Variant *variant);
/* Commits again: the same world as a new epoch. */
void variant_renew(Variant *variant);

/* Meshes of different extent stand around different origins. On this grid all subtractions of origins and
 * centres within tens of metres are exact, in float too, so that even then nothing may differ by a bit. */
sidle_position variant_on_grid(sidle_position place);
void variant_soup_on_grid(Soup *soup);

#endif
