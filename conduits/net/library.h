/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A network's library, loaded when a job first needs it: a program that stays on one host pays nothing for
 * it, and one that was linked here runs where it is not installed. */
#ifndef CONDUITS_NET_LIBRARY_H
#define CONDUITS_NET_LIBRARY_H
#include <stddef.h>

/* Networks' libraries load others that install handlers for deadly signals. A process would then die of a
 * signal with their text and exit code in place of the message that names the node, and a client would lose
 * its own handlers. */
void pst_net_signals_keep(void); /* before the library is loaded */
void pst_net_signals_restore(void);

struct pst_net_function {
  const char *name; /* NULL after the last */
  size_t at;        /* where the conduit's table has the pointer to it */
};

/* NULL, with all pointers in the table; or the reason, with the name that users know the library by: a text
 * that stays until the next failure. The library stays loaded: it leaves threads and handlers behind. */
const char *pst_net_library_open(
    const char *name, const char *file, const struct pst_net_function *functions, void *table);

/* PST_OK where there is no reason against the library, else PST_ERR_UNSUPPORTED with the reason printed. */
int pst_net_library_judge(const char *reason);

/* The file that a function of the library comes from; NULL where that is not known. */
const char *pst_net_library_file(const void *function);

#endif
