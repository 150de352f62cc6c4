/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* In a job without a supervisor the processes of a host watch each other, for not all launchers end a job
 * when one of its processes dies. */
#ifndef BOOTSTRAP_LIVENESS_H
#define BOOTSTRAP_LIVENESS_H
#include <sys/types.h>

/* What the watching thread calls. */
struct pst_liveness_ops {
  int (*has_left)(unsigned index); /* that process has ended as it should */
  double (*died)(
      unsigned index, pid_t pid); /* it has not: the job shall end; seconds that the others get for it */
  void (*late)(void);             /* they have passed */
};

/* Process `index` of `local` watches the next one, and when that has ended the one behind it. So one process
 * that lives watches every process that dies. pid[] is of all, and stays. Where the kernel cannot tell (Linux
 * before 5.3) no process watches. 0 or PST_ERR_*. */
int pst_liveness_watch(const pid_t *pid, unsigned index, unsigned local, const struct pst_liveness_ops *ops);

#endif
