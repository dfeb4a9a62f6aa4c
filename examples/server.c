/* A server that verifies signatures: one thread moves bytes between sockets, and a queue joins what its clients send. A
 * request is a public key, a digest and a signature on P-256, the answer a gecc_item. The clients are threads of this
 * program, and the sockets Linux's, as is the eventfd by which the queue wakes the loop. docs/server.md */
#define _GNU_SOURCE
#include <errno.h>
#include <gecc/gecc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { KEY = 65, DIGEST = 32, SIGNATURE = 64, REQUEST = KEY + DIGEST + SIGNATURE, CLIENTS = 16, REQUESTS = 50 };

struct server;

/* One request of a client is under way at a time. */
struct connection {
    struct server *server;
    struct connection *next; /* of those that are done */
    int socket;
    size_t received;
    uint8_t request[REQUEST];
    uint8_t status;
    int is_submitted;
    gecc_result result;
};

struct server {
    gecc_queue *queue;
    const gecc_operation *verify;
    gecc_parameters parameters;
    int listener, event;
    struct connection connections[CLIENTS];
    size_t count, closed, busy, answered;

    pthread_mutex_t mutex; /* for the list, which the queue's threads append to */
    struct connection *done;
};

/* On a thread of the queue: as short as can be. The first of a group wakes the loop. */
static void on_done(void *argument, gecc_result result) {
    struct connection *connection = argument;
    struct server *server = connection->server;
    const uint64_t one = 1;
    connection->result = result;
    pthread_mutex_lock(&server->mutex);
    const int is_first = server->done == NULL;
    connection->next = server->done;
    server->done = connection;
    pthread_mutex_unlock(&server->mutex);
    if (is_first && write(server->event, &one, sizeof one) != sizeof one)
        abort(); /* an eventfd takes 2^64 - 2 of them */
}

/* The copy of the rows is the queue's; the status is ours. A full queue is asked again when something is done: nothing
 * is read from this client meanwhile, so that it waits, too. */
static void submit(struct server *server, struct connection *connection) {
    const uint8_t *request = connection->request;
    const gecc_rows rows[] = {gecc_rows_packed(request, KEY), gecc_rows_packed(request + KEY, DIGEST),
                              gecc_rows_packed(request + KEY + DIGEST, SIGNATURE)};
    gecc_result result =
        gecc_queue_submit(server->queue, server->verify, &server->parameters, NULL,
                          gecc_out_packed(&connection->status, 1), rows, 1, NULL, on_done, connection, NULL);
    connection->is_submitted = result == GECC_OK;
    server->busy += result == GECC_ERROR_BUSY;
    if (result != GECC_OK && result != GECC_ERROR_BUSY)
        on_done(connection, result);
}

static void answer_all(struct server *server) {
    uint64_t events;
    if (read(server->event, &events, sizeof events) != sizeof events)
        return;
    pthread_mutex_lock(&server->mutex);
    struct connection *connection = server->done;
    server->done = NULL;
    pthread_mutex_unlock(&server->mutex);
    for (struct connection *next; connection != NULL; connection = next) {
        next = connection->next;
        connection->received = 0;
        connection->is_submitted = 0;
        if (connection->result != GECC_OK)
            connection->status = GECC_ITEM_NOT_PROCESSED;
        /* A client that has gone is no SIGPIPE, which would end the server; the next read sees it, too. */
        server->answered += send(connection->socket, &connection->status, 1, MSG_NOSIGNAL) == 1;
    }
    for (size_t i = 0; i < server->count; i++) /* those for which there was no room */
        if (server->connections[i].received == REQUEST && !server->connections[i].is_submitted)
            submit(server, &server->connections[i]);
}

static void read_some(struct server *server, struct connection *connection) {
    ssize_t got = read(connection->socket, connection->request + connection->received, REQUEST - connection->received);
    if (got <= 0) {
        close(connection->socket);
        connection->socket = -1; /* poll leaves it out */
        server->closed++;
        return;
    }
    connection->received += (size_t)got;
    if (connection->received == REQUEST)
        submit(server, connection);
}

static void accept_one(struct server *server) {
    int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0)
        server->connections[server->count++] = (struct connection){.server = server, .socket = socket};
}

/* Until all clients have come and gone. */
static void serve(struct server *server) {
    while (server->closed < CLIENTS) {
        struct pollfd files[CLIENTS + 2] = {{server->event, POLLIN, 0}, {server->listener, POLLIN, 0}};
        const size_t count = server->count;
        for (size_t i = 0; i < count; i++)
            files[2 + i] = (struct pollfd){
                server->connections[i].received == REQUEST ? -1 : server->connections[i].socket, POLLIN, 0};
        if (poll(files, 2 + count, -1) < 0 && errno != EINTR)
            return;
        if (files[0].revents != 0)
            answer_all(server);
        if (files[1].revents != 0 && count < CLIENTS)
            accept_one(server);
        for (size_t i = 0; i < count; i++)
            if (files[2 + i].revents != 0)
                read_some(server, &server->connections[i]);
    }
}

/* What clients send: signatures, of which every seventh is spoiled. */
static uint8_t requests[REQUESTS][REQUEST];
static struct sockaddr_un address = {.sun_family = AF_UNIX};

struct client {
    pthread_t thread;
    size_t wrong;
    int leaves; /* without waiting for its last answer */
};

static void *client_main(void *argument) {
    struct client *client = argument;
    int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (to < 0 || connect(to, (struct sockaddr *)&address, sizeof address) != 0)
        exit(1);
    for (size_t i = 0; i < REQUESTS; i++) {
        uint8_t status = GECC_ITEM_NOT_PROCESSED;
        if (write(to, requests[i], REQUEST) != REQUEST || (client->leaves && i == REQUESTS / 2) ||
            read(to, &status, 1) != 1)
            break;
        client->wrong += status != (i % 7 == 0 ? GECC_ITEM_INVALID : GECC_ITEM_OK);
    }
    close(to);
    return NULL;
}

static int make_requests(gecc_context *context) {
    uint8_t keys[REQUESTS][32], status[REQUESTS];
    const gecc_out statuses = gecc_out_packed(status, 1);
    for (size_t i = 0; i < REQUESTS; i++) {
        memset(keys[i], 0x11, 32);
        keys[i][31] = (uint8_t)i;
        memset(requests[i] + KEY, 0x22, DIGEST);
        requests[i][KEY] = (uint8_t)i;
    }
    const gecc_rows private_key = gecc_rows_packed(keys, 32),
                    digest = gecc_rows_strided(requests[0] + KEY, 32, REQUEST);
    int failed = gecc_ec_public_key(context, GECC_P256, gecc_out_packed(requests[0], REQUEST), statuses, private_key,
                                    REQUESTS, NULL) != GECC_OK;
    failed |= gecc_ecdsa_sign(context, GECC_P256, gecc_out_packed(requests[0] + KEY + DIGEST, REQUEST), gecc_out_none(),
                              statuses, private_key, digest, gecc_rows_none(), REQUESTS, NULL) != GECC_OK;
    for (size_t i = 0; i < REQUESTS; i += 7)
        requests[i][REQUEST - 1] ^= 1;
    return failed;
}

static int listen_here(struct server *server) {
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/tmp/gecc-example-%ld", (long)getpid());
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    server->event = eventfd(0, EFD_CLOEXEC);
    return server->listener >= 0 && server->event >= 0 &&
           bind(server->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(server->listener, CLIENTS) == 0;
}

int main(void) {
    struct server server = {.verify = gecc_operation_find("ecdsa.verify"), .mutex = PTHREAD_MUTEX_INITIALIZER};
    gecc_queue_config config = GECC_QUEUE_CONFIG_INIT;
    gecc_context *context;
    struct client clients[CLIENTS] = {{.leaves = 1}};
    size_t sum = 0;
    server.parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    server.parameters.curve = GECC_P256;
    config.rows = CLIENTS / 2; /* so few that back-pressure is to be seen */
    if (gecc_open(&context, NULL) != GECC_OK || make_requests(context) ||
        gecc_queue_open(context, &server.queue, &config) != GECC_OK || !listen_here(&server)) {
        fprintf(stderr, "the server does not start: %s\n", gecc_error_text());
        return 1;
    }
    for (size_t i = 0; i < CLIENTS; i++)
        if (pthread_create(&clients[i].thread, NULL, client_main, &clients[i]) != 0)
            return 1;
    serve(&server);
    for (size_t i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        sum += clients[i].wrong;
    }
    gecc_queue_close(server.queue); /* drains it; the context comes after */
    gecc_close(context);
    close(server.listener);
    close(server.event);
    unlink(address.sun_path);
    printf("%zu requests answered, %zu of them wrong; the queue was full %zu times\n", server.answered, sum,
           server.busy);
    return sum != 0;
}
