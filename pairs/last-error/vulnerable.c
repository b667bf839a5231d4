#include <stdio.h>
#include <string.h>

static char last_error[40];

/* Keeps a message with its code for whoever asks later; the length of what is kept. */
int remember_error(int code, const char *message)
{
    int prefix;

    if (message == NULL || code < 0) {
        last_error[0] = '\0';
        return 0;
    }
    prefix = snprintf(last_error, sizeof last_error, "E%04d ", code % 10000);
    strcpy(last_error + prefix, message);
    return (int)strlen(last_error);
}
