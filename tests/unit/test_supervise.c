/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The supervisor with children that misbehave in every way it handles. A case is a process of its own that
 * forks eight children and supervises them; its exit code is the job's. */
#include "bootstrap/children.h"
#include "bootstrap/jobsignals.h"
#include "bootstrap/supervise.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

enum { NODES = 8 };

static struct shared {
  struct pst_jobstate state;
  _Atomic unsigned signals[NODES]; /* SIGUSR1 or SIGTERM seen by a child's handler */
  _Atomic unsigned done[NODES];    /* ran to its own end */
} * sh;

struct job {
  void (*child)(unsigned rank);
  double exit_timeout;
  void (*before)(void); /* in the supervisor, before prepare; may be NULL */
  pid_t supervisor;
};

static struct job job;
static double took; /* seconds of the last case */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Sanitizers and other work on the machine make everything slower. */
static int in_time(double seconds)
{
  const char *scale = getenv("PST_TIME_SCALE");
  return took < seconds * (scale ? atof(scale) : 1);
}

static void pause_ms(int ms) { poll(NULL, 0, ms); }

static void join_job(unsigned rank)
{
  atomic_store(&sh->state.node[rank].joined, 1);
  atomic_store(&sh->state.node[rank].pid, getpid());
}

static void announce(unsigned rank, unsigned what)
{
  atomic_store(&sh->state.node[rank].leaving, PST_LEAVING | what);
}

static void wait_for_ever(void)
{
  for (;;) pause();
}

/* Returns once all have joined. */
static void join_with_all(unsigned rank)
{
  join_job(rank);
  for (unsigned i = 0; i < NODES; i++)
    while (!atomic_load(&sh->state.node[i].pid)) pause_ms(1);
}

static void start_children(pid_t pids[NODES], void (*child)(unsigned rank))
{
  sigset_t old;
  const pid_t self = getpid();
  pst_jobsignals_block(&old);
  for (unsigned i = 0; i < NODES; i++) {
    pids[i] = fork();
    if (pids[i]) continue;
    pst_children_begin(self, &old);
    child(i);
    atomic_store(&sh->done[i], 1);
    _exit(0);
  }
}

/* Returns the job's code. No child is left. */
static int supervise_children(pid_t pids[NODES], double exit_timeout)
{
  struct pst_supervise s = {.state = &sh->state, .nodes = NODES, .pid = pids, .exit_timeout = exit_timeout};
  const int code = pst_supervise_run(&s);
  for (unsigned i = 0; i < NODES; i++) CHILD_CHECK(kill(pids[i], 0) != 0 && errno == ESRCH);
  return code;
}

/* The body of a case; _exits with the job's code. */
static void supervise(void *unused)
{
  (void)unused;
  pid_t pids[NODES];
  job.supervisor = getpid();
  if (job.before) job.before();
  start_children(pids, job.child);
  _exit(supervise_children(pids, job.exit_timeout));
}

static int run_job(void (*child)(unsigned), double exit_timeout, void (*before)(void))
{
  memset(sh, 0, sizeof *sh);
  sh->state.magic = PST_JOBSTATE_MAGIC;
  sh->state.part = (struct pst_part){0, NODES, NODES, 0, 1};
  job = (struct job){.child = child, .exit_timeout = exit_timeout, .before = before};
  double start = now();
  int status = in_child(supervise, NULL);
  took = now() - start;
  return status;
}

static unsigned count_done(void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < NODES; i++) n += atomic_load(&sh->done[i]);
  return n;
}

static unsigned count_lines(const char *word)
{
  unsigned n = 0;
  for (const char *p = child_said; (p = strstr(p, word)) != NULL; p++) n++;
  return n;
}

/* ---- leaving ---- */

static void leaves_with_0(unsigned rank)
{
  join_job(rank);
  announce(rank, 0);
}

static void test_all_leave(void)
{
  CU_ASSERT(ended_with(run_job(leaves_with_0, 2, NULL), 0));
  CU_ASSERT(count_done() == NODES);
  CU_ASSERT(child_said[0] == '\0');
  CU_ASSERT(atomic_load(&sh->state.ending) == 0);
}

static void three_exits_with_3(unsigned rank)
{
  join_with_all(rank);
  if (rank == 3) _exit(3);
  wait_for_ever();
}

static void test_exit_code(void)
{
  CU_ASSERT(ended_with(run_job(three_exits_with_3, 2, NULL), 3));
  CU_ASSERT(in_time(2));
  CU_ASSERT(atomic_load(&sh->state.ending) == 1);
}

/* The others see `ending` and leave by themselves, each with another code: the first counts. */
static void five_announces_7(unsigned rank)
{
  signal(SIGTERM, SIG_IGN); /* on few cores it may come before they see `ending` */
  join_with_all(rank);
  if (rank == 5) {
    announce(rank, 7);
    _exit(7);
  }
  while (!atomic_load(&sh->state.ending)) pause_ms(1);
  announce(rank, 9);
  atomic_store(&sh->done[rank], 1);
  _exit(9);
}

static void test_first_code_counts(void)
{
  CU_ASSERT(ended_with(run_job(five_announces_7, 2, NULL), 7));
  CU_ASSERT(count_done() == NODES - 1);
}

static void stubborn(unsigned rank)
{
  signal(SIGTERM, SIG_IGN);
  join_with_all(rank);
  if (rank == 0) _exit(0);
  wait_for_ever();
}

static void test_leave_with_0_ends_the_others(void)
{
  CU_ASSERT(ended_with(run_job(stubborn, 0.5, NULL), 0));
  CU_ASSERT(took >= 1.4);
  CU_ASSERT(in_time(3));
  CU_ASSERT(count_done() == 0);
}

/* One announces and is stuck; the end of another makes the supervisor look. */
static void announced_and_stuck(unsigned rank)
{
  join_with_all(rank);
  if (rank == 1) {
    announce(rank, 6);
    signal(SIGTERM, SIG_IGN);
    wait_for_ever();
  }
  while (!atomic_load(&sh->state.node[1].leaving)) pause_ms(1);
  if (rank == 2) _exit(0);
  wait_for_ever();
}

static void test_announced_and_stuck(void)
{
  CU_ASSERT(ended_with(run_job(announced_and_stuck, 60, NULL), 6));
  CU_ASSERT(in_time(3));
}

static void after_sigterm_5(int sig)
{
  (void)sig;
  _exit(5);
}

static void answers_sigterm_with_5(unsigned rank)
{
  signal(SIGTERM, after_sigterm_5);
  join_with_all(rank);
  if (rank == 0) _exit(0);
  wait_for_ever();
}

static void test_answer_to_sigterm_is_no_code(void)
{
  CU_ASSERT(ended_with(run_job(answers_sigterm_with_5, 0.1, NULL), 0));
  CU_ASSERT(in_time(2));
}

static void plain_program(unsigned rank)
{
  if (rank > 0) pause_ms(800); /* longer than exit_timeout */
}

static void test_plain_programs_are_independent(void)
{
  CU_ASSERT(ended_with(run_job(plain_program, 0.1, NULL), 0));
  CU_ASSERT(count_done() == NODES);
}

static void plain_fails(unsigned rank)
{
  if (rank == 2) _exit(4);
  wait_for_ever();
}

static void test_plain_program_fails(void)
{
  CU_ASSERT(ended_with(run_job(plain_fails, 60, NULL), 4));
  CU_ASSERT(in_time(2));
}

/* A script around each node: the node leaves at once, the script works on for longer than exit_timeout. */
static void wrapper(unsigned rank)
{
  pid_t node = fork();
  if (node == 0) {
    join_with_all(rank);
    announce(rank, 0);
    _exit(0);
  }
  waitpid(node, NULL, 0);
  pause_ms(1500);
}

static void test_scripts_may_work_on(void)
{
  CU_ASSERT(ended_with(run_job(wrapper, 0.5, NULL), 0));
  CU_ASSERT(count_done() == NODES);
}

/* ---- death ---- */

static void three_is_killed(unsigned rank)
{
  join_with_all(rank);
  if (rank == 3) raise(SIGKILL);
  wait_for_ever();
}

static void test_killed(void)
{
  char host[256] = "", expected[400];
  gethostname(host, sizeof host - 1);
  CU_ASSERT(ended_with(run_job(three_is_killed, 2, NULL), 137));
  CU_ASSERT(in_time(2));
  snprintf(expected, sizeof expected,
      "penstock: node 3 of 8 (pid %d on %s) was killed by signal 9 (Killed); ending the job\n",
      (int)sh->state.node[3].pid, host);
  CU_ASSERT_STRING_EQUAL(child_said, expected);
  CU_ASSERT(atomic_load(&sh->state.ending) == 1);
}

static void three_told_and_aborts(unsigned rank)
{
  join_with_all(rank);
  if (rank == 3) {
    announce(rank, 1 | PST_LEAVING_TOLD);
    abort();
  }
  wait_for_ever();
}

static void test_told_already(void)
{
  CU_ASSERT(ended_with(run_job(three_told_and_aborts, 2, NULL), 1));
  CU_ASSERT(child_said[0] == '\0');
}

static void all_are_killed(unsigned rank)
{
  join_with_all(rank);
  raise(SIGUSR2);
}

static void test_one_message(void)
{
  CU_ASSERT(ended_with(run_job(all_are_killed, 2, NULL), 128 + SIGUSR2));
  CU_ASSERT(count_lines("was killed by signal") == 1);
}

static void stopped(unsigned rank)
{
  join_job(rank);
  if (rank == 1) raise(SIGSTOP);
  pause_ms(100);
  if (rank == 0) _exit(2);
  wait_for_ever();
}

static void test_stopped_child(void)
{
  CU_ASSERT(ended_with(run_job(stopped, 2, NULL), 2));
  CU_ASSERT(in_time(3));
}

/* A helper that outlives its node, and one that the supervising process had before. */
static int helper_pipe[2];

static void start_helper(void)
{
  if (fork() == 0) {
    char c;
    close(helper_pipe[1]);
    if (read(helper_pipe[0], &c, 1) < 0) _exit(1);
    _exit(0);
  }
}

static void with_helper(unsigned rank)
{
  join_job(rank);
  start_helper();
}

static void end_helpers(void)
{
  close(helper_pipe[0]);
  close(helper_pipe[1]);
}

static void test_helpers_are_not_waited_for(void)
{
  CU_ASSERT_FATAL(pipe(helper_pipe) == 0);
  CU_ASSERT(ended_with(run_job(with_helper, 2, start_helper), 0));
  CU_ASSERT(in_time(2));
  end_helpers();
}

/* ---- signals ---- */

static volatile sig_atomic_t my_rank;
static void count_signal(int sig)
{
  (void)sig;
  atomic_fetch_add(&sh->signals[my_rank], 1);
}

static void join_and_count(unsigned rank, int sig)
{
  my_rank = (int)rank;
  signal(sig, count_signal);
  join_with_all(rank);
}

static void await_signal(unsigned rank)
{
  while (!atomic_load(&sh->signals[rank])) pause_ms(1);
}

/* Node 0 sends the supervisor a signal; every node receives it. */
static void supervisor_gets(unsigned rank, int sig)
{
  join_and_count(rank, sig);
  if (rank == 0) kill(job.supervisor, sig);
  await_signal(rank);
}

static void usr1_passes(unsigned rank) { supervisor_gets(rank, SIGUSR1); }

static void test_forwarding(void)
{
  CU_ASSERT(ended_with(run_job(usr1_passes, 2, NULL), 0));
  CU_ASSERT(count_done() == NODES);
}

static void term_is_caught(unsigned rank)
{
  supervisor_gets(rank, SIGTERM);
  if (rank == 5) wait_for_ever();
}

static void test_end_by_signal(void)
{
  CU_ASSERT(ended_with(run_job(term_is_caught, 1.5, NULL), 143));
  CU_ASSERT(count_done() == NODES - 1);
  CU_ASSERT(in_time(4));
  CU_ASSERT(count_lines("was killed") == 0);
}

static void ignore_hup(void) { signal(SIGHUP, SIG_IGN); }

static void hup_is_ignored(unsigned rank)
{
  struct sigaction sa;
  join_with_all(rank);
  if (rank == 0) kill(job.supervisor, SIGHUP);
  pause_ms(200);
  CHILD_CHECK(sigaction(SIGHUP, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN);
}

static void test_ignored_stays_ignored(void)
{
  CU_ASSERT(ended_with(run_job(hup_is_ignored, 2, ignore_hup), 0));
  CU_ASSERT(count_done() == NODES);
}

static void odd_signals(void)
{
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGALRM);
  sigprocmask(SIG_SETMASK, &s, NULL);
  signal(SIGCHLD, SIG_IGN);
}

static void sees_old_signals(unsigned rank)
{
  sigset_t s;
  struct sigaction sa;
  join_job(rank);
  CHILD_CHECK(sigprocmask(SIG_BLOCK, NULL, &s) == 0);
  CHILD_CHECK(sigismember(&s, SIGALRM) && !sigismember(&s, SIGTERM) && !sigismember(&s, SIGCHLD));
  CHILD_CHECK(sigaction(SIGCHLD, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN);
}

static void test_children_get_old_signals(void)
{
  CU_ASSERT(ended_with(run_job(sees_old_signals, 2, odd_signals), 0));
  CU_ASSERT(count_done() == NODES);
}

/* ---- the supervisor's own death ---- */

static int life[2]; /* the children hold the write end: end of file says that all are gone */

static void kill_supervisor(unsigned rank)
{
  close(life[0]);
  join_with_all(rank);
  if (rank == 0) kill(job.supervisor, SIGKILL);
  wait_for_ever();
}

static void test_supervisor_dies(void)
{
  char c;
  CU_ASSERT_FATAL(pipe(life) == 0);
  int status = run_job(kill_supervisor, 2, NULL);
  CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  close(life[1]);
  struct pollfd p = {.fd = life[0], .events = POLLIN};
  int gone = poll(&p, 1, 5000) == 1;
  CU_ASSERT(gone);
  for (unsigned i = 0; i < NODES && !gone; i++) kill(atomic_load(&sh->state.node[i].pid), SIGKILL);
  CU_ASSERT(read(life[0], &c, 1) == 0);
  close(life[0]);
}

/* A case of its own, without run_job. */
static void run_with_helpers(void (*body)(void *))
{
  memset(sh, 0, sizeof *sh);
  CU_ASSERT_FATAL(pipe(helper_pipe) == 0);
  CU_ASSERT(ended_with(in_child(body, NULL), 0));
  end_helpers();
}

/* ---- output ---- */

enum { OUTPUT = 3000000 };
static size_t bytes_read;

static int read_some(int fd, void *arg)
{
  static char buffer[1000];
  ssize_t n = read(fd, buffer, sizeof buffer);
  CHILD_CHECK(arg == &bytes_read && n >= 0);
  bytes_read += (size_t)n;
  return n > 0;
}

/* The last bytes lie in the pipe when the writer is gone, and a helper keeps the pipe open. */
static void output_case(void *unused)
{
  (void)unused;
  int ends[2];
  sigset_t old;
  CHILD_CHECK(pipe(ends) == 0);
  pst_jobsignals_block(&old);
  pid_t self = getpid(), pid = fork();
  if (pid == 0) {
    static char text[OUTPUT];
    pst_children_begin(self, &old);
    start_helper();
    size_t sent = 0;
    for (ssize_t n; sent < OUTPUT && (n = write(ends[1], text, OUTPUT - sent)) > 0;) sent += (size_t)n;
    _exit(sent == OUTPUT ? 0 : 1);
  }
  close(ends[1]);
  struct pst_loop_fd w = {ends[0], read_some, &bytes_read, POLLIN};
  struct pst_supervise s = {
      .state = &sh->state, .nodes = 1, .pid = &pid, .exit_timeout = 1, .watch = &w, .watches = 1};
  CHILD_CHECK(pst_supervise_run(&s) == 0);
  CHILD_CHECK(bytes_read == OUTPUT);
}

static void test_output_is_complete(void) { run_with_helpers(output_case); }

/* ---- a start that fails ---- */

static void waits_for_ever(unsigned rank)
{
  (void)rank;
  wait_for_ever();
}

/* No descriptor is left for the signals: the children are ended and reaped, an earlier helper is not waited
 * for, and nothing stays. */
static void no_descriptor(void *unused)
{
  (void)unused;
  pid_t pids[NODES];
  start_helper();
  start_children(pids, waits_for_ever);
  const int next = dup(0);
  struct rlimit few = {(rlim_t)next, (rlim_t)next};
  close(next);
  CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
  CHILD_CHECK(supervise_children(pids, 2) == 1);
  struct pst_supervise s = {.state = &sh->state, .nodes = NODES, .pid = pids, .exit_timeout = 2};
  /* malloc keeps some pieces of each size for the thread and counts them as used */
  memset(pids, 0, sizeof pids);
  size_t before = 0;
  for (int i = 0; i < 40; i++) {
    if (i == 20) before = mallinfo2().uordblks;
    CHILD_CHECK(pst_supervise_run(&s) == 1);
  }
  CHILD_CHECK(mallinfo2().uordblks == before);
}

static void test_failed_start(void)
{
  run_with_helpers(no_descriptor);
  CU_ASSERT(
      strstr(child_said,
          "penstock: cannot watch the processes of the job: Too many open files; ending it\n") == child_said);
}

/* ---- which code is the job's ---- */

/* The first to announce is not the first that the supervisor looks at. */
static void last_is_first(unsigned rank)
{
  signal(SIGTERM, SIG_IGN);
  join_with_all(rank);
  if (rank == NODES - 1) {
    atomic_store(&sh->state.first, rank + 1);
    announce(rank, 3);
    atomic_store(&sh->signals[0], 1);
    wait_for_ever();
  }
  while (!atomic_load(&sh->signals[0])) pause_ms(1);
  if (rank == 0) announce(rank, 4);
  _exit(rank == 0 ? 4 : 0);
}

static void test_first_announced(void) { CU_ASSERT(ended_with(run_job(last_is_first, 2, NULL), 3)); }

/* A crash of any process outranks a code announced before it, also while a signal ends the job. */
static void crash_after_code(unsigned rank)
{
  signal(SIGTERM, SIG_IGN);
  join_with_all(rank);
  if (rank == 1) {
    announce(rank, 3);
    _exit(3);
  }
  while (!atomic_load(&sh->state.ending)) pause_ms(1);
  if (rank == 2) raise(SIGABRT);
  wait_for_ever();
}

static void answers_with_4(unsigned rank)
{
  supervisor_gets(rank, SIGTERM);
  announce(rank, 4);
  pause_ms(600); /* longer than processes get after a failure */
  atomic_store(&sh->done[rank], 1);
  _exit(4);
}

static void crashes_when_asked(unsigned rank)
{
  supervisor_gets(rank, SIGTERM);
  if (rank == 3) raise(SIGABRT);
  wait_for_ever();
}

static void test_ranks_of_codes(void)
{
  CU_ASSERT(ended_with(run_job(crash_after_code, 2, NULL), 128 + SIGABRT));
  CU_ASSERT(count_lines("node 2 of 8") == 1);
  CU_ASSERT(ended_with(run_job(answers_with_4, 2, NULL), 4));
  CU_ASSERT(count_done() == NODES);
  CU_ASSERT(ended_with(run_job(crashes_when_asked, 0.5, NULL), 128 + SIGABRT));
  CU_ASSERT(count_lines("node 3 of 8") == 1);
}

/* One is in its client's handler, which takes long: the other processes get as much time, but no more. */
static void one_cleans(unsigned rank)
{
  join_and_count(rank, SIGTERM);
  if (rank == 1) _exit(3);
  await_signal(rank);
  if (rank != 0) wait_for_ever();
  atomic_store(&sh->state.node[rank].cleaning, 1);
  pause_ms(1500);
  atomic_store(&sh->done[rank], 1);
  _exit(0);
}

static void test_handlers_have_their_time(void)
{
  CU_ASSERT(ended_with(run_job(one_cleans, 30, NULL), 3));
  CU_ASSERT(count_done() == 1);
  CU_ASSERT(in_time(6));
}

static const struct unit_test leaving[] = {{"all leave with 0", test_all_leave},
    {"the code of one ends the job", test_exit_code}, {"the first code counts", test_first_code_counts},
    {"leaving with 0 ends the others in time", test_leave_with_0_ends_the_others},
    {"announced and stuck", test_announced_and_stuck},
    {"an answer to our SIGTERM is no code", test_answer_to_sigterm_is_no_code},
    {"plain programs are independent", test_plain_programs_are_independent},
    {"a plain program's failure ends the job", test_plain_program_fails},
    {"the first to announce is heard first", test_first_announced},
    {"a crash, a code, a signal: which counts", test_ranks_of_codes},
    {"a client's handler has its time", test_handlers_have_their_time},
    {"a start that fails leaves nothing", test_failed_start},
    {"scripts around nodes may work on", test_scripts_may_work_on}};
static const struct unit_test death[] = {{"kill -9: code and message", test_killed},
    {"no message when one was printed", test_told_already}, {"one message for many deaths", test_one_message},
    {"a stopped child", test_stopped_child}, {"helpers are not waited for", test_helpers_are_not_waited_for},
    {"the supervisor's death", test_supervisor_dies}};
static const struct unit_test signals[] = {{"SIGUSR1 is passed on", test_forwarding},
    {"SIGTERM ends the job", test_end_by_signal},
    {"an ignored signal stays ignored", test_ignored_stays_ignored},
    {"children get mask and handlers back", test_children_get_old_signals},
    {"output is complete", test_output_is_complete}};

int main(void)
{
  sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sh == MAP_FAILED) return 1;
  int bad = RUN_SUITE("leaving", leaving);
  bad |= RUN_SUITE("death", death);
  return bad | RUN_SUITE("signals and output", signals);
}
