/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "launch/arguments.h"

double seconds_now(void) { return 1e-9 * bench_now_ns(); }

/* ---- signals ---- */

static volatile sig_atomic_t came, ending; /* a signal, or 0; how often the job was asked to end */
static volatile pid_t running;             /* the job's process group, or 0 */

/* The launcher needs a moment to end the nodes; where it does not, they end with it. */
static void job_stop(void)
{
  enum { MOMENT = 5 };
  if (!running) return;
  kill(-running, ending++ ? SIGKILL : SIGTERM);
  alarm(MOMENT);
}

static void note_signal(int signal)
{
  const int error = errno;
  if (signal != SIGALRM) came = signal;
  job_stop();
  errno = error;
}

/* What is ignored, as after nohup, remains so. */
void job_catch_signals(void)
{
  static const int caught[] = {SIGALRM, SIGINT, SIGTERM, SIGHUP};
  struct sigaction old, catch = {.sa_handler = note_signal};
  for (unsigned i = 0; i < sizeof caught / sizeof *caught; i++)
    if (sigaction(caught[i], NULL, &old) == 0 && (!i || old.sa_handler != SIG_IGN))
      sigaction(caught[i], &catch, NULL);
}

int job_interrupted(void) { return came; }

/* ---- a job ---- */

/* The launcher ends its job by SIGTERM, which it also gets when this program ends, and nothing is left of it.
 * It has a process group of its own: what a terminal sends to ours goes to the job by way of us alone. */
static _Noreturn void become_job(const struct job *job, int out)
{
  int core[2];
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
  dup2(out, 1);
  dup2(out, 2);
  if (job->two_processors) bench_pin(core, bench_cores(core, 2));
  execl("/bin/sh", "sh", "-c", "eval \"exec env $0\"", job->command, NULL);
  _exit(127);
}

/* A signal ends a read, and the job with it: what else it prints is not read. */
static void job_read(struct job *job, FILE *output)
{
  static char line[16 * JOB_LINE];
  while (!ending && fgets(line, sizeof line, output)) {
    if (!ending) alarm((unsigned)ceil(job->patience));
    line[strcspn(line, "\n")] = '\0';
    if ((job->line && job->line(job->arg, line)) || !strpbrk(line, "abcdefghijklmnopqrstuvwxyz")) continue;
    if (*job->complaint && job->first_complaint) continue;
    snprintf(job->complaint, sizeof job->complaint, "%.*s", JOB_LINE - 1, line);
  }
}

/* The group is set on both sides: one of them must be first. */
static void job_follow(struct job *job, pid_t pid, FILE *output)
{
  int status = 0;
  setpgid(pid, pid);
  ending = 0;
  running = pid;
  if (came) job_stop();
  else alarm((unsigned)ceil(job->patience));
  job_read(job, output);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  alarm(0);
  running = 0;
  if (came) job->code = JOB_INTERRUPTED;
  else if (ending) job->code = JOB_LATE;
  else job->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void job_run(struct job *job)
{
  int end[2];
  const double start = seconds_now();
  job->code = JOB_NOT_STARTED;
  fflush(NULL);
  if (pipe2(end, O_CLOEXEC) != 0) return;
  FILE *output = memory_needed(fdopen(end[0], "r"));
  const pid_t pid = fork();
  if (pid == 0) become_job(job, end[1]);
  close(end[1]);
  if (pid > 0) job_follow(job, pid, output);
  fclose(output);
  job->seconds = seconds_now() - start;
}
