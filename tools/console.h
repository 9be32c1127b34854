/* What the program prints to standard error: one sentence per failure, and a progress bar on a terminal. */
#ifndef SIDLE_TOOLS_CONSOLE_H
#define SIDLE_TOOLS_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

enum /* exit codes */
{
    EXIT_DONE = 0,
    /* The work could not be done, or a check of it failed. */
    EXIT_FAILED = 1,
    /* The command line is invalid. */
    EXIT_USAGE = 2
};

#define MESSAGE_SIZE 512

/* Prints "sidle: SENTENCE" and returns the exit code, so that a command can `return failure(...)`. */
int failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "sidle: SENTENCE" about work that goes on without what failed. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes a message for the caller to report and returns false. */
bool explain(char *message, int message_size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Seconds of a clock that never jumps. */
double clock_seconds(void);

/* A bar that redraws itself at most ten times a second; silent when standard error is no terminal. */
typedef struct Progress
{
    const char *label;
    uint64_t total;
    double begin, drawn;
    bool visible;
} Progress;

/* "42 s", "3 min 07 s" or "2 h 05 min". */
void progress_time_text(double seconds, char *text, int text_size);

void progress_begin(Progress *progress, const char *label, uint64_t total);
void progress_update(Progress *progress, uint64_t done);
void progress_end(Progress *progress);

#endif
