#include "csv.h"

#include "console.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

bool csv_open(Csv *csv, const char *path, char *message, int message_size)
{
    *csv = (Csv){.path = path, .message = message, .message_size = message_size};
    csv->file = fopen(path, "r");
    return csv->file || explain(message, message_size, "%s: %s", path, strerror(errno));
}

void csv_close(Csv *csv)
{
    if (csv->file)
    {
        fclose(csv->file);
    }
    csv->file = NULL;
}

CsvState csv_wrong(Csv *csv, const char *format, ...)
{
    char what[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    explain(csv->message, csv->message_size, "%s:%llu: %s", csv->path, (unsigned long long)csv->line, what);
    return CSV_WRONG;
}

/* Removes the byte order mark that spreadsheets put before UTF-8. */
static size_t remove_mark(char *text, size_t length)
{
    static const char mark[3] = {'\xEF', '\xBB', '\xBF'};
    if (length < sizeof mark || memcmp(text, mark, sizeof mark) != 0)
    {
        return length;
    }
    memmove(text, text + sizeof mark, length - sizeof mark);
    return length - sizeof mark;
}

/* fgets would neither report a zero byte in a line nor stop in a file that is no text. */
CsvState csv_read(Csv *csv)
{
    size_t length = 0;
    int c;
    csv->line++;
    while ((c = getc(csv->file)) != EOF && c != '\n')
    {
        if (c == '\0')
        {
            return csv_wrong(csv, "a zero byte where text is expected");
        }
        if (length + 1 == CSV_LINE_SIZE)
        {
            return csv_wrong(csv, "the line is longer than %d characters", CSV_LINE_SIZE - 1);
        }
        csv->text[length++] = (char)c;
    }
    if (ferror(csv->file))
    {
        explain(csv->message, csv->message_size, "%s: %s", csv->path, strerror(errno));
        return CSV_WRONG;
    }
    if (length > 0 && csv->text[length - 1] == '\r')
    {
        length--;
    }
    bool is_end = c == EOF && length == 0;
    length = csv->line == 1 ? remove_mark(csv->text, length) : length;
    csv->text[length] = '\0';
    return is_end ? CSV_END : CSV_LINE;
}

bool csv_split(Csv *csv, char *fields[], int count, const char *columns)
{
    int found = 0;
    for (char *rest = csv->text; rest; found++)
    {
        char *comma = strchr(rest, ',');
        if (comma)
        {
            *comma = '\0';
        }
        if (found < count)
        {
            fields[found] = rest;
        }
        rest = comma ? comma + 1 : NULL;
    }
    if (found != count)
    {
        csv_wrong(csv, "%d field%s where %d are needed (%s)", found, found == 1 ? "" : "s", count, columns);
    }
    return found == count;
}
