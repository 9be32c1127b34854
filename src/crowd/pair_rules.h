/* The numbers by which a pair of agents is described, one pair at a time (peer_pairs.c) or four (four_pairs.inl). Both have the
 * same bits. */
#ifndef CROWD_PAIR_RULES_H
#define CROWD_PAIR_RULES_H

/* Iterations towards the best normal: of two that are alike, and of others. */
#define ALIKE_ITERATIONS   2
#define UNALIKE_ITERATIONS 4

/* Sine of the angle above which a core is no axis of an ellipsoid: rounding turns it by some 1e-15. */
#define AXIS_SINE 1e-6

/* Share of the sum of two squared radii below which the diagonal of the iteration's matrix does not fall: deep inside one
 * another the step would be without bounds. */
#define LEAST_DIAGONAL .05

/* Smallest radii: centres that are closer have no direction. */
#define COINCIDENT 1e-3

/* The exponent of precedence. Of two that walk one behind the other the agent behind takes e^5 = 150 times the share of the
 * agent ahead. The exponent grows with the square root of the lead: of two almost side by side in a door, one has to yield.
 * It falls to 0 where both move freely. In a turning crowd each agent is behind the next one, and precedence would stop all. */
#define PRECEDENCE 2.5

/* Speed below which two agents stand, of the smallest radius in a tick. */
#define STANDING 1e-9

#endif
