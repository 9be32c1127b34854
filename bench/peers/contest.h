/* Runs peers on one scene and looks at what they did. */
#ifndef SIDLE_BENCH_PEERS_CONTEST_H
#define SIDLE_BENCH_PEERS_CONTEST_H

#include "peer.h"

typedef struct Entrant
{
    const Peer *peer;
    double seconds;   /* processor time of this thread for all ticks, the least of all runs */
    double path;      /* horizontally, of all characters [m] */
    uint64_t blocked; /* moves that came less than half as far as asked */
    uint32_t fell;    /* characters below the level at the end */
    uint32_t
        overlapping; /* characters that overlap another one at the end, by more than a hundredth of a radius */
    double deepest;  /* of these overlaps [m] */
} Entrant;

typedef struct Contest
{
    PeerScene scene;
    double lowest;     /* height of the level's lowest floor */
    double x, z, half; /* characters that leave this square turn round */
    uint32_t ticks, runs;
} Contest;

/* All entrants have the same starts, and each character asks for the same headings at 3 m/s, a new one each
 * second. They run in turn, BLOCK ticks each. Returns false, after a message, on failure. */
bool contest_run(const Contest *contest, Entrant *entrants, uint32_t count);

double contest_moves(const Contest *contest, const Entrant *entrant); /* a second */

#endif
