/* The captures of `sidle replay`: any bytes are a move that is replayed, to the same bits at every width,
 * or an error message. */
#include "fuzz.h"

#include "tools/replay.h"

#include <string.h>

/* More would only take time. */
#define MOST_TRIANGLES 2000

static void demand_reason(const char message[FUZZ_MESSAGE_SIZE])
{
    fuzz_demand(message[0] && memchr(message, 0, FUZZ_MESSAGE_SIZE), "no reason");
}

static int runs(uint32_t lanes)
{
    return sidle_cast_lanes(lanes) == lanes;
}

/* The first width's answer is what the others are compared with. */
static void make_again(Replay *replay)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    char message[FUZZ_MESSAGE_SIZE] = "";
    ReplayRun run;
    if (!replay_run(replay, widths[0], &run, message, sizeof message))
    {
        demand_reason(message);
        return;
    }
    replay_difference(replay, &run);
    replay->result = run.result;
    memcpy(replay->contacts, run.contacts, sizeof run.contacts);
    for (size_t i = 1; i < sizeof widths / sizeof *widths; i++)
    {
        if (runs(widths[i]))
        {
            fuzz_demand(replay_run(replay, widths[i], &run, message, sizeof message), "one width refuses");
            fuzz_demand(!replay_difference(replay, &run), "another width, another move");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[FUZZ_MESSAGE_SIZE] = "";
    Replay replay;
    if (replay_read(fuzz_file(data, size), &replay, message, sizeof message))
    {
        if (replay.triangle_count <= MOST_TRIANGLES)
        {
            make_again(&replay);
        }
        replay_free(&replay);
        return 0;
    }
    demand_reason(message);
    fuzz_demand(!replay.instances && !replay.triangles, "something is left of a failure");
    return 0;
}
