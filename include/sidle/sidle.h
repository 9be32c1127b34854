/* sidle: moves thousands of agents a tick as far as a world of triangles lets them, sliding along what they
 * meet. This header includes everything; each header below also stands alone. */
#ifndef SIDLE_SIDLE_H
#define SIDLE_SIDLE_H

#include "sidle/base.h"
#include "sidle/capture.h"
#include "sidle/crowd.h"
#include "sidle/events.h"
#include "sidle/intersect.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"
#include "sidle/query.h"
#include "sidle/stats.h"
#include "sidle/what_if.h"
#include "sidle/world.h"

#endif
