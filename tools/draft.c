/* realpath */
#ifndef _WIN32
#define _XOPEN_SOURCE 700
#endif

#include "draft.h"

#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef _WIN32
#define OPEN_FLAGS O_BINARY
#else
#define OPEN_FLAGS O_CLOEXEC
#endif

#define MAX_DRAFTS 4 /* that an interrupt removes */

/* ---- Interrupts. ---- */

static char *volatile parts[MAX_DRAFTS];

static void remove_parts(int signal_number)
{
    for (int i = 0; i < MAX_DRAFTS; i++)
    {
        if (parts[i])
        {
            unlink(parts[i]);
        }
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_signal(int signal_number)
{
    /* nohup has SIGINT ignored, which must stay so. */
    if (signal(signal_number, remove_parts) == SIG_IGN)
    {
        signal(signal_number, SIG_IGN);
    }
}

static void replace_part(const char *old, char *new)
{
    for (int i = 0; i < MAX_DRAFTS; i++)
    {
        if (parts[i] == old)
        {
            parts[i] = new;
            return;
        }
    }
}

/* ---- Drafts. ---- */

static bool fail(const char *name, char *message, int message_size)
{
    return explain(message, message_size, "%s: cannot be written: %s", name, strerror(errno));
}

static char *resolve(const char *name)
{
#ifdef _WIN32
    return strdup(name);
#else
    char *resolved = realpath(name, NULL);
    return resolved ? resolved : strdup(name);
#endif
}

/* Leaves `part` NULL for a target that is no regular file. Returns false, with errno set, if it cannot be written. */
static bool choose_part(Draft *draft)
{
    struct stat status;
    bool exists = stat(draft->target, &status) == 0;
    if (exists && access(draft->target, W_OK) != 0)
    {
        return false;
    }
    if (exists && S_ISDIR(status.st_mode))
    {
        errno = EISDIR;
        return false;
    }
    if (exists && !S_ISREG(status.st_mode))
    {
        return true;
    }
    size_t size = strlen(draft->target) + 32;
    draft->part = malloc(size);
    if (!draft->part)
    {
        return false;
    }
    snprintf(draft->part, size, "%s.%ld.part", draft->target, (long)getpid());
    return true;
}

/* A file that replaces another keeps its permissions. */
static void copy_permissions(const Draft *draft, int file)
{
#ifndef _WIN32
    struct stat status;
    if (stat(draft->target, &status) == 0 && fchmod(file, status.st_mode & 07777) != 0)
    {
        warning("%s: the permissions of the old file could not be kept", draft->name);
    }
#else
    (void)draft, (void)file;
#endif
}

static bool open_part(Draft *draft)
{
    int file = open(draft->part, O_WRONLY | O_CREAT | O_EXCL | OPEN_FLAGS, 0666);
    if (file < 0)
    {
        free(draft->part);
        draft->part = NULL;
        return false;
    }
    replace_part(NULL, draft->part);
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    copy_permissions(draft, file);
    draft->file = fdopen(file, "wb");
    if (!draft->file)
    {
        close(file);
    }
    return draft->file != NULL;
}

/* `errno` outlives this. */
static void end(Draft *draft)
{
    int error = errno;
    if (draft->file)
    {
        fclose(draft->file);
    }
    if (draft->part)
    {
        remove(draft->part);
        replace_part(draft->part, NULL);
    }
    free(draft->part);
    free(draft->target);
    *draft = (Draft){.file = NULL};
    errno = error;
}

bool draft_begin(const char *name, Draft *draft, char *message, int message_size)
{
    *draft = (Draft){.name = name, .target = resolve(name)};
    bool good = draft->target && choose_part(draft);
    if (good && draft->part)
    {
        good = open_part(draft);
    }
    else if (good)
    {
        draft->file = fopen(draft->target, "wb");
        good = draft->file != NULL;
    }
    if (!good)
    {
        end(draft);
        fail(name, message, message_size);
    }
    return good;
}

bool draft_is_possible(const char *name, char *message, int message_size)
{
    Draft draft = {.name = name, .target = resolve(name)};
    /* What is no regular file may be a pipe, whose reader would see it opened and closed. */
    bool good = draft.target && choose_part(&draft) && (!draft.part || open_part(&draft));
    end(&draft);
    return good || fail(name, message, message_size);
}

bool draft_publish(Draft *draft, char *message, int message_size)
{
    const char *name = draft->name;
    bool good = !ferror(draft->file);
    good = fclose(draft->file) == 0 && good;
    draft->file = NULL;
    if (good && draft->part)
    {
#ifdef _WIN32
        remove(draft->target); /* rename does not replace there */
#endif
        good = rename(draft->part, draft->target) == 0;
        if (good)
        {
            replace_part(draft->part, NULL);
            free(draft->part);
            draft->part = NULL;
        }
    }
    end(draft);
    return good || fail(name, message, message_size);
}

void draft_drop(Draft *draft)
{
    end(draft);
}
