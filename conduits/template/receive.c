/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Connections from peers, and what they bring. Nothing is trusted: a process that connects is a stranger
 * until it has proved to be a node that has not connected before; lengths are checked here, and all else by
 * net/message.c, before it is used. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conduits/template/template.h"

static void in_drop(struct pst_template_in *in)
{
  close(in->socket.fd);
  in->socket.fd = -1;
}

/* The other end closes the connection when its process ends, which is no error. An error, or an end inside a
 * frame, is a peer that was lost. */
static void in_ended(struct pst_template_in *in, int error)
{
  if (in->peer != PST_NO_PEER && (error || in->have))
    pst_net_lost(in->peer, error ? strerror(error) : "it broke off");
  in_drop(in);
}

/* ---- strangers ---- */

static int is_welcome(const struct pst_template_greeting *g)
{
  return g->src < pst_net.nodes && g->src != pst_net.node && !pst_template.came[g->src] &&
      pst_template_is_proved(&pst_template.secret, PST_TEMPLATE_CONNECTS, pst_net.node, g);
}

/* The answer always fits: nothing has been written to this socket before. */
static void stranger_meet(struct pst_template_in *in)
{
  struct pst_template_greeting answer;
  if (!is_welcome(&in->greeting)) {
    in_drop(in);
    return;
  }
  pst_template_greet(&pst_template.secret, PST_TEMPLATE_ANSWERS, pst_net.node, in->greeting.src, &answer);
  if (send(in->socket.fd, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) {
    in_drop(in);
    return;
  }
  in->peer = in->greeting.src;
  pst_template.came[in->peer] = 1;
  in->have = 0;
  in->buffer = malloc(PST_TEMPLATE_BUFFER);
  if (!in->buffer) pst_fatal("out of memory for a connection of node %u", in->peer);
}

/* ---- frames ---- */

/* Copies a message and lets it wait: it may be a request while this thread runs a handler, and what comes
 * behind it must be read all the same. The windows bound how much waits. A conduit can do better where its
 * library lends the memory of messages: pst_net_borrow. */
static void take_message(gasnet_node_t peer, const char *message, size_t nbytes)
{
  uint32_t src;
  memcpy(&src, message, sizeof src); /* what a message begins with */
  if (src != peer) pst_fatal("a message from node %u in the name of node %u", peer, src);
  pst_net_keep(message, nbytes);
}

static void take_frames(struct pst_template_in *in)
{
  size_t at = 0;
  long n;
  while ((n = pst_template_frame(in->buffer + at, in->have - at)) > 0) {
    const char *body = in->buffer + at + sizeof(struct pst_template_frame);
    struct pst_template_frame f;
    memcpy(&f, in->buffer + at, sizeof f);
    if (f.kind == PST_TEMPLATE_AM) take_message(in->peer, body, f.nbytes);
    else pst_template_arrived(in->peer, f.kind, body, f.nbytes);
    at += (size_t)n;
  }
  if (n < 0) pst_fatal("malformed frame from node %u", in->peer);
  in->have -= at;
  memmove(in->buffer, in->buffer + at, in->have);
}

static ssize_t read_some(struct pst_template_in *in)
{
  if (in->peer == PST_NO_PEER)
    return recv(in->socket.fd, (char *)&in->greeting + in->have, sizeof in->greeting - in->have, 0);
  return recv(in->socket.fd, in->buffer + in->have, PST_TEMPLATE_BUFFER - in->have, 0);
}

/* Reads once, so that no peer keeps the others waiting: epoll reports the socket again where there is
 * more. */
static void in_ready(struct pst_template_socket *s)
{
  struct pst_template_in *in = (struct pst_template_in *)s;
  ssize_t n;
  if (in->socket.fd < 0) return;
  n = read_some(in);
  if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
  if (n <= 0) {
    in_ended(in, n < 0 ? errno : 0);
    return;
  }
  in->have += (size_t)n;
  if (in->peer != PST_NO_PEER) take_frames(in);
  else if (in->have == sizeof in->greeting) stranger_meet(in);
}

/* ---- a new one ---- */

/* A free place, or that of the stranger that connected first: a node sends its greeting as soon as it is
 * connected, so an old stranger is none. */
static struct pst_template_in *in_place(void)
{
  struct pst_template_in *oldest = NULL;
  for (unsigned i = 0; i < pst_template.ins; i++) {
    struct pst_template_in *in = &pst_template.in[i];
    if (in->socket.fd < 0) return in;
    if (in->peer == PST_NO_PEER && (!oldest || in->since < oldest->since)) oldest = in;
  }
  return oldest;
}

void pst_template_receive_from(int fd)
{
  static uint64_t strangers;
  struct pst_template_in *in = in_place();
  if (in->socket.fd >= 0) in_drop(in);
  pst_template_set_options(fd);
  *in = (struct pst_template_in){.socket = {fd, in_ready}, .peer = PST_NO_PEER, .since = strangers++};
  if (pst_template_watch(&in->socket, EPOLLIN) != 0) in_drop(in);
}
