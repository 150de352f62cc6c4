/* The parent of a host's processes: waits for them, ends the job when one dies or leaves, forwards signals,
 * and knows the job's exit code. Used by gasnetrun and by a program that starts itself
 * (GASNET_PSHM_NODES=N ./prog), whose first process becomes the supervisor. */
#ifndef CORE_BOOTSTRAP_SUPERVISE_H
#define CORE_BOOTSTRAP_SUPERVISE_H
#include <signal.h>
#include <sys/types.h>
#include "core/bootstrap/jobstate.h"

/* Output of children read through pipes (gasnetrun --tag-output): the callback is told when fd is readable
 * and returns 0 when the fd is at its end and to be forgotten. */
struct pst_watch { int fd; int (*readable)(int fd, void *arg); void *arg; };

struct pst_supervise {
  struct pst_jobstate *state;
  unsigned nodes;
  pid_t *pid;               /* [nodes] */
  double exit_timeout;      /* seconds that the others get after one node left with code 0 */
  int verbose;
  struct pst_watch *watch;  /* may be NULL */
  unsigned watches;
};

/* To be called before the first fork: blocks the signals that supervise will handle. *old is what the
 * children must restore with sigprocmask before they run client code. */
void pst_supervise_prepare(sigset_t *old);
/* In each child first of all: dies with its parent, restores the signal mask. */
void pst_supervise_child(pid_t parent, const sigset_t *old);
/* In a process that a shell script under gasnetrun started, not gasnetrun itself: dies with that script. Where the parent
 * has several threads nothing is done, for the kernel would take the end of the one that forked for its death. */
void pst_supervise_adopted(void);
/* Returns the job's exit code when all children are gone: 128+signal when one was killed, else the first
 * non-zero code in time, else 0. Prints one line for a death by signal: node, pid, host, signal. */
int pst_supervise_run(struct pst_supervise *s);
#endif
