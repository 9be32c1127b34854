/* An agent climbs stairs at the speed of the flat. A camera follows the drawn height. */
#include "game.h"

int main(void)
{
    Game game = begin_game();
    add_box(&game, box_at(0, 0, 0, (sidle_vec3){20, 1, 20}), 0);
    for (int i = 1; i <= 6; ++i) /* six steps of .3 m, each .5 m deep; the first begins at x = 2 */
        add_box(&game, box_at(1.75 + .5 * i, .3 * i, 0, (sidle_vec3){.5f, .3f * (float)i, 4}), 0);
    game.agent.body.center = (sidle_position){0, .92, 0};

    double center = .92, drawn = .92, center_jump = 0, drawn_jump = 0; /* the largest rises of a tick */
    for (int i = 0; i < 90; ++i)
    {
        tick(&game, 3, 0);
        const sidle_body *body = &game.agent.body;
        double rise = body->center.y - center, drawn_rise = body->center.y - body->step_offset - drawn;
        center_jump = rise > center_jump ? rise : center_jump;
        drawn_jump = drawn_rise > drawn_jump ? drawn_rise : drawn_jump;
        center += rise;
        drawn += drawn_rise;
    }
    printf("after 1.5 s at x %.2f, y %.2f; rises in a tick: centre %.0f mm, drawn %.0f mm at most\n",
           game.agent.body.center.x, game.agent.body.center.y, 1000 * center_jump, 1000 * drawn_jump);
    end_game(&game);
    return center < 2.6 || drawn_jump >= center_jump;
}
