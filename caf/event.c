/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Events: a count of 8 bytes. All images add to it by atomic operations, and its own image takes away. */
#include "caf/sync.h"
#include "caf/tool.h"
#include "front/wait.h"

static uint64_t *event_at(caf_token_t token, size_t index, gasnet_node_t node)
{
  return (uint64_t *)(void *)pst_caf_at(token, node, 0) + index;
}

void _gfortran_caf_event_post(
    caf_token_t token, size_t index, int image, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"event post", stat, errmsg, errmsg_len};
  const gasnet_node_t node = pst_caf_node_or_own(status.call, image);
  PST_CAF_TOLD(
      GASP_CAF_EVENT_POST, 0, image, _gfortran_caf_event_post(token, index, image, stat, errmsg, errmsg_len));
  pst_caf_release();
  gasnetx_atomic64(GASNETX_ADD, node, event_at(token, index, node), 1, 0);
  gasnetx_wake(node);
  pst_caf_status_end(&status, gasnetx_node_is_lost(node));
}

static int event_has(uint64_t *event, uint64_t until)
{
  return __atomic_load_n(event, __ATOMIC_ACQUIRE) >= until;
}

/* An image that has failed may be the one that was to post. */
void _gfortran_caf_event_wait(
    caf_token_t token, size_t index, int until, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"event wait", stat, errmsg, errmsg_len};
  uint64_t *const event = event_at(token, index, pst_caf_job.me);
  const uint64_t wanted = until > 1 ? (uint64_t)until : 1;
  PST_CAF_TOLD(
      GASP_CAF_EVENT_WAIT, 0, 0, _gfortran_caf_event_wait(token, index, until, stat, errmsg, errmsg_len));
  pst_caf_release();
  PST_FRONT_UNTIL(event_has(event, wanted) || pst_caf_team_is_lost(pst_caf_team));
  const int has = event_has(event, wanted);
  if (has) gasnetx_atomic64(GASNETX_ADD, pst_caf_job.me, event, -wanted, 0);
  pst_caf_status_end(&status, !has);
}

void _gfortran_caf_event_query(caf_token_t token, size_t index, int image, int *count, int *stat)
{
  const gasnet_node_t node = pst_caf_node_or_own("event_query", image);
  PST_CAF_TOLD(GASP_CAF_EVENT_QUERY, 0, image, _gfortran_caf_event_query(token, index, image, count, stat));
  *count = (int)gasnetx_atomic64(GASNETX_GET, node, event_at(token, index, node), 0, 0);
  pst_caf_status_ok(stat);
  gasnet_AMPoll(); /* a program may wait by this call alone */
}
