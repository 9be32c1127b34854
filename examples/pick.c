/* What is under the mouse: a pixel and the camera give a ray, and a cast its first hit. */
#include "courtyard.h"

#include <math.h>

#define WIDTH  1280 /* pixels */
#define HEIGHT 720
#define FOV    1.0471975512 /* radians, from the top of the picture to its bottom */
#define FAR    100          /* metres */

/* `right`, `up` and `back` are unit vectors, at right angles to one another. */
typedef struct Camera
{
    sidle_position eye;
    sidle_position right, up, back;
} Camera;

static double dot(sidle_position a, sidle_position b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Looks down by 30 degrees, towards -z. */
static const Camera camera = {{0, 5, 8}, {1, 0, 0}, {0, .86602540378, -.5}, {0, .5, .86602540378}};

/* The path from the eye through a pixel, up to FAR. Pixels count from the upper left corner. */
static sidle_vec3 through(double pixel_x, double pixel_y)
{
    double half = tan(FOV / 2), x = (2 * pixel_x / WIDTH - 1) * half * WIDTH / HEIGHT,
           y = (1 - 2 * pixel_y / HEIGHT) * half, scale = FAR / sqrt(x * x + y * y + 1);
    const sidle_position *r = &camera.right, *u = &camera.up, *b = &camera.back;
    return (sidle_vec3){(float)(scale * (x * r->x + y * u->x - b->x)),
                        (float)(scale * (x * r->y + y * u->y - b->y)),
                        (float)(scale * (x * r->z + y * u->z - b->z))};
}

/* How far from the pixel the point is drawn [pixels]. */
static double pixels_off(sidle_position point, double pixel_x, double pixel_y)
{
    sidle_position to = {point.x - camera.eye.x, point.y - camera.eye.y, point.z - camera.eye.z};
    double scale = HEIGHT / (2 * tan(FOV / 2) * -dot(to, camera.back));
    return hypot(WIDTH / 2. + dot(to, camera.right) * scale - pixel_x,
                 HEIGHT / 2. - dot(to, camera.up) * scale - pixel_y);
}

/* The key is the engine's own number of the object. */
static void add_crate(sidle_world *world, uint64_t key, sidle_position at)
{
    float vertices[72];
    sidle_mesh_desc sides = {
        .size = sizeof sides, .vertices_f = vertices, .vertex_count = 24, .triangle_count = 8};
    courtyard_box(vertices, 0, 0, .5f, .5f, 1);
    sidle_instance_desc placed = {.size = sizeof placed, .pose.position = at, .key = key};
    must(sidle_mesh_create(&sides, NULL, NULL, &placed.mesh));
    sidle_instance instance;
    must(sidle_world_add(world, &placed, &instance));
    sidle_mesh_release(placed.mesh);
}

int main(void)
{
    static const char *const names[3] = {"the courtyard", "crate 1", "crate 2"};
    static const struct
    {
        double x, y;
        int object; /* -1: the sky */
    } clicks[6] = {{640, 360, 0}, {200, 500, 0}, {100, 20, -1}, {572, 353, 1}, {726, 297, 2}, {800, 330, 0}};
    sidle_world *world = courtyard_world(NULL);
    add_crate(world, 1, (sidle_position){-1, 0, 0});
    add_crate(world, 2, (sidle_position){1.5, 0, -2});
    must(sidle_world_commit(world, NULL));
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    int wrong = 0;
    for (int i = 0; i < 6; ++i)
    {
        sidle_cast ray = {.origin = camera.eye, .displacement = through(clicks[i].x, clicks[i].y)};
        sidle_cast_hit hit;
        must(sidle_cast_closest(snapshot, 0, &ray, &hit));
        printf("(%4.0f, %3.0f): ", clicks[i].x, clicks[i].y);
        if (hit.hit == SIDLE_CAST_HIT)
        {
            printf("%s, triangle %u, %.1f m away, at (%.1f, %.1f, %.1f)\n", names[hit.instance_key],
                   hit.triangle, hit.t * FAR, hit.point.x, hit.point.y, hit.point.z);
            wrong += (int)hit.instance_key != clicks[i].object ||
                     pixels_off(hit.point, clicks[i].x, clicks[i].y) > .01;
        }
        else
        {
            printf("nothing\n");
            wrong += clicks[i].object >= 0;
        }
    }
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return wrong > 0;
}
