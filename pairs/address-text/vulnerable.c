#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Writes "address:port", or only the address for port 0; the length, or -1 where there is no room. */
int format_peer(const unsigned char ip[4], unsigned short port, char *out, size_t room)
{
    char host[15];
    char service[8] = "";
    int length;

    length = sprintf(host, "%u.%u.%u.%u", ip[0], ip[1], ip[2], ip[3]);
    if (port != 0)
        length += snprintf(service, sizeof service, ":%u", port);
    if ((size_t)length >= room)
        return -1;
    strcpy(out, host);
    strcat(out, service);
    return length;
}
