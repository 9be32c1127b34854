#include "text.h"

#ifdef SIDLE_HAVE_FONT

#include "tools/console.h"
#include "tools/utf8.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include <math.h>
#include <stdlib.h>

/* Height of a capital letter over the font's size, for fonts whose OS/2 table does not state it. */
#define USUAL_CAPITAL .7

struct Font
{
    FT_Library library;
    FT_Face face;
    double capital;
};

Font *font_open(void)
{
    Font *font = calloc(1, sizeof *font);
    if (!font || FT_Init_FreeType(&font->library) != 0 ||
        FT_New_Face(font->library, SIDLE_FONT_FILE, 0, &font->face) != 0)
    {
        warning("The picture has no captions: the font %s cannot be opened", SIDLE_FONT_FILE);
        font_close(font);
        return NULL;
    }
    const TT_OS2 *table = FT_Get_Sfnt_Table(font->face, FT_SFNT_OS2);
    bool is_stated = table && table->version >= 2 && table->version != 0xFFFF && table->sCapHeight > 0;
    font->capital = is_stated ? (double)table->sCapHeight / font->face->units_per_EM : USUAL_CAPITAL;
    return font;
}

void font_close(Font *font)
{
    if (font)
    {
        FT_Done_Face(font->face);
        FT_Done_FreeType(font->library);
        free(font);
    }
}

static void draw_glyph(const FT_GlyphSlot glyph, Canvas *canvas, int left, int baseline, Colour colour)
{
    const FT_Bitmap *bitmap = &glyph->bitmap;
    for (int y = 0; y < (int)bitmap->rows; y++)
    {
        const unsigned char *row = bitmap->buffer + (ptrdiff_t)y * bitmap->pitch;
        for (int x = 0; x < (int)bitmap->width; x++)
        {
            canvas_blend(canvas, left + glyph->bitmap_left + x, baseline - glyph->bitmap_top + y, colour,
                         row[x] / 255.0);
        }
    }
}

/* Draws if there is a canvas, and measures in any case. Glyphs begin at fractions of a pixel, so letters stand evenly
 * spaced; light hinting moves outlines up and down only. */
static double set_text(Font *font, Canvas *canvas, Point baseline, double size, const char *text,
                       Colour colour)
{
    double x = 0;
    FT_Set_Char_Size(font->face, 0, lround(64 * size / font->capital), 72, 72);
    for (uint32_t character; (character = utf8_next(&text)) != 0;)
    {
        double at = baseline.x + x, whole = floor(at);
        FT_Vector shift = {lround(64 * (at - whole)), 0};
        FT_Set_Transform(font->face, NULL, &shift);
        if (FT_Load_Char(font->face, character, FT_LOAD_TARGET_LIGHT | (canvas ? FT_LOAD_RENDER : 0)) != 0)
        {
            continue;
        }
        if (canvas)
        {
            draw_glyph(font->face->glyph, canvas, (int)whole, (int)lround(baseline.y), colour);
        }
        x += (double)font->face->glyph->linearHoriAdvance / 65536;
    }
    return x;
}

void font_draw(Font *font, Canvas *canvas, Point baseline, double size, const char *text, Colour colour)
{
    set_text(font, canvas, baseline, size, text, colour);
}

double font_width(Font *font, double size, const char *text)
{
    return set_text(font, NULL, (Point){0, 0}, size, text, (Colour){0, 0, 0});
}

#else

Font *font_open(void)
{
    return NULL;
}

void font_close(Font *font)
{
    (void)font;
}

void font_draw(Font *font, Canvas *canvas, Point baseline, double size, const char *text, Colour colour)
{
    (void)font, (void)canvas, (void)baseline, (void)size, (void)text, (void)colour;
}

double font_width(Font *font, double size, const char *text)
{
    (void)font, (void)size, (void)text;
    return 0;
}

#endif
