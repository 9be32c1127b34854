/* The command lines of the commands: a level, or the file of a capture, and options. */
#ifndef SIDLE_TOOLS_OPTIONS_H
#define SIDLE_TOOLS_OPTIONS_H

#include "level.h"
#include "sidle/crowd.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum Command
{
    COMMAND_CROWD = 1,
    COMMAND_INFO = 2,
    COMMAND_BAKE = 4,
    COMMAND_CAST = 8,
    COMMAND_REPLAY = 16
} Command;

/* For crowd: the agent and the tick of a move, both from 0. */
typedef struct CaptureWish
{
    uint32_t agent, tick;
    const char *path; /* NULL: no wish */
} CaptureWish;

typedef struct Options
{
    const char *level; /* of replay: the capture */
    LevelOptions level_options;
    /* A baked LEVEL is opened without a check of what its header promises. */
    bool trusts_blob;
    uint32_t threads; /* 0: as many as processors it may use */
    bool json, stats, watches;
    const char *output; /* of bake */
    bool scales_instance;
    double instance_scale[3]; /* of info */

    const char *queries, *results; /* of cast; NULL: none */
    uint32_t random;               /* 0: not given */
    bool checks;

    uint32_t agents; /* 0: not given */
    uint32_t ticks, hz, seed, lanes, mode, jobs_level;
    uint32_t budget; /* 0: all agents move */
    uint32_t steer_period;
    bool shuffles, agents_collide, steers;
    sidle_shape shape;
    const char *agents_file, *states, *picture; /* NULL: none */
    CaptureWish capture;
} Options;

/* Fills `options` from the arguments after the command's name. Returns true if the command is to run.
 * Returns false if the program is to end with `exit_code`: help was printed, or a message about a wrong
 * argument. */
bool options_parse(Command command, int argc, char **argv, Options *options, int *exit_code);

void options_print_help(Command command);
void options_print_overview(void);

/* The whole text must be a number: "12 ", "0x1p3", "1e999" and "nan" are refused. */
bool parse_number(const char *text, double *out);
bool parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint32_t *out);

#endif
