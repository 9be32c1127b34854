#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *sidle_status_text(sidle_status status)
{
    static const char *const texts[SIDLE_STATUS_COUNT] = {
        [SIDLE_OK] = "everything went well",
        [SIDLE_ERROR_ARGUMENT] = "an argument is missing or outside its range",
        [SIDLE_ERROR_NOT_FINITE] = "a NaN or an infinity stands where a number is needed",
        [SIDLE_ERROR_INDEX] = "an index points outside its array",
        [SIDLE_ERROR_LIMIT] = "a documented limit is exceeded",
        [SIDLE_ERROR_MEMORY] = "the allocator returned no memory",
        [SIDLE_ERROR_STALE] = "the id names an object that is gone",
        [SIDLE_ERROR_UNSUPPORTED] = "this build or this processor cannot do it",
        [SIDLE_ERROR_BUSY] = "the object is inside a begin/end pair",
        [SIDLE_ERROR_INCOMPLETE] = "a task of the work has not run exactly once",
    };
    return (unsigned)status < SIDLE_STATUS_COUNT ? texts[status] : "not a status of sidle";
}

sidle_status sidle_status_fail(sidle_error *error, sidle_status status, uint64_t index, const char *format,
                               ...)
{
    if (!error)
    {
        return status;
    }
    error->status = status;
    error->index = index;
    if (!format)
    {
        snprintf(error->text, sizeof error->text, "%s", sidle_status_text(status));
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
