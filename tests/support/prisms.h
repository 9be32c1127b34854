/* A few triangles of a query as a capsule's candidates, packed as narrow/ does it: in float lanes from a
 * leaf, or in double lanes. */
#ifndef TESTS_SUPPORT_PRISMS_H
#define TESTS_SUPPORT_PRISMS_H

#include "narrow/candidates.h"
#include "support/queries.h"

#define PRISM_TRIANGLES PACKET_TRIANGLES

typedef struct Prismatic
{
    Candidates candidates; /* its triangles are numbered as in the query */
    void *memory;
    _Alignas(64) unsigned char leaf[1024];
    uint32_t exact_count; /* lanes that float does not serve: the candidates are of no use then */
} Prismatic;

void prismatic_set(Prismatic *prismatic, const Kernels *kernels, const Query *query, Vector core);
void prismatic_free(Prismatic *prismatic);

#endif
