#include "core/bootstrap/control.h"

#include "core/bootstrap/exchange.h"
#include "core/conduit.h"

static size_t whole_pages(size_t n)
{
  return (n + PST_PAGESIZE - 1) & ~(size_t)(PST_PAGESIZE - 1);
}

static size_t conduit_offset(unsigned nodes)
{
  return whole_pages(sizeof(struct pst_jobstate)) + whole_pages(pst_exchange_size(nodes));
}

size_t pst_control_size(unsigned nodes)
{
  return conduit_offset(nodes) + whole_pages(pst_conduit_find("smp")->shared_size(nodes));
}

struct pst_exchange *pst_control_exchange(struct pst_jobstate *state)
{
  return (struct pst_exchange *)((char *)state + whole_pages(sizeof *state));
}

void *pst_control_conduit(struct pst_jobstate *state)
{
  return (char *)state + conduit_offset(state->nodes);
}
