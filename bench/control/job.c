/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "launch/arguments.h"

double seconds_now(void) { return 1e-9 * bench_now_ns(); }

/* ---- what it is given ---- */

static char **list_end(char **list, unsigned room)
{
  for (; *list; list++) room--;
  if (room < 2) fail(1, "a job has too many arguments or variables");
  return list;
}

void job_add(struct job *job, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (vasprintf(list_end(job->argument, JOB_ARGUMENTS), format, args) < 0) fail(1, "out of memory");
  va_end(args);
}

void job_set(struct job *job, const char *name, const char *value)
{
  if (asprintf(list_end(job->variable, JOB_VARIABLES), "%s=%s", name, value) < 0) fail(1, "out of memory");
}

void job_set_if_unset(struct job *job, const char *name, const char *value)
{
  if (!getenv(name)) job_set(job, name, value);
}

void job_free(struct job *job)
{
  for (unsigned i = 0; job->argument[i]; i++) free(job->argument[i]);
  for (unsigned i = 0; job->variable[i]; i++) free(job->variable[i]);
}

/* ---- signals: blocked but while this waits for a job; none comes between looking and waiting ---- */

static volatile sig_atomic_t came;
static sigset_t outside, ours, children;

static void note_signal(int signal) { came = signal; }

void job_catch_signals(void)
{
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction old, catch = {.sa_handler = note_signal};
  sigemptyset(&ours);
  for (unsigned i = 0; i < sizeof ending / sizeof *ending; i++) {
    if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue; /* as after nohup */
    sigaddset(&ours, ending[i]);
    sigaction(ending[i], &catch, NULL);
  }
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ours, &outside);
  sigprocmask(SIG_BLOCK, &children, NULL);
}

int job_interrupted(void)
{
  const struct timespec no_time = {0};
  if (came) return came;
  for (int s; (s = sigtimedwait(&ours, NULL, &no_time)) > 0;) came = s;
  return came;
}

/* ---- the child ---- */

static void fd_close(int *fd)
{
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* `death` is the signal for when this program ends. The launcher ends its job by SIGTERM, and nothing is left
 * of it; it has a process group of its own: what a terminal sends to ours goes to the job by way of us alone.
 * A bare process gets SIGKILL: its libraries may catch other signals, and then wait for ever in exit. */
static _Noreturn void become_job(const struct job *job, int out, int err, int death)
{
  const int null = open("/dev/null", O_RDONLY);
  int core[2];
  if (death == SIGTERM) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, death);
  dup2(null, 0);
  dup2(out, 1);
  dup2(err, 2);
  for (unsigned i = 0; job->variable[i]; i++) putenv(job->variable[i]);
  if (job->two_processors) bench_pin(core, bench_cores(core, 2));
  sigprocmask(SIG_SETMASK, &outside, NULL);
  execvp(job->argument[0], job->argument);
  fprintf(stderr, "cannot start %s: %m\n", job->argument[0]);
  _exit(127);
}

/* ---- what it prints ---- */

struct stream {
  int *fd; /* -1: it has ended */
  int complaint;
  size_t n;
  char text[16 * JOB_LINE];
};

static void line_hand_on(const struct job *job, struct job_end *end, int complaint, const char *line)
{
  if (complaint && *line) snprintf(end->complaint, sizeof end->complaint, "%.*s", JOB_LINE - 1, line);
  if (job->line) job->line(job->arg, complaint, line);
}

/* Hands complete lines on and keeps the rest, unless the stream has ended or the rest leaves no room. */
static void stream_take_lines(const struct job *job, struct job_end *end, struct stream *s, int ended)
{
  char *start = s->text, *newline;
  s->text[s->n] = '\0';
  while ((newline = memchr(start, '\n', s->n - (size_t)(start - s->text))) != NULL) {
    *newline = '\0';
    line_hand_on(job, end, s->complaint, start);
    start = newline + 1;
  }
  s->n -= (size_t)(start - s->text);
  memmove(s->text, start, s->n + 1);
  if (!s->n || (!ended && s->n < sizeof s->text - 1)) return;
  line_hand_on(job, end, s->complaint, s->text);
  s->n = 0;
}

static void stream_read(const struct job *job, struct job_end *end, struct stream *s)
{
  const ssize_t got = read(*s->fd, s->text + s->n, sizeof s->text - 1 - s->n);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got > 0) s->n += (size_t)got;
  stream_take_lines(job, end, s, got <= 0);
  if (got <= 0) fd_close(s->fd);
}

/* Until both streams have ended: 0; JOB_LATE, JOB_INTERRUPTED. */
static int streams_read(const struct job *job, struct job_end *end, int *out, int *err)
{
  static struct stream s[2];
  double deadline = seconds_now() + job->patience;
  s[0] = (struct stream){.fd = out};
  s[1] = (struct stream){.fd = err, .complaint = 1};
  while (*out >= 0 || *err >= 0) {
    struct pollfd p[2] = {{.fd = *out, .events = POLLIN}, {.fd = *err, .events = POLLIN}};
    const double left = deadline - seconds_now();
    if (job_interrupted()) return JOB_INTERRUPTED;
    if (left <= 0) return JOB_LATE;
    const struct timespec wait = {.tv_sec = (time_t)left + 1};
    if (ppoll(p, 2, &wait, &outside) <= 0) continue;
    for (int i = 0; i < 2; i++)
      if (p[i].revents) stream_read(job, end, &s[i]);
    if (p[0].revents) deadline = seconds_now() + job->patience;
  }
  return 0;
}

/* ---- its end ---- */

/* Has it ended within these seconds? */
static int wait_for_child(pid_t pid, double seconds, int *status)
{
  const double deadline = seconds_now() + seconds;
  /* The signal of a child that has ended at once is already pending. */
  const struct timespec moment = {.tv_nsec = 100 * 1000 * 1000};
  for (;;) {
    const pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return 1;
    if (seconds_now() > deadline) return 0;
    sigtimedwait(&children, NULL, &moment);
  }
}

/* The launcher needs a moment to end the nodes; where it does not, they end with it. */
static void end_job(pid_t pid, int *status)
{
  kill(-pid, SIGTERM);
  if (wait_for_child(pid, 5, status)) return;
  kill(-pid, SIGKILL);
  wait_for_child(pid, 60, status);
}

/* Its output is pipe[0], and pipe[2] what it complains of. */
static void run_with_pipes(const struct job *job, struct job_end *end, int pipe[4])
{
  int status = 0;
  fflush(NULL);
  const double start = seconds_now();
  const pid_t pid = fork();
  if (pid < 0) return;
  if (pid == 0) become_job(job, pipe[1], pipe[3], SIGTERM);
  setpgid(pid, pid); /* here, too: one of both must be first */
  fd_close(&pipe[1]);
  fd_close(&pipe[3]);
  end->code = streams_read(job, end, &pipe[0], &pipe[2]);
  if (end->code == 0 && !wait_for_child(pid, job->patience, &status)) end->code = JOB_LATE;
  if (end->code != 0) end_job(pid, &status);
  end->seconds = seconds_now() - start;
  if (end->code == 0) end->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void job_run(const struct job *job, struct job_end *end)
{
  int pipe[4] = {-1, -1, -1, -1};
  *end = (struct job_end){.code = JOB_NOT_STARTED};
  if (pipe2(pipe, O_CLOEXEC) == 0 && pipe2(pipe + 2, O_CLOEXEC) == 0) run_with_pipes(job, end, pipe);
  for (int i = 0; i < 4; i++) fd_close(&pipe[i]);
}

/* ---- bare processes ---- */

double job_run_bare(const struct job *job, unsigned copies)
{
  const double start = seconds_now();
  unsigned started = 0;
  int failed = 0, status;
  pid_t pid;
  fflush(NULL);
  for (; started < copies && !failed; started++) {
    pid = fork();
    if (pid == 0 && !job->argument[0]) _exit(0);
    if (pid == 0) become_job(job, open("/dev/null", O_WRONLY), 2, SIGKILL);
    failed = pid < 0;
  }
  started -= (unsigned)failed;
  for (; started > 0; started--) {
    do pid = wait(&status);
    while (pid < 0 && errno == EINTR);
    failed |= pid < 0 || status != 0;
  }
  return failed ? -1 : seconds_now() - start;
}
