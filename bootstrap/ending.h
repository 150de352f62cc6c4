/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* How a job comes to its end, and with which code: what is done when a node leaves or dies, or when a signal
 * asks for the end. Where the nodes want it so, the others are told of a death, and the job goes on until
 * they have left. This code sees no process itself: the supervisor tells it what happened, and does what it
 * asks. */
#ifndef BOOTSTRAP_ENDING_H
#define BOOTSTRAP_ENDING_H
#include <sys/types.h>

enum pst_ending_phase { PST_ENDING_NOT, PST_ENDING_GRACE, PST_ENDING_TERMINATED, PST_ENDING_KILLED };

struct pst_ending_ops {
  void (*signal)(void *arg, int sig);       /* to every process of the job */
  void (*announce)(void *arg);              /* tells the nodes that the job is ending */
  int (*joined)(void *arg);                 /* at least one process has become a node */
  int (*cleaning)(void *arg);               /* at least one is in its client's handler for SIGQUIT */
  int (*only_wrappers)(void *arg);          /* see pst_children_only_wrappers */
  int (*reports)(void *arg, unsigned node); /* the nodes want to be told of the loss of this one */
  void (*lose)(void *arg, unsigned node);   /* tells them of it */
};

struct pst_ending {
  const struct pst_ending_ops *ops;
  void *arg;
  unsigned nodes;      /* processes in the job */
  unsigned alive;      /* of them */
  double exit_timeout; /* seconds that the others get after one node left with code 0, and that a client's
                          handler gets */
  int verbose;
  /* from here on its own; zero at the start */
  enum pst_ending_phase phase;
  double deadline;  /* when the next phase begins */
  double cleaned;   /* until when handlers that SIGTERM has started may run */
  int straight;     /* a signal has asked for the end: the children have that signal, SIGKILL is next */
  unsigned asked;   /* how many such signals */
  int code;         /* the job's */
  int rank;         /* of the reason for that code: the highest counts, and of equals the first */
  int said;         /* the line about a death by signal has been printed */
  int someone_left; /* a process has ended or announced that it will */
  unsigned lost;    /* how many were reported to the others */
  int lost_code;    /* of the first of them; the job's, if all are lost */
};

void pst_ending_leaves(struct pst_ending *e, unsigned node, unsigned leaving);
/* `leaving` as the node announced it before, or 0. */
void pst_ending_ended(
    struct pst_ending *e, unsigned node, pid_t pid, const char *host, int status, unsigned leaving);
void pst_ending_asked(struct pst_ending *e, int sig);
/* Something else has failed that ends the job at once; the caller has said what. */
void pst_ending_failed(struct pst_ending *e, int code);
/* Goes on to the next phase when it is time. */
void pst_ending_advance(struct pst_ending *e);
double pst_ending_patience(const struct pst_ending *e); /* seconds until advance must be called again */

#endif
