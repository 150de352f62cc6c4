/* gasnetrun: starts the processes of a job on this host and stays as their supervisor. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/bootstrap/hostmem.h"
#include "core/bootstrap/jobsignals.h"
#include "core/bootstrap/supervise.h"
#include "launch/options.h"
#include "launch/output.h"
#include "launch/spawn.h"
#include "support/env.h"

/* With 0, 1 or 2 closed the next file opened would become somebody's standard stream. */
static void fill_standard_streams(void)
{
  int fd;
  do fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}

static void enter_workdir(const char *dir)
{
  if (dir && chdir(dir) != 0) fail(EXIT_MISUSE, "cannot enter the directory '%s': %s", dir, strerror(errno));
}

static void make_memory(unsigned nodes, struct pst_hostmem *host)
{
  const struct pst_part part = pst_part_single(nodes);
  const char *why = "";
  if (pst_hostmem_create(&part, host, &why) != 0) fail(1, "cannot start %u processes: %s", nodes, why);
}

static struct pst_loop_fd *watch_output(struct output *output, unsigned nodes)
{
  struct pst_loop_fd *watch = calloc(2 * (size_t)nodes, sizeof *watch);
  if (!watch) fail(1, "out of memory");
  output_watch(output, watch);
  return watch;
}

/* Where leaving by exit() does not end the job (GASNET_CATCH_EXIT=no), the others have all the time they need. */
static double exit_timeout(void)
{
  return pst_env_bool(PST_ENV_CATCH_EXIT) ? pst_env_double(PST_ENV_EXITTIMEOUT) : HUGE_VAL;
}

static int run(const struct options *o, struct spawn *s)
{
  struct pst_supervise super = {.state = s->host->state, .nodes = o->nodes, .pid = s->pid, .exit_timeout = exit_timeout(),
                                .verbose = o->verbose};
  pst_jobsignals_block(&s->mask);
  spawn_all(s);
  if (s->output) {
    super.watch = watch_output(s->output, o->nodes);
    super.watches = 2 * o->nodes;
  }
  int code = pst_supervise_run(&super);
  sigprocmask(SIG_SETMASK, &s->mask, NULL); /* the last lines may wait for a slow reader: let signals end that */
  if (s->output) output_close(s->output);
  free(super.watch);
  return code;
}

int main(int argc, char **argv)
{
  struct options o;
  struct pst_hostmem host;
  struct spawn s = {.options = &o, .host = &host};
  fill_standard_streams();
  options_parse(argc, argv, &o);
  enter_workdir(o.workdir);
  char *path = spawn_find(o.program[0]);
  s.path = path;
  s.pid = calloc(o.nodes, sizeof *s.pid);
  if (!s.pid) fail(1, "out of memory");
  pst_env_check(0); /* a malformed variable is told once, before anything is started */
  make_memory(o.nodes, &host);
  if (o.tag_output) s.output = output_open(o.nodes);
  int code = run(&o, &s);
  free(s.pid);
  free(path);
  return code;
}
