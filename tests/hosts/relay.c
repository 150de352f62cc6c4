/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A network that misbehaves: relay TROUBLES SEED. It listens on a port of the loopback (IPv4 and IPv6), whose
 * number is its first line of output. A connection begins with 64 bytes that name its target
 * (preload/connect.c); the bytes after them are passed on both ways. TROUBLES are some of these, with commas:
 *   delay     a piece may wait up to 10 ms
 *   fragment  sometimes only a few bytes are sent at once
 *   whole     but the first piece of each way stays whole: a library may want its greeting in one segment
 *   stall     sometimes one way stops for up to 1.5 s
 *   cut=N     up to 2 s after the Nth connection has begun, one open connection is cut, once. The relay then
 *             prints "cut ADDRESS,PORT as CONNECTION of CONNECTIONS"
 *   after=N   the first connection is cut after N bytes from the side that opened it
 * The seed decides what happens, apart from the order of the connections. The relay ends with its input. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 4096, TARGET = 64, PIECE = 16 * 1024, TICK_MS = 20 };
enum cut { WHOLE, CUT_CLOSE, CUT_RESET };

struct connection {
  struct way {
    struct connection *all;
    int from, to;
    uint64_t random;
    int begun;
    size_t left;
  } way[2];              /* `left`: bytes until the cut */
  _Atomic int cut, ways; /* enum cut; how many ways still run */
  char target[TARGET + 1];
};

static struct connection connection[CONNECTIONS];
static _Atomic unsigned connections;
static int delay, fragment, spare, stall;
static unsigned cut_from;
static size_t cut_after = SIZE_MAX;
static uint64_t seed;

static void die(const char *what)
{
  fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* ---- chance ---- */

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static unsigned below(uint64_t *random, unsigned n)
{
  return (unsigned)(mix(*random += 0x9e3779b97f4a7c15u) % n);
}

static void sleep_ms(unsigned ms)
{
  const struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
  nanosleep(&t, NULL);
}

/* ---- one way of a connection ---- */

static int write_all(int fd, const char *data, size_t n)
{
  while (n) {
    const ssize_t sent = send(fd, data, n, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return -1;
    if (sent > 0) data += sent, n -= (size_t)sent;
  }
  return 0;
}

static void cut(struct connection *c)
{
  printf("cut %s as %u of %u\n", c->target, (unsigned)(c - connection) + 1, atomic_load(&connections));
  fflush(stdout);
  atomic_store(&c->cut, mix(seed ^ 0x776179) % 2 ? CUT_CLOSE : CUT_RESET);
}

/* How many of `n` bytes are sent at once. */
static size_t portion(struct way *w, size_t n)
{
  if (delay && below(&w->random, 8) == 0) sleep_ms(1 + below(&w->random, 10));
  if (stall && below(&w->random, 400) == 0) sleep_ms(100 + below(&w->random, 1400));
  if (!fragment || (spare && !w->begun) || below(&w->random, 4)) return n;
  const size_t few = 1 + below(&w->random, 40);
  return few < n ? few : n;
}

static int pass_on(struct way *w)
{
  char piece[PIECE];
  const ssize_t n = recv(w->from, piece, sizeof piece, 0);
  if (n <= 0) return n < 0 && errno == EINTR;
  for (size_t at = 0, part; at < (size_t)n; at += part) {
    part = portion(w, (size_t)n - at < w->left ? (size_t)n - at : w->left);
    if (write_all(w->to, piece + at, part) != 0) return 0;
    if (w->left != SIZE_MAX && (w->left -= part) == 0) cut(w->all);
    if (!w->left) return 0;
  }
  w->begun = 1;
  return 1;
}

/* The way that ends last closes both sockets. CUT_RESET throws unread bytes away. */
static void finish(struct connection *c)
{
  const struct linger away = {1, 0};
  if (atomic_fetch_sub(&c->ways, 1) > 1) return;
  for (unsigned k = 0; k < 2; k++) {
    if (atomic_load(&c->cut) == CUT_RESET)
      setsockopt(c->way[k].from, SOL_SOCKET, SO_LINGER, &away, sizeof away);
    close(c->way[k].from);
  }
}

static void *run_way(void *arg)
{
  struct way *w = arg;
  for (struct pollfd p = {.fd = w->from, .events = POLLIN}; !atomic_load(&w->all->cut);)
    if (poll(&p, 1, TICK_MS) > 0 && !pass_on(w)) break;
  if (!atomic_load(&w->all->cut)) shutdown(w->to, SHUT_WR);
  finish(w->all);
  return NULL;
}

/* ---- connections ---- */

static int connect_to(const char *target)
{
  const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  struct addrinfo *found;
  char host[TARGET + 1];
  const char *comma = strchr(target, ',');
  if (!comma) return -1;
  memcpy(host, target, (size_t)(comma - target));
  host[comma - target] = '\0';
  if (getaddrinfo(host, comma + 1, &hints, &found) != 0) return -1;
  int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
    close(fd);
    fd = -1;
  }
  freeaddrinfo(found);
  return fd;
}

static void start_way(struct connection *c, unsigned k, int from, int to)
{
  const int on = 1;
  const uint64_t number = (uint64_t)(c - connection);
  pthread_t thread;
  setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  c->way[k] = (struct way){
      c, from, to, mix(seed + 2 * number + k), 0, number == 0 && k == 0 ? cut_after : SIZE_MAX};
  if (pthread_create(&thread, NULL, run_way, &c->way[k]) != 0) die("pthread_create");
  pthread_detach(thread);
}

/* In a thread of its own: a silent connection must not delay the others. */
static void *begin(void *arg)
{
  const int from = (int)(intptr_t)arg;
  struct connection c = {.ways = 2};
  const ssize_t n = recv(from, c.target, TARGET, MSG_WAITALL);
  const int to = n == TARGET ? connect_to(c.target) : -1;
  if (to < 0) {
    close(from);
    return NULL;
  }
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const unsigned number = atomic_load(&connections);
  if (number == CONNECTIONS) die("too many connections");
  struct connection *kept = &connection[number];
  memcpy(kept->target, c.target, sizeof c.target);
  atomic_store(&kept->ways, 2);
  start_way(kept, 0, from, to);
  start_way(kept, 1, to, from);
  atomic_store(&connections, number + 1);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void take(int listener)
{
  pthread_t thread;
  const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return;
  if (pthread_create(&thread, NULL, begin, (void *)(intptr_t)fd) != 0) die("pthread_create");
  pthread_detach(thread);
}

/* ---- the cut ---- */

static void *run_cut(void *arg)
{
  uint64_t random = mix(seed ^ 0x637574);
  (void)arg;
  while (atomic_load(&connections) < cut_from) sleep_ms(TICK_MS);
  sleep_ms(below(&random, 2000));
  for (;; sleep_ms(TICK_MS)) {
    struct connection *c = &connection[below(&random, atomic_load(&connections))];
    if (atomic_load(&c->ways) < 2) continue;
    cut(c);
    return NULL;
  }
}

/* ---- start ---- */

static int open_door(int family, in_port_t port)
{
  const struct sockaddr_in four = {
      .sin_family = AF_INET, .sin_port = port, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const struct sockaddr_in6 six = {
      .sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct sockaddr *at = family == AF_INET ? (const struct sockaddr *)&four
                                                : (const struct sockaddr *)&six;
  if (fd < 0 || bind(fd, at, family == AF_INET ? sizeof four : sizeof six) != 0 || listen(fd, SOMAXCONN) != 0)
    return -1;
  return fd;
}

static in_port_t port_of(int listener)
{
  struct sockaddr_in a;
  socklen_t size = sizeof a;
  if (getsockname(listener, (struct sockaddr *)&a, &size) != 0) die("getsockname");
  return a.sin_port;
}

static void read_troubles(const char *text)
{
  delay = strstr(text, "delay") != NULL;
  fragment = strstr(text, "fragment") != NULL;
  spare = strstr(text, "whole") != NULL;
  stall = strstr(text, "stall") != NULL;
  const char *from = strstr(text, "cut="), *after = strstr(text, "after=");
  if (from) cut_from = (unsigned)strtoul(from + 4, NULL, 10);
  if (after) cut_after = strtoul(after + 6, NULL, 10);
}

int main(int argc, char **argv)
{
  pthread_t thread;
  if (argc != 3) return fprintf(stderr, "usage: relay TROUBLES SEED\n"), 2;
  read_troubles(argv[1]);
  seed = mix(strtoull(argv[2], NULL, 10) + 1);
  const int four = open_door(AF_INET, 0), six = four < 0 ? -1 : open_door(AF_INET6, port_of(four));
  if (four < 0) die("cannot listen");
  printf("%u\n", ntohs(port_of(four)));
  fflush(stdout);
  if (cut_from && pthread_create(&thread, NULL, run_cut, NULL) != 0) die("pthread_create");
  for (;;) {
    struct pollfd p[3] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = four, .events = POLLIN},
        {.fd = six, .events = POLLIN}};
    char c;
    if (poll(p, 3, -1) < 0 && errno != EINTR) die("poll");
    if (p[0].revents && read(STDIN_FILENO, &c, 1) <= 0) return 0;
    for (unsigned k = 1; k < 3; k++)
      if (p[k].revents) take(p[k].fd);
  }
}
