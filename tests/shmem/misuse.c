/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls of the OpenSHMEM library that break its rules, one a run: --case NAME. The job must end with one
 * message that names the routine, the PE and the values; tests/check_shmem_misuse.sh knows them. --list
 * prints the names, --list-debug those that only SMA_DEBUG and debug builds look at. */
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

static long word, lock, sync_words[_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_COLLECT_SYNC_SIZE],
    work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static const long constant = 5;

/* For what the environment brings about. */
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

struct misuse {
  const char *name;
  void (*run)(void);
  int debug; /* SMA_DEBUG or a debug build look at it */
  int both;  /* both PEs do it, not PE 0 alone */
  int early; /* before start_pes */
  int told;  /* and no more: the call returns */
};

static const struct misuse cases[] = {
    {"stack-put", stack_put, 0, 0, 0, 0},
    {"stack-p", stack_p, 0, 0, 0, 0},
    {"malloc-get", malloc_get, 0, 0, 0, 0},
    {"malloc-iget", malloc_iget, 0, 0, 0, 0},
    {"stack-atomic", stack_atomic, 0, 0, 0, 0},
    {"stack-swap", stack_swap, 0, 0, 0, 0},
    {"constant-put", constant_put, 0, 0, 0, 0},
    {"null-put", null_put, 0, 0, 0, 0},
    {"system-put", system_put, 0, 0, 0, 0},
    {"past-the-heap", past_the_heap, 0, 1, 0, 0},
    {"stack-lock", stack_lock, 0, 0, 0, 0},
    {"negative-pe", negative_pe, 0, 0, 0, 0},
    {"large-pe", large_pe, 0, 0, 0, 0},
    {"put-to-no-pe", put_to_no_pe, 0, 0, 0, 0},
    {"iput-to-no-pe", iput_to_no_pe, 0, 0, 0, 0},
    {"get-from-no-pe", get_from_no_pe, 0, 0, 0, 0},
    {"atomic-at-no-pe", atomic_at_no_pe, 0, 0, 0, 0},
    {"early-put", early_put, 0, 1, 1, 0},
    {"early-barrier", early_barrier, 0, 1, 1, 0},
    {"early-alloc", early_alloc, 0, 1, 1, 0},
    {"early-lock", early_lock, 0, 1, 1, 0},
    {"forked-put", forked_put, 0, 0, 0, 0},
    {"forked-alloc", forked_alloc, 0, 0, 0, 0},
    {"forked-barrier", forked_barrier, 0, 0, 0, 0},
    {"late-put", late_put, 0, 1, 0, 0},
    {"bad-heap", nothing, 0, 1, 0, 0},
    {"negative-heap", nothing, 0, 1, 0, 0},
    {"large-heap", nothing, 0, 1, 0, 0},
    {"bad-heap-shmem", nothing, 0, 1, 0, 0},
    {"other-size", other_size, 0, 1, 0, 1},
    {"other-free", other_free, 0, 1, 0, 1},
    {"other-call", other_call, 0, 1, 0, 0},
    {"double-free", double_free, 1, 1, 0, 1},
    {"bad-free", bad_free, 1, 1, 0, 1},
    {"foreign-free", foreign_free, 1, 1, 0, 1},
    {"bad-realloc", bad_realloc, 1, 1, 0, 1},
    {"bad-alignment", bad_alignment, 1, 1, 0, 1},
    {"exhausted", exhausted, 1, 1, 0, 1},
    {"set-too-large", set_too_large, 1, 1, 0, 0},
    {"set-with-step", set_with_step, 1, 1, 0, 0},
    {"negative-start", negative_start, 1, 1, 0, 0},
    {"not-a-member", not_a_member, 1, 1, 0, 0},
    {"bad-root", bad_root, 1, 1, 0, 0},
    {"stack-target", stack_target, 1, 1, 0, 0},
    {"negative-count", negative_count, 1, 1, 0, 0},
    {"stack-wait", stack_wait, 1, 0, 0, 0},
    {"bad-comparison", bad_comparison, 1, 0, 0, 0},
    {"not-held", not_held, 1, 0, 0, 0},
    {"held-by-another", held_by_another, 1, 1, 0, 0},
    {"held-twice", held_twice, 1, 1, 0, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static int list(int debug)
{
  for (int i = 0; i < CASES; i++)
    if (cases[i].debug == debug) puts(cases[i].name);
  return 0;
}

static const struct misuse *find(const char *name)
{
  for (int i = 0; i < CASES; i++)
    if (name && !strcmp(cases[i].name, name)) return &cases[i];
  fprintf(stderr, "misuse: no case %s\n", name ? name : "");
  exit(2);
}

int main(int argc, char **argv)
{
  if (argc == 2 && !strcmp(argv[1], "--list")) return list(0);
  if (argc == 2 && !strcmp(argv[1], "--list-debug")) return list(1);
  const struct misuse *one = find(test_option(&argc, argv, "--case"));
  if (one->early) one->run();
  test_start("misuse", &argc, &argv);
  for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; i++) sync_words[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  if (one->both || test.me == 0) one->run();
  if (one->told) return test_any(1);
  shmem_barrier_all();
  fprintf(stderr, "misuse: PE %d: nothing has ended the job\n", test.me);
  return 3;
}
