/* Captions on a canvas, set with FreeType in the font that the build found. */
#ifndef SIDLE_TOOLS_PICTURE_TEXT_H
#define SIDLE_TOOLS_PICTURE_TEXT_H

#include "canvas.h"

typedef struct Font Font;

/* Returns NULL if the build has no FreeType or the font file cannot be read; the picture then has no captions. */
Font *font_open(void);
void font_close(Font *font);

/* `baseline` is the left end of the text, `size` the height of a capital letter [pixels]. The text is UTF-8. */
void font_draw(Font *font, Canvas *canvas, Point baseline, double size, const char *text, Colour colour);

/* Returns the width of the text [pixels]. */
double font_width(Font *font, double size, const char *text);

#endif
