#include "support/report.h"

#include <stdarg.h>
#include <stdio.h>

static void append(Report *report, const char *mark, const char *format, va_list arguments)
{
    size_t room = sizeof report->text - report->length;
    int written = snprintf(report->text + report->length, room, "%s%s", report->length > 0 ? "; " : "", mark);
    if (written < 0 || (size_t)written >= room)
    {
        return;
    }
    size_t marked = report->length + (size_t)written;
    room = sizeof report->text - marked;
    written = vsnprintf(report->text + marked, room, format, arguments);
    if (written < 0)
    {
        return;
    }
    report->length = (size_t)written < room ? marked + (size_t)written : sizeof report->text - 1;
}

void report_note(Report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(report, "", format, arguments);
    va_end(arguments);
}

bool report_expect(Report *report, bool condition, const char *format, ...)
{
    report->expected += 1;
    if (!condition)
    {
        report->failed = true;
        va_list arguments;
        va_start(arguments, format);
        append(report, "WRONG: ", format, arguments);
        va_end(arguments);
    }
    return condition;
}

bool report_holds(const Report *report)
{
    return !report->failed && report->expected > 0;
}
