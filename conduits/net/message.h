/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages between two nodes of a network's conduit, as they are written and read; docs/formats.md draws
 * them. */
#ifndef CONDUITS_NET_MESSAGE_H
#define CONDUITS_NET_MESSAGE_H
#include <assert.h>

#include "core/conduit.h"

enum { PST_NET_REQUESTS, PST_NET_REPLIES, PST_NET_STREAMS };
enum { PST_NET_PERIODS = 2 }; /* conduits/ofi/counts.h */

/* LEAST_MESSAGE: bytes that the largest message of any network may have, at least. MORE: bytes beside a
 * payload of a round number of bytes: head, arguments, the description of packed pieces. */
enum { PST_NET_LEAST_MESSAGE = 16 << 10, PST_NET_MORE = 1 << 10, PST_NET_MAX_ARGS = 16 };

enum pst_net_form {
  PST_NET_SHORT,
  PST_NET_MEDIUM,
  PST_NET_LONG_INLINE,
  PST_NET_LONG_PLACED,
  PST_NET_CREDIT,
  PST_NET_COUNT,
  PST_NET_COUNTED,
  PST_NET_HELLO,
  PST_NET_WELCOME,
  PST_NET_FORMS
};

struct pst_net_head {
  uint32_t src;
  uint32_t nbytes; /* of the payload that follows; COUNT, COUNTED: messages of a period, which is `handler` */
  uint16_t credit[PST_NET_STREAMS]; /* units that the receiver may send again */
  uint8_t form;
  uint8_t stream : 1, period : 1, unused : 6; /* of the forms up to CREDIT: in which period it counts */
  uint8_t handler, nargs;
};
static_assert(sizeof(struct pst_net_head) == 16, "a message's head is 16 bytes on all nodes");
/* Then the arguments, an even number of words; for a long its address, and its size where the payload is in
 * its place already; the payload; up to 7 bytes to the next multiple of 8. */
enum { PST_NET_OVERHEAD = sizeof(struct pst_net_head) + 4 * PST_NET_MAX_ARGS + 16 };

static inline size_t pst_net_round_up(size_t nbytes) { return (nbytes + 7) & ~(size_t)7; }
static inline size_t pst_net_arguments_bytes(unsigned nargs) { return pst_net_round_up(4 * (size_t)nargs); }

/* What a receiver knows of itself. */
struct pst_net_receiver {
  unsigned node, nodes;
  gasnet_seginfo_t segment;
  const gasnet_seginfo_t *others; /* [count] what else others may reach */
  unsigned count;
};

static inline int pst_net_is_in(const gasnet_seginfo_t *s, uint64_t addr, uint64_t nbytes)
{
  const uint64_t at = addr - (uintptr_t)s->addr;
  return at <= s->size && nbytes <= s->size - at;
}

/* Whether other nodes may write and read these bytes. */
static inline int pst_net_reachable(const struct pst_net_receiver *r, uint64_t addr, uint64_t nbytes)
{
  if (__builtin_expect(pst_net_is_in(&r->segment, addr, nbytes), 1)) return 1;
  for (unsigned i = 0; i < r->count; i++)
    if (pst_net_is_in(&r->others[i], addr, nbytes)) return 1;
  return 0;
}

/* A message in its parts, which lie in the bytes that were received. */
struct pst_net_parts {
  struct pst_net_head head;
  struct pst_arrival arrival; /* of the forms before CREDIT */
  const void *data;           /* LONG_INLINE: what belongs at arrival.payload */
};

/* Bytes of the largest payload of a long that is in the message. */
enum { PST_NET_INLINE_MOST = PST_NET_LEAST_MESSAGE - PST_NET_OVERHEAD };

/* The form of a message to be sent; how many bytes it has; and its bytes: pst_credit_write_head writes the
 * head (credit.h), write_rest all behind the head. A large payload of a long is not in the message: it goes
 * to its place by itself. */
static inline enum pst_net_form pst_net_form_of(const struct pst_message *m)
{
  if (m->kind == PST_AM_SHORT) return PST_NET_SHORT;
  if (m->kind == PST_AM_MEDIUM) return PST_NET_MEDIUM;
  return m->nbytes <= PST_NET_INLINE_MOST ? PST_NET_LONG_INLINE : PST_NET_LONG_PLACED;
}
static inline size_t pst_net_message_bytes(const struct pst_message *m, enum pst_net_form form)
{
  size_t n = sizeof(struct pst_net_head) + pst_net_arguments_bytes(m->nargs);
  if (form == PST_NET_MEDIUM) n += m->nbytes;
  if (form == PST_NET_LONG_INLINE) n += 8 + m->nbytes;
  if (form == PST_NET_LONG_PLACED) n += 16;
  return pst_net_round_up(n);
}
/* Ends the job where a medium is too long for the network's largest message. */
static inline void pst_net_check_medium(const struct pst_message *m, size_t largest)
{
  if (m->kind == PST_AM_MEDIUM && __builtin_expect(m->nbytes > largest - PST_NET_OVERHEAD, 0))
    pst_fatal("a medium message of %zu bytes; the most are %zu", m->nbytes, largest - PST_NET_OVERHEAD);
}
/* Where losses are reported all of a long is in the message, so that no library reads or writes memory of the
 * client's by itself: it might still do so when the node at the other end is lost. */
static inline void pst_net_check_long(const struct pst_message *m)
{
  if (m->kind == PST_AM_LONG && __builtin_expect(m->nbytes > PST_NET_INLINE_MOST, 0))
    pst_fatal("a long message of %zu bytes; the most over a network are %d where losses are reported",
        m->nbytes, PST_NET_INLINE_MOST);
}
void pst_net_write_rest(const struct pst_message *m, enum pst_net_form form, struct pst_net_head *h);

/* Trusts none of the bytes. PST_ERR_INVALID: they are no message that a node of this job sends to this
 * one. */
int pst_net_decode(
    const struct pst_net_receiver *r, const void *bytes, size_t nbytes, struct pst_net_parts *parts);

#endif
