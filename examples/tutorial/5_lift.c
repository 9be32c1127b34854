/* A lift takes an agent up two metres. */
#include "game.h"

int main(void)
{
    const sidle_vec3 size = {3, .2f, 3};
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0);
    sidle_instance lift = add_box(&game, box_at(0, .2, 0, size), SIDLE_INSTANCE_ONE_SIDED);
    game.agent.body.center = (sidle_position){0, 1.12, 0};

    double top = .2;
    for (int i = 0; i < 120; ++i)
    {
        sidle_pose from = box_at(0, top, 0, size);
        top += 1 * (double)DT; /* 1 m/s */
        sidle_pose to = box_at(0, top, 0, size);
        check(sidle_world_move(game.world, lift, &from, &to)); /* tick() commits it */
        tick(&game, 0, 0);
    }
    double above = game.agent.body.center.y - top;
    printf("the lift is at %.2f m, the agent's centre %.3f m above it, carried at %.2f m/s\n", top, above,
           game.agent.body.carried_over.y);
    end_game(&game);
    return above < .9 || above > .95 || !(game.agent.body.flags & SIDLE_BODY_GROUNDED);
}
