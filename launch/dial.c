/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/dial.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bootstrap/loop.h"
#include "launch/link.h"
#include "launch/listener.h"
#include "launch/options.h"
#include "launch/secret.h"
#include "launch/wire.h"

#define FIRST_LINE 30.0 /* seconds for the line on standard input */
#define CONNECT    2.0  /* for each address; another may be the right one */
#define ANSWER     5.0
#define PAUSE      0.2 /* between rounds through all addresses */

struct call {
  struct secret secret;
  unsigned host;
  double until;
  char *place[LISTENER_MOST]; /* "address,port" */
  unsigned places;
};

static char line[LISTENER_TEXT + 256];
static char why[256]; /* the last failure */

/* ---- the line ---- */

/* Waits for the descriptor; 0 when the time is over. */
static int await(int fd, short events, double until)
{
  for (;;) {
    const double left = until - pst_loop_now();
    struct pollfd p = {.fd = fd, .events = events};
    int n = poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
    if (n > 0) return 1;
    if (n == 0 || errno != EINTR) return 0;
  }
}

static void read_line(void)
{
  const double until = pst_loop_now() + FIRST_LINE;
  for (size_t n = 0; n + 1 < sizeof line;) {
    ssize_t got = await(STDIN_FILENO, POLLIN, until) ? read(STDIN_FILENO, line + n, 1) : 0;
    if (got <= 0) break;
    if (line[n] == '\n') {
      line[n] = '\0';
      return;
    }
    n++;
  }
  fail(EXIT_MISUSE, "--daemon is for gasnetrun itself, which gives it a job on standard input");
}

static unsigned number_of(const char *text)
{
  char *end;
  unsigned long v = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
  if (!text || *text < '0' || *text > '9' || *end || v > 1000000) fail(1, "a malformed line from gasnetrun");
  return (unsigned)v;
}

static void parse_line(struct call *c)
{
  char *rest, *word = strtok_r(line, " ", &rest);
  if (!word || strcmp(word, "PENSTOCK") != 0) fail(1, "what came on standard input is not from gasnetrun");
  if (!(word = strtok_r(NULL, " ", &rest)) || strcmp(word, "1") != 0)
    fail(1, "gasnetrun here is of another version than where it was started");
  if (!(word = strtok_r(NULL, " ", &rest)) || secret_read(word, &c->secret) != 0)
    fail(1, "a malformed line from gasnetrun");
  c->host = number_of(strtok_r(NULL, " ", &rest));
  c->until = pst_loop_now() + number_of(strtok_r(NULL, " ", &rest));
  while (c->places < LISTENER_MOST && (word = strtok_r(NULL, " ", &rest)) != NULL)
    c->place[c->places++] = word;
  if (!c->places) fail(1, "a malformed line from gasnetrun");
}

/* ---- the connection ---- */

static int place_failed(const char *place, const char *what)
{
  snprintf(why, sizeof why, "%.100s: %.120s", place, what);
  return -1;
}

static struct addrinfo *place_look_up(const char *place)
{
  const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  char host[128];
  const char *comma = strchr(place, ',');
  if (!comma || (size_t)(comma - place) >= sizeof host) return NULL;
  memcpy(host, place, (size_t)(comma - place));
  host[comma - place] = '\0';
  return getaddrinfo(host, comma + 1, &hints, &found) == 0 ? found : NULL;
}

static int finish_connect(int fd, const char *place, double until)
{
  int error = 0;
  socklen_t size = sizeof error;
  if (!await(fd, POLLOUT, until)) return place_failed(place, "it does not answer");
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  return error ? place_failed(place, strerror(error)) : 0;
}

static int connect_to(const char *place)
{
  struct addrinfo *a = place_look_up(place);
  if (!a) return place_failed(place, "no address");
  int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), rc = -1;
  if (fd >= 0) {
    link_keep_alive(fd); /* a launcher that falls silent before there is a link is noticed as soon */
    rc = connect(fd, a->ai_addr, a->ai_addrlen);
  }
  if (fd < 0 || (rc != 0 && errno != EINPROGRESS)) rc = place_failed(place, strerror(errno));
  else rc = finish_connect(fd, place, pst_loop_now() + CONNECT);
  freeaddrinfo(a);
  if (rc == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

/* ---- the handshake ---- */

static int send_frame(int fd, enum wire_type type, const uint32_t *word, const void *data, size_t size)
{
  char frame[WIRE_HEADER + WIRE_STRANGER];
  const size_t head = wire_encode(type, word, size, frame);
  memcpy(frame + head, data, size);
  return send(fd, frame, head + size, MSG_NOSIGNAL) == (ssize_t)(head + size)
      ? 0
      : -1; /* the first bytes of a connection fit */
}

static int receive_bytes(int fd, char *to, size_t n, double until)
{
  for (size_t have = 0; have < n;) {
    if (!await(fd, POLLIN, until)) return -1;
    ssize_t got = recv(fd, to + have, n - have, 0);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return -1;
    if (got > 0) have += (size_t)got;
  }
  return 0;
}

/* The launcher proves itself first: another listener at that address learns nothing, and can start nothing
 * here. */
static int meet_launcher(
    const struct call *c, int fd, const char *place, unsigned char own_proof[PROOF_BYTES])
{
  char frame[WIRE_HEADER + NONCE_BYTES + PROOF_BYTES];
  unsigned char mine[NONCE_BYTES], proof[PROOF_BYTES];
  const uint32_t hello[] = {WIRE_VERSION, c->host};
  struct wire_frame f;
  const char *text;
  if (secret_nonce(mine) != 0) return place_failed(place, "there are no random numbers");
  if (send_frame(fd, WIRE_HELLO, hello, mine, sizeof mine) != 0 ||
      receive_bytes(fd, frame, sizeof frame, pst_loop_now() + ANSWER) != 0)
    return place_failed(place, "no answer as from gasnetrun");
  if (wire_decode(frame, sizeof frame, WIRE_TO_DAEMON, WIRE_STRANGER, &f, &text) != (long)sizeof frame ||
      f.type != WIRE_CHALLENGE)
    return place_failed(place, "no answer as from gasnetrun");
  const unsigned char *theirs = (const unsigned char *)f.data;
  secret_prove(&c->secret, SECRET_LAUNCHER, c->host, theirs, mine, proof);
  if (!secret_same(proof, theirs + NONCE_BYTES))
    return place_failed(place, "somebody else than this job's gasnetrun answers");
  secret_prove(&c->secret, SECRET_DAEMON, c->host, theirs, mine, own_proof);
  return 0;
}

static int send_proof(int fd, const char *place, const unsigned char proof[PROOF_BYTES])
{
  return send_frame(fd, WIRE_PROOF, NULL, proof, PROOF_BYTES) == 0
      ? 0
      : place_failed(place, "the connection was lost");
}

/* A connection that is lost before ADMITTED has come is made again; later a loss ends the job. */
static int wait_for_admission(const struct call *c, int fd, const char *place)
{
  char frame[WIRE_HEADER];
  struct wire_frame f;
  const char *text;
  if (receive_bytes(fd, frame, sizeof frame, c->until) != 0)
    return place_failed(place, "the connection was lost");
  if (wire_decode(frame, sizeof frame, WIRE_TO_DAEMON, WIRE_STRANGER, &f, &text) != (long)sizeof frame ||
      f.type != WIRE_ADMITTED)
    return place_failed(place, "no answer as from gasnetrun");
  return 0;
}

static int shake_hands(const struct call *c, int fd, const char *place)
{
  unsigned char proof[PROOF_BYTES];
  if (meet_launcher(c, fd, place, proof) != 0 || send_proof(fd, place, proof) != 0) return -1;
  return wait_for_admission(c, fd, place);
}

/* The launcher keeps our standard input open as long as it wants us. */
static int launcher_gave_up(double seconds)
{
  char c;
  return await(STDIN_FILENO, POLLIN, pst_loop_now() + seconds) && read(STDIN_FILENO, &c, 1) <= 0;
}

static int try_all_places(const struct call *c)
{
  for (unsigned i = 0; i < c->places && !(i && launcher_gave_up(0)); i++) {
    int fd = connect_to(c->place[i]);
    if (fd < 0) continue;
    if (shake_hands(c, fd, c->place[i]) == 0) return fd;
    close(fd);
  }
  return -1;
}

int dial_launcher(unsigned *host)
{
  static struct call c;
  read_line();
  parse_line(&c);
  *host = c.host;
  for (int fd; pst_loop_now() < c.until;) {
    if ((fd = try_all_places(&c)) >= 0) {
      explicit_bzero(&c.secret, sizeof c.secret);
      explicit_bzero(line, sizeof line);
      return fd;
    }
    if (launcher_gave_up(PAUSE)) fail(1, "gasnetrun has given up; the last address: %s", why);
  }
  fail(1, "cannot reach gasnetrun at any of its addresses; the last: %s", why);
}
