/* Starts the processes of a job. */
#ifndef LAUNCH_SPAWN_H
#define LAUNCH_SPAWN_H
#include <signal.h>
#include <sys/types.h>
#include "core/bootstrap/hostmem.h"
#include "launch/options.h"

struct output;

struct spawn {
  const struct options *options;
  const struct pst_hostmem *host;
  struct output *output;  /* NULL: the processes write where gasnetrun would */
  pid_t *pid;             /* [nodes], filled here */
  const char *path;       /* what will be executed; owned by the caller */
  sigset_t mask;          /* the signal mask to give to the processes */
};

/* Finds the program as execvp would; ends the process with 126 or 127 where that fails. malloc'ed. */
char *spawn_find(const char *program);
/* Starts all; when one cannot be started kills the others and ends the process. */
void spawn_all(struct spawn *s);

#endif
