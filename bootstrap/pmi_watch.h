/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Where no supervisor is: the processes of a host look after each other, for not all launchers end a job of
 * which a process dies. */
#ifndef BOOTSTRAP_PMI_WATCH_H
#define BOOTSTRAP_PMI_WATCH_H
#include <sys/types.h>

/* What the watcher asks for; from its own thread. */
struct pst_pmi_watch_ops {
  int (*has_left)(unsigned index); /* that process has ended as it should */
  double (*died)(
      unsigned index, pid_t pid); /* it has not: the job shall end; seconds that the others get for it */
  void (*late)(void);             /* they have passed */
};

/* Process `index` of `local` keeps an eye on the next one, and when that has ended on the one behind it: of
 * processes that die one always follows one that lives. pid[] is of all and stays. Where the kernel cannot
 * tell (Linux before 5.3) nobody watches. 0 or PST_ERR_*. */
int pst_pmi_watch_open(const pid_t *pid, unsigned index, unsigned local, const struct pst_pmi_watch_ops *ops);

#endif
