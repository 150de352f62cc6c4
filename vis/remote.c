#include "vis/remote.h"

void pst_remote_start(unsigned op, gasnet_node_t node, const struct pst_side *remote, const struct pst_side *local,
                      const gasnetx_notify_t *notify, pst_pending_t *pending)
{
  struct pst_cursor far, near;
  char *r, *l;
  (void)notify;
  pst_cursor_begin(&far, remote, 0);
  pst_cursor_begin(&near, local, 0);
  for (size_t a, b, n; (a = pst_cursor_piece(&far, &r)) != 0; pst_cursor_skip(&far, n), pst_cursor_skip(&near, n)) {
    b = pst_cursor_piece(&near, &l);
    n = a < b ? a : b;
    pst_rma_start(op | PST_OP_BULK, node, r, l, n, pending);
  }
}

void pst_remote_open(void) {}
