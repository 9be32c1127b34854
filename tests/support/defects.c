#include "support/defects.h"

#include <string.h>

const Defect defects[] = {
    {"D1", "a ball that touches a tip does not sink into it", d01_touching},
    {"D2", "a ball a hair inside is stopped on its path inwards", d02_a_hair_inside},
    {"D3", "a hit at the very end of a move counts", d03_hit_at_the_end},
    {"D4", "a ball moves freely out of an overlap", d04_moving_out},
    {"D5", "a ball that starts inside a floor comes out of it", d05_embedded},
    {"D6", "a contact behind the ball does not hold it back", d06_contact_behind},
    {"D7", "a floor supports with either winding", d07_winding},
    {"D8", "the edge of a plate is hit although the ball is within its slab", d08_edge_in_slab},
    {"D9", "a fence is hit by a ball that moves within its plane", d09_fence},
    {"D10", "a triangle without area acts as a segment", d10_zero_area},
    {"D11", "a vertex is hit as precisely from afar", d11_far_vertex},
    {"D12", "a long ridge is hit as precisely as a short one", d12_long_ridge},
    {"D13", "flying parallel to an edge hits nothing", d13_parallel_edge},
    {"D14", "a needle is hit where it is and nowhere else", d14_needle},
    {"D17", "one source has one answer", d17_mixed_precision},
    {"D18", "terrain far from the origin carries", d18_large_coordinates},
    {"D19", "the order of the triangles decides nothing", d19_ties},
    {"D21", "a hit exactly one gap away leaves numbers", d21_gap_exactly},
    {"D23", "the gap to a face does not depend on the angle of approach", d23_gap_along_velocity},
    {"D24", "a ball that slides along a flat wall does not bob", d24_tilted_plane},
    {"D25", "the gap is the same share of a body in metres and in centimetres", d25_units},
    {"D26", "a push at a wall slides as far at every frame rate", d26_frame_rate},
    {"D27", "a move along a curved wall is completed or reported truncated", d27_curved_tube},
    {"D28", "a ball in a groove moves on along it", d28_groove},
    {"D29", "a ball pressed into a wide corner rests", d29_wide_corner},
    {"D30", "a body that stands on a gentle slope stays", d30_creep},
    {"D31", "sliding never lengthens the path", d31_longer_path},
};

const size_t defect_count = sizeof defects / sizeof defects[0];

const Defect *defect_named(const char *id)
{
    for (size_t index = 0; index < defect_count; ++index)
    {
        if (strcmp(defects[index].id, id) == 0)
        {
            return &defects[index];
        }
    }
    return NULL;
}
