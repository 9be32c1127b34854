/* What a check has to say: whether it holds, and a text with the figures behind the answer. No test framework
 * in here, so that a plain main can run the same checks where Criterion does not exist. */
#ifndef TESTS_SUPPORT_REPORT_H
#define TESTS_SUPPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Report
{
    bool failed;
    uint32_t expected; /* how many expectations were checked: 0 proves nothing */
    size_t length;
    char text[2048]; /* what does not fit is dropped: the first lines matter most */
} Report;

#if defined(__GNUC__)
#define REPORT_PRINTS(text, first) __attribute__((format(printf, text, first)))
#else
#define REPORT_PRINTS(text, first)
#endif

/* Writes down a figure, whatever the outcome. */
void report_note(Report *report, const char *format, ...) REPORT_PRINTS(2, 3);

/* Fails the report with the text unless the condition holds; answers the condition. */
bool report_expect(Report *report, bool condition, const char *format, ...) REPORT_PRINTS(3, 4);

bool report_holds(const Report *report);

#endif
