#include "intersect/support/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void demand(bool claim)
{
    if (!claim)
    {
        abort();
    }
}

size_t words_of(uint32_t count)
{
    return (count + 31) / 32;
}

Answers answers_create(uint32_t count)
{
    Answers answers = {.count = count};
    answers.hits = malloc(words_of(count) * sizeof(uint32_t) + (count == 0));
    answers.numbers = malloc(count * sizeof(float) + (count == 0));
    demand(answers.hits && answers.numbers);
    memset(answers.hits, 0xA5, words_of(count) * sizeof(uint32_t));
    return answers;
}

void answers_destroy(Answers *answers)
{
    free(answers->hits);
    free(answers->numbers);
}

bool is_hit(const Answers *answers, uint32_t i)
{
    return answers->hits[i / 32] >> i % 32 & 1;
}

bool answers_equal(const Answers *a, const Answers *b)
{
    return memcmp(a->hits, b->hits, words_of(a->count) * sizeof *a->hits) == 0 &&
           memcmp(a->numbers, b->numbers, a->count * sizeof *a->numbers) == 0 &&
           memcmp(&a->nearest, &b->nearest, sizeof a->nearest) == 0;
}

Answers ask_ray(const Many *many, const Ask *ask)
{
    Answers answers = answers_create(many->count);
    const sidle_ray_triangles_desc desc = {.size = sizeof desc,
                                           .triangles = many_triangles(many),
                                           .origin = ask->origin,
                                           .direction = ask->direction,
                                           .limit = ask->number,
                                           .lanes = ask->lanes,
                                           .hits = answers.hits,
                                           .times = answers.numbers};
    demand(sidle_batch_ray_triangles(&desc, &answers.nearest) == SIDLE_OK);
    return answers;
}

Answers ask_sphere(const Many *many, const Ask *ask)
{
    Answers answers = answers_create(many->count);
    const sidle_sphere_triangles_desc desc = {.size = sizeof desc,
                                              .triangles = many_triangles(many),
                                              .center = ask->origin,
                                              .radius = ask->number,
                                              .lanes = ask->lanes,
                                              .hits = answers.hits,
                                              .distances = answers.numbers};
    demand(sidle_batch_sphere_triangles(&desc, &answers.nearest) == SIDLE_OK);
    return answers;
}

Answers ask_box(const Many *many, const Ask *ask)
{
    Answers answers = answers_create(many->count);
    const sidle_box_boxes_desc desc = {.size = sizeof desc,
                                       .boxes = many_boxes(many),
                                       .min = ask->origin,
                                       .max = ask->direction,
                                       .lanes = ask->lanes,
                                       .hits = answers.hits};
    demand(sidle_batch_box_boxes(&desc, &answers.nearest.hit_count) == SIDLE_OK);
    for (uint32_t i = 0; i < many->count; ++i)
    {
        answers.numbers[i] = 0;
    }
    return answers;
}

sidle_vec3 vec_near(Random *random, double reach, bool on_lattice)
{
    Vector v = random_in_box(random, vector(-reach, -reach, -reach), vector(reach, reach, reach));
    v = on_lattice ? vector(floor(v.x), floor(v.y), floor(v.z)) : v;
    return (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
}

Ask draw_ray(Random *random)
{
    Ask ask = {.origin = vec_near(random, 4, random_chance(random, .5))};
    ask.direction = vec_near(random, 3, random_chance(random, .5));
    ask.number = random_chance(random, .5) ? 0 : (float)random_scale(random, .1, 1e3);
    return ask;
}

void aim(Random *random, const Many *many, Ask *ask)
{
    sidle_dtriangle at = many_triangle(many, random_below(random, many->count));
    double a = random_chance(random, .3) ? 0 : random_unit(random);
    double b = random_chance(random, .4) ? 0 : random_unit(random) * (1 - a);
    const sidle_position *v = at.corners;
    double x = v[0].x + a * (v[1].x - v[0].x) + b * (v[2].x - v[0].x);
    double y = v[0].y + a * (v[1].y - v[0].y) + b * (v[2].y - v[0].y);
    double z = v[0].z + a * (v[1].z - v[0].z) + b * (v[2].z - v[0].z);
    ask->direction = (sidle_vec3){(float)(x - (double)ask->origin.x), (float)(y - (double)ask->origin.y),
                                  (float)(z - (double)ask->origin.z)};
}

Ask draw_sphere(Random *random)
{
    Ask ask = {.origin = vec_near(random, 4, random_chance(random, .5))};
    ask.number = random_chance(random, .1)   ? 0
                 : random_chance(random, .3) ? (float)(1 + random_below(random, 5))
                                             : (float)random_scale(random, 1e-2, 100);
    return ask;
}

Ask draw_box(Random *random)
{
    Ask ask = {.origin = vec_near(random, 4, random_chance(random, .5))};
    sidle_vec3 size = vec_near(random, 6, random_chance(random, .5));
    ask.direction = (sidle_vec3){ask.origin.x + fabsf(size.x), ask.origin.y + fabsf(size.y),
                                 ask.origin.z + fabsf(size.z)};
    return ask;
}
