/* How this process comes to be a node: started by gasnetrun, by itself, or alone. */
#ifndef CORE_BOOTSTRAP_START_H
#define CORE_BOOTSTRAP_START_H
#include "core/bootstrap/hostmem.h"

/* Joins or starts the job. In a program that starts itself (GASNET_PSHM_NODES=N) this returns in N new
 * processes; the calling one becomes their supervisor and ends with the job's code. Fatal when it cannot. */
void pst_start(unsigned *node, unsigned *nodes, struct pst_hostmem *hm);

#endif
