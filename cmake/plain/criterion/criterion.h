/* Stands in for Criterion where that cannot run (ThreadSanitizer, emulators): the tests of one source file as
 * one plain process, one after another. Only what the tests of this project use. An argument runs the tests
 * whose suite/name contains it. */
#ifndef PLAIN_CRITERION_H
#define PLAIN_CRITERION_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct PlainTest PlainTest;

struct PlainTest
{
    const char *name; /* suite/name */
    void (*run)(void);
    struct
    {
        void (*init)(void);
        void (*fini)(void);
        double timeout; /* left to ctest */
        int disabled;
        const char *description;
    } options;
    PlainTest *next;
};

static PlainTest *plain_first, **plain_end = &plain_first;
static int plain_failed;
static jmp_buf plain_leave;

#define Test(suite, title, ...)                                                                              \
    static void plain_##suite##_##title(void);                                                               \
    __attribute__((constructor)) static void plain_add_##suite##_##title(void)                               \
    {                                                                                                        \
        static PlainTest test = {#suite "/" #title, plain_##suite##_##title, {__VA_ARGS__}, NULL};           \
        *plain_end = &test;                                                                                  \
        plain_end = &test.next;                                                                              \
    }                                                                                                        \
    static void plain_##suite##_##title(void)

__attribute__((format(printf, 5, 6), unused)) static void
plain_fail(int ends_test, const char *file, int line, const char *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: %s ", file, line, what);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    plain_failed = 1;
    if (ends_test)
    {
        longjmp(plain_leave, 1);
    }
}

#define PLAIN_CHECK(ends_test, condition, what, ...)                                                         \
    ((condition) ? (void)0 : plain_fail(ends_test, __FILE__, __LINE__, what, "" __VA_ARGS__))

#define cr_fail(...)                PLAIN_CHECK(1, 0, "failed:", __VA_ARGS__)
#define cr_assert(c, ...)           PLAIN_CHECK(1, c, #c, __VA_ARGS__)
#define cr_assert_not(c, ...)       PLAIN_CHECK(1, !(c), "not " #c, __VA_ARGS__)
#define cr_assert_eq(a, b, ...)     PLAIN_CHECK(1, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...)    PLAIN_CHECK(1, (a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...)     PLAIN_CHECK(1, (a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...)    PLAIN_CHECK(1, (a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...)     PLAIN_CHECK(1, (a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...)    PLAIN_CHECK(1, (a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_assert_null(p, ...)      PLAIN_CHECK(1, (p) == NULL, #p " == NULL", __VA_ARGS__)
#define cr_assert_not_null(p, ...)  PLAIN_CHECK(1, (p) != NULL, #p " != NULL", __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) PLAIN_CHECK(1, strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, e, ...)                                                                     \
    PLAIN_CHECK(1, fabs((a) - (b)) <= (e), #a " is about " #b, __VA_ARGS__)
#define cr_expect(c, ...)           PLAIN_CHECK(0, c, #c, __VA_ARGS__)
#define cr_expect_not(c, ...)       PLAIN_CHECK(0, !(c), "not " #c, __VA_ARGS__)
#define cr_expect_eq(a, b, ...)     PLAIN_CHECK(0, (a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...)    PLAIN_CHECK(0, (a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...)     PLAIN_CHECK(0, (a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...)    PLAIN_CHECK(0, (a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...)     PLAIN_CHECK(0, (a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...)    PLAIN_CHECK(0, (a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_expect_null(p, ...)      PLAIN_CHECK(0, (p) == NULL, #p " == NULL", __VA_ARGS__)
#define cr_expect_not_null(p, ...)  PLAIN_CHECK(0, (p) != NULL, #p " != NULL", __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) PLAIN_CHECK(0, strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, e, ...)                                                                     \
    PLAIN_CHECK(0, fabs((a) - (b)) <= (e), #a " is about " #b, __VA_ARGS__)
#define cr_log_info(...) (printf(__VA_ARGS__), (void)printf("\n"))
#define cr_log_warn(...) cr_log_info(__VA_ARGS__)

static int plain_run(const PlainTest *test)
{
    plain_failed = 0;
    if (setjmp(plain_leave) == 0)
    {
        if (test->options.init)
        {
            test->options.init();
        }
        test->run();
    }
    if (test->options.fini)
    {
        test->options.fini();
    }
    printf("%s %s\n", plain_failed ? "FAILED" : "passed", test->name);
    return plain_failed;
}

int main(int argc, char **argv)
{
    int ran = 0, failed = 0;
    for (const PlainTest *test = plain_first; test; test = test->next)
    {
        if (!test->options.disabled && (argc < 2 || strstr(test->name, argv[1])))
        {
            failed += plain_run(test);
            ran++;
        }
    }
    printf("%d of %d tests passed\n", ran - failed, ran);
    return failed || !ran;
}

#endif
