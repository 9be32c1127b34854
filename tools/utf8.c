#include "utf8.h"

#include <stdbool.h>
#include <stddef.h>

/* A lead byte from `first` to `last` announces `count` further bytes. The second byte has a range of its own, which
 * excludes overlong forms, surrogates and what lies beyond U+10FFFF. */
typedef struct Lead
{
    unsigned char first, last, second_least, second_most, count;
} Lead;

static const Lead leads[] = {{0xC2, 0xDF, 0x80, 0xBF, 1}, {0xE0, 0xE0, 0xA0, 0xBF, 2},
                             {0xE1, 0xEC, 0x80, 0xBF, 2}, {0xED, 0xED, 0x80, 0x9F, 2},
                             {0xEE, 0xEF, 0x80, 0xBF, 2}, {0xF0, 0xF0, 0x90, 0xBF, 3},
                             {0xF1, 0xF3, 0x80, 0xBF, 3}, {0xF4, 0xF4, 0x80, 0x8F, 3}};

static const Lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
    {
        if (byte >= leads[i].first && byte <= leads[i].last)
        {
            return &leads[i];
        }
    }
    return NULL;
}

uint32_t utf8_next(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    if (bytes[0] < 0x80)
    {
        *text += bytes[0] != 0;
        return bytes[0];
    }
    const Lead *lead = find_lead(bytes[0]);
    uint32_t character = lead ? bytes[0] & (0x3Fu >> lead->count) : 0;
    bool is_whole = lead && bytes[1] >= lead->second_least && bytes[1] <= lead->second_most;
    for (int i = 1; is_whole && i <= lead->count; i++)
    {
        /* The loop stops at a zero byte, which is none of 0x80 to 0xBF. */
        is_whole = (bytes[i] & 0xC0) == 0x80;
        character = character << 6 | (bytes[i] & 0x3Fu);
    }
    *text += is_whole ? lead->count + 1 : 1;
    return is_whole ? character : UTF8_REPLACEMENT;
}
