/* How the control memory of a host is divided: jobstate, exchange area, the conduit's queues. */
#ifndef CORE_BOOTSTRAP_CONTROL_H
#define CORE_BOOTSTRAP_CONTROL_H
#include <stddef.h>
#include "core/bootstrap/jobstate.h"

size_t pst_control_size(unsigned nodes); /* bytes, a multiple of the page size */
struct pst_exchange *pst_control_exchange(struct pst_jobstate *state);
void *pst_control_conduit(struct pst_jobstate *state);

#endif
