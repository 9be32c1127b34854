/* The casts of `sidle cast`: queries from a file or drawn, results into a file. */
#ifndef SIDLE_TOOLS_CASTS_H
#define SIDLE_TOOLS_CASTS_H

#include "level.h"
#include "sidle/query.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_QUERIES 0x1000000u

typedef struct Casts
{
    sidle_cast *list;
    sidle_cast_hit *hits; /* as many as `list` */
    uint32_t count, capacity;
} Casts;

void casts_free(Casts *casts);

/* Reads `kind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height` per line; a header line is allowed. The kind is ray
 * (radii are ignored), ball or capsule (rx is the radius), or ellipsoid. A query that the library would
 * refuse is a failure that names the line. */
bool casts_read(const char *path, Casts *casts, char *message, int message_size);

/* Draws rays, balls and ellipsoids around the triangles of a level; the same seed draws the same. */
bool casts_random(const Level *level, uint32_t count, uint32_t seed, Casts *casts, char *message,
                  int message_size);

/* Writes `hit,t,cx,cy,cz,nx,ny,nz,triangle,instance,surface` per query to an open file, with digits enough
 * to read the same bits back. */
bool casts_write(const Casts *casts, FILE *file);

/* 64-bit FNV-1a over all fields of each result, in order. */
uint64_t casts_hash(const Casts *casts);

#endif
