/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/ask.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "front/wait.h"

/* What goes to the node that answers, and what comes back. */
enum { QUESTION = 128, ROOM, PIECE, QUESTION_STAGED, FETCH, GIVE_BACK, VALUE, ANSWER };

#define LOW(x)  ((gasnet_handlerarg_t)(uint32_t)(x))
#define HIGH(x) ((gasnet_handlerarg_t)(uint32_t)((uint64_t)(x) >> 32))
#define TWO(x)  LOW(x), HIGH(x)
static uint64_t args_join(gasnet_handlerarg_t low, gasnet_handlerarg_t high)
{
  return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}
static void *args_address(gasnet_handlerarg_t low, gasnet_handlerarg_t high)
{
  return (void *)(uintptr_t)args_join(low, high);
}

/* ---- the node that asks ---- */

/* The question that waits. Messages have its number: those for an earlier one, whose node was lost, are
 * thrown away. */
static struct {
  gasnet_handlerarg_t number;
  _Atomic int pending;      /* messages that are to come back */
  uint64_t address, nbytes; /* of a value */
  char *answer;
} asked;

static void asked_arrived(void) { atomic_fetch_sub_explicit(&asked.pending, 1, memory_order_release); }

static void value_handler(gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0,
    gasnet_handlerarg_t a1, gasnet_handlerarg_t n0, gasnet_handlerarg_t n1)
{
  (void)token;
  if (number != asked.number) return;
  asked.address = args_join(a0, a1);
  asked.nbytes = args_join(n0, n1);
  asked_arrived();
}

static void answer_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number,
    gasnet_handlerarg_t o0, gasnet_handlerarg_t o1)
{
  (void)token;
  if (number != asked.number) return;
  if (!asked.answer) asked.answer = pst_caf_own_take(nbytes);
  memcpy(asked.answer + args_join(o0, o1), bytes, nbytes);
  asked_arrived();
}

/* 0: the node is lost. */
static int asked_wait(gasnet_node_t node)
{
  PST_FRONT_UNTIL(
      atomic_load_explicit(&asked.pending, memory_order_acquire) == 0 || gasnetx_node_is_lost(node));
  return atomic_load_explicit(&asked.pending, memory_order_acquire) == 0;
}

static size_t piece_size(size_t left) { return left < gasnet_AMMaxMedium() ? left : gasnet_AMMaxMedium(); }
static int pieces_of(size_t nbytes)
{
  return (int)((nbytes + gasnet_AMMaxMedium() - 1) / gasnet_AMMaxMedium());
}

/* The address that the question has there; 0: the node is lost. */
static uint64_t question_stage(gasnet_node_t node, const char *question, size_t nbytes)
{
  asked.pending = 1;
  gasnet_AMRequestShort3(node, ROOM, asked.number, TWO(nbytes));
  if (!asked_wait(node)) return 0;
  const uint64_t there = asked.address;
  asked.pending = pieces_of(nbytes);
  for (size_t n, at = 0; at < nbytes; at += n) {
    n = piece_size(nbytes - at);
    gasnet_AMRequestMedium3(
        node, PIECE, (void *)(uintptr_t)(question + at), n, asked.number, TWO(there + at));
  }
  return asked_wait(node) ? there : 0;
}

/* It waits at its address there. 0: the node is lost. */
static int answer_fetch(gasnet_node_t node)
{
  const uint64_t there = asked.address, nbytes = asked.nbytes;
  asked.answer = pst_caf_own_take(nbytes);
  asked.pending = pieces_of(nbytes);
  for (size_t n, at = 0; at < nbytes; at += n) {
    n = piece_size(nbytes - at);
    gasnet_AMRequestShort6(node, FETCH, asked.number, TWO(there + at), TWO(at), (gasnet_handlerarg_t)n);
  }
  if (!asked_wait(node)) return 0;
  gasnet_AMRequestShort2(node, GIVE_BACK, TWO(there));
  return 1;
}

/* What a lost node may still send is thrown away by its number, and what it may be storing just now keeps its
 * memory. */
void *pst_caf_ask(gasnet_node_t node, const void *question, size_t nbytes)
{
  uint64_t staged = 0;
  if (gasnetx_node_is_lost(node)) return NULL;
  asked.number++;
  asked.answer = NULL;
  if (nbytes > gasnet_AMMaxMedium() && !(staged = question_stage(node, question, nbytes))) return NULL;
  asked.address = 0;
  asked.pending = 1;
  if (staged) gasnet_AMRequestShort3(node, QUESTION_STAGED, asked.number, TWO(staged));
  else gasnet_AMRequestMedium1(node, QUESTION, (void *)(uintptr_t)question, nbytes, asked.number);
  if (!asked_wait(node)) return NULL;
  if (!asked.answer && !answer_fetch(node)) return NULL;
  return asked.answer;
}

/* ---- the node that answers ---- */

/* An answer that does not fit into a message is fetched, and then given back. */
static void answer_send(gasnet_token_t token, gasnet_handlerarg_t number, void *question)
{
  size_t nbytes;
  void *const answer = pst_caf_answer(question, &nbytes);
  if (nbytes > gasnet_AMMaxMedium()) {
    gasnet_AMReplyShort5(token, VALUE, number, TWO((uintptr_t)answer), TWO(nbytes));
    return;
  }
  gasnet_AMReplyMedium3(token, ANSWER, answer, nbytes, number, 0, 0);
  free(answer);
}

static void question_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number)
{
  void *const question = pst_caf_own_take(nbytes); /* a message need not lie at a multiple of 16 */
  memcpy(question, bytes, nbytes);
  answer_send(token, number, question);
  free(question);
}

static void room_handler(
    gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t n0, gasnet_handlerarg_t n1)
{
  void *const room = pst_caf_own_take(args_join(n0, n1));
  gasnet_AMReplyShort5(token, VALUE, number, TWO((uintptr_t)room), 0, 0);
}

static void piece_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number,
    gasnet_handlerarg_t a0, gasnet_handlerarg_t a1)
{
  memcpy(args_address(a0, a1), bytes, nbytes);
  gasnet_AMReplyShort5(token, VALUE, number, 0, 0, 0, 0);
}

static void staged_handler(
    gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1)
{
  answer_send(token, number, args_address(a0, a1));
  free(args_address(a0, a1));
}

static void fetch_handler(gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0,
    gasnet_handlerarg_t a1, gasnet_handlerarg_t o0, gasnet_handlerarg_t o1, gasnet_handlerarg_t nbytes)
{
  gasnet_AMReplyMedium3(token, ANSWER, args_address(a0, a1), (size_t)(uint32_t)nbytes, number, o0, o1);
}

static void give_back_handler(gasnet_token_t token, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1)
{
  (void)token;
  free(args_address(a0, a1));
}

gasnet_handlerentry_t pst_caf_ask_handlers[] = {
    {QUESTION, (void (*)(void))question_handler},
    {ROOM, (void (*)(void))room_handler},
    {PIECE, (void (*)(void))piece_handler},
    {QUESTION_STAGED, (void (*)(void))staged_handler},
    {FETCH, (void (*)(void))fetch_handler},
    {GIVE_BACK, (void (*)(void))give_back_handler},
    {VALUE, (void (*)(void))value_handler},
    {ANSWER, (void (*)(void))answer_handler},
};
const int pst_caf_ask_num_handlers = sizeof pst_caf_ask_handlers / sizeof pst_caf_ask_handlers[0];
