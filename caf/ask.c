/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/ask.h"

#include <pthread.h>
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

void pst_caf_parts_damaged(void) { pst_caf_fatal("a reference to another image", "a message is damaged"); }

/* ---- the node that asks ---- */

/* The question that waits. Its thread changes the number, the answer and its size, and any thread may run the
 * handlers of what comes back. Invariant: a handler touches these only under the lock, and only if its
 * message has the number. A lost node's messages may still come after the question has been given up, which
 * takes a new number, under the lock. `pending` is lowered with release behind what a handler stores, and
 * read with acquire: at 0 the thread that asks sees all of it. */
static struct {
  pthread_mutex_t lock;
  gasnet_handlerarg_t number;
  _Atomic int pending;      /* messages that are to come back */
  uint64_t address, nbytes; /* of a value */
  char *answer;
  size_t size; /* of the answer */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The answer of a question that has been given up is freed. */
static void asked_begin(void)
{
  pthread_mutex_lock(&asked.lock);
  asked.number++;
  free(asked.answer);
  asked.answer = NULL;
  pthread_mutex_unlock(&asked.lock);
}

/* Before the messages are sent that these answer. */
static void asked_expect(int messages)
{
  atomic_store_explicit(&asked.pending, messages, memory_order_relaxed);
}

static void asked_room(size_t nbytes)
{
  asked.answer = pst_caf_own_take(nbytes);
  asked.size = nbytes;
}

/* 0: the node is lost. */
static int asked_wait(gasnet_node_t node)
{
  PST_FRONT_UNTIL(
      atomic_load_explicit(&asked.pending, memory_order_acquire) == 0 || gasnetx_node_is_lost(node));
  return atomic_load_explicit(&asked.pending, memory_order_acquire) == 0;
}

/* Around what a handler stores. 0: it is for an earlier question. */
static int asked_enter(gasnet_handlerarg_t number)
{
  pthread_mutex_lock(&asked.lock);
  if (number == asked.number) return 1;
  pthread_mutex_unlock(&asked.lock);
  return 0;
}
static void asked_leave(void)
{
  atomic_fetch_sub_explicit(&asked.pending, 1, memory_order_release);
  pthread_mutex_unlock(&asked.lock);
}

static void value_handler(gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0,
    gasnet_handlerarg_t a1, gasnet_handlerarg_t n0, gasnet_handlerarg_t n1)
{
  (void)token;
  if (!asked_enter(number)) return;
  asked.address = args_join(a0, a1);
  asked.nbytes = args_join(n0, n1);
  asked_leave();
}

static void answer_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number,
    gasnet_handlerarg_t o0, gasnet_handlerarg_t o1)
{
  const uint64_t offset = args_join(o0, o1);
  (void)token;
  if (!asked_enter(number)) return;
  if (!asked.answer) asked_room(nbytes);
  if (offset > asked.size || nbytes > asked.size - offset) pst_caf_parts_damaged();
  memcpy(asked.answer + offset, bytes, nbytes);
  asked_leave();
}

static size_t piece_size(size_t left) { return left < gasnet_AMMaxMedium() ? left : gasnet_AMMaxMedium(); }
static int pieces_of(size_t nbytes)
{
  return (int)((nbytes + gasnet_AMMaxMedium() - 1) / gasnet_AMMaxMedium());
}

/* The name that the question has there; 0: the node is lost. */
static uint64_t question_stage(gasnet_node_t node, const char *question, size_t nbytes)
{
  asked_expect(1);
  gasnet_AMRequestShort3(node, ROOM, asked.number, TWO(nbytes));
  if (!asked_wait(node)) return 0;
  const uint64_t there = asked.address;
  asked_expect(pieces_of(nbytes));
  for (size_t n, at = 0; at < nbytes; at += n) {
    n = piece_size(nbytes - at);
    gasnet_AMRequestMedium5(
        node, PIECE, (void *)(uintptr_t)(question + at), n, asked.number, TWO(there), TWO(at));
  }
  return asked_wait(node) ? there : 0;
}

/* It waits by its name there. 0: the node is lost. */
static int answer_fetch(gasnet_node_t node)
{
  const uint64_t there = asked.address, nbytes = asked.nbytes;
  asked_room(nbytes);
  asked_expect(pieces_of(nbytes));
  for (size_t n, at = 0; at < nbytes; at += n) {
    n = piece_size(nbytes - at);
    gasnet_AMRequestShort6(node, FETCH, asked.number, TWO(there), TWO(at), (gasnet_handlerarg_t)n);
  }
  if (!asked_wait(node)) return 0;
  gasnet_AMRequestShort2(node, GIVE_BACK, TWO(there));
  return 1;
}

/* 0: the node is lost. */
static int question_answered(gasnet_node_t node, const void *question, size_t nbytes)
{
  uint64_t staged = 0;
  if (nbytes > gasnet_AMMaxMedium() && !(staged = question_stage(node, question, nbytes))) return 0;
  asked_expect(1);
  if (staged) gasnet_AMRequestShort3(node, QUESTION_STAGED, asked.number, TWO(staged));
  else gasnet_AMRequestMedium1(node, QUESTION, (void *)(uintptr_t)question, nbytes, asked.number);
  return asked_wait(node) && (asked.answer || answer_fetch(node));
}

struct pst_caf_parts pst_caf_ask(gasnet_node_t node, const void *question, size_t nbytes)
{
  struct pst_caf_parts answer = {0};
  if (gasnetx_node_is_lost(node)) return answer;
  asked_begin();
  if (question_answered(node, question, nbytes)) {
    answer = (struct pst_caf_parts){asked.answer, asked.size};
    asked.answer = NULL;
  }
  return answer;
}

/* ---- the node that answers ---- */

/* What waits here for a node's messages: a question on its way in, or an answer on its way out. Its address
 * is its name, which is looked up, so that no message can name other memory. */
static struct kept {
  struct kept *next;
  gasnet_node_t node;
  struct pst_caf_parts all;
} * kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; a node's messages do not meet */

static gasnet_node_t source_of(gasnet_token_t token)
{
  gasnet_node_t node;
  gasnet_AMGetMsgSource(token, &node);
  return node;
}

static void kept_add(gasnet_token_t token, struct pst_caf_parts all)
{
  struct kept *const k = pst_caf_own_take(sizeof *k);
  pthread_mutex_lock(&kept_lock);
  *k = (struct kept){kept, source_of(token), all};
  kept = k;
  pthread_mutex_unlock(&kept_lock);
}

/* Takes it out of the list if it is not to stay. */
static struct pst_caf_parts kept_find(
    gasnet_token_t token, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1, int stays)
{
  const gasnet_node_t node = source_of(token);
  struct kept **at = &kept, *k;
  pthread_mutex_lock(&kept_lock);
  while ((k = *at) && (k->node != node || (uintptr_t)k->all.at != args_join(a0, a1))) at = &k->next;
  if (!k) pst_caf_parts_damaged();
  const struct pst_caf_parts all = k->all;
  if (!stays) {
    *at = k->next;
    free(k);
  }
  pthread_mutex_unlock(&kept_lock);
  return all;
}

static char *kept_piece(
    struct pst_caf_parts all, gasnet_handlerarg_t o0, gasnet_handlerarg_t o1, size_t nbytes)
{
  const uint64_t offset = args_join(o0, o1);
  if (offset > all.left || nbytes > all.left - offset) pst_caf_parts_damaged();
  return all.at + offset;
}

/* An answer that does not fit into a message is fetched, and then given back. The question is freed. */
static void answer_send(gasnet_token_t token, gasnet_handlerarg_t number, struct pst_caf_parts question)
{
  const struct pst_caf_parts answer = pst_caf_answer(question);
  free(question.at);
  if (answer.left > gasnet_AMMaxMedium()) {
    kept_add(token, answer);
    gasnet_AMReplyShort5(token, VALUE, number, TWO((uintptr_t)answer.at), TWO(answer.left));
    return;
  }
  gasnet_AMReplyMedium3(token, ANSWER, answer.at, answer.left, number, 0, 0);
  free(answer.at);
}

static void question_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number)
{
  void *const question = pst_caf_own_take(nbytes); /* a message need not lie at a multiple of 16 */
  memcpy(question, bytes, nbytes);
  answer_send(token, number, (struct pst_caf_parts){question, nbytes});
}

static void room_handler(
    gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t n0, gasnet_handlerarg_t n1)
{
  const uint64_t nbytes = args_join(n0, n1);
  void *const room = pst_caf_own_take(nbytes);
  kept_add(token, (struct pst_caf_parts){room, nbytes});
  gasnet_AMReplyShort5(token, VALUE, number, TWO((uintptr_t)room), 0, 0);
}

static void piece_handler(gasnet_token_t token, void *bytes, size_t nbytes, gasnet_handlerarg_t number,
    gasnet_handlerarg_t a0, gasnet_handlerarg_t a1, gasnet_handlerarg_t o0, gasnet_handlerarg_t o1)
{
  memcpy(kept_piece(kept_find(token, a0, a1, 1), o0, o1, nbytes), bytes, nbytes);
  gasnet_AMReplyShort5(token, VALUE, number, 0, 0, 0, 0);
}

static void staged_handler(
    gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1)
{
  answer_send(token, number, kept_find(token, a0, a1, 0));
}

static void fetch_handler(gasnet_token_t token, gasnet_handlerarg_t number, gasnet_handlerarg_t a0,
    gasnet_handlerarg_t a1, gasnet_handlerarg_t o0, gasnet_handlerarg_t o1, gasnet_handlerarg_t nbytes)
{
  const size_t n = (uint32_t)nbytes;
  if (n > gasnet_AMMaxMedium()) pst_caf_parts_damaged();
  gasnet_AMReplyMedium3(token, ANSWER, kept_piece(kept_find(token, a0, a1, 1), o0, o1, n), n, number, o0, o1);
}

static void give_back_handler(gasnet_token_t token, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1)
{
  free(kept_find(token, a0, a1, 0).at);
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
