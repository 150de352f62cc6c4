/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The signals that the supervisor of a job handles: blocked, and read from a descriptor, so that nothing runs
 * in a handler. */
#ifndef BOOTSTRAP_JOBSIGNALS_H
#define BOOTSTRAP_JOBSIGNALS_H
#include <signal.h>

/* To be called before the first fork. *old is what children must get back before they run client code. */
void pst_jobsignals_block(sigset_t *old);
/* In a child: mask and SIGCHLD as they were. */
void pst_jobsignals_restore(const sigset_t *old);
/* The descriptor, or -1 with errno. */
int pst_jobsignals_open(void);
/* Calls back for each pending signal but SIGCHLD; from_terminal: the kernel sent it to the whole process
 * group. */
void pst_jobsignals_read(int fd, void (*signalled)(void *arg, int sig, int from_terminal), void *arg);
int pst_jobsignals_known(int sig); /* one of those that are handled and passed on */
int pst_jobsignals_ends(int sig);  /* asks for the end of the job */
/* Stops this process the way the terminal would, so that the shell sees the whole job stopped. */
void pst_jobsignals_stop(void);

#endif
