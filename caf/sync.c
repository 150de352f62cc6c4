/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "caf/sync.h"

#include "caf/tool.h"
#include "caf/version.h"
#include "front/meet.h"

void pst_caf_release(void) { pst_front_put_complete(); }

/* 0: it may have waited for nobody. */
static int status_met(const struct pst_caf_status *status, int met)
{
  if (met & PST_FRONT_MEET_STOPPED) pst_caf_status_stopped(status);
  else pst_caf_status_end(status, met & PST_FRONT_MEET_LOST);
  return !(met & PST_FRONT_MEET_STOPPED);
}

static gasnet_node_t team_node(const void *team, int i) { return pst_caf_team_node(team, i + 1); }

static int team_meet(const struct pst_caf_team *team)
{
  return team == &pst_caf_initial && !pst_caf_job.losses
      ? pst_front_meet_all()
      : pst_front_meet_set(team->images, team->image - 1, team_node, team);
}

int pst_caf_sync_team(const struct pst_caf_status *status)
{
  pst_caf_release();
  return status_met(status, team_meet(pst_caf_team));
}

int pst_caf_sync_active(const struct pst_caf_status *status, const struct pst_caf_team *team)
{
  pst_caf_release();
  return status_met(status, team_meet(team) & ~PST_FRONT_MEET_LOST);
}

/* gfortran before 16 passes the address of a pointer as errmsg in the three statements below, so what is
 * written there would hit its caller's stack. */
static struct pst_caf_status status_of(const char *call, int *stat, char *errmsg, size_t errmsg_len)
{
  return (struct pst_caf_status){call, stat, errmsg && pst_caf_version_is_16() ? errmsg : NULL, errmsg_len};
}

void _gfortran_caf_sync_all(int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = status_of("sync all", stat, errmsg, errmsg_len);
  if (!pst_caf_has_met)
    PST_CAF_TOLD(pst_caf_fresh ? GASP_CAF_ALLOCATE : GASP_CAF_SYNC_ALL, pst_caf_told_fresh(),
        PST_CAF_NO_IMAGE, _gfortran_caf_sync_all(stat, errmsg, errmsg_len));
  pst_caf_need_open();
  if (__builtin_expect(pst_caf_fresh || pst_caf_has_met, 0)) {
    pst_caf_tokens_settle();
    if (pst_caf_has_met) {
      pst_caf_has_met = 0;
      return;
    }
  }
  pst_caf_sync_team(&status);
}

void _gfortran_caf_sync_memory(int *stat, char *errmsg, size_t errmsg_len)
{
  PST_CAF_TOLD(
      GASP_CAF_SYNC_MEMORY, 0, PST_CAF_NO_IMAGE, _gfortran_caf_sync_memory(stat, errmsg, errmsg_len));
  (void)errmsg, (void)errmsg_len;
  pst_caf_need_open();
  const int waits = pst_front_put_pending();
  pst_caf_release();
  PST_FRONT_FENCE(__ATOMIC_SEQ_CST);
  if (!waits) gasnet_AMPoll(); /* a program may look at its own coarray until it changes, no more */
  pst_caf_status_ok(stat);
}

/* image NULL: 1, 2, 3, ... */
static gasnet_node_t list_node(const void *images, int i)
{
  return pst_caf_node("sync images", images ? ((const int *)images)[i] : i + 1);
}

void _gfortran_caf_sync_images(int count, int images[], int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = status_of("sync images", stat, errmsg, errmsg_len);
  const int all = count < 0;
  PST_CAF_TOLD(GASP_CAF_SYNC_IMAGES, 0, count == 1 ? images[0] : PST_CAF_NO_IMAGE,
      _gfortran_caf_sync_images(count, images, stat, errmsg, errmsg_len));
  pst_caf_need_open();
  pst_caf_release();
  status_met(
      &status, pst_front_meet_nodes(all ? pst_caf_team->images : count, list_node, all ? NULL : images));
}

void _gfortran_caf_sync_team(caf_team_t team, int *stat, char *errmsg, size_t errmsg_len)
{
  struct pst_caf_status status = {"sync team", stat, errmsg, errmsg_len};
  PST_CAF_TOLD(
      GASP_CAF_SYNC_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_sync_team(team, stat, errmsg, errmsg_len));
  struct pst_caf_team *const t = pst_caf_version_team(&status, team);
  pst_caf_sync_active(&status, t);
}
