/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Connections to peers, each made when this node first has something for one. */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conduits/template/template.h"
#include "core/trace.h"

static const char closed[] = "it has closed the connection";

static gasnet_node_t peer_of(const struct pst_template_out *o)
{
  return (gasnet_node_t)(o - pst_template.out);
}

static void out_part(struct pst_template_out *o)
{
  if (o->socket.fd >= 0) close(o->socket.fd);
  o->socket.fd = -1;
  o->begin = o->end = 0;
  o->state = PST_TEMPLATE_GONE;
}

/* The launcher reports a process that has left or died; net/lost.c ends the job only where the launcher does
 * not. */
static void out_lose(struct pst_template_out *o, const char *why)
{
  out_part(o);
  pst_net_lost(peer_of(o), why);
}

/* Until the peer has proved to be a node, only the greeting is sent. 0: the peer is lost. */
static int out_flush(struct pst_template_out *o)
{
  while (o->begin < o->end &&
      (o->state == PST_TEMPLATE_OPEN || o->begin < sizeof(struct pst_template_greeting))) {
    const size_t end = o->state == PST_TEMPLATE_OPEN ? o->end : sizeof(struct pst_template_greeting);
    const ssize_t n = send(o->socket.fd, o->buffer + o->begin, end - o->begin, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN)) return 1;
    if (n < 0) {
      out_lose(o, strerror(errno));
      return 0;
    }
    o->begin += (size_t)n;
  }
  return 1;
}

static void open_if_proved(struct pst_template_out *o)
{
  if (o->answer.src != peer_of(o) ||
      !pst_template_is_proved(&pst_template.secret, PST_TEMPLATE_ANSWERS, pst_net.node, &o->answer)) {
    out_lose(o, "somebody else answers in its place");
    return;
  }
  o->state = PST_TEMPLATE_OPEN;
  out_flush(o);
}

/* A peer closes its connection when its process ends: an error only where something is left to be sent to
 * it. */
static void out_ended(struct pst_template_out *o, int error)
{
  if (error || o->begin < o->end) out_lose(o, error ? strerror(error) : closed);
  else out_part(o);
}

/* The only thing that a peer may send on this connection is its answer to the greeting. */
static void out_hear(struct pst_template_out *o)
{
  while (o->socket.fd >= 0) {
    char more, *const to = o->heard < sizeof o->answer ? (char *)&o->answer + o->heard : &more;
    const ssize_t n = recv(o->socket.fd, to, to == &more ? 1 : sizeof o->answer - o->heard, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN)) return;
    if (n <= 0) out_ended(o, n < 0 ? errno : 0);
    else if (to == &more) out_lose(o, "it says what it should not");
    else if ((o->heard += (size_t)n) == sizeof o->answer) open_if_proved(o);
  }
}

/* epoll reports this socket once, when something has changed: so everything is done that can be. */
static void out_ready(struct pst_template_socket *s)
{
  struct pst_template_out *o = (struct pst_template_out *)s;
  if (o->socket.fd >= 0 && out_flush(o)) out_hear(o);
}

static void connect_to(struct pst_template_out *o)
{
  const struct pst_template_contact *c = &pst_template.contact[peer_of(o)];
  const struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = c->port, .sin_addr.s_addr = c->address};
  o->buffer = calloc(1, PST_TEMPLATE_BUFFER);
  if (!o->buffer) pst_fatal("out of memory for a connection to node %u", peer_of(o));
  PST_TRACE('C', "TEMPLATE_CONNECTION", (int)peer_of(o), PST_TEMPLATE_BUFFER);
  pst_template_greet(&pst_template.secret, PST_TEMPLATE_CONNECTS, pst_net.node, peer_of(o),
      (struct pst_template_greeting *)o->buffer);
  o->begin = 0;
  o->end = sizeof(struct pst_template_greeting);
  o->state = PST_TEMPLATE_GREETING;
  o->socket.ready = out_ready;
  o->socket.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (o->socket.fd < 0)
    pst_fatal("no descriptor for a connection to node %u: %m; raise ulimit -n", peer_of(o));
  pst_template_set_options(o->socket.fd);
  if (connect(o->socket.fd, (const struct sockaddr *)&a, sizeof a) != 0 && errno != EINPROGRESS)
    out_lose(o, strerror(errno));
  else if (pst_template_watch(&o->socket, EPOLLIN | EPOLLOUT | EPOLLET) != 0)
    pst_fatal("cannot wait for node %u: %m", peer_of(o));
}

/* Moves what is left to the front of the buffer, aligned as it was, for messages must be. */
static void make_room(struct pst_template_out *o, size_t nbytes)
{
  const size_t at = o->begin % 8;
  if (o->state == PST_TEMPLATE_GREETING || PST_TEMPLATE_BUFFER - o->end >= nbytes) return;
  memmove(o->buffer + at, o->buffer + o->begin, o->end - o->begin);
  o->end = at + (o->end - o->begin);
  o->begin = at;
}

void *pst_template_room(gasnet_node_t peer, size_t nbytes)
{
  struct pst_template_out *o = &pst_template.out[peer];
  const size_t all = sizeof(struct pst_template_frame) + nbytes;
  if (o->state == PST_TEMPLATE_APART) connect_to(o);
  if (o->state == PST_TEMPLATE_GONE) pst_net_lost(peer, closed);
  if (o->state == PST_TEMPLATE_GONE) return NULL;
  make_room(o, all);
  return PST_TEMPLATE_BUFFER - o->end < all ? NULL : o->buffer + o->end + sizeof(struct pst_template_frame);
}

/* Sends at once, by a system call a message. Better: to wait for the next look, and to send with one call all
 * messages that have come meanwhile. */
void pst_template_send(gasnet_node_t peer, unsigned kind, size_t nbytes)
{
  struct pst_template_out *o = &pst_template.out[peer];
  const struct pst_template_frame f = {(uint32_t)nbytes, kind};
  memcpy(o->buffer + o->end, &f, sizeof f);
  o->end += sizeof f + nbytes;
  out_flush(o);
}

int pst_template_unsent(void)
{
  if (pst_template_is_continuing()) return 1;
  for (gasnet_node_t i = 0; i < pst_net.nodes; i++)
    if (pst_template.out[i].begin < pst_template.out[i].end) return 1;
  return 0;
}
