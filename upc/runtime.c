/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end of a UPC program, its messages, and addresses of its memory. */
#include <stdlib.h>
#include <string.h>

#include "front/start.h"
#include "upc/upc.h"
#include "upc_compiler.h"

#define HEAP_DEFAULT  ((int64_t)128 << 20)
#define HEAP_VARIABLE "UPC_SHARED_HEAP_SIZE"
#define HEAP_LEAST    ((size_t)GASNET_PAGESIZE)

int MYTHREAD, THREADS;
struct pst_upc pst_upc;

/* gasnet.h marks the program's objects with the thread mode that they were compiled for. */
extern int pst_client_mode_par __attribute__((weak)), pst_client_mode_parsync __attribute__((weak));

static const struct pst_front_language language = {.member = "thread", .start = "upc_init"};

void pst_upc_fatal(const char *call, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  pst_front_fatal(&language, call, fmt, args);
}

void pst_upc_need_open(const char *call)
{
  if (!pst_upc.open) pst_upc_fatal(call, "upc_init has not been called");
}

/* ---- messages ---- */

static uint64_t (*const serve[PST_UPC_KINDS])(unsigned from, uint64_t what, uint64_t value) = {
    [PST_UPC_TAKE] = pst_upc_take,
    [PST_UPC_GIVE_BACK] = pst_upc_give_back,
    [PST_UPC_LOCK_GIVE_BACK] = pst_upc_lock_give_back,
};

static gasnet_handler_t request_index, reply_index;

#define LOW(x)  ((gasnet_handlerarg_t)(uint32_t)(x))
#define HIGH(x) ((gasnet_handlerarg_t)(uint32_t)((uint64_t)(x) >> 32))
static uint64_t args_join(gasnet_handlerarg_t low, gasnet_handlerarg_t high)
{
  return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

static void reply_handler(gasnet_token_t token, gasnet_handlerarg_t a0, gasnet_handlerarg_t a1,
    gasnet_handlerarg_t v0, gasnet_handlerarg_t v1)
{
  struct pst_upc_answer *a = (struct pst_upc_answer *)(uintptr_t)args_join(a0, a1);
  (void)token;
  a->value = args_join(v0, v1);
  gasnett_local_wmb(); /* the value before `here` */
  a->here = 1;
}

static void request_handler(gasnet_token_t token, gasnet_handlerarg_t kind, gasnet_handlerarg_t a0,
    gasnet_handlerarg_t a1, gasnet_handlerarg_t w0, gasnet_handlerarg_t w1, gasnet_handlerarg_t v0,
    gasnet_handlerarg_t v1)
{
  gasnet_node_t from;
  uint64_t answer;
  gasnet_AMGetMsgSource(token, &from);
  if (pst_gasp_on) pst_gasp_hush(1); /* the handler's malloc and free are not told as the program's */
  answer = serve[kind](from, args_join(w0, w1), args_join(v0, v1));
  if (pst_gasp_on) pst_gasp_hush(-1);
  gasnet_AMReplyShort4(token, reply_index, a0, a1, LOW(answer), HIGH(answer));
}

uint64_t pst_upc_ask(unsigned thread, enum pst_upc_kind kind, uint64_t what, uint64_t value)
{
  struct pst_upc_answer a = {.here = 0};
  gasnet_AMRequestShort7(thread, request_index, kind, LOW((uintptr_t)&a), HIGH((uintptr_t)&a), LOW(what),
      HIGH(what), LOW(value), HIGH(value));
  GASNET_BLOCKUNTIL(a.here);
  gasnett_local_rmb();
  return a.value;
}

/* ---- memory ---- */

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

static size_t heap_size(void)
{
  const char *text = gasnett_getenv(HEAP_VARIABLE);
  const int64_t asked = gasnett_getenv_int_withdefault(HEAP_VARIABLE, HEAP_DEFAULT, 1);
  const size_t most = gasnet_getMaxGlobalSegmentSize() / 2 / GASNET_PAGESIZE * GASNET_PAGESIZE;
  size_t least = round_up(pst_upc_section_size() + 64, HEAP_LEAST), heap;
  if (asked < 0) pst_upc_fatal("upc_init", HEAP_VARIABLE " is %s; it must not be negative", text);
  heap = round_up((size_t)asked, GASNET_PAGESIZE);
  if (least > most)
    pst_upc_fatal("upc_init",
        "the program's static shared data needs %zu bytes a thread; a segment has %zu at most, half of it "
        "for them",
        least, 2 * most);
  if (heap < least) heap = least;
  if (heap <= most) return heap;
  if (text && *text)
    pst_upc_fatal("upc_init",
        HEAP_VARIABLE " is %s; twice as much must fit into a segment, which has %zu bytes at most", text,
        2 * most);
  return most;
}

static size_t segment_size(void)
{
  MYTHREAD = (int)gasnet_mynode();
  THREADS = (int)gasnet_nodes();
  pst_upc.heap = heap_size();
  return 2 * pst_upc.heap;
}

static void segments_find(void)
{
  gasnet_seginfo_t *segment = malloc((size_t)THREADS * sizeof *segment);
  pst_upc.base = malloc((size_t)THREADS * sizeof *pst_upc.base);
  if (!pst_upc.base || !segment) pst_upc_fatal("upc_init", "out of memory for %d threads", THREADS);
  pst_front_must(&language, gasnet_getSegmentInfo(segment, THREADS), "segments");
  for (int i = 0; i < THREADS; i++) pst_upc.base[i] = (uintptr_t)segment[i].addr;
  free(segment);
}

static void job_join(int *argc, char ***argv)
{
  gasnet_handlerentry_t table[] = {{0, (void (*)())request_handler}, {0, (void (*)())reply_handler}};
  const struct pst_front_beginning beginning = {.mode = &pst_client_mode_par ? PST_CLIENT_PAR
          : &pst_client_mode_parsync                                         ? PST_CLIENT_PARSYNC
                                                                             : PST_CLIENT_SEQ,
      .size = segment_size,
      .handlers = table,
      .num_handlers = 2,
      .no_memory = "cannot get shared memory; lower UPC_SHARED_HEAP_SIZE"};
  pst_front_begin(&language, &beginning, argc, argv);
  request_index = table[0].index;
  reply_index = table[1].index;
  segments_find();
}

/* ---- addresses of other threads' memory here ---- */

void *upc_cast(upc_const_pts_t p) { return pst_upc_is_null(p) ? NULL : pst_upc_here(p); }
int upc_castable(upc_const_pts_t p) { return upc_cast(p) != NULL; }

#if defined(GASNET_DEBUG)
void pst_upc_check(const char *call, upc_const_pts_t p, size_t n)
{
  const uint64_t bytes = 2 * (uint64_t)pst_upc.heap;
  pst_upc_need_open(call);
  if (n == 0) return;
  if (p.thread >= (unsigned)THREADS) pst_upc_fatal(call, "the pointer's thread is %u", p.thread);
  if (pst_upc_is_null(p)) pst_upc_fatal(call, "the pointer is NULL");
  if (p.address > bytes || n > bytes - p.address)
    pst_upc_fatal(call,
        "%zu bytes from address %#llx on are not in shared memory, which has %#llx bytes a thread", n,
        (unsigned long long)p.address, (unsigned long long)bytes);
}
#endif

/* ---- start and end ---- */

static void job_barrier(void)
{
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

void pst_upc_broadcast(void *data, size_t nbytes, unsigned root)
{
  const int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL;
  gasnet_coll_broadcast(GASNET_TEAM_ALL, data, root, data, nbytes, flags);
}

void upc_init(int *argc, char ***argv)
{
  if (pst_upc.open) pst_upc_fatal("upc_init", "called twice");
  job_join(argc, argv);
  gasnet_coll_init(NULL, 0, NULL, 0, 0);
  pst_upc_section_copy((void *)pst_upc.base[MYTHREAD]);
  pst_upc_alloc_open();
  pst_upc.open = 1;
  job_barrier();
  pst_front_tools_open(GASP_MODEL_UPC, argc, argv);
}

void pst_upc_leave(int status)
{
  pst_upc_need_all("upc_finalize");
  GASP_BEGIN(UPC, GASP_UPC_COLLECTIVE_EXIT, status);
  job_barrier();
  pst_front_tools_leave();
  GASP_FINISH(UPC, GASP_UPC_COLLECTIVE_EXIT, status);
  pst_upc.open = 0;
}

void upc_finalize(void) { pst_upc_leave(0); }

void upc_global_exit(int status)
{
  GASP_ATOMICALLY(UPC, GASP_UPC_NONCOLLECTIVE_EXIT, status);
  gasnet_exit(status);
}

PST_UPC_ALIAS(init);
PST_UPC_ALIAS(finalize);
PST_UPC_ALIAS(global_exit);
PST_UPC_ALIAS(cast);
PST_UPC_ALIAS(castable);
