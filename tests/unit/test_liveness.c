/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Processes watch each other: exactly one notices a death, also when its own neighbour dies too; none notices
 * a process that has left. */
#include "bootstrap/liveness.c"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "tests/unit/suite.h"

enum { LOCAL = 4, SECONDS = 20 };

static struct shared {
  pid_t pid[LOCAL];
  double patience;
  _Atomic unsigned go, watching, late;
  _Atomic unsigned left, died[LOCAL]; /* a bit per process: has left; has seen that one die */
} * sh;
static unsigned self;

static int has_left(unsigned i) { return atomic_load(&sh->left) >> i & 1; }
static void late(void) { atomic_fetch_or(&sh->late, 1u << self); }
static double died(unsigned i, pid_t pid)
{
  atomic_fetch_or(&sh->died[i], pid == sh->pid[i] ? 1u << self : 1u << LOCAL);
  return sh->patience;
}

static _Noreturn void be_watcher(unsigned index)
{
  static const struct pst_liveness_ops ops = {has_left, died, late};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  self = index;
  while (!atomic_load(&sh->go)) usleep(1000);
  if (pst_liveness_watch(sh->pid, index, LOCAL, &ops) != PST_OK) _exit(1);
  atomic_fetch_add(&sh->watching, 1);
  for (;;) pause();
}

static int comes(const _Atomic unsigned *value, unsigned expected)
{
  const double until = pst_loop_now() + SECONDS;
  while (atomic_load(value) != expected && pst_loop_now() < until) usleep(1000);
  return atomic_load(value) == expected;
}

static void begin(double patience)
{
  memset(sh, 0, sizeof *sh);
  sh->patience = patience;
  for (unsigned i = 0; i < LOCAL; i++) {
    const pid_t pid = fork();
    CU_ASSERT_FATAL(pid >= 0);
    if (pid == 0) be_watcher(i);
    sh->pid[i] = pid;
  }
  atomic_store(&sh->go, 1);
  CU_ASSERT_FATAL(comes(&sh->watching, LOCAL));
}

static void end(void)
{
  for (unsigned i = 0; i < LOCAL; i++) kill(sh->pid[i], SIGSTOP); /* none may see another die */
  for (unsigned i = 0; i < LOCAL; i++) kill(sh->pid[i], SIGKILL);
  while (waitpid(-1, NULL, 0) > 0) {}
}

static void kill_node(unsigned i) { CU_ASSERT(kill(sh->pid[i], SIGKILL) == 0); }

static void test_one_dies(void)
{
  for (unsigned i = 0; i < LOCAL; i++) {
    const unsigned before = (i + LOCAL - 1) % LOCAL;
    begin(3600);
    kill_node(i);
    CU_ASSERT(comes(&sh->died[i], 1u << before));
    for (unsigned k = 0; k < LOCAL; k++) CU_ASSERT(k == i || atomic_load(&sh->died[k]) == 0);
    CU_ASSERT(atomic_load(&sh->late) == 0);
    end();
  }
}

static void test_neighbours_die(void)
{
  begin(3600);
  kill(sh->pid[1], SIGSTOP);
  CU_ASSERT(waitpid(sh->pid[1], NULL, WUNTRACED) == sh->pid[1]); /* stopped, it notices nothing */
  kill_node(2);
  kill_node(1);
  CU_ASSERT(comes(&sh->died[1], 1) && comes(&sh->died[2], 1) && atomic_load(&sh->died[3]) == 0);
  end();
}

static void test_one_leaves(void)
{
  begin(3600);
  atomic_store(&sh->left, 1u << 2);
  kill_node(2);
  kill_node(3);
  CU_ASSERT(comes(&sh->died[3], 1u << 1) && atomic_load(&sh->died[2]) == 0);
  end();
}

static void test_late(void)
{
  begin(0.05);
  kill_node(3);
  CU_ASSERT(comes(&sh->late, 1u << 2) && atomic_load(&sh->died[3]) == 1u << 2);
  end();
}

int main(void)
{
  const struct unit_test tests[] = {{"one dies", test_one_dies}, {"neighbours die", test_neighbours_die},
      {"one leaves", test_one_leaves}, {"not in time", test_late}};
  const pid_t me = getpid();
  if (process_look(me, 0) == UNSEEN) {
    fprintf(stderr, "skip: this kernel does not tell of processes that end (Linux 5.3 does)\n");
    return 77;
  }
  sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sh == MAP_FAILED) return 1;
  return RUN_SUITE("processes that watch each other", tests);
}
