/* All-to-all exchange between the nodes of the job, on whatever hosts, before a conduit runs. Nothing here can fail: a node
 * that dies ends the job. */
#ifndef CORE_BOOTSTRAP_BOOT_H
#define CORE_BOOTSTRAP_BOOT_H
#include "core/bootstrap/start.h"

enum { PST_BOOT_MAX = 4096 }; /* bytes of a blob */

void pst_boot_open(const struct pst_start *s);
/* Collective: every node's blob of `size` bytes into all[nodes * size]. */
void pst_boot_all(const void *mine, size_t size, void *all);
/* Collective: returns when every node has called. */
void pst_boot_fence(void);

#endif
