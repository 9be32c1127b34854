#include "crowd_stats.h"

#include "console.h"

#include <stdio.h>

static double per(uint64_t count, uint64_t of)
{
    return of > 0 ? (double)count / (double)of : 0;
}

static void print_share(const char *name, const char *paper, uint64_t count, uint64_t of)
{
    printf("  %-34s %5.1f %%   %s\n", name, 100 * per(count, of), paper);
}

void crowd_stats_print(const sidle_stats *s)
{
    uint64_t hits = s->hit_face + s->hit_edge + s->hit_vertex;
    printf("\na move        %.2f searches, %.1f triangles visited, %.1f candidates, %.2f sweeps\n",
           per(s->gathers, s->moves), per(s->leaf_triangles, s->moves), per(s->candidates, s->moves),
           per(s->sweeps, s->moves));
    printf("a sweep       %.1f triangles tested, of them                the paper, on its level\n",
           per(s->tested, s->sweeps));
    print_share("culled as back faces", "40 %", s->back_facing, s->tested);
    print_share("rejected by the plane", "65 % of the rest", s->beyond_plane, s->tested);
    print_share("rejected by the edges", "-", s->beyond_edges, s->tested);
    print_share("at full price", "20 %", s->full_price, s->tested);
    printf("hits          %.1f %% of the sweeps: face %.1f, edge %.1f, vertex %.1f %% of them\n",
           100 * per(hits, s->sweeps), 100 * per(s->hit_face, hits), 100 * per(s->hit_edge, hits),
           100 * per(s->hit_vertex, hits));
    printf("in double     %.3f %% of the candidates\n\n", 100 * per(s->exact, s->candidates));
}

void crowd_stats_json(const sidle_stats *s, Json *json)
{
    json_object_begin(json, "stats");
    json_count(json, "moves", s->moves);
    json_count(json, "gathers", s->gathers);
    json_count(json, "leaf_triangles", s->leaf_triangles);
    json_count(json, "candidates", s->candidates);
    json_count(json, "exact", s->exact);
    json_count(json, "sweeps", s->sweeps);
    json_count(json, "tested", s->tested);
    json_count(json, "back_facing", s->back_facing);
    json_count(json, "beyond_plane", s->beyond_plane);
    json_count(json, "beyond_edges", s->beyond_edges);
    json_count(json, "full_price", s->full_price);
    json_count(json, "hit_face", s->hit_face);
    json_count(json, "hit_edge", s->hit_edge);
    json_count(json, "hit_vertex", s->hit_vertex);
    json_object_end(json);
}
