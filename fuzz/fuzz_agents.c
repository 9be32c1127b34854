/* The agents of `sidle crowd --agents-file`: any bytes are agents that the library may be asked about, or a
 * sentence. */
#include "fuzz.h"

#include "tools/agents.h"

#include <math.h>
#include <string.h>

static void check_agents(const Agents *agents, uint32_t wanted)
{
    fuzz_demand(agents->count > 0 && (wanted == 0 || agents->count == wanted), "another number of agents");
    fuzz_demand(agents->shape_count > 0 && agents->shape_count <= agents->count, "shapes without agents");
    for (uint32_t i = 0; i < agents->count; i++)
    {
        const Agent *agent = &agents->list[i];
        fuzz_demand(isfinite(agent->start.x) && isfinite(agent->start.y) && isfinite(agent->start.z),
                    "an agent is nowhere");
        fuzz_demand(agent->shape < agents->shape_count, "an agent has no shape");
    }
}

/* What the file says of shapes goes to the library as it is, which has to say what it thinks of them. */
static void make_profiles(const Agents *agents)
{
    for (uint32_t i = 0; i < agents->shape_count; i++)
    {
        sidle_error error = {.text = ""};
        sidle_profile profile = {.size = sizeof profile, .shape = agents->shapes[i]};
        sidle_crowd_desc desc = {
            .size = sizeof desc, .profiles = &profile, .profile_count = 1, .error = &error};
        sidle_crowd *crowd = NULL;
        sidle_status status = sidle_crowd_create(&desc, NULL, &crowd);
        fuzz_demand((status == SIDLE_OK) == (crowd != NULL), "a crowd without success, or success without");
        fuzz_demand(status == SIDLE_OK || error.text[0], "a shape refused without a reason");
        sidle_crowd_destroy(crowd);
    }
}

static void read_agents(const char *path, uint32_t wanted)
{
    char message[FUZZ_MESSAGE_SIZE] = "";
    Agents agents;
    if (agents_read(path, wanted, &agents, message, sizeof message))
    {
        check_agents(&agents, wanted);
        make_profiles(&agents);
        agents_free(&agents);
        return;
    }
    fuzz_demand(message[0] && memchr(message, 0, sizeof message), "no reason");
    fuzz_demand(!agents.list && !agents.shapes, "something is left of a failure");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    read_agents(path, 0);
    read_agents(path, 2);
    return 0;
}
