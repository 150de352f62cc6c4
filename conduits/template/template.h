/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The template: a whole network conduit, over TCP, for whoever writes the next one. docs/porting.md goes
 * through it.
 *
 * As ofi and ucx do, it takes from conduits/net/ what every network's conduit needs: the form of messages and
 * their decoder, windows, messages that wait for their handler, peers that are lost, the progress thread, and
 * the order of steps at the end. This directory has what differs: how to reach a peer, and how bytes get
 * there and arrive.
 *
 * Each node listens at one socket. A node that first has something for a peer connects to it, and sends its
 * bytes over that connection; the peer sends nothing there and makes a connection of its own. So two nodes
 * that connect to each other at the same time have the two connections that they need, and a process that
 * ends with unread bytes in its sockets does not destroy what it has sent. The price is twice the
 * descriptors.
 *
 * One lock protects all of it. Handlers never run under the lock. */
#ifndef CONDUITS_TEMPLATE_TEMPLATE_H
#define CONDUITS_TEMPLATE_TEMPLATE_H
#include "conduits/net/call.h"
#include "conduits/net/credit.h"
#include "conduits/template/wire.h"

enum {
  PST_TEMPLATE_UNIT = 64, /* no message counts for less in a window */
  PST_TEMPLATE_WINDOW = 4 *
      PST_TEMPLATE_MESSAGE, /* bytes that a peer may have sent, in each stream, and that have not run */
  PST_TEMPLATE_BUFFER = 4 * PST_TEMPLATE_MESSAGE, /* of a connection, at either end */
  PST_TEMPLATE_STRANGERS = 64 /* connections of others, beside one from each node, that have proved nothing */
};

/* A socket that epoll watches. */
struct pst_template_socket {
  int fd;                                       /* -1: none */
  void (*ready)(struct pst_template_socket *s); /* under the lock */
};

/* A connection to a peer. `buffer` holds what the kernel has not taken yet, from `begin` to `end`: first the
 * greeting, then frames. */
struct pst_template_out {
  struct pst_template_socket socket;
  enum { PST_TEMPLATE_APART, PST_TEMPLATE_GREETING, PST_TEMPLATE_OPEN, PST_TEMPLATE_GONE } state;
  size_t begin, end, heard; /* heard: bytes of `answer` */
  struct pst_template_greeting answer;
  char *buffer;
};

/* A connection from a peer, or from a stranger, which gets room for a greeting and no more. */
struct pst_template_in {
  struct pst_template_socket socket;
  gasnet_node_t peer; /* PST_NO_PEER: a stranger */
  uint64_t since;     /* of strangers: in which order they came */
  size_t have;        /* bytes that have come and belong to something incomplete */
  struct pst_template_greeting greeting;
  char *buffer;
};

struct pst_template {
  struct pst_template_socket listening;
  int epoll;
  struct pst_template_secret secret;    /* of the job */
  struct pst_template_contact *contact; /* [nodes] */
  struct pst_template_out *out;         /* [nodes] */
  struct pst_template_in *in;           /* [ins] */
  unsigned ins;
  uint8_t *came; /* [nodes] 1: it has connected to this node, which it does once */
};
extern struct pst_template pst_template;

/* listen.c: where this node is reached. PST_OK or an error. */
int pst_template_listen(int one_host, struct pst_template_contact *mine);
int pst_template_watch(struct pst_template_socket *s, uint32_t events);
void pst_template_set_options(int fd);

/* send.c: under the lock. Room for a body of so many bytes, behind what is still to be sent to the peer; NULL
 * where there is none. pst_template_send sends the body. */
void *pst_template_room(gasnet_node_t peer, size_t nbytes);
void pst_template_send(gasnet_node_t peer, unsigned kind, size_t nbytes);
int pst_template_unsent(void); /* 1: there is something still */

/* receive.c: under the lock. */
void pst_template_receive_from(int fd);

/* rma.c */
int pst_template_put(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
int pst_template_get(unsigned op, gasnet_node_t node, void *dst, const void *src, size_t nbytes,
    struct pst_completion *completion);
void pst_template_arrived(
    gasnet_node_t peer, unsigned kind, const char *body, size_t nbytes); /* these three under the lock */
void pst_template_continue(void);                                        /* what found no room */
int pst_template_is_continuing(void);

/* progress.c */
int pst_template_serve(void);
void pst_template_sleep(int milliseconds);
int pst_template_poll(void);
int pst_template_poll_replies(void);
int pst_template_flush(double seconds);

/* am.c */
int pst_template_am(struct pst_message *m);
int pst_template_am_send(struct pst_message *m, enum pst_net_form form, size_t nbytes); /* for credit.c */

#endif
