#include "support/stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STACK   ((size_t)1 << 20)
#define PATTERN 0xa5

static void *do_nothing(void *argument)
{
    return argument;
}

/* Bytes of its stack that a thread has written to, from the first of them on. */
static size_t stack_of(void *(*run)(void *), void *argument)
{
    unsigned char *stack = aligned_alloc(4096, STACK);
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;
    if (!stack || pthread_attr_init(&attributes) != 0)
    {
        abort();
    }
    memset(stack, PATTERN, STACK);
    if (pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
        pthread_create(&thread, &attributes, run, argument) != 0)
    {
        abort();
    }
    pthread_join(thread, &result);
    pthread_attr_destroy(&attributes);
    size_t untouched = result == argument ? 0 : STACK; /* what failed has taken nothing */
    while (untouched < STACK && stack[untouched] == PATTERN)
    {
        ++untouched;
    }
    free(stack);
    return STACK - untouched;
}

size_t stack_taken(void *(*run)(void *), void *argument)
{
    size_t own = stack_of(do_nothing, argument), all = stack_of(run, argument);
    return all > own ? all - own : 0;
}
