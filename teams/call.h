/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls: collectives under way, as state machines.
 *
 * A call goes through one or more plans, one after the other. A plan is a function that adds the steps of its
 * next stage: sends, receives, combinations, exchanges, work. All steps of a stage proceed at once, in any
 * order, unless one says that it comes after the step before it. When all are done the plan is asked for the
 * next stage, until it has none. Nothing of this waits: whoever polls advances all calls, so many are under
 * way at a time (teams/engine.c).
 *
 * A message longer than a channel's room goes in three parts. The sender tells the address of its data. The
 * receiver copies from there, where they share memory, or gets the data by the network, and answers. If the
 * receiver cannot reach the address, it answers as soon as it is ready, and the sender then sends pieces. */
#ifndef TEAMS_CALL_H
#define TEAMS_CALL_H
#include "extended/op.h"
#include "gasnetx.h"
#include "teams/head.h"
#include "teams/reduction.h"
#include "teams/team.h"

enum pst_step_kind {
  PST_STEP_SEND,
  PST_STEP_RECEIVE,
  PST_STEP_COMBINE,
  PST_STEP_EXCHANGE,
  PST_STEP_BOARD,
  PST_STEP_FEED,
  PST_STEP_WORK
};

struct pst_call;
struct pst_step;
/* Does a part of the work, of about PST_STEP_BYTES: 1 when all of it is done. */
typedef int (*pst_work_fn)(struct pst_call *c, struct pst_step *s);
enum { PST_STEP_BYTES = 256 << 10 };
/* What the member at a place of the group has given, the caller's own too; in the order of places. */
typedef void (*pst_accept_fn)(struct pst_call *c, const struct pst_step *s, unsigned place, const void *data);

struct pst_step {
  uint8_t kind;
  uint8_t state; /* enum pst_step_state, teams/step.h */
  uint8_t after; /* the step before comes first */
  uint8_t up_to; /* RECEIVE: fewer bytes may come; `moved` says how many have */
  uint8_t below; /* COMBINE: what comes is the left operand */
  /* EXCHANGE: the places in the group that are next; a bit for each that was asked for an answer. BOARD: sent
   * is 1 when the own slot is written; received as for EXCHANGE. FEED: sent is 1 when its turn has come;
   * received is the place that has not left the part's memory. */
  uint8_t sent, received, asked;
  gasnet_node_t node; /* EXCHANGE, BOARD, FEED: with whom it cannot go on */
  char *at;           /* SEND, EXCHANGE: from; else to. COMBINE: the operand here, which becomes the result */
  size_t length, moved; /* FEED: moved is the part */
  char *buffer;     /* COMBINE: `length` bytes, or NULL where what comes fits into a message. FEED: data */
  uint64_t address; /* of the sender's data. BOARD, FEED: the number of the exchange, or broadcast */
  struct pst_board_slot *slot; /* FEED */
  pst_work_fn work;
  pst_accept_fn accept; /* EXCHANGE: NULL where there is no data */
  struct pst_completion got;
};

/* 1: it has added a stage, which may be empty. 0: the plan has come to its end. PST_STAGE_LAST: it has added
 * its last stage. */
typedef int (*pst_plan_fn)(struct pst_call *c);
enum { PST_STAGE_LAST = 2 };
enum { PST_PLANS = 16, PST_MEMORIES = 8 };

struct pst_call {
  struct pst_call *next;
  struct pst_step *step;
  unsigned room;
  char *kept; /* memory that stays with the struct for later calls */

  /* 0 when a call begins. */
  unsigned steps, open;             /* open: all steps before this one are done */
  unsigned plans, at, insert;       /* at: the plan under way; insert: where the next one is added */
  unsigned stage;                   /* of the plan, from 0 */
  int exchange;                     /* the stage: all members of a flat group tell each other something */
  int leads;                        /* each member's part of a sum stays with it (teams/reduce_plan.c) */
  int clients_code;                 /* the reduction is a function of the client's */
  unsigned in_vain;                 /* how often it was advanced since a step has moved */
  unsigned memories, turn;          /* turn: a count of stages, where `stage` is not enough */
  size_t kept_used, done;           /* done: bytes, or elements */
  void (*last)(struct pst_call *c); /* NULL, or what is left to do when all plans are over */
  struct pst_op *op;                /* what the client waits for; NULL of a blocking call */
  void *value;                      /* barrier: what all combine, or NULL */
  size_t value_size;

  struct pst_team *team;
  const char *name; /* the function that was called */
  struct pst_head head;
  pst_plan_fn plan[PST_PLANS];
  gasnetx_collective_t of; /* the arguments; plans may change them for later plans */
  struct pst_reduction reduction;
  int moved;      /* a step has moved since it was cleared */
  int lost;       /* it ends early: why (core/loss.h), or 0; set only where calls may (pst_steps.ends) */
  int asks;       /* a blocking call that is in the engine's list of those that wait for long */
  uint64_t since; /* ticks: when a call that waits in vain began to, or has asked (teams/mismatch.h) */
  /* What plans keep from stage to stage. */
  char *data, *buffer, *outgoing;
  size_t *lengths;     /* collect: of all members, and the places that follow from them */
  size_t *group_begin; /* all-gather: where each group's shares begin, and the end */
  size_t given_length; /* collect: the caller's */
  char *result;
  struct pst_place *places; /* teams/reduce_plan.c, with `target` and `finish` */
  char *packed, *unpacked;  /* dst of elements with a stride */
  unsigned target;
  size_t folded; /* elements that teams/fold_plan.c combines */
  void (*finish)(struct pst_call *c);
  char *memory[PST_MEMORIES]; /* until the end of the call */
};

/* ---- for plans: steps are teams/step.c's ---- */

/* At the end; or, while a plan runs, behind it. */
void pst_call_add_plan(struct pst_call *c, pst_plan_fn plan);
struct pst_step *pst_call_send(struct pst_call *c, unsigned rank, const void *from, size_t n);
struct pst_step *pst_call_receive(struct pst_call *c, unsigned rank, void *to, size_t n);
struct pst_step *pst_call_combine(struct pst_call *c, unsigned rank, void *inout, size_t n, char *buffer);
/* All members of a flat group (teams/group.h) give n bytes to each other: one step for all. */
void pst_call_exchange(struct pst_call *c, const void *from, size_t n, pst_accept_fn accept);
/* A broadcast to all members of a group, from the call's root or to all others: teams/feed.h. */
void pst_call_feed(struct pst_call *c, void *data, size_t n);
struct pst_step *pst_call_work(struct pst_call *c, pst_work_fn work);
/* Copies n bytes, at once where they are few; the two places may be the same. */
void pst_call_copy(struct pst_call *c, void *to, const void *from, size_t n);
/* Until the end of the call, aligned to 64. A call asks for a few pieces. */
char *pst_call_memory(struct pst_call *c, size_t n);

/* An address of this node's for others: 0 where they cannot reach all of [addr, addr + n). */
uint64_t pst_call_shared(const void *addr, size_t n);
/* Where this node reaches such an address of another node's that shares memory. */
void *pst_call_here(gasnet_node_t node, uint64_t address);

/* Bytes of a reduction's elements. */
static inline size_t pst_call_bytes(const struct pst_call *c) { return c->of.count * c->reduction.size; }

/* ---- the plans; their files say what they do ---- */

/* Where the share of a rank begins, and how long it is. */
static inline size_t pst_share_begin(const size_t *offsets, size_t each, unsigned rank)
{
  return offsets ? offsets[rank] : rank * each;
}
static inline size_t pst_share_length(const size_t *lengths, size_t each, unsigned rank)
{
  return lengths ? lengths[rank] : each;
}

void pst_plan_barrier(struct pst_call *c);
void pst_plan_broadcast(struct pst_call *c);
void pst_plan_gather(struct pst_call *c); /* and scatter */
void pst_plan_allgather(struct pst_call *c);
void pst_plan_collect(struct pst_call *c);
void pst_plan_alltoall(struct pst_call *c);
void pst_plan_reduce(struct pst_call *c);
void pst_plan_allreduce(struct pst_call *c);
void pst_plan_scan(struct pst_call *c);

/* ---- for those that begin calls: teams/engine.c ---- */

void pst_engine_open(void);
void pst_engine_forked(void);
/* Teams that were made, until they are destroyed. */
void pst_engine_add_team(struct pst_team *t);
void pst_engine_drop_team(struct pst_team *t);
/* A call to be filled in; the caller is in the engine until one of the next two returns. kind, detail and
 * length are equal at all members. */
struct pst_call *pst_call_new(
    const char *name, struct pst_team *t, unsigned kind, uint32_t detail, uint64_t length);
/* The arguments that most calls have; the others are 0. */
static inline void pst_call_arguments(
    struct pst_call *c, gasnet_node_t root, void *dst, const void *src, size_t nbytes)
{
  gasnetx_collective_t *of = &c->of;
  of->root = root;
  of->dst = dst;
  of->src = src;
  of->nbytes = nbytes;
  of->count = 0;
  of->dst_lengths = of->dst_offsets = NULL;
  of->src_lengths = of->src_offsets = NULL;
  of->elem_size = 0;
}
/* Runs the call to its end. 0, or not where it has ended because a member is lost, or has left. */
int pst_call_run(struct pst_call *c);
/* Begins it: GASNET_INVALID_HANDLE where it is complete. */
gasnet_handle_t pst_call_start(struct pst_call *c);

#endif
