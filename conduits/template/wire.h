/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the template's connections carry, as docs/formats.md draws it: a greeting each way, then frames one
 * way. */
#ifndef CONDUITS_TEMPLATE_WIRE_H
#define CONDUITS_TEMPLATE_WIRE_H
#include "conduits/net/message.h"
#include "support/sha256.h"

enum { PST_TEMPLATE_MESSAGE = PST_NET_LEAST_MESSAGE, PST_TEMPLATE_SECRET = 32, PST_TEMPLATE_HOST = 64 };

struct pst_template_secret {
  unsigned char bytes[PST_TEMPLATE_SECRET];
};

/* What each node tells all others at the start. */
struct pst_template_contact {
  uint32_t address; /* IPv4, and port: in the network's order */
  uint16_t port, unused;
  struct pst_template_secret secret; /* node 0's is the job's */
  char host[PST_TEMPLATE_HOST];
};

/* The node that connects and the node that answers both prove that they know the job's secret. A proof is
 * valid for one pair of nodes, one side of it, and this job. Each pair connects once, so a stranger that has
 * overheard a proof cannot use it. */
enum pst_template_side { PST_TEMPLATE_CONNECTS, PST_TEMPLATE_ANSWERS };
struct pst_template_greeting {
  uint32_t magic, src;
  unsigned char proof[PST_SHA256_BYTES];
};
void pst_template_greet(const struct pst_template_secret *s, enum pst_template_side side, gasnet_node_t src,
    gasnet_node_t dest, struct pst_template_greeting *g);
/* Whether the greeting is of this side, for `dest`, and from the node that it names, which may be any
 * number. */
int pst_template_is_proved(const struct pst_template_secret *s, enum pst_template_side side,
    gasnet_node_t dest, const struct pst_template_greeting *g);

/* A frame: how long its body is, and what: a message (net/message.h), or a piece of a transfer (rma.c). */
enum {
  PST_TEMPLATE_AM,
  PST_TEMPLATE_PUT,
  PST_TEMPLATE_DONE,
  PST_TEMPLATE_GET,
  PST_TEMPLATE_DATA,
  PST_TEMPLATE_KINDS
};
struct pst_template_frame {
  uint32_t nbytes, kind;
};

/* Then, of PUT and DATA, nbytes of data, up to the next multiple of 8. */
struct pst_template_piece {
  uint64_t addr, nbytes; /* PUT, GET: in the receiver's memory */
  uint32_t cookie, last;
};

/* Both trust no byte. The length, with its head, of the frame that `n` bytes begin with; 0 where its end has
 * not come; -1 where it is malformed. */
long pst_template_frame(const char *bytes, size_t n);
/* The piece in a body: PST_OK, or PST_ERR_INVALID. */
int pst_template_read_piece(const struct pst_net_receiver *r, unsigned kind, const char *body, size_t nbytes,
    struct pst_template_piece *p);

#endif
