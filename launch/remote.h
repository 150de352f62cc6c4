/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command that starts the daemon on a host: a remote shell, which lives as long as the daemon does. */
#ifndef LAUNCH_REMOTE_H
#define LAUNCH_REMOTE_H
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include "bootstrap/loop.h"

struct remote_shell {
  char **word; /* the remote shell and its arguments */
  unsigned words;
  char *program; /* what is started on the host, as the remote shell takes it */
  int chosen;    /* by option or environment */
  sigset_t mask; /* signals of the processes started */
  struct rlimit files;
};

struct remote {
  const char *name;        /* of the host */
  int direct;              /* this host: no remote shell is needed */
  pid_t pid;               /* 0: gone, or never started */
  int status;              /* as waitpid gave it */
  int in;                  /* our end of its standard input; -1: closed */
  struct pst_loop_fd said; /* its output and error */
  int quiet;               /* what it prints is kept for a message; else it is passed on */
  char text[2048];         /* the beginning of what it printed */
  size_t text_size;
};

/* From --rsh, GASNET_RSH or the default, and --prefix. Ends the process when they make no sense. */
void remote_shell_open(struct remote_shell *s, const char *rsh, const char *prefix);
void remote_shell_close(struct remote_shell *s);
/* Whether the host is this one, and may be reached without a remote shell. */
int remote_is_here(const struct remote_shell *s, const char *host);
/* Starts it and gives it a line to read; name and direct are set. Ends the process when that is impossible
 * here. */
void remote_start(struct remote *r, const struct remote_shell *s, struct pst_loop *loop, const char *line);
/* The command in words, for messages. */
void remote_command(const struct remote *r, const struct remote_shell *s, char *text, size_t room);
/* Its daemon has connected: its input ends, and what it prints from now on is passed on. */
void remote_connected(struct remote *r);
/* Prints what it has said so far, a line each after "gasnetrun: host: ". */
void remote_repeat(struct remote *r);
/* Ends the command if it is still there. */
void remote_close(struct remote *r, struct pst_loop *loop);

#endif
