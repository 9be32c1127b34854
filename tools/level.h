/* A level before the bake: triangles from a generator or a file. */
#ifndef SIDLE_TOOLS_LEVEL_H
#define SIDLE_TOOLS_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Level
{
    double *vertices;   /* x, y, z per vertex; metres, Y up */
    uint32_t *indices;  /* three per triangle */
    uint16_t *surfaces; /* one per triangle */
    uint32_t vertex_count, triangle_count;
    uint32_t vertex_capacity, triangle_capacity;
    char name[256]; /* as the user gave it */
    /* What the reader dropped or tessellated; may be empty. */
    char report[512];
} Level;

/* [Limit] metres per unit of a level. */
#define LEVEL_MAX_SCALE 1e12

typedef struct LevelOptions
{
    double scale; /* 0: the format's own default */
    char up;      /* 'x', 'y', 'z'; 0: the format's own default */
} LevelOptions;

/* Loads `gen:NAME[:SIZE]`, `FILE.bsp`, `FILE.pk3:NAME` or any file that Assimp reads. On failure returns
 * false, leaves `level` empty and writes one sentence to `message` that names the file and, where it
 * applies, the line or the element. */
bool level_load(const char *name, const LevelOptions *options, Level *level, char *message, int message_size);
void level_free(Level *level);

/* For builders. They return false when memory or the 2^28 limit ends. */
bool level_add_vertex(Level *level, double x, double y, double z, uint32_t *index);
bool level_add_triangle(Level *level, uint32_t a, uint32_t b, uint32_t c, uint16_t surface);

/* The corners are counter-clockwise from the front. */
bool level_add_quad(Level *level, const double corners[4][3], uint16_t surface);

/* The stages that level_load chooses from. */
bool level_generate(const char *spec, Level *level, char *message, int message_size);
bool level_read_quake3(const char *name, const LevelOptions *options, Level *level, char *message,
                       int message_size);
bool level_read_assimp(const char *name, const LevelOptions *options, Level *level, char *message,
                       int message_size);

#endif
