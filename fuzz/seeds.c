/* Writes what is worth beginning with and no text into FOLDER/NAME of each fuzzer. Made anew each time, so
 * that it is of today's format. */
#include "seeds.h"

#include "support/blobs.h"
#include "support/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef SIDLE_HAVE_ZIP
#include <zip.h>
#endif

#define PATH_SIZE 4096

static void fail(const char *what)
{
    fprintf(stderr, "seeds: %s\n", what);
    exit(1);
}

void write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    {
        fail(path);
    }
}

/* ---- Blobs. ---- */

/* Anywhere in memory. */
static void scale(void *numbers, size_t count, float factor)
{
    for (size_t i = 0; i < count; ++i)
    {
        float number;
        char *at = (char *)numbers + i * sizeof number;
        memcpy(&number, at, sizeof number);
        number *= factor;
        memcpy(at, &number, sizeof number);
    }
}

/* By a power of two, which only changes the exponents of the steps. */
static void scale_packet(LeafPacket *packet, float factor)
{
    PacketAxis axes[3];
    packet_axes(packet, axes);
    scale(packet->base, 3, factor);
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        if (axes[axis].form == 2)
        {
            scale(packet->rest + (axes[axis].at - packet->rest),
                  packet_axis_size(packet->vertex_count, 2) / sizeof(float), factor);
            continue;
        }
        float step = axes[axis].step * factor;
        uint32_t bits;
        memcpy(&bits, &step, sizeof bits);
        packet->exponent[axis] = (uint8_t)(bits >> 23);
    }
}

/* As no bake would make it: everything as large, or as small, as floats can say. */
static void scale_blob(const Blob *blob, float factor)
{
    BlobHeader *header = blob_header(blob);
    BvhNode *nodes = blob_nodes(blob);
    scale(header->bounds_min, 3, factor);
    scale(header->bounds_max, 3, factor);
    for (uint32_t i = 0; i < header->node_count; ++i)
    {
        scale(nodes[i].min_x, 6 * BVH_WIDTH, factor);
        for (uint32_t k = 0; k < BVH_WIDTH; ++k)
        {
            uint32_t unit = nodes[i].child[k] & ~BVH_LEAF;
            if (nodes[i].child[k] & BVH_LEAF)
            {
                unsigned char *at = blob->bytes + header->packets_offset + (size_t)unit * PACKET_UNIT;
                scale_packet((LeafPacket *)(void *)at, factor);
            }
        }
    }
    blob_seal(blob);
}

static void write_blob(const char *folder, const char *name, int cells, float factor)
{
    Blob blob = blob_of_terrain(cells);
    if (factor != 1)
    {
        scale_blob(&blob, factor);
    }
    write_file(folder, name, blob.bytes, blob.size);
    blob_free(&blob);
}

/* ---- Maps. ---- */

enum
{
    MAP_SIZE = 144 + 72 + 40 + 13 * 44 + 6 * 4 + 3 * 104
};

typedef struct MapWriter
{
    unsigned char bytes[MAP_SIZE];
    size_t used;
} MapWriter;

static void put_word(MapWriter *map, size_t at, uint32_t word)
{
    for (int i = 0; i < 4; ++i)
    {
        map->bytes[at + (size_t)i] = (unsigned char)(word >> 8 * i);
    }
}

static void put_float(MapWriter *map, size_t at, float number)
{
    uint32_t word;
    memcpy(&word, &number, sizeof word);
    put_word(map, at, word);
}

/* Begins a lump behind the ones before; returns where. */
static size_t put_lump(MapWriter *map, uint32_t number, uint32_t size)
{
    size_t at = map->used;
    put_word(map, 8 + 8 * number, (uint32_t)at);
    put_word(map, 12 + 8 * number, size);
    map->used += size;
    return at;
}

static void put_vertices(MapWriter *map)
{
    size_t at = put_lump(map, 10, 13 * 44);
    for (uint32_t i = 0; i < 13; ++i)
    {
        uint32_t row = i < 4 ? i / 2 : (i - 4) / 3, column = i < 4 ? i % 2 : (i - 4) % 3;
        put_float(map, at + i * 44, 64.f * (float)column);
        put_float(map, at + i * 44 + 4, 64.f * (float)row);
        put_float(map, at + i * 44 + 8, i < 4 ? 0 : 16.f * (float)(column * row));
    }
}

static void put_face(MapWriter *map, size_t at, uint32_t type, uint32_t first_vertex, uint32_t vertex_count)
{
    put_word(map, at + 8, type);
    put_word(map, at + 12, first_vertex);
    put_word(map, at + 16, vertex_count);
    put_word(map, at + 24, type == 1 ? 6 : 0);
    put_word(map, at + 96, type == 2 ? 3 : 0);
    put_word(map, at + 100, type == 2 ? 3 : 0);
}

/* A square of two triangles, a patch of nine control points and a billboard, all of one solid shader. */
static void make_map(MapWriter *map)
{
    static const uint32_t offsets[6] = {0, 1, 3, 0, 3, 2};
    *map = (MapWriter){.used = 144};
    memcpy(map->bytes, "IBSP", 4);
    put_word(map, 4, 46);
    size_t shader = put_lump(map, 1, 72), model = put_lump(map, 7, 40);
    memcpy(map->bytes + shader, "textures/fuzz", 13);
    put_word(map, shader + 68, 1);
    put_word(map, model + 28, 3);
    put_vertices(map);
    size_t offset = put_lump(map, 11, sizeof offsets), faces = put_lump(map, 13, 3 * 104);
    for (size_t i = 0; i < 6; ++i)
    {
        put_word(map, offset + 4 * i, offsets[i]);
    }
    put_face(map, faces, 1, 0, 4);
    put_face(map, faces + 104, 2, 4, 9);
    put_face(map, faces + 208, 4, 0, 1);
}

#ifdef SIDLE_HAVE_ZIP

static void write_archive(const char *folder, const char *name, const MapWriter *map, zip_int32_t method)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    zip_source_t *source = archive ? zip_source_buffer(archive, map->bytes, sizeof map->bytes, 0) : NULL;
    zip_int64_t index = source ? zip_file_add(archive, "maps/Tiny.bsp", source, 0) : -1;
    if (index < 0 || zip_set_file_compression(archive, (zip_uint64_t)index, method, 0) != 0 ||
        zip_dir_add(archive, "maps", 0) < 0 || zip_close(archive) != 0)
    {
        fail(path);
    }
}

#endif

static void write_maps(const char *folder)
{
    MapWriter map;
    make_map(&map);
    write_file(folder, "map", map.bytes, sizeof map.bytes);
#ifdef SIDLE_HAVE_ZIP
    write_archive(folder, "stored", &map, ZIP_CM_STORE);
    write_archive(folder, "deflated", &map, ZIP_CM_DEFLATE);
#endif
}

/* ---- Captures. ---- */

/* Small enough for the fuzzer's max_len. The first of several agents that collide. */
static void write_capture_among(const char *folder, const char *name, SceneOptions options, sidle_move *moves,
                                uint32_t count)
{
    static char text[8192];
    size_t length = 0;
    Soup soup = {0};
    soup_floor(&soup, 3, 0);
    soup_ridge(&soup, 2, 1, .5);
    soup_wall(&soup, 2, 1);
    options.pieces = SCENE_QUAD_EACH;
    Scene scene = scene_of(soup, options);
    moves->body.ground = scene.instances[0];
    sidle_capture_desc desc = {
        .size = sizeof desc, .snapshot = scene.snapshot, .dt = 1 / 60.f, .move = moves};
    desc.moves = moves;
    desc.count = count;
    desc.flags = count > 1 ? SIDLE_TICK_AGENTS_COLLIDE : 0;
    desc.text = text;
    desc.capacity = sizeof text;
    desc.length = &length;
    demand(sidle_capture_move(scene.crowd, &desc), "sidle_capture_move");
    write_file(folder, name, text, length);
    scene_close(&scene);
}

static void write_capture(const char *folder, const char *name, SceneOptions options, sidle_move move)
{
    write_capture_among(folder, name, options, &move, 1);
}

static void write_captures(const char *folder)
{
    sidle_move move = {.id = 7, .body.center = {-.5, 1.02, 0}, .displacement = {.6f, -.1f, .05f}};
    write_capture(folder, "flies", flying_ball(), move);
    write_capture(folder, "slides", sliding_ball(), move);
    move.body.flags = SIDLE_BODY_GROUNDED;
    write_capture(folder, "walks", walking_ball(), move);
    sidle_move moves[3] = {move, move, move};
    for (uint32_t i = 1; i < 3; ++i)
    {
        moves[i].id = i;
        moves[i].body.center.x += i == 1 ? 2.1 : -1.9;
    }
    write_capture_among(folder, "walks_among_agents", walking_ball(), moves, 3);
    write_capture_among(folder, "flies_among_agents", flying_ball(), moves, 3);
    move.body.center = (sidle_position){0, .5, 0}; /* in an overlap */
    write_capture(folder, "overlaps", walking_ball(), move);
    SceneOptions few = flying_ball();
    few.max_candidates = 3;
    write_capture(folder, "too_many", few, move);
}

/* Any bytes are a crowd. */
static void write_drawn(const char *folder, uint32_t size)
{
    Random random = random_seeded(9);
    for (int i = 0; i < 24; ++i)
    {
        unsigned char bytes[4000];
        char name[16];
        for (size_t k = 0; k < size; ++k)
        {
            bytes[k] = (unsigned char)random_below(&random, 256);
        }
        snprintf(name, sizeof name, "drawn_%d", i);
        write_file(folder, name, bytes, size);
    }
}

static void write_crowds(const char *folder)
{
    write_drawn(folder, 600);
}

static void write_sleepers(const char *folder)
{
    write_drawn(folder, 4000);
}

int main(int argc, char **argv)
{
    char folder[PATH_SIZE];
    if (argc != 2)
    {
        fail("names no folder");
    }
    mkdir(argv[1], 0777);
    snprintf(folder, sizeof folder, "%s/blob", argv[1]);
    mkdir(folder, 0777);
    write_blob(folder, "empty", 0, 1);
    write_blob(folder, "two", 1, 1);
    write_blob(folder, "some", 6, 1);
    write_blob(folder, "large", 2, 0x1p29f); /* just inside of SIDLE_MAX_COORDINATE */
    write_blob(folder, "huge", 2, 0x1p100f);
    write_blob(folder, "tiny", 2, 0x1p-130f);
    snprintf(folder, sizeof folder, "%s/level", argv[1]);
    mkdir(folder, 0777);
    write_maps(folder);
    static SeedsWriter *const writers[] = {write_sweeps,   write_slides, write_projections, write_bakes,
                                           write_captures, write_crowds, write_sleepers};
    static const char *const names[] = {"sweep", "slide", "project", "bake", "replay", "crowd", "sleep"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    {
        snprintf(folder, sizeof folder, "%s/%s", argv[1], names[i]);
        mkdir(folder, 0777);
        writers[i](folder);
    }
    return 0;
}
