/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/link.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch/options.h"

enum { READ_SIZE = 64 * 1024, RECEIVE_ROOM = 512 * 1024 };

/* The kernel's own timers: they run while this process is stopped or has no time, and cost nothing while all
 * is well. The room to receive is more than what may be under way, so that a stopped process's window never
 * closes, which would count as gone. */
void link_keep_alive(int fd)
{
  const int on = 1, idle = 1, interval = 1, probes = 4, silence = 5000, room = RECEIVE_ROOM;
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof silence);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void buffer_reserve(char **data, size_t *room, size_t need)
{
  if (need <= *room) return;
  size_t more = need < READ_SIZE ? READ_SIZE : 2 * need;
  char *grown = realloc(*data, more);
  if (!grown) fail(1, "out of memory for a connection");
  *data = grown;
  *room = more;
}

static void link_end(struct link *l, const char *why)
{
  link_close(l);
  l->lost(l, why);
}

/* Returns 0 when the connection is over. */
static int link_flush(struct link *l)
{
  while (l->out_done < l->out_size) {
    ssize_t n = send(l->watch.fd, l->out + l->out_done, l->out_size - l->out_done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return 0;
    l->out_done += (size_t)n;
  }
  if (l->out_done == l->out_size) l->out_size = l->out_done = 0;
  l->watch.events = l->out_size ? POLLIN | POLLOUT : POLLIN;
  return 1;
}

/* Frames stay in the buffer while they are acted upon; the callback may close the link. */
static int link_take_frames(struct link *l)
{
  struct wire_frame f;
  const char *why = NULL;
  size_t at = 0;
  long n = 0;
  while (l->watch.fd >= 0 && !why &&
      (n = wire_decode(l->in + at, l->in_size - at, l->way, l->most, &f, &why)) > 0) {
    at += (size_t)n;
    why = l->frame(l, &f);
  }
  if (l->watch.fd < 0) return 0;
  if (why) {
    link_end(l, why);
    return 0;
  }
  l->in_size -= at;
  memmove(l->in, l->in + at, l->in_size);
  return 1;
}

static int link_readable(struct link *l)
{
  buffer_reserve(&l->in, &l->in_room, l->in_size + READ_SIZE);
  ssize_t n = recv(l->watch.fd, l->in + l->in_size, READ_SIZE, 0);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return 1;
  if (n <= 0) {
    l->closed = n == 0;
    link_end(l, n == 0 ? "the connection was closed" : strerror(errno));
    return 0;
  }
  l->in_size += (size_t)n;
  return link_take_frames(l);
}

static int link_ready(int fd, void *arg)
{
  struct link *l = arg;
  (void)fd;
  if (!link_flush(l)) {
    link_end(l, strerror(errno));
    return 0;
  }
  return link_readable(l);
}

int link_open(struct link *l, struct pst_loop *loop, int fd)
{
  if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) return -1;
  link_keep_alive(fd);
  l->loop = loop;
  l->closed = 0;
  l->in = l->out = NULL;
  l->in_size = l->in_room = l->out_size = l->out_room = l->out_done = 0;
  l->watch = (struct pst_loop_fd){fd, link_ready, l, POLLIN};
  if (pst_loop_watch(loop, &l->watch) == 0) return 0;
  l->watch.fd = -1;
  errno = ENOMEM;
  return -1;
}

/* Under a steady flow the buffer is never empty: what has been sent must not stay in it. */
static void link_drop_sent(struct link *l)
{
  l->out_size -= l->out_done;
  memmove(l->out, l->out + l->out_done, l->out_size);
  l->out_done = 0;
}

/* A failure is reported by the next look at the connection, not in the middle of the caller's work. */
void link_send(struct link *l, enum wire_type type, const uint32_t *word, const void *data, size_t size)
{
  if (!link_is_open(l)) return;
  if (l->out_done > l->out_room / 2) link_drop_sent(l);
  buffer_reserve(&l->out, &l->out_room, l->out_size + wire_size(type, size));
  l->out_size += wire_encode(type, word, size, l->out + l->out_size);
  if (size) memcpy(l->out + l->out_size, data, size);
  l->out_size += size;
  if (!link_flush(l)) l->watch.events = POLLIN | POLLOUT;
}

void link_send_pieces(
    struct link *l, enum wire_type type, uint32_t turn, uint32_t size, const char *bytes, size_t total)
{
  for (size_t at = 0, n; at < total || at == 0; at += n) {
    const uint32_t word[] = {turn, size, (uint32_t)at};
    n = total - at < WIRE_PIECE ? total - at : WIRE_PIECE;
    link_send(l, type, word, bytes + at, n);
    if (!n) break;
  }
}

int link_is_open(const struct link *l) { return l->watch.fd >= 0; }
int link_is_flushed(const struct link *l) { return l->out_size == 0; }

int link_is_taken(const struct link *l)
{
  int waiting = 0;
  return link_is_flushed(l) && ioctl(l->watch.fd, SIOCOUTQ, &waiting) == 0 && !waiting;
}

void link_finish(const struct link *l) { shutdown(l->watch.fd, SHUT_WR); }

void link_close(struct link *l)
{
  if (l->watch.fd < 0) return;
  pst_loop_forget(l->loop, &l->watch);
  close(l->watch.fd);
  l->watch.fd = -1;
  free(l->in);
  free(l->out);
  l->in = l->out = NULL;
}
