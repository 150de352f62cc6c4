/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What each message of a collective says of itself, and messages that wait for the call which wants them. */
#ifndef TEAMS_HEAD_H
#define TEAMS_HEAD_H
#include <stddef.h>
#include <stdint.h>

#include "gasnetx.h"

/* DATA: bytes, all or a piece. ASKING: bytes, of which the sender wants to know that they were consumed.
 * ADDRESS: where long data are, or 0 where the receiver cannot reach them. ANSWER: to ASKING and ADDRESS. */
enum pst_class { PST_DATA, PST_ASKING, PST_ADDRESS, PST_ANSWER };

/* Three words, of which a sender changes the middle one alone: a compiler then moves them one by one. It
 * would load two at once that were stored singly, which a processor does only when both have left its store
 * buffer. */
struct pst_head {
  uint64_t team;   /* its id */
  uint64_t length; /* of the call << 16 | class << 8 | the processor that the sender ran on, a hint */
  /* Its number on its team << 48 | a hash of the calls before it << 32 | kind << 24 | root or code of the
   * reduction. */
  uint64_t call;
};

/* Kinds of calls beside gasnetx_coll_kind_t. */
enum { PST_KIND_CREATE = GASNETX_GATHERV + 1, PST_KIND_SPLIT, PST_KIND_BARRIER, PST_KIND_SHARE, PST_KINDS };

/* The upper two bits of an id say how its team came to be. 0 and 1: it is a list of nodes, and the other bits
 * are first, stride and count. MADE: the node of rank 0, and how many teams that node had made. PASSING: a
 * hash of a list or of another id, while a team is made. */
enum { PST_ID_MADE = 2, PST_ID_PASSING };
static inline int pst_id_is_list(uint64_t id) { return !(id >> 63); }
/* The list of all nodes has an id and numbers like a team that was made: the last team of node 0. */
static const uint64_t pst_id_all_list = (uint64_t)PST_ID_MADE << 62 | ((UINT64_C(1) << 40) - 1);
static inline int pst_id_is_of_lists(uint64_t id) { return pst_id_is_list(id) || id == pst_id_all_list; }

static inline enum pst_class pst_head_class(const struct pst_head *h)
{
  return (enum pst_class)(h->length >> 8 & 0xFF);
}

static inline unsigned pst_head_kind(const struct pst_head *h) { return h->call >> 24 & 0xFF; }

/* Is this the message that a call waits for, an answer or not? Calls on lists come in an order that agrees,
 * so a message of another list is one of a wrong call. */
static inline int pst_head_fits(const struct pst_head *h, const struct pst_head *call, int answer)
{
  return h->call >> 48 == call->call >> 48 && (pst_head_class(h) == PST_ANSWER) == answer &&
      (h->team == call->team || (pst_id_is_list(h->team) && pst_id_is_list(call->team)));
}
/* The hash of a call and those before it, which the heads of the next call have. */
static inline uint16_t pst_head_history(const struct pst_head *h)
{
  return (uint16_t)(((h->call >> 32 & 0xFFFF) + h->call + (h->length >> 16)) * 0x9E3779B97F4A7C15u >> 48);
}
/* Is this a message of the next call of the team, by a member whose call in place of this one was another? */
static inline int pst_head_contradicts(const struct pst_head *h, const struct pst_head *call)
{
  return h->team == call->team && !pst_id_is_list(h->team) &&
      (uint16_t)(h->call >> 48) == (uint16_t)((call->call >> 48) + 1) &&
      (h->call >> 32 & 0xFFFF) != pst_head_history(call);
}
/* Have both ends called the same? */
static inline int pst_head_agrees(const struct pst_head *h, const struct pst_head *call)
{
  return h->team == call->team && h->call == call->call && h->length >> 16 == call->length >> 16;
}

/* A message that came before the call which wants it. */
struct pst_early {
  struct pst_early *next;
  struct pst_head head;
  uint32_t sequence; /* over a network */
  uint32_t size;
  _Alignas(16) char data[];
};

/* Such messages of one sender, in the order in which it sent them. */
struct pst_mail {
  struct pst_early *first, **end; /* end: NULL where it was never used */
};

struct pst_early *pst_early_new(const struct pst_head *head, const void *data, size_t size);
void pst_mail_append(struct pst_mail *m, struct pst_early *e);
/* Takes the first message out that fits, or contradicts; NULL where there is none. */
struct pst_early *pst_mail_take(struct pst_mail *m, const struct pst_head *call, int answer);
/* Throws messages with such heads away; returns how many. */
typedef int (*pst_head_test_fn)(const struct pst_head *h);
uint32_t pst_mail_clean(struct pst_mail *m, pst_head_test_fn drop);
int pst_mail_has(const struct pst_mail *m, const struct pst_head *call, int answer);

#endif
