/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The ways in which a process leaves its job. */
#ifndef CORE_EXIT_H
#define CORE_EXIT_H

/* Tells the supervisor that this process ends with `code`; the first call counts. told: 1 when a fatal
 * message was printed already. */
void pst_exit_announce(int code, int told);
int pst_exit_leaving(void); /* some thread leads the process out */
int pst_exit_is_node(void); /* not a process that the client forked from a node */
/* From gasnet_init: catches exit() and return from main (GASNET_CATCH_EXIT), fatal errors and signals. */
void pst_exit_open(void);
void pst_signals_open(void);
/* The process ends as one that is lost. */
_Noreturn void pst_exit_fail(void);
/* The process dies of `sig` if it still runs after so many seconds. For signal handlers, as the next two. */
void pst_exit_limit(int sig, double seconds);
/* Flushes stdio first, as far as a signal handler can within a second. */
_Noreturn void pst_exit_flush_and_die(int sig);
_Noreturn void pst_exit_by_signal(int sig); /* at once */

#endif
