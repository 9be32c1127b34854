/* An agent spawns two metres above a floor, falls and lands. */
#include "game.h"

int main(void)
{
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0); /* the floor */
    game.agent.body.center = (sidle_position){0, 2.9, 0};        /* the foot is .9 m below the centre */

    int ticks = 0;
    while (!(game.result.body.flags & SIDLE_BODY_GROUNDED) && ticks < 60)
    {
        tick(&game, 0, 0);
        ++ticks;
    }
    printf("landed after %d ticks at %.1f m/s, centre at %.3f m\n", ticks, game.result.impact_speed,
           game.agent.body.center.y);
    end_game(&game);
    return ticks != 39; /* sqrt(2 h / g) is .64 s */
}
