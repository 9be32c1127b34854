/* Writes the lines of a capture. */
#ifndef CAPTURE_TEXT_H
#define CAPTURE_TEXT_H

#include "capture/format.h"

typedef struct CaptureText
{
    const sidle_capture_desc *desc; /* the destination */
    size_t length;                  /* of the lines that are complete */
    size_t line_length;
    char line[512]; /* the current line */
} CaptureText;

void sidle_text_line(CaptureText *text, const char *line);
void sidle_text_fields(CaptureText *text, const void *structure, const CaptureField *fields, size_t count);
void sidle_text_triangle(CaptureText *text, uint32_t number, uint16_t surface, const float corners[9]);

#endif
