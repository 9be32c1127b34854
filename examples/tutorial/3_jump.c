/* An agent walks and jumps onto a crate that is too high to step onto. */
#include "game.h"

/* Leaves the ground with this speed [m/s]. On a moving platform the platform's speed is added. */
static void jump(sidle_body *body, float speed)
{
    if (body->flags & SIDLE_BODY_GROUNDED)
    {
        body->flags &= (uint16_t)~SIDLE_BODY_GROUNDED;
        body->velocity.y = body->carried_over.y + speed;
    }
}

int main(void)
{
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0);
    add_box(&game, box_at(5, .8, 0, (sidle_vec3){4, .8f, 4}), 0); /* a crate, from x = 3 to 7 */
    game.agent.body.center = (sidle_position){0, .92, 0};

    double highest = 0;
    for (int i = 0; i < 120; ++i)
    {
        if (i == 30) /* at x = 1.5; the crate begins at 3 */
            jump(&game.agent.body, 5);
        tick(&game, 3, 0);
        highest = game.agent.body.center.y > highest ? game.agent.body.center.y : highest;
    }
    printf("highest %.2f m, now on top at %.2f m\n", highest, game.agent.body.center.y);
    end_game(&game);
    return game.agent.body.center.y < 1.7 || !(game.agent.body.flags & SIDLE_BODY_GROUNDED);
}
