/* A server and its clients. */
#ifndef SERVER_H
#define SERVER_H

#include "buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum level { LEVEL_DEBUG, LEVEL_INFO, LEVEL_ERROR };

struct address {
    unsigned int host;
    unsigned short port;
};

typedef struct client {
    int fd;
    struct address peer;
    char name[32];
    buffer_t *input;
    struct client *next;
} client_t;

/* What the configuration is made of is known to config.c alone. */
typedef struct config config_t;

typedef struct server {
    client_t *clients;
    int count;
    int limit;
    struct address address;
    const config_t *config;
    int (*on_input)(struct server *server, client_t *client);
} server_t;

extern int server_running;
extern const char *const server_version;

int server_accept(server_t *server, const struct address *peer);
client_t *server_find(server_t *server, int fd);
int server_send(server_t *server, client_t *client, const char *text, size_t length);
void server_log(server_t *server, enum level level, const char *format, ...);
void server_stop(server_t *server);
const char *config_get(const config_t *config, const char *key);

#ifdef __cplusplus
}
#endif

#endif
