/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "bootstrap/control.h"
#include "bootstrap/exchange.h"
#include "bootstrap/hostmem.h"
#include "bootstrap/jobsignals.h"
#include "bootstrap/losses.h"
#include "core/scratch.h"
#include "launch/dial.h"
#include "launch/feed.h"
#include "launch/link.h"
#include "launch/options.h"
#include "launch/order.h"
#include "launch/pipes.h"
#include "launch/spawn.h"
#include "support/env.h"
#include "support/futex.h"
#include "support/variables.h"

#define LOOK       0.5 /* seconds: a node may announce its end and then hang */
#define LOOK_OFTEN 0.1 /* once a process has left */
#define TERM_GRACE 1.0 /* from SIGTERM to SIGKILL when the launcher is gone */
#define FAREWELL   3.0 /* for the launcher to take the last frames */

static struct {
  struct pst_loop loop;
  struct link link;
  struct order_launcher order;
  struct pst_hostmem host;
  struct spawn spawn;
  struct pst_children children;
  struct pipes *pipes;
  struct feed feed; /* the input of node 0 */
  struct pst_loop_fd bell;
  char *directory, **argument;
  uint32_t arguments;
  unsigned index; /* of this host in the job */
  int started, someone_left;
  int joined, cleaning, reports; /* as the last STATE said */
  int bye, over;                 /* the last frame is queued; the connection has ended after it */
  double deadline;               /* lost: when SIGKILL follows; bye: when to wait no longer */
  double cleaned;                /* lost: how long a client's handler may take */
  int lost, killed;
} d;

static void send_frame(enum wire_type type, const uint32_t *word, const void *data, size_t size)
{
  if (!d.bye) link_send(&d.link, type, word, data, size);
}

/* ---- the last frames ---- */

static void tell_lost(const char *why)
{
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  dprintf(STDERR_FILENO, "gasnetrun: host %u (%s) has no connection to where the job was started: %s; %s\n",
      d.index, name, why, d.bye || !d.started ? "nothing of the job runs here" : "ending its processes here");
}

/* A launcher that is stopped reads nothing, but its host takes the frames: that is enough. */
static void await_last_frames_taken(void)
{
  const double until = pst_loop_now() + FAREWELL;
  int finished = 0;
  while (link_is_open(&d.link) && pst_loop_now() < until) {
    if (link_is_flushed(&d.link) && !finished++) link_finish(&d.link);
    pst_loop_wait(&d.loop, until - pst_loop_now());
    pst_loop_serve(&d.loop);
  }
  if (link_is_open(&d.link) && !link_is_taken(&d.link)) tell_lost("it does not take the last words");
}

/* ---- failures before the processes run ---- */

static const char *disregard_frame(struct link *l, const struct wire_frame *f)
{
  (void)l;
  (void)f;
  return NULL;
}

/* The launcher prints it, with this host's name. What it sends meanwhile is read all the same: unread bytes
 * would make the kernel throw away what we have sent. */
static void report_failure(int code, const char *text)
{
  const uint32_t word[] = {(uint32_t)code};
  fail_report = NULL;
  d.link.frame = disregard_frame;
  send_frame(WIRE_FAILED, word, text, strlen(text));
  d.bye = 1;
  await_last_frames_taken();
  _exit(code);
}

/* ---- output and input ---- */

static size_t output_room(void *arg, unsigned which)
{
  (void)arg;
  (void)which;
  const size_t room = WIRE_WINDOW - d.order.output_sent;
  if (!room) pipes_pause(d.pipes, 1);
  return room;
}

static void take_output(void *arg, unsigned i, unsigned which, const char *data, size_t n)
{
  const uint32_t word[] = {i, which};
  (void)arg;
  d.order.output_sent += (uint32_t)n;
  for (size_t part; n; data += part, n -= part) {
    part = n < WIRE_PIECE ? n : WIRE_PIECE;
    send_frame(WIRE_OUTPUT, word, data, part);
  }
}

static void end_output(void *arg, unsigned i, unsigned which)
{
  (void)arg;
  (void)i;
  (void)which;
}

static void input_taken(void *arg, size_t n)
{
  const uint32_t word[] = {(uint32_t)n};
  (void)arg;
  d.order.input_room += (uint32_t)n;
  send_frame(WIRE_INPUT_TAKEN, word, NULL, 0);
}

static void input_closed(void *arg)
{
  (void)arg;
  send_frame(WIRE_INPUT_CLOSED, NULL, NULL, 0);
}

/* ---- what the processes do ---- */

/* Each node that has attached wants to be told of losses: bootstrap/jobstate.h. */
static int nodes_want_reports(void)
{
  return atomic_load_explicit(&d.host.state->reports, memory_order_acquire) != 0;
}

static void answer_state(void)
{
  d.joined = pst_children_joined(&d.children);
  d.cleaning = pst_children_cleaning(&d.children);
  d.reports = nodes_want_reports();
  const uint32_t word[] = {(uint32_t)d.joined, (uint32_t)pst_children_only_wrappers(&d.children),
      (uint32_t)d.cleaning, (uint32_t)d.reports};
  send_frame(WIRE_STATE, word, NULL, 0);
}

/* The state goes before each frame whose meaning depends on it. */
static void tell_state(void)
{
  if (pst_children_joined(&d.children) != d.joined || pst_children_cleaning(&d.children) != d.cleaning ||
      nodes_want_reports() != d.reports)
    answer_state();
}

static void child_leaves(void *arg, unsigned i, unsigned leaving)
{
  const uint32_t word[] = {i, leaving};
  (void)arg;
  d.someone_left = 1;
  tell_state();
  send_frame(WIRE_LEAVES, word, NULL, 0);
}

static void child_ended(void *arg, unsigned i, pid_t pid, int status)
{
  const uint32_t word[] = {
      i, (uint32_t)pid, (uint32_t)status & 0xff7f, atomic_load(&d.host.state->node[i].leaving)};
  (void)arg;
  d.someone_left = 1;
  tell_state();
  send_frame(WIRE_ENDED, word, NULL, 0);
}

/* The first process has rung the bell: the blobs of this host lie in its shared memory. */
static int gather_rung(int fd, void *arg)
{
  struct pst_jobexchange *g = pst_control_jobexchange(d.host.state);
  const uint32_t turn = atomic_load_explicit(&g->asked, memory_order_acquire), size = g->size;
  const size_t total = (size_t)d.order.part.local * size;
  uint64_t rings;
  (void)arg;
  if (read(fd, &rings, sizeof rings) < 0 || turn == d.order.asked) return 1;
  if (turn != d.order.asked + 1 || size > PST_BOOT_MAX) fail(1, "the processes' shared memory is damaged");
  d.order.asked = turn;
  d.order.asked_size = size;
  if (!d.bye) link_send_pieces(&d.link, WIRE_GATHER, turn, size, g->bytes, total);
  return 1;
}

static void scatter_take(const struct wire_frame *f)
{
  struct pst_jobexchange *g = pst_control_jobexchange(d.host.state);
  const size_t have = d.order.scatter.have;
  memcpy(pst_jobexchange_all(g, &d.order.part) + (have - f->size), f->data, f->size);
  if (have < (size_t)d.order.part.nodes * d.order.asked_size) return;
  atomic_store_explicit(&g->answered, d.order.asked, memory_order_release);
  pst_futex_wake_shared(&g->answered);
}

/* ---- starting ---- */

static char *copy_text(const struct wire_frame *f)
{
  char *text = strndup(f->data, f->size);
  if (!text) fail(1, "out of memory");
  return text;
}

static void take_argument(const struct wire_frame *f)
{
  char **grown = realloc(d.argument, (d.arguments + 2) * sizeof *grown);
  if (!grown) fail(1, "out of memory");
  d.argument = grown;
  d.argument[d.arguments++] = copy_text(f);
  d.argument[d.arguments] = NULL;
}

static void take_variable(const struct wire_frame *f)
{
  if (putenv(copy_text(f)) != 0) fail(1, "out of memory");
}

static void enter_directory(void)
{
  if (chdir(d.directory) != 0) fail(1, "cannot enter the directory '%s': %s", d.directory, strerror(errno));
  setenv("PWD", d.directory, 1);
}

static void make_memory(void)
{
  const char *why = "";
  pst_scratch_reserve();
  if (pst_hostmem_create(&d.order.part, &d.host, &why) != 0)
    fail(1, "cannot start %u processes: %s", d.order.part.local, why);
  if (d.host.bell_fd < 0) return;
  d.bell = (struct pst_loop_fd){d.host.bell_fd, gather_rung, NULL, POLLIN};
  if (pst_loop_watch(&d.loop, &d.bell) != 0) fail(1, "out of memory");
}

static void watch_pipes(void)
{
  struct pst_loop_fd *watch = pipes_watch(d.pipes);
  for (unsigned k = 0; k < 2 * d.order.part.local; k++)
    if (pst_loop_watch(&d.loop, &watch[k]) != 0) fail(1, "out of memory");
}

static void open_children(void)
{
  const unsigned local = d.order.part.local;
  d.children = (struct pst_children){.state = d.host.state,
      .nodes = local,
      .pid = calloc(local, sizeof(pid_t)),
      .told = calloc(local, 1),
      .leaves = child_leaves,
      .ended = child_ended};
  if (!d.children.pid || !d.children.told) fail(1, "out of memory");
}

static void spawn_processes(void)
{
  static const struct pipes_reader reader = {output_room, take_output, end_output, NULL};
  const unsigned local = d.order.part.local;
  d.pipes = pipes_open(local, &reader);
  d.spawn.input = -1;
  if (d.order.part.first == 0) d.spawn.input = feed_open(&d.feed, &d.loop, input_taken, input_closed, NULL);
  d.spawn.host = &d.host;
  d.spawn.pipes = d.pipes;
  d.spawn.pid = d.children.pid;
  d.spawn.program = d.argument;
  spawn_all(&d.spawn);
  if (d.spawn.input >= 0) close(d.spawn.input);
  watch_pipes();
}

static void start_processes(void)
{
  unsetenv(PST_LAUNCH_VARIABLE);
  enter_directory();
  char *path = spawn_find(d.argument[0]);
  d.spawn.path = path;
  make_memory();
  open_children();
  spawn_processes();
  free(path);
  for (unsigned i = 0; i < d.order.part.local; i++) {
    const uint32_t word[] = {i, (uint32_t)d.children.pid[i]};
    send_frame(WIRE_STARTED, word, NULL, 0);
  }
  d.started = 1;
}

/* ---- SIGTSTP ---- */

/* A mask of signals as /proc writes it: hexadecimal, bit 0 is signal 1. */
static int mask_has(const char *line, const char *key, int sig)
{
  const size_t n = strlen(key);
  return strncmp(line, key, n) == 0 && strtoull(line + n, NULL, 16) >> (sig - 1) & 1;
}

/* Is SIGTSTP neither caught, ignored nor blocked there? A process whose status cannot be read is
 * not stopped. */
static int tstp_is_default(pid_t pid)
{
  char name[64], line[256];
  int seen = 0, own = 0;
  snprintf(name, sizeof name, "/proc/%ld/status", (long)pid);
  FILE *f = fopen(name, "re");
  if (!f) return 0;
  for (; fgets(line, sizeof line, f); seen = 1)
    own |= mask_has(line, "SigIgn:", SIGTSTP) || mask_has(line, "SigCgt:", SIGTSTP) ||
        mask_has(line, "SigBlk:", SIGTSTP);
  fclose(f);
  return seen && !own;
}

/* Stops those that neither catch nor ignore SIGTSTP, as a terminal would. The kernel discards that signal for
 * processes in whose group none has a parent in the same session, as under a remote shell. */
static void stop_default(const pid_t *pid, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (pid[i] > 0 && tstp_is_default(pid[i])) kill(pid[i], SIGSTOP);
}

/* ---- the connection ---- */

static void pass_signal_on(int sig)
{
  pst_children_signal(&d.children, sig);
  d.someone_left |= pst_jobsignals_ends(sig); /* what the processes do about it is looked for often */
  if (sig == SIGTSTP) stop_default(d.children.pid, d.children.nodes);
}

static const char *launcher_frame(struct link *l, const struct wire_frame *f)
{
  const char *why = order_from_launcher(&d.order, f);
  (void)l;
  if (why) return why;
  switch (f->type) {
  case WIRE_DIRECTORY: d.directory = copy_text(f); break;
  case WIRE_ARGUMENT: take_argument(f); break;
  case WIRE_VARIABLE: take_variable(f); break;
  case WIRE_START: start_processes(); break;
  case WIRE_INPUT: feed_take(&d.feed, f->data, f->size); break;
  case WIRE_OUTPUT_TAKEN: pipes_pause(d.pipes, d.bye); break;
  case WIRE_SIGNAL: pass_signal_on((int)f->word[0]); break;
  case WIRE_ENDING: atomic_store(&d.host.state->ending, 1); break;
  case WIRE_ASK: answer_state(); break;
  case WIRE_SCATTER: scatter_take(f); break;
  case WIRE_LOST: pst_losses_add(d.host.state, f->word[0]); break;
  default: break; /* JOB: the order has noted it */
  }
  return NULL;
}

/* Without a launcher there is no job: it would have ended us, or is gone, or cannot be reached. */
static void launcher_lost(struct link *l, const char *why)
{
  if (d.bye) {
    if (!l->closed) tell_lost(why); /* the processes were faster to notice */
    d.over = 1;
    return;
  }
  d.lost = 1;
  d.deadline = pst_loop_now() + TERM_GRACE;
  d.cleaned = pst_loop_now() + pst_env_double(&pst_support_env.exittimeout);
  if (d.started || !l->closed) tell_lost(why); /* a start that fails elsewhere ends in order */
  if (!d.started) return;
  atomic_store(&d.host.state->ending, 1);
  pst_children_signal(&d.children, SIGTERM);
}

/* Only the launcher signals the processes: a signal that asks this daemon to end asks the job to end. */
static void signal_came(void *arg, int sig, int from_terminal)
{
  const uint32_t word[] = {(uint32_t)sig};
  (void)arg;
  (void)from_terminal;
  if (pst_jobsignals_ends(sig) && !d.bye) send_frame(WIRE_SIGNALLED, word, NULL, 0);
}

/* ---- the end ---- */

static void kill_when_due(void)
{
  if (!d.lost || d.killed || pst_loop_now() < d.deadline) return;
  if (pst_loop_now() < d.cleaned && pst_children_cleaning(&d.children)) return;
  pst_children_signal(&d.children, SIGKILL);
  d.killed = 1;
}

/* Processes that have ended have written everything. A surviving grandchild may still write: that is not
 * waited for. */
static void leave_when_done(void)
{
  if (d.bye || d.lost || !d.started || pst_children_alive(&d.children)) return;
  if (d.order.output_sent == WIRE_WINDOW || pipes_drain(d.pipes)) return;
  send_frame(WIRE_BYE, NULL, NULL, 0);
  d.bye = 1;
  pipes_pause(d.pipes, 1);
}

static double wait_seconds(void)
{
  if (d.started && !pst_children_alive(&d.children) && d.order.output_sent < WIRE_WINDOW) return 0;
  return d.someone_left || d.lost ? LOOK_OFTEN : LOOK;
}

static void look_at_processes(void)
{
  if (d.loop.signalled) pst_jobsignals_read(pst_loop_signals(&d.loop), signal_came, NULL);
  if (!d.started) return;
  pst_children_look(&d.children);
  if (!d.lost) tell_state();
  kill_when_due();
  leave_when_done();
}

static int is_over(void)
{
  if (d.lost) return !d.started || !pst_children_alive(&d.children);
  return d.bye || d.over;
}

static void close_input(void)
{
  int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) fail(1, "cannot open /dev/null: %s", strerror(errno));
  close(fd);
}

static void open_all(int fd)
{
  sigset_t broken_pipe;
  pst_jobsignals_block(&d.spawn.mask);
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  sigprocmask(SIG_BLOCK, &broken_pipe, NULL);
  int signals = pst_jobsignals_open();
  if (signals < 0 || pst_loop_open(&d.loop, signals) != 0)
    fail(1, "cannot watch processes: %s", strerror(errno));
  d.order.input_room = WIRE_WINDOW;
  d.link = (struct link){
      .way = WIRE_TO_DAEMON, .most = WIRE_STRING, .frame = launcher_frame, .lost = launcher_lost};
  if (link_open(&d.link, &d.loop, fd) != 0) fail(1, "cannot use the connection: %s", strerror(errno));
  fail_report = report_failure;
}

int daemon_run(void)
{
  int fd = dial_launcher(&d.index);
  close_input();
  open_all(fd);
  while (!is_over()) {
    pst_loop_wait(&d.loop, wait_seconds());
    look_at_processes();
    pst_loop_serve(&d.loop);
  }
  await_last_frames_taken();
  return d.lost;
}
