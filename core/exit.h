/* The ways in which a process leaves its job. */
#ifndef CORE_EXIT_H
#define CORE_EXIT_H

/* Tells the supervisor that this process ends with `code`; the first call counts. */
void pst_exit_announce(int code, int told);
int pst_exit_leaving(void); /* some thread leads the process out */
int pst_exit_is_node(void); /* and not a process that the client forked from one */
/* From gasnet_init: catches exit() and return from main (GASNET_CATCH_EXIT), fatal errors and signals. */
void pst_exit_open(void);
void pst_signals_open(void);

#endif
