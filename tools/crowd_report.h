/* What `sidle crowd` prints after the run. */
#ifndef SIDLE_TOOLS_CROWD_REPORT_H
#define SIDLE_TOOLS_CROWD_REPORT_H

#include "crowd_run.h"
#include "options.h"

typedef struct CrowdReport
{
    const Options *options;
    const Scene *scene;
    const Agents *agents;
    const CrowdRun *run;
    const CrowdTotals *totals;
} CrowdReport;

void crowd_report_json(const CrowdReport *report);
void crowd_report_table(const CrowdReport *report);

/* A generated level has a floor everywhere. A level from a file need not: Quake 3 maps, for one, stop
 * players with brushes that are not drawn and have no faces. An agent that walks through such a brush falls
 * for ever. */
bool crowd_report_is_closed(const Scene *scene);

#endif
