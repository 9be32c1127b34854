/* What the ticks of a run had to do, beside what Fauerby's paper reports of its own level. */
#ifndef SIDLE_TOOLS_CROWD_STATS_H
#define SIDLE_TOOLS_CROWD_STATS_H

#include "json.h"
#include "sidle/stats.h"

void crowd_stats_print(const sidle_stats *stats);
void crowd_stats_json(const sidle_stats *stats, Json *json); /* as an object named "stats" */

#endif
