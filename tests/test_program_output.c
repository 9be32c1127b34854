/* What the program writes: JSON, files that appear whole or not at all, times; and what it accepts in CSV files. */
#include "support/file.h"
#include "tools/agents.h"
#include "tools/casts.h"
#include "tools/console.h"
#include "tools/draft.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/utf8.h"

#include <criterion/criterion.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef _WIN32
#include <sys/wait.h>
#endif

#define TEXT_SIZE 1024

static void read_back(FILE *file, char text[TEXT_SIZE])
{
    rewind(file);
    text[fread(text, 1, TEXT_SIZE - 1, file)] = '\0';
    fclose(file);
}

/* ---- JSON. ---- */

typedef struct Output
{
    Json json;
    char text[TEXT_SIZE];
} Output;

static Output output_begin(void)
{
    Output output;
    FILE *file = tmpfile();
    cr_assert(file != NULL);
    json_begin(&output.json, file);
    return output;
}

static void output_end(Output *output)
{
    json_end(&output->json);
    read_back(output->json.file, output->text);
}

Test(json, broken_bytes_become_replacement_characters)
{
    Output o = output_begin();
    json_text(&o.json, "whole", "a\"\\\n\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    json_text(&o.json, "stray", "\x80|\xFF|\xC3|\xE2\x82|");
    json_text(&o.json, "overlong", "\xC0\xAF|\xE0\x80\xAF");
    json_text(&o.json, "surrogate", "\xED\xA0\x80");
    json_text(&o.json, "beyond", "\xF4\x90\x80\x80");
    output_end(&o);
    cr_expect_str_eq(o.text, "{\n  \"whole\": \"a\\\"\\\\\\u000a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\",\n"
                             "  \"stray\": \"\\ufffd|\\ufffd|\\ufffd|\\ufffd\\ufffd|\",\n"
                             "  \"overlong\": \"\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd\",\n"
                             "  \"surrogate\": \"\\ufffd\\ufffd\\ufffd\",\n"
                             "  \"beyond\": \"\\ufffd\\ufffd\\ufffd\\ufffd\"\n}\n");
}

Test(json, numbers_have_no_more_digits_than_their_bits)
{
    const double doubles[] = {.1, 1. / 3, 1e300, -0.0, 4.35, 0.1 + 0.2};
    const float floats[] = {.1f, .4f, 16777216.f, 1.f / 3};
    Output o = output_begin();
    json_numbers(&o.json, "doubles", doubles, 6);
    json_floats(&o.json, "floats", floats, 4);
    json_float(&o.json, "float", .9f);
    json_rounded(&o.json, "rounded", 2123456.789);
    json_rounded(&o.json, "small", 1.23456789e-7);
    json_number(&o.json, "nothing", (double)NAN);
    output_end(&o);
    cr_expect_str_eq(o.text,
                     "{\n  \"doubles\": [0.1, 0.3333333333333333, 1e+300, -0, 4.35, 0.30000000000000004],\n"
                     "  \"floats\": [0.1, 0.4, 16777216, 0.33333334],\n"
                     "  \"float\": 0.9,\n  \"rounded\": 2123460,\n  \"small\": 1.23457e-07,\n"
                     "  \"nothing\": null\n}\n");
}

Test(json, arrays_hold_objects_or_nothing)
{
    Output o = output_begin();
    json_array_begin(&o.json, "none");
    json_array_end(&o.json);
    json_array_begin(&o.json, "two");
    for (uint64_t i = 1; i <= 2; i++)
    {
        json_object_begin(&o.json, NULL);
        json_count(&o.json, "i", i);
        json_object_end(&o.json);
    }
    json_array_end(&o.json);
    json_null(&o.json, "after");
    output_end(&o);
    cr_expect_str_eq(
        o.text, "{\n  \"none\": [],\n  \"two\": [\n    {\n      \"i\": 1\n    },\n    {\n      \"i\": 2\n"
                "    }\n  ],\n  \"after\": null\n}\n");
}

Test(json, every_command_takes_the_option)
{
    static const Command commands[] = {COMMAND_CROWD, COMMAND_INFO, COMMAND_BAKE, COMMAND_CAST,
                                       COMMAND_REPLAY};
    for (int i = 0; i < 5; i++)
    {
        char name[] = "command", level[] = "gen:stairs", json[] = "--json";
        char *arguments[] = {name, level, json, NULL};
        Options options;
        int exit_code;
        cr_expect(options_parse(commands[i], 3, arguments, &options, &exit_code) && options.json,
                  "command %d", (int)commands[i]);
    }
}

/* ---- UTF-8. ---- */

Test(utf8, every_character_reads_back)
{
    for (uint32_t c = 0x80; c <= 0x10FFFF; c++)
    {
        char text[5] = {0};
        if (c < 0x800)
        {
            text[0] = (char)(0xC0 | c >> 6), text[1] = (char)(0x80 | (c & 0x3F));
        }
        else if (c < 0x10000)
        {
            text[0] = (char)(0xE0 | c >> 12), text[1] = (char)(0x80 | (c >> 6 & 0x3F));
            text[2] = (char)(0x80 | (c & 0x3F));
        }
        else
        {
            text[0] = (char)(0xF0 | c >> 18), text[1] = (char)(0x80 | (c >> 12 & 0x3F));
            text[2] = (char)(0x80 | (c >> 6 & 0x3F)), text[3] = (char)(0x80 | (c & 0x3F));
        }
        bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
        const char *rest = text;
        uint32_t found = utf8_next(&rest);
        cr_assert_eq(found, is_surrogate ? UTF8_REPLACEMENT : c, "U+%04X reads as U+%04X", c, found);
        cr_assert(is_surrogate || *rest == '\0');
    }
}

/* ---- Files that replace others. ---- */

static void expect_holds(const char *path, const char *wanted)
{
    char text[TEXT_SIZE];
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s is gone", path);
    read_back(file, text);
    cr_expect_str_eq(text, wanted);
}

static bool has_part(const char *path)
{
    char part[128];
    snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    return access(part, F_OK) == 0;
}

Test(draft, the_old_file_stays_until_the_new_one_is_whole)
{
    char message[MESSAGE_SIZE];
    File file = file_of("old", 3);
    Draft draft;
    cr_assert(draft_begin(file.path, &draft, message, MESSAGE_SIZE), "%s", message);
    fputs("new", draft.file);
    fflush(draft.file);
    expect_holds(file.path, "old");
    cr_expect(has_part(file.path));
    cr_assert(draft_publish(&draft, message, MESSAGE_SIZE), "%s", message);
    expect_holds(file.path, "new");
    cr_expect_not(has_part(file.path));

    cr_assert(draft_begin(file.path, &draft, message, MESSAGE_SIZE), "%s", message);
    fputs("dropped", draft.file);
    draft_drop(&draft);
    expect_holds(file.path, "new");
    cr_expect_not(has_part(file.path));

    cr_expect(draft_is_possible(file.path, message, MESSAGE_SIZE), "%s", message);
    expect_holds(file.path, "new");
    cr_expect_not(has_part(file.path));
    file_remove(&file);
}

Test(draft, what_cannot_be_written_is_named)
{
    static const char *const names[] = {"/nonexistent/folder/file", "/tmp"};
    for (int i = 0; i < 2; i++)
    {
        char message[MESSAGE_SIZE] = "";
        Draft draft;
        cr_expect_not(draft_is_possible(names[i], message, MESSAGE_SIZE));
        cr_expect(strstr(message, names[i]) == message, "%s", message);
        cr_expect_not(draft_begin(names[i], &draft, message, MESSAGE_SIZE));
    }
}

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

Test(draft, an_interrupt_leaves_the_old_file_and_no_part)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++)
    {
        File file = file_of("old", 3);
        char part[128];
        pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
        {
            char message[MESSAGE_SIZE];
            Draft draft;
            signal(signals[i], SIG_DFL);
            if (draft_begin(file.path, &draft, message, MESSAGE_SIZE) && has_part(file.path))
            {
                fputs("half", draft.file);
                raise(signals[i]);
            }
            _exit(1);
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == signals[i], "the child ended with %d", status);
        snprintf(part, sizeof part, "%s.%ld.part", file.path, (long)child);
        cr_expect(access(part, F_OK) != 0, "%s was left", part);
        expect_holds(file.path, "old");
        file_remove(&file);
    }
}

Test(draft, links_and_permissions_stay)
{
    char message[MESSAGE_SIZE], link_path[80];
    File file = file_of("old", 3);
    struct stat status;
    Draft draft;
    cr_assert_eq(chmod(file.path, 0640), 0);
    snprintf(link_path, sizeof link_path, "%s.link", file.path);
    cr_assert_eq(symlink(file.path, link_path), 0);
    cr_assert(draft_begin(link_path, &draft, message, MESSAGE_SIZE), "%s", message);
    fputs("new", draft.file);
    cr_assert(draft_publish(&draft, message, MESSAGE_SIZE), "%s", message);
    cr_expect(lstat(link_path, &status) == 0 && S_ISLNK(status.st_mode));
    cr_expect(stat(file.path, &status) == 0 && (status.st_mode & 0777) == 0640);
    expect_holds(file.path, "new");
    unlink(link_path);
    file_remove(&file);
}

Test(draft, a_device_is_written_in_place)
{
    char message[MESSAGE_SIZE];
    struct stat status;
    Draft draft;
    cr_assert(draft_begin("/dev/null", &draft, message, MESSAGE_SIZE), "%s", message);
    fputs("nothing", draft.file);
    cr_assert(draft_publish(&draft, message, MESSAGE_SIZE), "%s", message);
    cr_expect(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
}

#endif

/* ---- Input. ---- */

Test(csv, a_byte_order_mark_before_the_first_line_is_accepted)
{
    static const char with_header[] =
        "\xEF\xBB\xBFkind,ox,oy,oz,dx,dy,dz,rx,ry,rz,half_height\nray,1,2,3,4,5,6,,,,\n";
    static const char without[] = "\xEF\xBB\xBFray,1,2,3,4,5,6,,,,\n";
    static const char agent[] = "\xEF\xBB\xBF"
                                "1,2,3,.4,.9,.4,0,7\r\n";
    static const char late[] = "ray,1,2,3,4,5,6,,,,\n\xEF\xBB\xBFray,1,2,3,4,5,6,,,,\n";
    char message[MESSAGE_SIZE] = "";
    const char *const texts[] = {with_header, without};
    for (int i = 0; i < 2; i++)
    {
        Casts casts;
        File file = file_of(texts[i], strlen(texts[i]));
        cr_assert(casts_read(file.path, &casts, message, MESSAGE_SIZE), "%s", message);
        cr_expect_eq(casts.count, 1);
        casts_free(&casts);
        file_remove(&file);
    }
    Agents agents;
    File file = file_of(agent, strlen(agent));
    cr_assert(agents_read(file.path, 0, &agents, message, MESSAGE_SIZE), "%s", message);
    cr_expect(agents.count == 1 && agents.list[0].start.x == 1 && agents.list[0].seed == 7);
    agents_free(&agents);
    file_remove(&file);

    Casts casts;
    file = file_of(late, strlen(late));
    cr_expect_not(casts_read(file.path, &casts, message, MESSAGE_SIZE));
    cr_expect(strstr(message, ":2: the kind") != NULL, "%s", message);
    file_remove(&file);
}

Test(options, a_scale_beyond_the_limit_is_refused)
{
    static const struct
    {
        const char *text;
        bool is_good;
    } cases[] = {{"1e12", true},  {"1e-3", true}, {"1e13", false},
                 {"1e30", false}, {"0", false},   {"-1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char name[] = "info", level[] = "x.obj", option[] = "--scale", value[16];
        snprintf(value, sizeof value, "%s", cases[i].text);
        char *arguments[] = {name, level, option, value, NULL};
        Options options;
        int exit_code;
        cr_expect_eq(options_parse(COMMAND_INFO, 4, arguments, &options, &exit_code), cases[i].is_good, "%s",
                     cases[i].text);
        cr_expect(cases[i].is_good || exit_code == EXIT_USAGE);
    }
    Level level;
    LevelOptions options = {.scale = 1e30};
    char message[MESSAGE_SIZE];
    cr_expect_not(level_load("x.obj", &options, &level, message, MESSAGE_SIZE));
    cr_expect(strstr(message, "1e+30") && strstr(message, "1e+12"), "%s", message);
}

Test(options, an_instance_scale_has_one_number_or_three)
{
    static const struct
    {
        const char *text;
        bool is_good;
        double y;
    } cases[] = {{"2", true, 2},        {"1,.5,-3", true, .5},  {"1e-6", true, 1e-6},
                 {"1,2", false, 0},     {"1,2,3,4", false, 0},  {"1,0,1", false, 0},
                 {"1,nan,1", false, 0}, {"1,1e-7,1", false, 0}, {"1,1,2e6", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char name[] = "info", level[] = "x.obj", option[] = "--instance-scale", value[16];
        snprintf(value, sizeof value, "%s", cases[i].text);
        char *arguments[] = {name, level, option, value, NULL};
        Options options;
        int exit_code;
        cr_expect_eq(options_parse(COMMAND_INFO, 4, arguments, &options, &exit_code), cases[i].is_good, "%s",
                     cases[i].text);
        cr_expect(cases[i].is_good ? options.scales_instance && options.instance_scale[1] == cases[i].y
                                   : exit_code == EXIT_USAGE,
                  "%s", cases[i].text);
    }
}

/* ---- Progress. ---- */

Test(progress, the_time_left_has_minutes_and_hours)
{
    static const struct
    {
        double seconds;
        const char *text;
    } cases[] = {{0, "0 s"},           {59.4, "59 s"},         {59.6, "1 min 00 s"},
                 {187, "3 min 07 s"},  {3599.7, "1 h 00 min"}, {7500, "2 h 05 min"},
                 {1e6, "277 h 46 min"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        char text[40];
        progress_time_text(cases[i].seconds, text, sizeof text);
        cr_expect_str_eq(text, cases[i].text);
    }
}
