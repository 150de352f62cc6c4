/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnetrun: starts the processes of a job on this host and stays as their supervisor, or has them started on
 * several. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/hostmem.h"
#include "bootstrap/jobsignals.h"
#include "bootstrap/supervise.h"
#include "core/scratch.h"
#include "bootstrap/variables.h"
#include "launch/daemon.h"
#include "launch/launcher.h"
#include "launch/options.h"
#include "launch/output.h"
#include "launch/pipes.h"
#include "launch/spawn.h"
#include "support/env.h"
#include "support/variables.h"

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

/* Where leaving by exit() does not end the job (GASNET_CATCH_EXIT=no), the others have all the time they
 * need. */
static double exit_timeout(void)
{
  return pst_env_bool(&pst_bootstrap_env.catch_exit) ? pst_env_double(&pst_support_env.exittimeout)
                                                     : HUGE_VAL;
}

/* ---- tagged output ---- */

/* Reads no more while the reader of our own output has not taken what was read before. */
static size_t output_room(void *output, unsigned which)
{
  enum { WAIT_MS = 50, READ_SIZE = 64 * 1024 }; /* for a slow reader, before signals are looked at again */
  return output_flush(output, which, WAIT_MS) ? READ_SIZE : 0;
}

static void output_pass_on(void *output, unsigned node, unsigned which, const char *data, size_t n)
{
  output_take(output, node, which, data, n);
  output_flush(output, which, 0);
}

static void output_stream_end(void *output, unsigned node, unsigned which)
{
  output_end(output, node, which);
}

/* ---- one host ---- */

static void make_memory(unsigned nodes, struct pst_hostmem *host)
{
  const struct pst_part part = pst_part_single(nodes);
  const char *why = "";
  pst_scratch_reserve();
  if (pst_hostmem_create(&part, host, &why) != 0) fail(1, "cannot start %u processes: %s", nodes, why);
}

static int run_and_supervise(const struct options *o, struct spawn *s, struct pipes *pipes)
{
  struct pst_supervise super = {.state = s->host->state,
      .nodes = o->nodes,
      .pid = s->pid,
      .exit_timeout = exit_timeout(),
      .verbose = o->verbose};
  spawn_all(s);
  if (pipes) {
    super.watch = pipes_watch(pipes);
    super.watches = 2 * o->nodes;
  }
  return pst_supervise_run(&super);
}

static int run_tagged(const struct options *o, struct spawn *s)
{
  struct output *output = output_open(o->nodes, 1);
  const struct pipes_reader reader = {output_room, output_pass_on, output_stream_end, output};
  struct pipes *pipes = pipes_open(o->nodes, &reader);
  s->pipes = pipes;
  int code = run_and_supervise(o, s, pipes);
  sigprocmask(
      SIG_SETMASK, &s->mask, NULL); /* the last lines may wait for a slow reader: let signals end that */
  if (output_close(output) != 0 && !code) code = 1;
  pipes_close(pipes);
  return code;
}

static int run_here(const struct options *o)
{
  struct pst_hostmem host;
  char *path = spawn_find(o->program[0]);
  struct spawn s = {.host = &host,
      .input = STDIN_FILENO,
      .verbose = o->verbose,
      .pid = calloc(o->nodes, sizeof(pid_t)),
      .program = o->program,
      .path = path};
  if (!s.pid) fail(1, "out of memory");
  pst_env_check(0); /* a malformed variable is told once, before anything is started */
  make_memory(o->nodes, &host);
  pst_jobsignals_block(&s.mask);
  int code = o->tag_output ? run_tagged(o, &s) : run_and_supervise(o, &s, NULL);
  free(s.pid);
  free(path);
  return code;
}

static int run_on_hosts(const struct options *o)
{
  pst_env_check(0);
  return launcher_run(o, exit_timeout());
}

int main(int argc, char **argv)
{
  struct options o;
  fill_standard_streams();
  if (argc == 2 && strcmp(argv[1], "--daemon") == 0) return daemon_run();
  options_parse(argc, argv, &o);
  enter_workdir(o.workdir);
  int code = o.hosts.count ? run_on_hosts(&o) : run_here(&o);
  hosts_free(&o.hosts);
  return code;
}
