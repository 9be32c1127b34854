/* From a query that fails to the least one that still does: one triangle, few digits. */
#ifndef TESTS_SUPPORT_SHRINK_H
#define TESTS_SUPPORT_SHRINK_H

#include "support/queries.h"

/* Whether this query still fails. */
typedef bool ShrinkFails(const Query *query, const void *context);

/* Leaves just the given triangle, and of each number as few leading bits as the failure needs; false: the
 * triangle alone does not fail, and nothing has changed. */
bool shrink_query(Query *query, uint32_t triangle, ShrinkFails *fails, const void *context);

#endif
