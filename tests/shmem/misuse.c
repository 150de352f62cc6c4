/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the OpenSHMEM library that break its rules; tests/check_shmem_misuse.sh knows the messages, which
 * name the routine, the PE and the values. DEBUG: SMA_DEBUG and debug builds find it. */
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#include "../misuse.h"

static long word, lock, sync_words[_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_COLLECT_SYNC_SIZE],
    work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static const long constant = 5;

/* For errors that the environment causes. */
static void nothing(void) {}

/* ---- addresses ---- */

static void stack_put(void)
{
  long here = 1;
  shmem_long_put(&here, &word, 1, 1 - test.me);
}
static void stack_p(void)
{
  int here;
  shmem_int_p(&here, 5, 1 - test.me);
}
static void malloc_get(void)
{
  long *there = calloc(4, sizeof *there);
  shmem_long_get(&word, there, 3, 1 - test.me);
}
static void malloc_iget(void)
{
  double *there = calloc(40, sizeof *there), here[10];
  shmem_double_iget(here, there, 1, 3, 10, 1 - test.me);
}
static void stack_atomic(void)
{
  long here = 1;
  shmem_long_fadd(&here, 1, 1 - test.me);
}
static void stack_swap(void)
{
  float here = 1;
  shmem_float_swap(&here, 1, 1 - test.me);
}
static void constant_put(void) { shmem_putmem((void *)&constant, &word, 8, 1 - test.me); }
static void system_put(void) { shmem_putmem(stdout, &word, 8, 1 - test.me); }
static void null_put(void) { shmem_put32(NULL, &word, 1, 1 - test.me); }
static void past_the_heap(void)
{
  char *block = test_shmalloc(100), *own = malloc((size_t)1 << 20);
  shmem_putmem(block, own, (size_t)1 << 40, 1 - test.me);
}
static void stack_lock(void)
{
  long here = 0;
  shmem_set_lock(&here);
}

/* ---- PEs ---- */

static void negative_pe(void) { shmem_long_p(&word, 1, -1); }
static void large_pe(void) { shmem_long_g(&word, 2); }
static void put_to_no_pe(void) { shmem_long_put(&word, &lock, 1, 77); }
static void iput_to_no_pe(void) { shmem_long_iput(&word, &lock, 1, 1, 1, 2); }
static void get_from_no_pe(void) { shmem_getmem(&word, &lock, 8, -5); }
static void atomic_at_no_pe(void) { shmem_long_inc(&word, 2); }

/* ---- order ---- */

static void early_put(void) { shmem_long_p(&word, 1, 0); }
static void early_barrier(void) { shmem_barrier_all(); }
static void early_alloc(void) { shmalloc(100); }
static void early_lock(void) { shmem_set_lock(&lock); }
static void late_put(void)
{
  shmem_finalize();
  shmem_long_p(&word, 1, 1 - test.me);
}

/* Ends as the child does. */
static void in_child(void (*call)(void))
{
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    call();
    _exit(99);
  }
  if (waitpid(child, &status, 0) == child) shmem_global_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
}
static void put_next(void) { shmem_long_p(&word, 1, 1 - test.me); }
static void allocate(void) { shmalloc(100); }
static void forked_put(void) { in_child(put_next); }
static void forked_alloc(void) { in_child(allocate); }
static void forked_barrier(void) { in_child(shmem_barrier_all); }

/* ---- the heap ---- */

static void other_size(void) { shmalloc(100 + (size_t)test.me); }
static void other_free(void)
{
  char *a = test_shmalloc(100), *b = test_shmalloc(100);
  shfree(test.me ? a : b);
}
static void other_call(void)
{
  if (test.me) shmalloc(100);
  else shfree(NULL), shmem_barrier_all();
}
static void double_free(void)
{
  char *p = test_shmalloc(100);
  shfree(p);
  shfree(p);
}
static void bad_free(void) { shfree((char *)test_shmalloc(100) + 16); }
static void foreign_free(void) { shfree(&word); }
static void bad_realloc(void) { shrealloc((char *)test_shmalloc(100) + 16, 200); }
static void bad_alignment(void) { shmalign(24, 100); }
static void exhausted(void) { shmalloc((size_t)1 << 50); }

/* ---- collectives, waits, locks ---- */

static void set_too_large(void) { shmem_barrier(0, 0, 3, sync_words); }
static void set_with_step(void) { shmem_barrier(1, 3, 2, sync_words); }
static void negative_start(void) { shmem_long_sum_to_all(&word, &lock, 1, -1, 0, 2, work, sync_words); }
static void not_a_member(void) { shmem_fcollect64(&word, &lock, 1, 1 - test.me, 0, 1, sync_words); }
static void bad_root(void) { shmem_broadcast64(&word, &lock, 1, 2, 0, 0, 2, sync_words); }
static void stack_target(void)
{
  long here = 1;
  shmem_broadcast64(&here, &word, 1, 0, 0, 0, 2, sync_words);
}
static void negative_count(void) { shmem_long_sum_to_all(&word, &lock, -1, 0, 0, 2, work, sync_words); }
static void stack_wait(void)
{
  long here = 1;
  shmem_long_wait(&here, 0);
}
static void bad_comparison(void) { shmem_long_wait_until(&word, 77, 0); }
static void not_held(void) { shmem_clear_lock(&lock); }
static void held_by_another(void)
{
  if (test.me == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (test.me) shmem_clear_lock(&lock);
  shmem_barrier_all();
}
static void held_twice(void)
{
  if (test.me) shmem_barrier_all();
  shmem_set_lock(&lock);
  shmem_set_lock(&lock);
}
static void overwritten(void)
{
  const uint32_t tail = 0xc0000000; /* the first half of the word, at the lock's home */
  memcpy(&lock, &tail, sizeof tail);
  shmem_barrier_all();
  shmem_set_lock(&lock);
}

static const struct misuse cases[] = {
    CASE(stack_put, ALWAYS),
    CASE(stack_p, ALWAYS),
    CASE(malloc_get, ALWAYS),
    CASE(malloc_iget, ALWAYS),
    CASE(stack_atomic, ALWAYS),
    CASE(stack_swap, ALWAYS),
    CASE(constant_put, ALWAYS),
    CASE(null_put, ALWAYS),
    CASE(system_put, ALWAYS),
    CASE(past_the_heap, BOTH),
    CASE(stack_lock, ALWAYS),
    CASE(negative_pe, ALWAYS),
    CASE(large_pe, ALWAYS),
    CASE(put_to_no_pe, ALWAYS),
    CASE(iput_to_no_pe, ALWAYS),
    CASE(get_from_no_pe, ALWAYS),
    CASE(atomic_at_no_pe, ALWAYS),
    CASE(early_put, EARLY | BOTH),
    CASE(early_barrier, EARLY | BOTH),
    CASE(early_alloc, EARLY | BOTH),
    CASE(early_lock, EARLY | BOTH),
    CASE(forked_put, ALWAYS),
    CASE(forked_alloc, ALWAYS),
    CASE(forked_barrier, ALWAYS),
    CASE(late_put, BOTH),
    {"bad-heap", BOTH, nothing},
    {"negative-heap", BOTH, nothing},
    {"large-heap", BOTH, nothing},
    {"bad-heap-shmem", BOTH, nothing},
    CASE(other_size, BOTH | TOLD),
    CASE(other_free, BOTH | TOLD),
    CASE(other_call, BOTH),
    CASE(double_free, DEBUG | BOTH | TOLD),
    CASE(bad_free, DEBUG | BOTH | TOLD),
    CASE(foreign_free, DEBUG | BOTH | TOLD),
    CASE(bad_realloc, DEBUG | BOTH | TOLD),
    CASE(bad_alignment, DEBUG | BOTH | TOLD),
    CASE(exhausted, DEBUG | BOTH | TOLD),
    CASE(set_too_large, DEBUG | BOTH),
    CASE(set_with_step, DEBUG | BOTH),
    CASE(negative_start, DEBUG | BOTH),
    CASE(not_a_member, DEBUG | BOTH),
    CASE(bad_root, DEBUG | BOTH),
    CASE(stack_target, DEBUG | BOTH),
    CASE(negative_count, DEBUG | BOTH),
    CASE(stack_wait, DEBUG),
    CASE(bad_comparison, DEBUG),
    CASE(not_held, DEBUG),
    CASE(held_by_another, DEBUG | BOTH),
    CASE(held_twice, DEBUG | BOTH),
    {"overwritten-lock", BOTH, overwritten},
};

int main(int argc, char **argv)
{
  const struct misuse *one = MISUSE_CASE(&argc, argv, cases);
  if (!one) return 2;
  if (one->kind & EARLY) one->run();
  test_start("misuse", &argc, &argv);
  for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; i++) sync_words[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  if (one->kind & BOTH || test.me == 0) one->run();
  if (one->kind & TOLD) return test_any(1);
  shmem_barrier_all();
  fprintf(stderr, "misuse: PE %d: nothing has ended the job\n", test.me);
  return 3;
}
