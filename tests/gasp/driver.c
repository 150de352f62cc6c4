/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Causes each event of the tables on several processes, as the UPC library, or with --shmem the OpenSHMEM
 * library, and instrumented code would, so that tools can be tested without them. It is compiled with
 * -finstrument-functions and linked with --wrap=malloc, realloc and free. driver [--exit
 * together|alone|each|process|crash] [--rounds N] [--pause] [--fork] [--shmem] [processes] each: all end the
 * job, each alone; the first that comes back takes the others with it. --fork: each forks another, which
 * calls and exits.
 * --pause: a little time passes in each call. The last line of each process is the number of events it wanted
 * the tool to have. */
#define PENSTOCK_INST
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gasp/events.h"
#include "penstock/upc_types.h"
#include "pupc.h"

#define PLAIN __attribute__((no_instrument_function))

static unsigned me, count = 3, rounds = 1, wanted;
static int slowly, forking, shmem;
static const char *how = "together";
static pthread_barrier_t *all;

static PLAIN void spend(void)
{
  if (slowly) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

#define HERE pst_gasp_here(__FILE__, __LINE__, 7)
/* A call of the model with the same arguments at both ends; calls within it cause no events. */
#define GASP_MODEL_ITS (shmem ? GASP_MODEL_SHMEM : GASP_MODEL_UPC)
#define PAIR(...) \
  do { \
    HERE; \
    GASP_BEGIN(ITS, __VA_ARGS__); \
    inner(); \
    GASP_FINISH(ITS, __VA_ARGS__); \
    wanted += 2; \
  } while (0)
#define ONE(...) \
  do { \
    HERE; \
    GASP_ATOMICALLY(ITS, __VA_ARGS__); \
    wanted++; \
  } while (0)
/* Arguments of Start, and those that End has more. */
#define LONGER(first, last) \
  do { \
    HERE; \
    GASP_BEGIN(ITS, first); \
    inner(); \
    GASP_FINISH(ITS, first, last); \
    wanted += 2; \
  } while (0)
#define C , /* between the arguments of one of these */

static PLAIN void inner(void)
{
  pst_gasp_here("not_to_be_seen.c", 1, 1);
  GASP_BEGIN(UPC, GASP_UPC_FENCE);
  GASP_ATOMICALLY(UPC, GASP_UPC_CACHE_HIT, (size_t)1);
  spend();
  GASP_FINISH(UPC, GASP_UPC_FENCE);
}

static void synchronise(void)
{
  PAIR(GASP_UPC_NOTIFY, 1, 5);
  PAIR(GASP_UPC_WAIT, 1, 5);
  HERE;
  GASP_BEGIN(UPC, GASP_UPC_BARRIER, 0, 0);
  pthread_barrier_wait(all);
  GASP_FINISH(UPC, GASP_UPC_BARRIER, 0, 0);
  wanted += 2;
  PAIR(GASP_UPC_FENCE);
  PAIR(GASP_UPC_FORALL);
}

static void allocate(void)
{
  upc_pts_t new = {64, 0, 0};
  upc_lock_t *lock = (upc_lock_t *)0x100;
  LONGER(GASP_UPC_GLOBAL_ALLOC C(size_t) 4 C(size_t) 100, &new);
  LONGER(GASP_UPC_ALL_ALLOC C(size_t) 4 C(size_t) 100, &new);
  LONGER(GASP_UPC_ALLOC C(size_t) 100, &new);
  PAIR(GASP_UPC_FREE, &new);
  LONGER(GASP_UPC_GLOBAL_LOCK_ALLOC, lock);
  LONGER(GASP_UPC_ALL_LOCK_ALLOC, lock);
  PAIR(GASP_UPC_LOCK, lock);
  PAIR(GASP_UPC_UNLOCK, lock);
  LONGER(GASP_UPC_LOCK_ATTEMPT C lock, 1);
  PAIR(GASP_UPC_LOCK_FREE, lock);
}

static void transfer(void)
{
  upc_pts_t other = {128, (me + 1) % count, 2}, mine = {32, me, 0};
  char here[64];
  PAIR(GASP_UPC_MEMCPY, &other, &mine, (size_t)10);
  PAIR(GASP_UPC_MEMCPY, &mine, &other, (size_t)11);
  PAIR(GASP_UPC_MEMGET, here, &other, (size_t)12);
  PAIR(GASP_UPC_MEMPUT, &other, here, (size_t)13);
  PAIR(GASP_UPC_MEMSET, &other, 7, (size_t)14);
  PAIR(GASP_UPC_GET, 1, here, &other, (size_t)4);
  PAIR(GASP_PENSTOCK_COPY, 1, &other, &other, (size_t)4);
  PAIR(GASP_UPC_PUT, 0, &other, here, (size_t)8);
  ONE(GASP_UPC_CACHE_MISS, (size_t)8, (size_t)64);
  ONE(GASP_UPC_CACHE_HIT, (size_t)8);
  ONE(GASP_UPC_CACHE_INVALIDATE, (size_t)2);
}

static void transfer_later(void)
{
  upc_pts_t other = {128, (me + count - 1) % count, 0}, mine = {32, me, 0};
  gasp_upc_nb_handle_t h = (gasp_upc_nb_handle_t)0x1000, trivial = GASP_NB_TRIVIAL,
                       implicit = GASP_PENSTOCK_NB_IMPLICIT;
  char here[64];
  LONGER(GASP_UPC_NB_GET_INIT C 1 C here C & other C(size_t) 20, h);
  LONGER(GASP_UPC_NB_PUT_INIT C 1 C & other C here C(size_t) 21, h);
  PAIR(GASP_UPC_NB_GET_DATA, h);
  PAIR(GASP_UPC_NB_PUT_DATA, h);
  PAIR(GASP_UPC_NB_SYNC, h);
  LONGER(GASP_UPC_NB_PUT_INIT C 1 C & other C here C(size_t) 22, trivial);
  LONGER(GASP_PENSTOCK_NB_MEMCPY C & other C & mine C(size_t) 23, implicit);
  LONGER(GASP_PENSTOCK_NB_MEMSET C & other C 0 C(size_t) 24, implicit);
  LONGER(GASP_PENSTOCK_NB_VIS_COPY C(int) GASP_PENSTOCK_VLIST C(size_t) 3 C(size_t) 1 C(size_t) 25 C(int)
             other.thread,
      implicit);
  LONGER(GASP_PENSTOCK_NB_VIS_GET C(int) GASP_PENSTOCK_ILIST C(size_t) 3 C(size_t) 1 C(size_t) 26 C(int)
             other.thread,
      implicit);
  LONGER(GASP_PENSTOCK_NB_VIS_PUT C(int) GASP_PENSTOCK_STRIDED C(size_t) 3 C(size_t) 1 C(size_t) 27 C(int)
             other.thread,
      implicit);
  PAIR(GASP_UPC_NB_SYNC, implicit);
  PAIR(GASP_PENSTOCK_VIS_COPY, (int)GASP_PENSTOCK_FSTRIDED, (size_t)3, (size_t)1, (size_t)28,
      (int)other.thread);
  PAIR(GASP_PENSTOCK_VIS_GET, (int)GASP_PENSTOCK_ANY, (size_t)3, (size_t)1, (size_t)29, (int)other.thread);
  PAIR(
      GASP_PENSTOCK_VIS_PUT, (int)GASP_PENSTOCK_REBLOCK, (size_t)3, (size_t)1, (size_t)30, (int)other.thread);
}

static void collect(void)
{
  upc_pts_t dst = {0, 1 % count, 0}, src = {8, 0, 0};
  const size_t n = 16;
  PAIR(GASP_UPC_ALL_BROADCAST, &dst, &src, n, 0);
  PAIR(GASP_UPC_ALL_SCATTER, &dst, &src, n, 0);
  PAIR(GASP_UPC_ALL_GATHER, &dst, &src, n, 0);
  PAIR(GASP_UPC_ALL_GATHER_ALL, &dst, &src, n, 0);
  PAIR(GASP_UPC_ALL_EXCHANGE, &dst, &src, n, 0);
  PAIR(GASP_UPC_ALL_PERMUTE, &dst, &src, &src, n, 0);
  PAIR(GASP_UPC_ALL_REDUCE, &dst, &src, 1, n, n, NULL, 0, (int)GASP_UPC_REDUCTION_D);
  PAIR(GASP_UPC_ALL_PREFIX_REDUCE, &dst, &src, 1, n, n, NULL, 0, (int)GASP_UPC_REDUCTION_I);
}

/* ---- OpenSHMEM ---- */

static void put_and_get(void)
{
  const int other = (int)((me + 1) % count);
  char here[64], there[64];
  PAIR(GASP_SHMEM_PUT, there, here, (size_t)3, (size_t)4, other, "shmem_int_put");
  PAIR(GASP_SHMEM_PUT, there, here, (size_t)5, (size_t)1, (int)me, "shmem_putmem");
  PAIR(GASP_SHMEM_GET, here, there, (size_t)3, (size_t)8, other, "shmem_long_get");
  PAIR(GASP_SHMEM_IPUT, there, here, (ptrdiff_t)2, (ptrdiff_t)-1, (size_t)4, (size_t)16, other,
      "shmem_iput128");
  PAIR(GASP_SHMEM_IGET, here, there, (ptrdiff_t)1, (ptrdiff_t)3, (size_t)5, (size_t)4, other, "shmem_iget32");
  PAIR(GASP_SHMEM_P, there, (size_t)8, other, "shmem_double_p");
  PAIR(GASP_SHMEM_G, there, (size_t)2, other, "shmem_short_g");
  PAIR(GASP_SHMEM_ATOMIC_FETCH, (int)GASP_SHMEM_OP_SWAP, there, (size_t)8, other, "shmem_swap");
  PAIR(GASP_SHMEM_ATOMIC_FETCH, (int)GASP_SHMEM_OP_CSWAP, there, (size_t)4, other, "shmem_int_cswap");
  PAIR(GASP_SHMEM_ATOMIC_FETCH, (int)GASP_SHMEM_OP_ADD, there, (size_t)4, other, "shmem_int_finc");
  PAIR(GASP_SHMEM_ATOMIC_UPDATE, (int)GASP_SHMEM_OP_ADD, there, (size_t)8, other, "shmem_long_add");
}

static void order_and_wait(void)
{
  long word;
  PAIR(GASP_SHMEM_WAIT, &word, sizeof word, "shmem_wait");
  PAIR(GASP_SHMEM_WAIT_UNTIL, &word, sizeof word, 1, "shmem_long_wait_until");
  PAIR(GASP_SHMEM_FENCE, "shmem_fence");
  PAIR(GASP_SHMEM_QUIET, "shmem_quiet");
  HERE;
  GASP_BEGIN(SHMEM, GASP_SHMEM_BARRIER_ALL, "shmem_barrier_all");
  pthread_barrier_wait(all);
  GASP_FINISH(SHMEM, GASP_SHMEM_BARRIER_ALL, "shmem_barrier_all");
  wanted += 2;
  PAIR(GASP_SHMEM_BARRIER, 0, 0, (int)count, "shmem_barrier");
  PAIR(GASP_SHMEM_SET_LOCK, &word, "shmem_set_lock");
  PAIR(GASP_SHMEM_CLEAR_LOCK, &word, "shmem_clear_lock");
  LONGER(GASP_SHMEM_TEST_LOCK C & word C "shmem_test_lock", 1);
}

static void shmem_collect(void)
{
  const int size = (int)count;
  char source[8], target[8];
  PAIR(GASP_SHMEM_REDUCE, target, source, (size_t)2, (size_t)4, 0, 0, size, "shmem_float_sum_to_all");
  PAIR(GASP_SHMEM_COLLECT, target, source, (size_t)me, (size_t)4, 0, 0, size, "shmem_collect32");
  PAIR(GASP_SHMEM_FCOLLECT, target, source, (size_t)1, (size_t)8, 0, 0, size, "shmem_fcollect64");
  PAIR(GASP_SHMEM_BROADCAST, target, source, (size_t)1, (size_t)8, size - 1, 0, 0, size, "shmem_broadcast64");
  PAIR(GASP_SHMEM_BROADCAST, target, source, (size_t)0, (size_t)4, 0, (int)me, 5, 1, "shmem_broadcast32");
}

static void shmem_allocate(void)
{
  void *new = &new;
  LONGER(GASP_SHMEM_MALLOC C(size_t) 100 C "shmalloc", new);
  LONGER(GASP_SHMEM_ALIGN C(size_t) 64 C(size_t) 100 C "shmalign", new);
  LONGER(GASP_SHMEM_REALLOC C new C(size_t) 200 C "shrealloc", NULL);
  PAIR(GASP_SHMEM_FREE, new, "shfree");
}

/* The client's own: named with what JSON cannot have, and not one within the other. */
static void own_events(void)
{
  static unsigned first, second;
  if (!first) {
    first = pupc_create_event("phase \"one\"\n\x01\xff", "step %d");
    second = pupc_create_event("phase two", NULL);
  }
  pupc_event_start(first, 1);
  pupc_event_start(second);
  spend();
  pupc_event_end(first, 1);
  pupc_event_end(second);
  pupc_event_atomic(second);
  wanted += 5;
}

/* Nothing of this is measured, but the events are there. */
static void unmeasured(void)
{
  const int before = pupc_control(0);
  upc_pts_t other = {128, (me + 1) % count, 2};
  PAIR(GASP_UPC_MEMPUT, &other, NULL, (size_t)1000000);
  pst_gasp_set_site("muted.c", -1, 0);
  GASP_BEGIN(UPC, GASP_UPC_FREE, &other);
  inner();
  GASP_FINISH(UPC, GASP_UPC_FREE, &other);
  if (pupc_control(before) != 0) fprintf(stderr, "pupc_control does not remember\n");
}

/* Called by itself, where that is not measured: the end of the inner call is not the outer one's. */
static void call_itself(int again)
{
  if (!again) return;
  const int before = pupc_control(0);
  call_itself(0);
  pupc_control(before);
  spend();
}

static void use_memory(void)
{
  void *volatile p = malloc(100);
  p = realloc(p, 200);
  free(p);
  wanted += 6;
}

static void work(void)
{
  if (shmem) {
    put_and_get();
    order_and_wait();
    shmem_collect();
    shmem_allocate();
    wanted += 2 * 4; /* functions */
  } else {
    synchronise();
    allocate();
    transfer();
    transfer_later();
    collect();
    unmeasured();
    wanted += 2 * 6;
  }
  own_events();
  call_itself(1);
  use_memory();
  wanted += 2 * 5;
}

/* No process of the job, and not measured. */
static PLAIN void fork_another(void)
{
  int status = 1;
  const pid_t child = fork();
  if (child == 0) {
    if (shmem) put_and_get();
    else transfer();
    exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    fprintf(stderr, "what was forked ended with %#x\n", (unsigned)status);
}

static PLAIN void end_alone(void)
{
  if (shmem) ONE(GASP_SHMEM_NONCOLLECTIVE_EXIT, 3, "shmem_global_exit");
  else ONE(GASP_UPC_NONCOLLECTIVE_EXIT, 3);
}

static PLAIN void end_together(void)
{
  HERE;
  if (shmem) GASP_BEGIN(SHMEM, GASP_SHMEM_COLLECTIVE_EXIT, 0, "shmem_finalize");
  else GASP_BEGIN(UPC, GASP_UPC_COLLECTIVE_EXIT, 0);
  pthread_barrier_wait(all);
  if (shmem) GASP_FINISH(SHMEM, GASP_SHMEM_COLLECTIVE_EXIT, 0, "shmem_finalize");
  else GASP_FINISH(UPC, GASP_UPC_COLLECTIVE_EXIT, 0);
  wanted += 2;
}

static PLAIN void leave(void)
{
  if (strcmp(how, "crash") == 0) {
    pthread_barrier_wait(all);
    if (me == count - 1) raise(SIGKILL);
  }
  if (strcmp(how, "each") == 0) {
    pthread_barrier_wait(all);
    end_alone();
    raise(SIGKILL);
  }
  if (strcmp(how, "alone") == 0) {
    pthread_barrier_wait(all);
    if (me == count - 1) end_alone();
    pthread_barrier_wait(all);
    _exit(3);
  }
  if (strcmp(how, "process") == 0 || strcmp(how, "crash") == 0) exit(0);
  end_together();
}

/* Entered before there is a tool: neither that nor its end is an event. */
static void run(int argc, char **argv)
{
  pst_gasp_set_place(me, count);
  pst_gasp_open(GASP_MODEL_ITS, &argc, &argv);
  if (shmem) ONE(GASP_SHMEM_INIT, (int)count, "start_pes");
  pthread_barrier_wait(all);
  for (unsigned i = 0; i < rounds; i++) {
    work();
    if (forking) fork_another();
  }
  leave();
  printf("thread %u: %u events\n", me, wanted);
  fflush(stdout);
}

static PLAIN void read_arguments(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--pause") == 0) slowly = 1;
    else if (strcmp(argv[i], "--shmem") == 0) shmem = 1;
    else if (strcmp(argv[i], "--fork") == 0) forking = 1;
    else if (strcmp(argv[i], "--exit") == 0 && i + 1 < argc) how = argv[++i];
    else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = (unsigned)atoi(argv[++i]);
    else count = (unsigned)atoi(argv[i]);
  }
}

PLAIN int main(int argc, char **argv)
{
  pthread_barrierattr_t shared;
  int worst = 0, status;
  alarm(100);
  read_arguments(argc, argv);
  all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  if (all == MAP_FAILED || count == 0 || pthread_barrier_init(all, &shared, count) != 0) return 2;
  for (me = 0; me < count; me++) {
    const pid_t child = fork();
    if (child < 0) return 2;
    if (child > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run(argc, argv);
    return 0;
  }
  while (wait(&status) > 0) {
    if (WIFSIGNALED(status))
      return 128 + WTERMSIG(status); /* as a job's supervisor does, and the others go with it */
    if (WEXITSTATUS(status) > worst) worst = WEXITSTATUS(status);
  }
  return worst;
}
