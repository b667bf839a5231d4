#include <string.h>

/* The key under which a user is found in the table of quotas. */
unsigned long user_key(const char *user, unsigned id)
{
    char name[16];
    unsigned long key = id;

    if (*user == '\0')
        return 0;
    strncpy(name, user, sizeof name);
    name[sizeof name - 1] = '\0';
    for (const char *p = name; *p != '\0'; p++)
        key = (key << 5) + (key >> 27) + (unsigned char)*p;
    return key & 0xffffff;
}
