/* Which contacts a move reports: each once. */
#include "crowd/mover.h"

/* Cosine of 8 degrees: contacts with one triangle whose normals are closer are reported as one. No motion depends on
 * it. */
#define SAME_NORMAL .99

static OUT_OF_LINE void note_contact(Mover *mover, const Hit *hit, Vec3 m)
{
    Identity identity = identity_of(mover->candidates, hit->candidate);
    for (uint32_t i = 0; i < mover->report.contact_count; ++i)
    {
        const sidle_contact *known = &mover->contacts[i];
        if (known->triangle == identity.triangle && known->instance.index == identity.slot &&
            vec3_dot(vec3_from(known->normal), m) > SAME_NORMAL)
        {
            return;
        }
    }
    if (mover->report.contact_count == SIDLE_MAX_AGENT_CONTACTS)
    {
        mover->report.reasons |= SIDLE_REASON_CONTACTS;
        return;
    }
    Vec3 point = vec3_add(mover->frame->center, frame_to_world(mover->frame, hit->contact.point));
    mover->contacts[mover->report.contact_count++] = (sidle_contact){
        .instance_key = identity.placed->key,
        .point = {point.x, point.y, point.z},
        .normal = vec3_to_float(m),
        .instance = {identity.slot, identity.placed->generation},
        .triangle = identity.triangle,
        .surface = identity.surface,
        .feature = hit->contact.feature,
    };
}

/* Reports a contact once. */
static inline void report_contact(Mover *mover, const Hit *hit, Vec3 m)
{
    if (mover->contacts)
    {
        note_contact(mover, hit, m);
    }
}

static OUT_OF_LINE void note_agent(Mover *mover, const AgentLimit *limit)
{
    for (uint32_t i = 0; i < mover->report.contact_count; ++i)
    {
        if (mover->contacts[i].feature == SIDLE_FEATURE_AGENT && mover->contacts[i].instance_key == limit->id)
        {
            return;
        }
    }
    if (mover->report.contact_count == SIDLE_MAX_AGENT_CONTACTS)
    {
        mover->report.reasons |= SIDLE_REASON_CONTACTS;
        return;
    }
    Vec3 support = frame_support(mover->frame, vec3_scale(limit->normal, -1), 1);
    Vec3 point = vec3_add(mover->frame->center,
                          frame_to_world(mover->frame, vec3_add(mover->state.position, support)));
    mover->contacts[mover->report.contact_count++] =
        (sidle_contact){.instance_key = limit->id,
                        .point = {point.x, point.y, point.z},
                        .normal = vec3_to_float(vec3_scale(limit->normal, -1)),
                        .feature = SIDLE_FEATURE_AGENT};
}
