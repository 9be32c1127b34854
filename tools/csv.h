/* Reads lines of comma-separated fields. Messages name the file and the line. */
#ifndef SIDLE_TOOLS_CSV_H
#define SIDLE_TOOLS_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_LINE_SIZE 1024

typedef enum CsvState
{
    CSV_LINE,
    CSV_END,
    CSV_WRONG
} CsvState;

typedef struct Csv
{
    const char *path;
    FILE *file;
    uint64_t line; /* of `text`, from 1 */
    char text[CSV_LINE_SIZE];
    char *message;
    int message_size;
} Csv;

/* Returns false, with a message, if the file cannot be read. */
bool csv_open(Csv *csv, const char *path, char *message, int message_size);
void csv_close(Csv *csv);

/* Reads the next line without its end. CSV_WRONG: the line is too long or no text, or the file failed. */
CsvState csv_read(Csv *csv);

/* Cuts the line at its commas, in place. Returns false, with a message that names the columns, unless there
 * are `count` fields. */
bool csv_split(Csv *csv, char *fields[], int count, const char *columns);

/* Writes "PATH:LINE: SENTENCE" to the message and returns CSV_WRONG. */
CsvState csv_wrong(Csv *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
