#include "console.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH       32
#define REDRAW_INTERVAL 0.1 /* seconds */

/* Clears the line first, because a bar may stand on it. */
static void print_sentence(const char *format, va_list arguments)
{
    fflush(stdout);
    fputs(isatty(STDERR_FILENO) ? "\r\033[Ksidle: " : "sidle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int failure(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

int usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

void warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_sentence(format, arguments);
    va_end(arguments);
}

bool explain(char *message, int message_size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, (size_t)message_size, format, arguments);
    va_end(arguments);
    return false;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(Progress *progress, const char *label, uint64_t total)
{
    progress->label = label;
    progress->total = total;
    progress->begin = clock_seconds();
    progress->drawn = progress->begin;
    progress->visible = total > 0 && isatty(STDERR_FILENO);
}

void progress_time_text(double seconds, char *text, int text_size)
{
    double whole = floor(seconds + .5), minutes = floor(whole / 60), hours = floor(minutes / 60);
    if (hours >= 1)
    {
        snprintf(text, (size_t)text_size, "%.0f h %02.0f min", hours, minutes - 60 * hours);
    }
    else if (minutes >= 1)
    {
        snprintf(text, (size_t)text_size, "%.0f min %02.0f s", minutes, whole - 60 * minutes);
    }
    else
    {
        snprintf(text, (size_t)text_size, "%.0f s", whole);
    }
}

static void draw(const Progress *progress, uint64_t done, double now)
{
    double share = (double)done / (double)progress->total;
    int filled = (int)(share * BAR_WIDTH);
    char bar[BAR_WIDTH + 1];
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    double left = share > 0 ? (now - progress->begin) * (1 - share) / share : 0;
    char time[40];
    progress_time_text(left, time, sizeof time);
    fprintf(stderr, "\r\033[K%-10s [%s] %3.0f %%  %s left", progress->label, bar, 100 * share, time);
}

void progress_update(Progress *progress, uint64_t done)
{
    if (!progress->visible || done > progress->total)
    {
        return;
    }
    double now = clock_seconds();
    if (now - progress->drawn < REDRAW_INTERVAL)
    {
        return;
    }
    progress->drawn = now;
    draw(progress, done, now);
}

void progress_end(Progress *progress)
{
    if (progress->visible)
    {
        fputs("\r\033[K", stderr);
    }
    progress->visible = false;
}
