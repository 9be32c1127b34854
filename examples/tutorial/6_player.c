/* A player, which the game moves itself, blocks an agent. */
#include "game.h"

int main(void)
{
    const sidle_vec3 size = {.6f, 1.8f, .6f};
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0);
    sidle_pose player = box_at(3, 1.8, 0, size);
    sidle_instance body = add_box(&game, player, SIDLE_INSTANCE_AGENT);
    game.agent.body.center = (sidle_position){0, .92, 0};

    int blocked = 0;
    for (int i = 0; i < 240; ++i)
    {
        sidle_pose from = player;
        if (i >= 120) /* the player stands for two seconds, then walks out of the agent's path */
            player.position.z += .02;
        check(sidle_world_move(game.world, body, &from, &player));
        tick(&game, 2, 0);
        blocked += (game.result.reasons & SIDLE_REASON_AGENT) != 0;
    }
    printf("blocked in %d ticks of 240, then walked on to x = %.1f\n", blocked, game.agent.body.center.x);
    end_game(&game);
    return blocked < 30 || game.agent.body.center.x < 4;
}
