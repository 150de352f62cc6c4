/* Runs a job and reads what it prints. */
#include "smp.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int smp_beside(const char *name, char *path, size_t size)
{
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return 0;
  self[n] = 0;
  char *slash = strrchr(self, '/');
  if (!slash) return 0;
  *slash = 0;
  const int len = snprintf(path, size, "%s/%s", self, name);
  return len > 0 && (size_t)len < size && access(path, X_OK) == 0;
}

/* Empty: no launcher, the program starts its job by itself. */
static void find_launcher(const char *wish, char *path, size_t size)
{
  path[0] = 0;
  if (wish && strcmp(wish, "self") == 0) return;
  if (wish) snprintf(path, size, "%s", wish);
  else if (!smp_beside("../bin/gasnetrun", path, size) && !smp_beside("gasnetrun", path, size)) path[0] = 0;
}

static _Noreturn void become(const struct smp_job *job, int out)
{
  char launcher[4096], count[16];
  const char *argv[20];
  unsigned n = 0;
  snprintf(count, sizeof count, "%u", job->processes);
  find_launcher(job->launcher, launcher, sizeof launcher);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM); /* the launcher ends its job then, and nothing is left of it */
  dup2(out, 1);
  if (launcher[0]) {
    argv[n++] = launcher;
    argv[n++] = "-n";
    argv[n++] = count;
  } else {
    setenv("GASNET_PSHM_NODES", count, 1);
  }
  argv[n++] = job->program;
  for (unsigned i = 0; job->args[i]; i++) argv[n++] = job->args[i];
  argv[n] = NULL;
  execv(argv[0], (char *const *)argv);
  fprintf(stderr, "smp: cannot start %s: %m\n", argv[0]);
  _exit(127);
}

/* Hands complete lines on and keeps the rest. */
static size_t take_lines(const struct smp_job *job, char *text, size_t n)
{
  char *start = text, *end;
  while ((end = memchr(start, '\n', n - (size_t)(start - text))) != NULL) {
    *end = 0;
    if (job->line) job->line(start, job->arg);
    start = end + 1;
  }
  const size_t rest = n - (size_t)(start - text);
  memmove(text, start, rest);
  return rest;
}

/* 0 at the end of the output, -1 when time is up. */
static int read_output(const struct smp_job *job, int in, double deadline)
{
  char text[4096];
  size_t n = 0;
  for (;;) {
    struct pollfd p = {.fd = in, .events = POLLIN};
    const double left = deadline - bench_now_ns();
    if (left <= 0) return -1;
    if (poll(&p, 1, (int)(left / 1e6) + 1) <= 0) continue;
    const ssize_t got = read(in, text + n, sizeof text - n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    n = take_lines(job, text, n + (size_t)got);
    if (n == sizeof text) n = 0; /* no line of ours is that long */
  }
}

int smp_job_run(const struct smp_job *job, double *seconds)
{
  int fd[2], status;
  if (pipe(fd) != 0) return -1;
  fflush(stdout);
  const double start = bench_now_ns();
  const pid_t pid = fork();
  if (pid < 0) {
    close(fd[0]);
    close(fd[1]);
    return -1;
  }
  if (pid == 0) {
    close(fd[0]);
    become(job, fd[1]);
  }
  close(fd[1]);
  const int late = read_output(job, fd[0], start + job->limit_s * 1e9);
  if (late) kill(-pid, SIGKILL);
  close(fd[0]);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (seconds) *seconds = (bench_now_ns() - start) / 1e9;
  if (late) {
    fprintf(stderr, "smp: a job of %u processes did not end within %g s\n", job->processes, job->limit_s);
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
