/* The comparison row by row: what is measured, what others reach, and what sidle must. */
#ifndef TESTS_SUPPORT_MOTION_ROWS_H
#define TESTS_SUPPORT_MOTION_ROWS_H

#include "support/motion_scenes.h"

#define MOTION_FIGURES 4

typedef struct MotionFigures
{
    double value[MOTION_FIGURES];
} MotionFigures;

typedef struct MotionRow
{
    const char *name;
    void (*measure)(const MotionSetting *setting, MotionFigures *figures);
    const char *formats[MOTION_FIGURES]; /* one for each figure; NULL ends them */
    MotionFigures least, most;           /* what holds for walk mode */
    const char *jolt, *box3d, *bullet, *irrlicht;
    const char *own_test; /* the test that asks for this row; NULL: the one for all */
} MotionRow;

extern const MotionRow motion_rows[];
extern const int motion_row_count;

/* Where and of what pieces a row is measured. */
typedef struct MotionVariant
{
    const char *name;
    ScenePieces pieces;
    Vector place;
} MotionVariant;

#define MOTION_VARIANTS 4
extern const MotionVariant motion_variants[MOTION_VARIANTS];

MotionSetting motion_setting_of(MotionSubject subject, const MotionVariant *variant);
/* The figures as a cell of a table: "0 / .98". */
void motion_cell(const MotionRow *row, const MotionFigures *figures, char *text, size_t size);
/* The row that a test of its own asks for. */
const MotionRow *motion_row_of(const char *own_test);
/* The index of the first figure outside of its bounds; -1: all within. */
int motion_out_of_bounds(const MotionRow *row, const MotionFigures *figures);

#endif
