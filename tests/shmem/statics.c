/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Static and global variables as symmetric objects: of every kind, in a program compiled and linked in every
 * way (check_shmem_statics.sh has the ways). The program sees what others put into a variable, whatever the
 * compiler knows of it; its child processes change nothing. */
#include "common.h"

#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 9 << 20, MAX_PES = 64 };

int global_data = 5;
int global_zero;
static int file_data = 6;
static int file_zero;
static char odd_bytes[7] = "abcdef";
static long large_zero[LARGE / sizeof(long)];
static short shorts[3] = {1, 2, 3};
static double aligned __attribute__((aligned(4096))) = 2.5;
static struct {
  char c;
  long double ld;
  int i[5];
} record = {'x', 1.5L, {1, 2, 3, 4, 5}};
static const char *text = "text"; /* relocated where the program is position-independent */
static int *address = &global_data;

static int next_pe(void) { return (test.me + 1) % test.pes; }
static int previous_pe(void) { return (test.me + test.pes - 1) % test.pes; }

/* ---- what was there before start_pes still is ---- */

static void initial_values(void)
{
  CHECK(global_data == 5 && global_zero == 0 && file_data == 6 && file_zero == 0,
      "initial values: %d %d %d %d", global_data, global_zero, file_data, file_zero);
  CHECK(!strcmp(odd_bytes, "abcdef") && shorts[2] == 3 && aligned == 2.5 && record.i[4] == 5 &&
          record.ld == 1.5L,
      "initial values");
  CHECK(!strcmp(text, "text") && address == &global_data, "initial pointers");
  for (size_t i = 0; i < LARGE / sizeof(long); i += 509)
    CHECK(large_zero[i] == 0, "an uninitialised array has %ld", large_zero[i]);
  shmem_barrier_all();
}

/* ---- a put to another PE does not change one's own variable; others' puts are seen ---- */

#define EXCHANGE(variable, T, N) \
  do { \
    variable = (T)(test.me + 70); /* has the put value's exponent: a long double is no word */ \
    shmem_barrier_all(); \
    shmem_##N##_p(&variable, (T)(test.me + 90), next_pe()); \
    CHECK(variable == (T)(test.me + 70) || variable == (T)(previous_pe() + 90), \
        #variable ": a put to another PE changed the own one"); \
    shmem_barrier_all(); \
    CHECK(variable == (T)(previous_pe() + 90), #variable ": what was put is not seen"); \
    CHECK(shmem_##N##_g(&variable, next_pe()) == (T)(test.me + 90), #variable ": g"); \
    shmem_barrier_all(); \
  } while (0)

static void exchanges(void)
{
  static int function_data = 7;
  static long function_zero;
  EXCHANGE(global_data, int, int);
  EXCHANGE(global_zero, int, int);
  EXCHANGE(file_data, int, int);
  EXCHANGE(file_zero, int, int);
  EXCHANGE(function_data, int, int);
  EXCHANGE(function_zero, long, long);
  EXCHANGE(shorts[1], short, short);
  EXCHANGE(aligned, double, double);
  EXCHANGE(record.i[3], int, int);
  EXCHANGE(record.ld, long double, longdouble);
  EXCHANGE(large_zero[LARGE / sizeof(long) - 1], long, long);
  CHECK(shorts[0] == 1 && shorts[2] == 3 && record.c == 'x' && record.i[2] == 3 && record.i[4] == 5,
      "what lies beside has changed");
}

/* A variable of one's own is read again after each call that may change it. */
static void seen_again(void)
{
  static int turn, count;
  turn = test.me == 0 ? 1 : 0;
  shmem_barrier_all();
  for (int round = 1; round <= 30; round++) {
    shmem_int_wait_until(&turn, SHMEM_CMP_EQ, round);
    count = turn;
    shmem_int_p(&turn, round + (next_pe() == 0), next_pe());
    CHECK(count == round, "a variable that was waited for is %d, not %d", count, round);
  }
  shmem_barrier_all();
  count = 0;
  shmem_barrier_all();
  shmem_int_inc(&count, next_pe());
  shmem_int_fadd(&count, 2, next_pe());
  shmem_barrier_all();
  CHECK(count == 3, "a variable that another PE added to is %d, not 3", count);
  count = 1;
  shmem_barrier_all();
  CHECK(shmem_int_swap(&count, 9, next_pe()) == 1 && shmem_int_cswap(&count, 9, 10, next_pe()) == 9,
      "swap, cswap");
  shmem_barrier_all();
  CHECK(count == 10, "a swapped variable is %d, not 10", count);
  shmem_barrier_all();
}

static void blocks(void)
{
  static char bytes[100000];
  const size_t n = sizeof bytes - 2 * TEST_GUARD;
  char *source = (char *)malloc(n);
  guard_open(bytes + TEST_GUARD, n);
  pattern_fill(source, n, (uint64_t)test.me);
  shmem_barrier_all();
  shmem_putmem(bytes + TEST_GUARD, source, n, next_pe());
  shmem_barrier_all();
  CHECK_BLOCK(bytes + TEST_GUARD, n, (uint64_t)previous_pe(), "a static array");
  shmem_getmem(source, bytes + TEST_GUARD, n, next_pe());
  CHECK_PATTERN(source, n, (uint64_t)test.me, "a static array of the next PE");
  shmem_char_put(odd_bytes + 1, "XYZ", 3, next_pe());
  shmem_barrier_all();
  CHECK(!strcmp(odd_bytes, "aXYZef"), "odd bytes: %s", odd_bytes);
  free(source);
  shmem_barrier_all();
}

static void pointers(void)
{
  static long words[MAX_PES];
  words[test.me] = 100 + test.me;
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) {
    CHECK(shmem_addr_accessible(&words[pe], pe) == 1 && shmem_addr_accessible(&global_data, pe) == 1,
        "not accessible");
    long *there = (long *)shmem_ptr(words, pe);
    CHECK(!there || there[pe] == 100 + pe, "through the pointer to PE %d: %ld", pe, there[pe]);
    if (there) there[test.me] = 100 + test.me;
    else shmem_long_p(&words[test.me], 100 + test.me, pe);
  }
  shmem_barrier_all();
  for (int pe = 0; pe < test.pes; pe++) CHECK(words[pe] == 100 + pe, "word %d is %ld", pe, words[pe]);
  shmem_barrier_all();
}

static void everything_else(void)
{
  static long lock, counter, source, target, work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  static long sync[2][_SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BCAST_SYNC_SIZE];
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sizeof sync[0] / sizeof sync[0][0]; i++) sync[k][i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  for (int i = 0; i < 20; i++) {
    shmem_set_lock(&lock);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
    shmem_clear_lock(&lock);
  }
  source = test.me + 1;
  shmem_long_sum_to_all(&target, &source, 1, 0, 0, test.pes, work, sync[0]);
  CHECK(target == (long)test.pes * (test.pes + 1) / 2, "sum: %ld", target);
  shmem_barrier_all();
  CHECK(test.me || counter == 20L * test.pes, "counter under a lock: %ld", counter);
  shmem_broadcast64(&target, &source, 1, test.pes - 1, 0, 0, test.pes, sync[1]);
  CHECK(test.me == test.pes - 1 || target == test.pes, "broadcast: %ld", target);
  shmem_barrier_all();
}

/* ---- children: not with clang's ThreadSanitizer, whose locks lie in the static data (shmem/objects.c says
 * so at run time) ---- */

#if defined(__clang__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_CHILDREN 1
#endif
#endif

#if defined(NO_CHILDREN)
static void run_children(void)
{
  if (test.me == 0) puts("statics: no children, for ThreadSanitizer's locks would be theirs, too");
}
#else
static void run_children(void)
{
  static int mine = 11;
  char line[64] = "";
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const int right = mine == 11 && !strcmp(text, "text") && large_zero[0] == 0;
    mine = 12; /* its own */
    large_zero[1] = 13;
    _exit(right ? 0 : 3);
  }
  int status = -1;
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child, "fork");
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with status %#x", (unsigned)status);
  CHECK(mine == 11 && large_zero[1] == 0, "a child's variables are not its own");
  CHECK(system("exit 5") == 5 << 8, "system");
  FILE *f = popen("echo output", "r");
  REQUIRE(f, "popen");
  CHECK(fgets(line, sizeof line, f) && !strcmp(line, "output\n"), "popen: %s", line);
  CHECK(pclose(f) == 0, "pclose");
}
#endif

int main(int argc, char **argv)
{
  test_start("statics", &argc, &argv);
  REQUIRE(test.pes <= MAX_PES, "at most %d PEs", MAX_PES);
  initial_values();
  exchanges();
  seen_again();
  blocks();
  pointers();
  everything_else();
  run_children();
  exchanges();
  return test_finish();
}
