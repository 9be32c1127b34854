/* The queries of `sidle cast`: any bytes are casts that the library answers, or a sentence. */
#include "fuzz.h"

#include "tools/casts.h"

#include <stdlib.h>
#include <string.h>

static sidle_snapshot *ground;

/* A floor of two triangles, a wall on its edge, a needle and a point. */
static sidle_mesh *make_mesh(void)
{
    static const float vertices[] = {-9, 0, -9, -9, 0, 9, 2, 0, 9, 2, 0, -9, 2, 4, 9, 2, 4, -9};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5, 0, 4, 0, 1, 1, 1};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = vertices,
                            .vertex_count = 6,
                            .triangle_count = 6,
                            .indices = triangles};
    sidle_mesh *mesh = NULL;
    fuzz_demand(sidle_mesh_create(&desc, NULL, NULL, &mesh) == SIDLE_OK, "no mesh");
    return mesh;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    sidle_instance_desc placed = {.size = sizeof placed, .mesh = make_mesh()};
    sidle_instance instance;
    sidle_world *world = NULL;
    fuzz_demand(sidle_world_create(NULL, NULL, &world) == SIDLE_OK &&
                    sidle_world_add(world, &placed, &instance) == SIDLE_OK &&
                    sidle_world_commit(world, NULL) == SIDLE_OK &&
                    sidle_world_snapshot(world, &ground) == SIDLE_OK,
                "no world");
    sidle_mesh_release(placed.mesh);
    sidle_world_destroy(world);
    return 0;
}

/* The closest hit of a shape is the first of all. */
static void list_all(const sidle_cast *cast, const sidle_cast_hit *closest)
{
    sidle_cast_hit list[6];
    uint32_t count;
    fuzz_demand(sidle_cast_all(ground, 0, cast, list, 6, &count) == SIDLE_OK && count <= 6, "no list");
    if (cast->shape.radii.x > 0 && !(cast->flags & SIDLE_CAST_ANY))
    {
        fuzz_demand((count > 0) == (closest->hit != SIDLE_CAST_MISS) &&
                        (count == 0 || memcmp(&list[0], closest, sizeof *closest) == 0),
                    "the closest hit is not the first");
    }
}

static void answer(Casts *casts)
{
    fuzz_cast(ground, casts->list, casts->count, casts->hits);
    for (uint32_t i = 0; i < casts->count; i++)
    {
        const sidle_cast_hit *hit = &casts->hits[i];
        fuzz_demand(hit->hit < SIDLE_CAST_INVALID, "a cast that was read is refused");
        fuzz_demand(hit->t >= 0 && hit->t <= 1, "a hit outside the path");
        list_all(&casts->list[i], hit);
    }
}

static void write_answers(const Casts *casts)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    fuzz_demand(file && casts_write(casts, file) && fclose(file) == 0 && size > 0, "no results");
    free(text);
    casts_hash(casts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[FUZZ_MESSAGE_SIZE] = "";
    Casts casts;
    if (casts_read(fuzz_file(data, size), &casts, message, sizeof message))
    {
        answer(&casts);
        write_answers(&casts);
        casts_free(&casts);
        return 0;
    }
    fuzz_demand(message[0] && memchr(message, 0, sizeof message), "no reason");
    fuzz_demand(!casts.list && !casts.hits, "something is left of a failure");
    return 0;
}
