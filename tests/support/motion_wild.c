/* Random levels, for what no named scene shows. */
#include "support/motion_scenes.h"

/* Hills, kerbs, boxes and slanting slabs, all within 12 m of the origin. */
Soup motion_wild_level(Random *random)
{
    Soup soup = {0};
    double hills = random_between(random, 0.0, 0.6); /* before the seed: arguments come in any order */
    soup_terrain(&soup, 16, 1.5, hills, random_bits(random));
    for (int i = 0; i < 40; ++i)
    {
        Soup slab = {0};
        double height = random_chance(random, 0.5) ? random_between(random, 0.05, 0.5) : 2.0;
        double x = random_between(random, 0.1, 1.5), z = random_between(random, 0.1, 1.5);
        soup_plate(&slab, -x, x, -z, z, height);
        soup_quad(&slab, vector(-x, -1, -z), vector(-x, -1, z), vector(-x, height, z),
                  vector(-x, height, -z));
        soup_quad(&slab, vector(x, -1, z), vector(x, -1, -z), vector(x, height, -z), vector(x, height, z));
        soup_quad(&slab, vector(-x, -1, z), vector(x, -1, z), vector(x, height, z), vector(-x, height, z));
        soup_quad(&slab, vector(x, -1, -z), vector(-x, -1, -z), vector(-x, height, -z),
                  vector(x, height, -z));
        Rotation turn = random_chance(random, 0.2) ? random_rotation(random)
                                                   : rotation_about_y(random_between(random, 0, 6.28));
        soup_turn(&slab, &turn);
        soup_shift(&slab, random_in_box(random, vector(-11, -0.2, -11), vector(11, 0.4, 11)));
        soup_append(&soup, &slab);
        soup_free(&slab);
    }
    return soup;
}

int motion_oscillates(const MotionSetting *setting, int runs)
{
    int oscillating = 0;
    for (int run = 0; run < runs; ++run)
    {
        Random random = random_seeded(50000 + (uint64_t)run);
        Soup level = motion_wild_level(&random);
        Vector start = random_in_box(&random, vector(-9, 3, -9), vector(9, 4, 9));
        double heading = random_between(&random, 0, radians(360)), speed = random_scale(&random, 0.3, 8);
        Vector velocity = vector(speed * cos(heading), 0, speed * sin(heading));
        Actor actor = actor_of(setting, level, start);
        actor_land(&actor);
        actor_go(&actor, velocity, 4.0);
        Vector from = actor_place(&actor);
        double path = 0.0;
        for (int tick = actor_ticks(&actor, 2.0); tick > 0; --tick)
        {
            Vector before = actor_place(&actor);
            actor_tick(&actor, velocity);
            path += vector_distance(actor_place(&actor), before);
        }
        Vector to = actor_place(&actor);
        bool fell_out = to.y < -5.0;
        oscillating += !fell_out && path > 0.02 + 3.0 * vector_distance(from, to);
        actor_end(&actor);
    }
    return oscillating;
}
