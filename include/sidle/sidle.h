/* All headers but sidle/intersect.h, which belongs to another library. */
#ifndef SIDLE_SIDLE_H
#define SIDLE_SIDLE_H

#include "sidle/agents.h"
#include "sidle/base.h"
#include "sidle/capture.h"
#include "sidle/crowd.h"
#include "sidle/draw.h"
#include "sidle/events.h"
#include "sidle/jobs.h"
#include "sidle/mesh.h"
#include "sidle/place.h"
#include "sidle/query.h"
#include "sidle/solid.h"
#include "sidle/stats.h"
#include "sidle/steer.h"
#include "sidle/what_if.h"
#include "sidle/world.h"

#endif
