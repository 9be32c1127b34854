#include "options.h"

#include "console.h"
#include "options_values.h"
#include "sidle/jobs.h"

#include <getopt.h>
#include <stdio.h>

#define MAX_TICKS        1000000000u
#define MAX_HZ           100000u
#define MAX_STEER_PERIOD 1000u
#define ANY              (COMMAND_CROWD | COMMAND_INFO | COMMAND_BAKE | COMMAND_CAST)

#define LEVEL_KINDS                                                                                          \
    "LEVEL is gen:NAME[:SIZE], a Quake 3 map (FILE.bsp or FILE.pk3:NAME), a baked FILE.sidle\n"              \
    "or a file that Assimp reads."

enum
{
    /* Above every character that getopt_long may return. */
    OPTION_AGENTS = 256,
    OPTION_TICKS,
    OPTION_HZ,
    OPTION_SEED,
    OPTION_MODE,
    OPTION_SHAPE,
    OPTION_AGENTS_FILE,
    OPTION_STATES,
    OPTION_PICTURE,
    OPTION_LANES,
    OPTION_THREADS,
    OPTION_JOBS,
    OPTION_SHUFFLE,
    OPTION_SCALE,
    OPTION_INSTANCE_SCALE,
    OPTION_UP,
    OPTION_TRUST,
    OPTION_JSON,
    OPTION_OUTPUT,
    OPTION_QUERIES,
    OPTION_RESULTS,
    OPTION_RANDOM,
    OPTION_CHECK,
    OPTION_STATS,
    OPTION_WATCH_STUCK,
    OPTION_AGENTS_COLLIDE,
    OPTION_STEER,
    OPTION_BUDGET,
    OPTION_STEER_PERIOD,
    OPTION_CAPTURE,
    OPTION_HELP
};

typedef struct OptionEntry
{
    const char *name;
    int code, commands;
    const char *value, *help; /* value NULL: takes none */
} OptionEntry;

static const OptionEntry entries[] = {
    {"agents", OPTION_AGENTS, COMMAND_CROWD, "N", "number of agents (10000)"},
    {"ticks", OPTION_TICKS, COMMAND_CROWD, "T", "number of ticks (600)"},
    {"hz", OPTION_HZ, COMMAND_CROWD, "F", "ticks a second (60)"},
    {"seed", OPTION_SEED, COMMAND_CROWD | COMMAND_CAST, "S", "seed of places and paths, a 32-bit number (1)"},
    {"mode", OPTION_MODE, COMMAND_CROWD, "M", "walk, slide or fly (walk)"},
    {"shape", OPTION_SHAPE, COMMAND_CROWD, "S",
     "ellipsoid:RX,RY,RZ, ball:R or capsule:R,HALF (ellipsoid:.4,.9,.4)"},
    {"agents-file", OPTION_AGENTS_FILE, COMMAND_CROWD, "CSV",
     "x,y,z,rx,ry,rz,half_height,seed of each agent, instead of spawning"},
    {"states", OPTION_STATES, COMMAND_CROWD, "CSV",
     "write x,y,z,vx,vy,vz,grounded,reasons of each agent at the end"},
    {"picture", OPTION_PICTURE, COMMAND_CROWD, "PNG",
     "draw the level from above with the agents and their trails"},
    {"queries", OPTION_QUERIES, COMMAND_CAST, "CSV",
     "kind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height of each cast; kind: ray, ball, ellipsoid, capsule"},
    {"random", OPTION_RANDOM, COMMAND_CAST, "N", "draw N casts around the level's triangles instead"},
    {"results", OPTION_RESULTS, COMMAND_CAST, "CSV",
     "write hit,t,cx,cy,cz,nx,ny,nz,triangle,instance,surface of each cast"},
    {"check", OPTION_CHECK, COMMAND_CAST, NULL,
     "check each result against every triangle near the cast, in double"},
    {"capture", OPTION_CAPTURE, COMMAND_CROWD, "N@T=FILE",
     "write the move of agent N in tick T, both from 0, to a file for 'sidle replay'"},
    {"lanes", OPTION_LANES, COMMAND_CROWD | COMMAND_CAST | COMMAND_REPLAY, "L",
     "triangles at a time: 1, 4, 8 or 16; 0 is 8 where it runs, else 4 (0)"},
    {"threads", OPTION_THREADS, ANY, "W",
     "threads that compute, 1 to 256 (as many as processors it may use)"},
    {"jobs", OPTION_JOBS, COMMAND_CROWD, "J",
     "how ticks reach the threads: pool, loop (shuffled ranges) or pull (shuffled tasks) (pool)"},
    {"shuffle", OPTION_SHUFFLE, COMMAND_CROWD, NULL,
     "pass the agents in another order in every tick, which changes no result"},
    {"agents-collide", OPTION_AGENTS_COLLIDE, COMMAND_CROWD, NULL, "let the agents collide with one another"},
    {"steer", OPTION_STEER, COMMAND_CROWD, NULL, "let the agents collide, and steer them around one another"},
    {"steer-period", OPTION_STEER_PERIOD, COMMAND_CROWD, "N",
     "let the agents collide, and steer each of them in one of N ticks (1)"},
    {"budget", OPTION_BUDGET, COMMAND_CROWD, "N", "let at most N agents move in a tick; 0: all (0)"},
    {"scale", OPTION_SCALE, ANY, "S", "metres per unit of the level (the format's own)"},
    {"instance-scale", OPTION_INSTANCE_SCALE, COMMAND_INFO, "X[,Y,Z]",
     "report the defects that an instance of this scale has"},
    {"up", OPTION_UP, ANY, "A", "the level's upward axis: x, y or z (the format's own)"},
    {"trust", OPTION_TRUST, ANY, NULL, "open a FILE.sidle without a check: only if you wrote it yourself"},
    {"stats", OPTION_STATS, COMMAND_CROWD, NULL, "count the work in the ticks, which makes them slower"},
    {"watch-stuck", OPTION_WATCH_STUCK, COMMAND_CROWD, NULL,
     "also fail if an agent stands still for two seconds although its path is open"},
    {"json", OPTION_JSON, ANY | COMMAND_REPLAY, NULL, "print one JSON object and nothing else"},
    {"output", OPTION_OUTPUT, COMMAND_BAKE, "OUT.sidle", "write the mesh to a file (-o)"},
    {"help", OPTION_HELP, ANY | COMMAND_REPLAY, NULL, "print this"},
};

#define ENTRY_COUNT (sizeof entries / sizeof *entries)

static const char *command_name(Command command)
{
    return command == COMMAND_CROWD  ? "crowd"
           : command == COMMAND_INFO ? "info"
           : command == COMMAND_BAKE ? "bake"
           : command == COMMAND_CAST ? "cast"
                                     : "replay";
}

static const char *operand_name(Command command)
{
    return command == COMMAND_REPLAY ? "CAPTURE" : "LEVEL";
}

static const char *command_purpose(Command command)
{
    return command == COMMAND_CROWD  ? "lets agents wander through a level, measures and checks them"
           : command == COMMAND_INFO ? "reports what is in a level and what the baked mesh costs"
           : command == COMMAND_BAKE ? "bakes a level, reports what that costs and writes it to a file"
           : command == COMMAND_CAST
               ? "casts balls, ellipsoids and rays through a level and reports what they hit"
               : "makes a captured move again, reports why it ended where it did and whether the bits agree";
}

void options_print_help(Command command)
{
    printf("sidle %s %s [OPTIONS]\n%s\n\n", command_name(command), operand_name(command),
           command_purpose(command));
    for (size_t i = 0; i < ENTRY_COUNT; i++)
    {
        if (entries[i].commands & (int)command)
        {
            char usage[40];
            snprintf(usage, sizeof usage, "--%s %s", entries[i].name,
                     entries[i].value ? entries[i].value : "");
            printf("  %-20s  %s\n", usage, entries[i].help);
        }
    }
    puts(command == COMMAND_REPLAY
             ? "\nCAPTURE is a file that sidle_capture_move or 'sidle crowd --capture' wrote."
             : "\n" LEVEL_KINDS);
}

void options_print_overview(void)
{
    puts("sidle COMMAND LEVEL [OPTIONS]\nmoves crowds of agents through levels made of triangles\n");
    for (int command = COMMAND_CROWD; command <= COMMAND_REPLAY; command *= 2)
    {
        printf("  sidle %-6s %-7s   %s\n", command_name((Command)command), operand_name((Command)command),
               command_purpose((Command)command));
    }
    puts("\nsidle COMMAND --help lists the options of a command; sidle --version prints the "
         "version.\n" LEVEL_KINDS "\n"
         "Exit codes: 0 done, 1 failed or a check failed, 2 usage.");
}

/* Stores options whose values need no parsing. */
static int keep(int code, const char *text, Options *options)
{
    switch (code)
    {
    case OPTION_TRUST:
        options->trusts_blob = true;
        break;
    case OPTION_JSON:
        options->json = true;
        break;
    case OPTION_STATS:
        options->stats = true;
        break;
    case OPTION_WATCH_STUCK:
        options->watches = true;
        break;
    case OPTION_AGENTS_COLLIDE:
        options->agents_collide = true;
        break;
    case OPTION_STEER:
        options->agents_collide = true;
        options->steers = true;
        break;
    case OPTION_CHECK:
        options->checks = true;
        break;
    case OPTION_SHUFFLE:
        options->shuffles = true;
        break;
    case OPTION_QUERIES:
        options->queries = text;
        break;
    case OPTION_RESULTS:
        options->results = text;
        break;
    case OPTION_AGENTS_FILE:
        options->agents_file = text;
        break;
    case OPTION_STATES:
        options->states = text;
        break;
    case OPTION_PICTURE:
        options->picture = text;
        break;
    default:
        options->output = text;
        break;
    }
    return EXIT_DONE;
}

static int take_option(int code, const char *text, Options *options)
{
    switch (code)
    {
    case OPTION_AGENTS:
        return option_count("agents", text, 1, SIDLE_MAX_AGENTS, &options->agents);
    case OPTION_BUDGET:
        return option_count("budget", text, 0, SIDLE_MAX_AGENTS, &options->budget);
    case OPTION_STEER_PERIOD:
        options->agents_collide = true;
        options->steers = true;
        return option_count("steer-period", text, 1, MAX_STEER_PERIOD, &options->steer_period);
    case OPTION_TICKS:
        return option_count("ticks", text, 0, MAX_TICKS, &options->ticks);
    case OPTION_HZ:
        return option_count("hz", text, 1, MAX_HZ, &options->hz);
    case OPTION_RANDOM:
        return option_count("random", text, 1, 0x1000000u, &options->random);
    case OPTION_SEED:
        return option_count("seed", text, 0, UINT32_MAX, &options->seed);
    case OPTION_THREADS:
        return option_count("threads", text, 1, SIDLE_MAX_WORKERS, &options->threads);
    case OPTION_MODE:
        return option_mode(text, &options->mode);
    case OPTION_SHAPE:
        return option_shape(text, &options->shape);
    case OPTION_JOBS:
        return option_jobs(text, &options->jobs_level);
    case OPTION_LANES:
        return option_lanes(text, &options->lanes);
    case OPTION_SCALE:
        return option_scale(text, &options->level_options.scale);
    case OPTION_INSTANCE_SCALE:
        options->scales_instance = true;
        return option_instance_scale(text, options->instance_scale);
    case OPTION_CAPTURE:
        return option_capture(text, &options->capture);
    case OPTION_UP:
        return option_up(text, &options->level_options.up);
    default:
        return keep(code, text, options);
    }
}

static void list_long_options(Command command, struct option list[ENTRY_COUNT + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < ENTRY_COUNT; i++)
    {
        if (entries[i].commands & (int)command)
        {
            list[count++] = (struct option){entries[i].name, entries[i].value != NULL, NULL, entries[i].code};
        }
    }
    list[count] = (struct option){NULL, 0, NULL, 0};
}

static int take_all(Command command, int argc, char **argv, Options *options)
{
    struct option list[ENTRY_COUNT + 1];
    list_long_options(command, list);
    const char *letters = command == COMMAND_BAKE ? ":o:h" : ":h";
    opterr = 0;
    optind = 1;
    for (int code; (code = getopt_long(argc, argv, letters, list, NULL)) != -1;)
    {
        if (code == OPTION_HELP || code == 'h')
        {
            options_print_help(command);
            return -1;
        }
        if (code == ':')
        {
            return usage_error("%s needs a value", argv[optind - 1]);
        }
        if (code == '?')
        {
            return usage_error("%s has no option '%s'", command_name(command), argv[optind - 1]);
        }
        int answer = take_option(code == 'o' ? OPTION_OUTPUT : code, optarg, options);
        if (answer != EXIT_DONE)
        {
            return answer;
        }
    }
    return EXIT_DONE;
}

bool options_parse(Command command, int argc, char **argv, Options *options, int *exit_code)
{
    *options = (Options){.ticks = 600, .hz = 60, .seed = 1, .shape = {.radii = {.4f, .9f, .4f}}};
    int answer = take_all(command, argc, argv, options);
    *exit_code = answer < 0 ? EXIT_DONE : answer;
    if (answer != EXIT_DONE)
    {
        return false;
    }
    if (optind == argc)
    {
        *exit_code = usage_error("%s needs a %s; try 'sidle %s --help'", command_name(command),
                                 operand_name(command), command_name(command));
        return false;
    }
    if (optind + 1 < argc)
    {
        *exit_code = usage_error("%s takes one %s; '%s' is one too many", command_name(command),
                                 operand_name(command), argv[optind + 1]);
        return false;
    }
    options->level = argv[optind];
    return true;
}
