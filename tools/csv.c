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

/* Not fgets: it neither tells of a zero byte in a line nor stops at what is no text at all. */
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
    csv->text[length] = '\0';
    return c == EOF && length == 0 ? CSV_END : CSV_LINE;
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
