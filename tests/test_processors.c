/* How many threads the built-in pool starts by itself. */
#define _GNU_SOURCE /* sched_setaffinity, mkdtemp */

#include "jobs/processors.h"
#include "sidle/jobs.h"

#include <criterion/criterion.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Workers of a pool by default; 0 in a build without the pool. */
static uint32_t workers_by_default(void)
{
    sidle_pool *pool = NULL;
    sidle_status status = sidle_pool_create(NULL, NULL, &pool);
    cr_assert(status == SIDLE_OK || status == SIDLE_ERROR_UNSUPPORTED);
    uint32_t workers = pool ? sidle_pool_jobs(pool)->worker_count : 0;
    sidle_pool_destroy(pool);
    return workers;
}

Test(processors, a_pool_has_no_more_workers_than_the_affinity_mask_has_processors)
{
    cpu_set_t before, one;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    uint32_t workers = workers_by_default();
    cr_expect_leq(workers, (uint32_t)CPU_COUNT(&before));
    for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    {
        if (!CPU_ISSET(cpu, &before))
        {
            continue;
        }
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
        cr_expect_eq(sidle_processors_usable(), 1, "processor %zu", cpu);
        cr_expect_eq(workers_by_default(), workers ? 1 : 0, "processor %zu", cpu);
    }
    cr_assert_eq(sched_setaffinity(0, sizeof before, &before), 0);
    cr_expect_eq(workers_by_default(), workers);
}

/* Of cgroups, in a temporary folder. */
typedef struct Hierarchy
{
    char root[64], membership[96];
} Hierarchy;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

static Hierarchy hierarchy_make(void)
{
    Hierarchy hierarchy = {.root = "/tmp/sidle_cgroup_XXXXXX"};
    cr_assert_not_null(mkdtemp(hierarchy.root));
    snprintf(hierarchy.membership, sizeof hierarchy.membership, "%s/membership", hierarchy.root);
    return hierarchy;
}

/* Sets the quota of the root ("") or of one of the groups "/a" and "/a/b". */
static void set_quota(const Hierarchy *hierarchy, const char *group, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", hierarchy->root, group);
    mkdir(path, 0700);
    strcat(path, "/cpu.max");
    write_file(path, text);
}

static uint32_t quota_in(const Hierarchy *hierarchy, const char *membership)
{
    write_file(hierarchy->membership, membership);
    return sidle_processors_of_cgroup(hierarchy->membership, hierarchy->root);
}

static void hierarchy_remove(const Hierarchy *hierarchy)
{
    static const char *const paths[] = {"/a/b/cpu.max", "/a/b", "/a/cpu.max", "/a", "/cpu.max",
                                        "/membership",  ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
    {
        char path[128];
        snprintf(path, sizeof path, "%s%s", hierarchy->root, paths[i]);
        remove(path);
    }
}

Test(processors, the_smallest_quota_of_a_cgroup_and_its_parents_counts)
{
    Hierarchy hierarchy = hierarchy_make();
    cr_expect_eq(quota_in(&hierarchy, "0::/a/b\n"), UINT32_MAX, "no quota");
    set_quota(&hierarchy, "/a", "300000 100000\n");
    set_quota(&hierarchy, "/a/b", "max 100000\n");
    cr_expect_eq(quota_in(&hierarchy, "0::/a/b\n"), 3, "of the parent");
    set_quota(&hierarchy, "/a/b", "150000 100000\n");
    cr_expect_eq(quota_in(&hierarchy, "4:memory:/a\n1:cpu:/\n0::/a/b\n"), 2, "of its own, rounded up");
    cr_expect_eq(quota_in(&hierarchy, "0::/a\n"), 3);
    cr_expect_eq(quota_in(&hierarchy, "0::/\n"), UINT32_MAX);
    set_quota(&hierarchy, "", "5000 100000\n");
    cr_expect_eq(quota_in(&hierarchy, "0::/a/b\n"), 1, "of the root");
    cr_expect_eq(quota_in(&hierarchy, "0::/\n"), 1);
    hierarchy_remove(&hierarchy);
}

Test(processors, a_damaged_quota_or_none_at_all_is_no_limit)
{
    static const char *const damaged[] = {
        "", "max", "100000", "100000 0", "x 100000", "100000 x", "99999999999999999999999999 1"};
    Hierarchy hierarchy = hierarchy_make();
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i)
    {
        set_quota(&hierarchy, "", damaged[i]);
        cr_expect_eq(quota_in(&hierarchy, "0::/\n"), UINT32_MAX, "'%s'", damaged[i]);
    }
    set_quota(&hierarchy, "", "100000 100000");
    cr_expect_eq(quota_in(&hierarchy, "0::/\n"), 1);
    cr_expect_eq(quota_in(&hierarchy, "1:cpu:/\n"), UINT32_MAX, "only version 1");
    cr_expect_eq(quota_in(&hierarchy, ""), UINT32_MAX);
    cr_expect_eq(sidle_processors_of_cgroup("/no/such/file", hierarchy.root), UINT32_MAX);
    hierarchy_remove(&hierarchy);
}
