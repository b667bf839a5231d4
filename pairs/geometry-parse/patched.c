#include <stdio.h>

/* Number of pixels of a geometry such as "640x480"; -1 if it is none. */
long parse_geometry(const char *text)
{
    unsigned short width, height;

    if (sscanf(text, "%hux%hu", &width, &height) < 2)
        return -1;
    if (width == 0)
        return 0;
    if (height == 0)
        return 0;
    return (long)width * height;
}
