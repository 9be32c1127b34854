/* The readers of levels: Quake 3 maps, alone or in archives, and the look at an OBJ before Assimp gets it.
 * Which of them, the first bytes say. Neither libzip nor Assimp are meant. */
#include "fuzz.h"

#include "tools/archive.h"
#include "tools/level.h"
#include "tools/readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_level(const Level *level)
{
    for (size_t i = 0; i < 3 * (size_t)level->vertex_count; i++)
    {
        fuzz_demand(isfinite(level->vertices[i]), "a coordinate is not finite");
    }
    for (size_t i = 0; i < 3 * (size_t)level->triangle_count; i++)
    {
        fuzz_demand(level->indices[i] < level->vertex_count, "a triangle without its vertex");
    }
}

static void check_message(const char message[FUZZ_MESSAGE_SIZE])
{
    fuzz_demand(message[0] && memchr(message, 0, FUZZ_MESSAGE_SIZE), "no reason");
}

static void read_map(const FileBytes *file)
{
    static const LevelOptions options = {0};
    char message[FUZZ_MESSAGE_SIZE] = "";
    Level level = {0};
    if (quake3_read_bytes("map", file, &options, &level, message, sizeof message))
    {
        check_level(&level);
        level_free(&level);
        return;
    }
    check_message(message);
    fuzz_demand(!level.vertices && !level.indices && !level.surfaces, "something is left of a failure");
}

static void read_archive(const uint8_t *data, size_t size, const char *map)
{
    char message[FUZZ_MESSAGE_SIZE] = "";
    FileBytes file = {NULL, 0};
    if (archive_read_map(fuzz_file(data, size), map, &file, message, sizeof message))
    {
        read_map(&file);
        free(file.data);
        return;
    }
    check_message(message);
    fuzz_demand(!file.data, "something is left of a failure");
}

static void scan_obj(const FileBytes *file)
{
    char message[FUZZ_MESSAGE_SIZE] = "";
    if (!obj_check("obj", file, message, sizeof message))
    {
        check_message(message);
    }
}

/* As file_read would give them, but in memory of just this size, so that a look behind it is noticed. */
static FileBytes copy_of(const uint8_t *data, size_t size)
{
    FileBytes file = {malloc(size + 1), size};
    fuzz_demand(file.data != NULL, "no memory");
    memcpy(file.data, data, size);
    file.data[size] = 0;
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
    {
        return 0; /* no reader gets to see an empty file */
    }
    if (size > 2 && memcmp(data, "PK", 2) == 0)
    {
        read_archive(data, size, "tiny");
        read_archive(data, size, "");
        return 0;
    }
    FileBytes file = copy_of(data, size);
    (data[0] == 'I' ? read_map : scan_obj)(&file);
    free(file.data);
    return 0;
}
