/* The files of `sidle cast`: what is read, what is refused and by which line, what is written. */
#include "support/file.h"
#include "support/scene.h"
#include "tools/casts.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "kind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height\n"

typedef struct Reading
{
    Casts casts;
    File file; /* gone, but for its name */
    char message[512];
    bool good;
} Reading;

static Reading reading_of(const void *bytes, size_t size)
{
    Reading reading = {.file = file_of(bytes, size)};
    reading.good = casts_read(reading.file.path, &reading.casts, reading.message, sizeof reading.message);
    file_remove(&reading.file);
    return reading;
}

static Reading reading(const char *text)
{
    return reading_of(text, strlen(text));
}

Test(cast_files, every_kind_becomes_its_cast)
{
    Reading r = reading(HEADER "ray,1,2.5,-3e2,0,-1,0,,,,\n"
                               "ball,1,2,3,4,5,6,.5,,,\r\n"
                               "\n"
                               "ball,1,2,3,4,5,6,.5,.5,.5,0\n"
                               "ellipsoid,0,0,0,0,0,0,.25,.5,.75,0");
    cr_assert(r.good, "%s", r.message);
    cr_assert_eq(r.casts.count, 4);
    const sidle_cast *list = r.casts.list;
    cr_expect(list[0].origin.z == -300 && list[0].displacement.y == -1 && list[0].shape.radii.x == 0);
    cr_expect(list[1].shape.radii.x == .5f && list[1].shape.radii.z == .5f && list[1].displacement.z == 6);
    cr_expect(memcmp(&list[1], &list[2], sizeof list[1]) == 0);
    cr_expect(list[3].shape.radii.x == .25f && list[3].shape.radii.y == .5f && list[3].shape.radii.z == .75f);
    casts_free(&r.casts);
}

Test(cast_files, without_a_header_the_first_line_is_a_query)
{
    Reading r = reading("ray,1,2,3,4,5,6,0,0,0,0\n");
    cr_assert(r.good && r.casts.count == 1, "%s", r.message);
    casts_free(&r.casts);
}

Test(cast_files, a_bad_line_is_named)
{
    static const struct
    {
        const char *line, *complaint;
    } cases[] = {
        {"ball,1,2,3,4,5,6,.5,.5,.5", "10 fields where 11"},
        {"ball,1,2,3,4,5,6,.5,.5,.5,0,0", "12 fields where 11"},
        {"x", "1 field where 11"},
        {"cube,1,2,3,4,5,6,.5,.5,.5,0", "kind 'cube'"},
        {",1,2,3,4,5,6,.5,.5,.5,0", "kind ''"},
        {"kind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height", "kind 'kind'"},
        {"ball,nan,2,3,4,5,6,.5,.5,.5,0", "ox 'nan'"},
        {"ball,1,1e999,3,4,5,6,.5,.5,.5,0", "oy '1e999'"},
        {"ball,1,2,0x3,4,5,6,.5,.5,.5,0", "oz '0x3'"},
        {"ball,1,2,3,,5,6,.5,.5,.5,0", "dx ''"},
        {"ball,1,2,3,4,5 ,6,.5,.5,.5,0", "dy '5 '"},
        {"ball,1,2,3,4,5,6,0,.5,.5,0", "radius rx is not above 0"},
        {"ball,1,2,3,4,5,6,1e-50,.5,.5,0", "radius rx is not above 0"},
        {"ellipsoid,1,2,3,4,5,6,.5,-1,.5,0", "radius ry is not above 0"},
        {"ellipsoid,1,2,3,4,5,6,.5,.5,,0", "rz ''"},
        {"ball,1,2,3,4,5,6,1e-4,,,0", "ball is out of range"},
        {"ellipsoid,1,2,3,4,5,6,.5,51,.5,0", "ellipsoid is out of range"},
        {"ray,1.1e9,2,3,4,5,6,0,0,0,0", "ray is out of range"},
        {"ray,1,2,3,1e39,5,6,0,0,0,0", "ray is out of range"},
        {"capsule,1,2,3,4,5,6,.5,,,51", "capsule is out of range"},
        {"ball,1,2,3,4,5,6,.5,.5,.5,.5", "only a capsule has a half_height above 0"},
        {"ball,1,2,3,4,5,6,.5,.5,.5,-1", "ball is out of range"},
        {"ball,1,2,3,4,5,6,.5,.5,.5,x", "half_height 'x'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        char text[512], place[96];
        snprintf(text, sizeof text, HEADER "ray,1,2,3,4,5,6,0,0,0,0\n%s\nray,1,2,3,4,5,6,0,0,0,0\n",
                 cases[i].line);
        Reading r = reading(text);
        snprintf(place, sizeof place, "%s:3: ", r.file.path);
        cr_expect(!r.good && strstr(r.message, place) && strstr(r.message, cases[i].complaint),
                  "'%s' gives '%s'", cases[i].line, r.message);
        cr_expect(r.casts.list == NULL && r.casts.count == 0);
    }
}

Test(cast_files, binary_input_is_refused_at_its_first_line)
{
    static const char zero[] = "ray,1,2,3,4,5,6,0\0,0,0,0\n";
    Reading r = reading_of(zero, sizeof zero - 1);
    cr_expect(!r.good && strstr(r.message, ":1: a zero byte"), "%s", r.message);
    char *endless = malloc(100000);
    memset(endless, '7', 100000);
    r = reading_of(endless, 100000);
    free(endless);
    cr_expect(!r.good && strstr(r.message, ":1: the line is longer than 1023"), "%s", r.message);
    r = reading("");
    cr_expect(!r.good && strstr(r.message, "holds no queries"), "%s", r.message);
    r = reading(HEADER);
    cr_expect(!r.good && strstr(r.message, "holds no queries"), "%s", r.message);
    char message[512];
    Casts casts;
    cr_expect(!casts_read("/nowhere/at/all.csv", &casts, message, sizeof message) &&
                  strstr(message, "/nowhere/at/all.csv"),
              "%s", message);
    cr_expect(!casts_read("/tmp", &casts, message, sizeof message) && strstr(message, "/tmp"), "%s", message);
}

Test(cast_files, written_results_read_back_the_same)
{
    Reading r = reading(HEADER "ray,1,2,3,4,5,6,0,0,0,0\nball,1,2,3,4,5,6,1,1,1,0\n");
    cr_assert(r.good, "%s", r.message);
    r.casts.hits[1] = (sidle_cast_hit){.t = 1.0 / 3,
                                       .point = {.1, 1e-300, -7e9},
                                       .normal = {.1f, -.7f, 1e-30f},
                                       .hit = SIDLE_CAST_HIT,
                                       .instance = {3, 1},
                                       .triangle = 4000000000u,
                                       .surface = 65535};
    char text[1024] = "";
    FILE *file = tmpfile();
    cr_assert(file && casts_write(&r.casts, file));
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *begin = "hit,t,cx,cy,cz,nx,ny,nz,triangle,instance,surface\n0,0,0,0,0,0,0,0,0,0,0\n1,";
    cr_assert_eq(strncmp(text, begin, strlen(begin)), 0, "%s", text);
    double t, x, y, z, nx, ny, nz;
    unsigned triangle, instance, surface;
    cr_assert_eq(sscanf(text + strlen(begin), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%u,%u,%u", &t, &x, &y, &z, &nx,
                        &ny, &nz, &triangle, &instance, &surface),
                 10);
    cr_expect(t == 1.0 / 3 && x == .1 && y == 1e-300 && z == -7e9);
    cr_expect((float)nx == .1f && (float)ny == -.7f && (float)nz == 1e-30f);
    cr_expect(triangle == 4000000000u && instance == 3 && surface == 65535);
    uint64_t hash = casts_hash(&r.casts);
    r.casts.hits[1].surface = 1;
    cr_expect(casts_hash(&r.casts) != hash);
    casts_free(&r.casts);
    FILE *full = fopen("/dev/full", "w");
    if (full)
    {
        Casts many = {.count = 100000, .hits = calloc(100000, sizeof(sidle_cast_hit))};
        cr_expect(!casts_write(&many, full));
        free(many.hits);
        fclose(full);
    }
}
