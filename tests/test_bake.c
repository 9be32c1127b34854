/* Bakes of meshes large enough to be split by samples: every box holds its triangles, whatever their arrangement, and the bytes
 * do not depend on the schedule. */
#include "support/scene.h"
#include "support/schedulers.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define TRIANGLES 40000

typedef struct Blob
{
    void *bytes;
    size_t size;
} Blob;

static Blob baked(const Soup *soup, const sidle_jobs *jobs)
{
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &soup->triangles[0].v[0].x,
                            .vertex_count = 3 * (uint32_t)soup->count,
                            .triangle_count = (uint32_t)soup->count};
    sidle_mesh *mesh;
    Blob blob = {0};
    demand(sidle_mesh_create(&desc, jobs, NULL, &mesh), "sidle_mesh_create");
    demand(sidle_mesh_save(mesh, NULL, 0, &blob.size), "sidle_mesh_save");
    blob.bytes = malloc(blob.size);
    cr_assert_not_null(blob.bytes);
    demand(sidle_mesh_save(mesh, blob.bytes, blob.size, &blob.size), "sidle_mesh_save");
    sidle_mesh_release(mesh);
    return blob;
}

/* Opening checks every box of the tree. */
static void expect_good(const Soup *soup, const char *what)
{
    Blob blob = baked(soup, NULL);
    sidle_blob_desc desc = {.size = sizeof desc, .bytes = blob.bytes, .byte_count = blob.size};
    sidle_mesh *mesh = NULL;
    cr_expect_eq(sidle_mesh_open(&desc, NULL, &mesh), SIDLE_OK, "%s", what);
    sidle_mesh_release(mesh);
    free(blob.bytes);
}

Test(bake, boxes_hold_the_triangles_of_a_large_mesh)
{
    Random random = random_seeded(11);
    Soup soup = {0};
    soup_scatter(&soup, &random, 1500, 50);
    expect_good(&soup, "few enough for one task");
    soup_scatter(&soup, &random, 10000 - 1500, 50);
    expect_good(&soup, "few enough for a top without samples");
    soup_scatter(&soup, &random, TRIANGLES - 10000, 50);
    expect_good(&soup, "scattered");
    for (size_t i = 0; i < soup.count; ++i) /* most samples miss the few that are far away */
    {
        double scale = i % 997 ? 1e-3 : 1;
        for (int corner = 0; corner < 3; ++corner)
        {
            soup.triangles[i].v[corner] = vector_scale(soup.triangles[i].v[corner], scale);
        }
    }
    expect_good(&soup, "in one place, with some far from it");
    for (size_t i = 1; i < soup.count; ++i)
    {
        soup.triangles[i] = soup.triangles[0];
    }
    expect_good(&soup, "copies");
    soup_free(&soup);
}

Test(bake, a_large_mesh_has_the_same_bytes_on_any_schedule)
{
    Random random = random_seeded(12);
    Soup soup = {0};
    soup_scatter(&soup, &random, TRIANGLES, 50);
    Blob expected = baked(&soup, NULL);
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 3);
        Blob blob = baked(&soup, &scheduler.jobs);
        cr_expect(blob.size == expected.size && memcmp(blob.bytes, expected.bytes, blob.size) == 0,
                  "scheduler %d", order);
        free(blob.bytes);
    }
    free(expected.bytes);
    soup_free(&soup);
}
