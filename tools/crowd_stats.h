/* Counts of the work in all ticks, beside the figures of Fauerby's paper for its own level. */
#ifndef SIDLE_TOOLS_CROWD_STATS_H
#define SIDLE_TOOLS_CROWD_STATS_H

#include "json.h"
#include "sidle/stats.h"

void crowd_stats_print(const sidle_stats *stats);
void crowd_stats_json(const sidle_stats *stats, Json *json); /* as an object named "stats" */

#endif
