#include "commands.h"
#include "console.h"
#include "options.h"
#include "sidle/base.h"

#include <stdio.h>
#include <string.h>

/* A full disk or a closed pipe behind standard output shows only when the rest is written. */
static int end_output(int exit_code)
{
    if (fflush(stdout) != 0 && exit_code == EXIT_DONE)
    {
        return failure("Cannot write to standard output");
    }
    return exit_code;
}

static int dispatch(int argc, char **argv)
{
    static const struct
    {
        const char *name;
        int (*run)(int argc, char **argv);
    } commands[] = {{"crowd", command_crowd},
                    {"info", command_info},
                    {"bake", command_bake},
                    {"cast", command_cast},
                    {"replay", command_replay}};
    if (argc < 2)
    {
        return usage_error("A command is missing; try 'sidle --help'");
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    {
        options_print_overview();
        return EXIT_DONE;
    }
    if (strcmp(name, "--version") == 0)
    {
        printf("sidle %d.%d.%d\n", SIDLE_VERSION_MAJOR, SIDLE_VERSION_MINOR, SIDLE_VERSION_PATCH);
        return EXIT_DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    {
        if (strcmp(name, commands[i].name) == 0)
        {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    return usage_error("There is no command '%s'; try 'sidle --help'", name);
}

int main(int argc, char **argv)
{
    return end_output(dispatch(argc, argv));
}
