#include "core/job.h"
#include "extended/barrier.h"
#include "extended/coll.h"
#include "extended/rma.h"

void pst_layers_open(void)
{
  pst_reference_open();
  pst_barrier_open();
  pst_coll_open();
}
