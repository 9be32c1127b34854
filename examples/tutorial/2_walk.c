/* An agent walks into a wall at an angle, slides along it, and reports why it was held back. */
#include "game.h"

int main(void)
{
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0);  /* the floor */
    add_box(&game, box_at(3, 3, 0, (sidle_vec3){.2f, 3, 20}), 0); /* a wall: its near face is at x = 2.9 */
    game.agent.body.center = (sidle_position){0, .92, 0};

    for (int i = 0; i < 120; ++i)
        tick(&game, 3, 1); /* 3 m/s towards the wall, 1 m/s along it */
    printf("after 2 s at x %.2f, z %.2f\n", game.agent.body.center.x, game.agent.body.center.z);
    if (game.result.reasons & SIDLE_REASON_WALL)
        printf("held back: %s\n", sidle_reason_text(SIDLE_REASON_WALL));
    end_game(&game);
    return game.agent.body.center.x > 2.5 || game.agent.body.center.z < 1.9 ||
           game.result.reasons != SIDLE_REASON_WALL;
}
