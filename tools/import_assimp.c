/* Reads any format that Assimp knows, through its C interface. */
#include "level.h"

#include "archive.h"
#include "readers.h"

#ifdef SIDLE_HAVE_ASSIMP

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

/* [Limit] Scenes nest a few dozen deep. A file that nests thousands deep would exhaust the stack. */
enum
{
    NODE_DEPTH_LIMIT = 512
};

typedef struct Import
{
    const char *name;
    const struct aiScene *scene;
    Level *level;
    uint32_t points_and_lines;
    char *message;
    int message_size;
} Import;

static bool check_mesh(const Import *import, unsigned number)
{
    const struct aiMesh *mesh = import->scene->mMeshes[number];
    for (unsigned i = 0; i < mesh->mNumVertices; ++i)
    {
        const struct aiVector3D *v = &mesh->mVertices[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return file_fail(import->message, import->message_size,
                             "%s: vertex %u of mesh %u ('%.64s') is not a finite number", import->name, i,
                             number, mesh->mName.data);
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
        for (unsigned k = 0; k < mesh->mFaces[i].mNumIndices; ++k)
            if (mesh->mFaces[i].mIndices[k] >= mesh->mNumVertices)
                return file_fail(import->message, import->message_size,
                                 "%s: face %u of mesh %u ('%.64s') uses vertex %u of only %u", import->name,
                                 i, number, mesh->mName.data, mesh->mFaces[i].mIndices[k],
                                 mesh->mNumVertices);
    return true;
}

static void transform_point(const struct aiMatrix4x4 *m, const struct aiVector3D *v, double out[3])
{
    double x = (double)v->x, y = (double)v->y, z = (double)v->z;
    out[0] = (double)m->a1 * x + (double)m->a2 * y + (double)m->a3 * z + (double)m->a4;
    out[1] = (double)m->b1 * x + (double)m->b2 * y + (double)m->b3 * z + (double)m->b4;
    out[2] = (double)m->c1 * x + (double)m->c2 * y + (double)m->c3 * z + (double)m->c4;
}

/* A node that mirrors turns every triangle inside out, so its corners are taken in reverse order. */
static bool mirrors(const struct aiMatrix4x4 *m)
{
    double minor_a = (double)m->b2 * (double)m->c3 - (double)m->b3 * (double)m->c2;
    double minor_b = (double)m->b1 * (double)m->c3 - (double)m->b3 * (double)m->c1;
    double minor_c = (double)m->b1 * (double)m->c2 - (double)m->b2 * (double)m->c1;
    return (double)m->a1 * minor_a - (double)m->a2 * minor_b + (double)m->a3 * minor_c < 0;
}

static bool add_mesh(Import *import, const struct aiMesh *mesh, const struct aiMatrix4x4 *transform)
{
    uint32_t base = import->level->vertex_count, index;
    for (unsigned i = 0; i < mesh->mNumVertices; ++i)
    {
        double p[3];
        transform_point(transform, &mesh->mVertices[i], p);
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
            return file_fail(import->message, import->message_size,
                             "%s: vertex %u of mesh '%.64s' is not finite after its node's transform",
                             import->name, i, mesh->mName.data);
        if (!level_add_vertex(import->level, p[0], p[1], p[2], &index))
            return file_fail(import->message, import->message_size, "%s: out of memory", import->name);
    }
    bool flip = mirrors(transform);
    uint16_t surface = (uint16_t)(mesh->mMaterialIndex < UINT16_MAX ? mesh->mMaterialIndex : UINT16_MAX);
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
    {
        const struct aiFace *face = &mesh->mFaces[i];
        if (face->mNumIndices != 3)
            ++import->points_and_lines;
        else if (!level_add_triangle(import->level, base + face->mIndices[0],
                                     base + face->mIndices[flip ? 2 : 1], base + face->mIndices[flip ? 1 : 2],
                                     surface))
            return file_fail(import->message, import->message_size, "%s: out of memory", import->name);
    }
    return true;
}

static bool add_node(Import *import, const struct aiNode *node, const struct aiMatrix4x4 *parent, int depth)
{
    if (depth > NODE_DEPTH_LIMIT)
        return file_fail(import->message, import->message_size, "%s: nodes nest more than %d deep",
                         import->name, NODE_DEPTH_LIMIT);
    struct aiMatrix4x4 transform = *parent;
    aiMultiplyMatrix4(&transform, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if (!add_mesh(import, import->scene->mMeshes[node->mMeshes[i]], &transform))
            return false;
    for (unsigned i = 0; i < node->mNumChildren; ++i)
        if (!add_node(import, node->mChildren[i], &transform, depth + 1))
            return false;
    return true;
}

static const struct aiScene *import_scene(const char *name)
{
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    /* Only positions are used. Without normals and texture coordinates, vertices that a renderer needs
     * twice become one. */
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_RVC_FLAGS,
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                   aiComponent_COLORS | aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS |
                                   aiComponent_ANIMATIONS | aiComponent_TEXTURES | aiComponent_LIGHTS |
                                   aiComponent_CAMERAS);
    /* Validation comes first: the later steps trust the indices. */
    unsigned steps = aiProcess_ValidateDataStructure | aiProcess_RemoveComponent | aiProcess_Triangulate |
                     aiProcess_JoinIdenticalVertices;
    const struct aiScene *scene = aiImportFileExWithProperties(name, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    return scene;
}

static bool fill_level(Import *import)
{
    const struct aiScene *scene = import->scene;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
        if (!check_mesh(import, i))
            return false;
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    if (!add_node(import, scene->mRootNode, &identity, 0))
        return false;
    if (import->level->triangle_count == 0)
        return file_fail(import->message, import->message_size, "%s: the file holds no triangles",
                         import->name);
    if (import->points_and_lines > 0)
        snprintf(import->level->report, sizeof import->level->report, "dropped: %u points and lines",
                 (unsigned)import->points_and_lines);
    return true;
}

static double metadata_number(const struct aiScene *scene, const char *key, double otherwise)
{
    const struct aiMetadata *metadata = scene->mMetaData;
    for (unsigned i = 0; metadata && i < metadata->mNumProperties; ++i)
    {
        const struct aiMetadataEntry *entry = &metadata->mValues[i];
        if (strcmp(metadata->mKeys[i].data, key) != 0)
            continue;
        if (entry->mType == AI_DOUBLE)
            return *(const double *)entry->mData;
        if (entry->mType == AI_FLOAT)
            return (double)*(const float *)entry->mData;
        if (entry->mType == AI_INT32)
            return *(const int32_t *)entry->mData;
    }
    return otherwise;
}

/* FBX alone states how many centimetres its unit has. The importer reports that and does not apply it. */
static double unit_in_metres(const struct aiScene *scene)
{
    double centimetres = metadata_number(scene, "UnitScaleFactor", 100);
    return centimetres > 0 && centimetres < 1e12 ? centimetres / 100 : 1;
}

/* FBX also states its up axis (0, 1, 2). Assimp 5.2 does not rotate the scene; later versions rotate the
 * root node. */
static char up_axis(const struct aiScene *scene)
{
    const struct aiMatrix4x4 *m = &scene->mRootNode->mTransformation;
    bool is_turned = m->a1 <= 0 || m->b2 <= 0 || m->c3 <= 0;
    double axis = metadata_number(scene, "UpAxis", 1);
    return is_turned ? 'y' : axis == 0 ? 'x' : axis == 2 ? 'z' : 'y';
}

static bool is_obj(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && name[length - 4] == '.' && (name[length - 3] | 32) == 'o' &&
           (name[length - 2] | 32) == 'b' && (name[length - 1] | 32) == 'j';
}

/* Assimp's messages name neither line nor element. So the two usual faults of OBJ files are searched before
 * Assimp reads the file. */
static bool check_obj_file(const char *name, char *message, int message_size)
{
    FileBytes file = {NULL, 0};
    bool good =
        file_read(name, &file, message, message_size) && obj_check(name, &file, message, message_size);
    free(file.data);
    return good;
}

static bool extension_is_known(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && !strpbrk(dot, "/\\") && aiIsExtensionSupported(dot);
}

bool level_read_assimp(const char *name, const LevelOptions *options, Level *level, char *message,
                       int message_size)
{
    if (!file_check(name, message, message_size))
        return false;
    if (!extension_is_known(name))
        return file_fail(
            message, message_size,
            "%s: unknown kind of file (a level is an OBJ, glTF, FBX, PLY, STL or another file that "
            "Assimp reads, FILE.bsp, FILE.pk3:NAME or gen:NAME)",
            name);
    Import import = {.name = name, .level = level, .message = message, .message_size = message_size};
    if (is_obj(name) && !check_obj_file(name, message, message_size))
        return false;
    import.scene = import_scene(name);
    if (!import.scene || !import.scene->mRootNode)
        return file_fail(message, message_size, "%s: %s", name, aiGetErrorString());
    bool filled = fill_level(&import);
    double unit = filled ? unit_in_metres(import.scene) : 1;
    char up = filled ? up_axis(import.scene) : 'y';
    aiReleaseImport(import.scene);
    if (!filled)
    {
        level_free(level);
        return false;
    }
    file_orient(level, options->scale > 0 ? options->scale : unit, options->up ? options->up : up);
    return true;
}

#else

bool level_read_assimp(const char *name, const LevelOptions *options, Level *level, char *message,
                       int message_size)
{
    (void)options;
    (void)level;
    return file_fail(
        message, message_size,
        "%s: this build reads only Quake 3 maps and generators; build it with Assimp (Debian package "
        "libassimp-dev) for other files",
        name);
}

#endif
