/* The commands; each parses its own options, runs, and returns the program's exit code. */
#ifndef SIDLE_TOOLS_COMMANDS_H
#define SIDLE_TOOLS_COMMANDS_H

int command_crowd(int argc, char **argv);
int command_info(int argc, char **argv);
int command_bake(int argc, char **argv);
int command_cast(int argc, char **argv);
int command_replay(int argc, char **argv);

#endif
