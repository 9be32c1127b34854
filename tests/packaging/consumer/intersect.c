/* A program that needs the tests between shapes and nothing else of sidle. */
#include <sidle/intersect.h>

int main(void)
{
    const sidle_box crate = {{-1, 0, -1}, {1, 1, 1}}, on_top = {{-.5, .75, -.5}, {.5, 1.75, .5}};
    const float x[] = {0, 5}, y[] = {0, 5}, z[] = {0, 5}, high[] = {1, 6};
    uint32_t hits = 0;
    sidle_touch touch;
    sidle_box_boxes_desc many = {
        .size = sizeof many, .min = {.5f, .5f, .5f}, .max = {2, 2, 2}, .hits = &hits};
    many.boxes = (sidle_box_arrays){.min = {x, y, z}, .max = {high, high, high}, .count = 2};
    return !sidle_box_box(&crate, &on_top, &touch) || touch.depth != .25 ||
           sidle_batch_box_boxes(&many, NULL) != SIDLE_OK || hits != 1;
}
