/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks and critical sections (front/held.h). Both are image control statements. */
#include "caf/sync.h"
#include "caf/tool.h"
#include "front/held.h"

static struct pst_front_locks locks;

static uint64_t *place_new(void) { return pst_caf_local_take(sizeof(uint64_t)); }

static struct pst_front_locks *locks_open(void)
{
  if (!locks.origin)
    locks = (struct pst_front_locks){.me = pst_caf_job.me,
        .origin = pst_caf_job.segment,
        .shift = pst_caf_job.shift,
        .place_new = place_new,
        .losses = pst_caf_job.losses};
  return &locks;
}

static uint64_t *lock_word(caf_token_t token, size_t index, gasnet_node_t node)
{
  return (uint64_t *)(void *)pst_caf_at(token, node, 0) + index;
}

static void code_tell(const char *call, int rc, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {call, stat, errmsg, errmsg_len};
  switch (rc) {
  case PST_FRONT_LOCKS_MINE:
    pst_caf_status_set(&status, PST_CAF_STAT_LOCKED, "this image has the lock already");
    break;
  case PST_FRONT_LOCKS_BUSY:
    pst_caf_status_set(&status, PST_CAF_STAT_LOCKED_OTHER_IMAGE, "another image has the lock");
    break;
  case PST_FRONT_LOCKS_FREE:
    pst_caf_status_set(&status, PST_CAF_STAT_NOT_LOCKED, "no image has the lock");
    break;
  case PST_FRONT_LOCKS_HOMELESS:
    pst_caf_status_set(&status, PST_CAF_STAT_FAILED_IMAGE, "the lock's image has failed");
    break;
  case PST_FRONT_LOCKS_NO_MEMORY: pst_caf_fatal(call, "out of memory; raise CAF_HEAP_SIZE");
  default: pst_caf_fatal(call, "it is no lock, or something else has been stored in it");
  }
}

void _gfortran_caf_lock(
    caf_token_t token, size_t index, int image, int *acquired, int *stat, char *errmsg, size_t errmsg_len)
{
  PST_CAF_TOLD(token->critical ? GASP_CAF_CRITICAL : GASP_CAF_LOCK, 0, image,
      _gfortran_caf_lock(token, index, image, acquired, stat, errmsg, errmsg_len));
  const gasnet_node_t home = pst_caf_node_or_own("lock", image);
  pst_caf_release();
  const int rc = pst_front_locks_take(locks_open(), home, lock_word(token, index, home), !acquired);
  const int answers = acquired && (rc == PST_FRONT_LOCKS_DONE || rc == PST_FRONT_LOCKS_BUSY);
  if (answers) *acquired = rc == PST_FRONT_LOCKS_DONE;
  if (rc == PST_FRONT_LOCKS_BUSY) gasnet_AMPoll(); /* a program may wait by this call alone */
  if (answers || rc == PST_FRONT_LOCKS_DONE) pst_caf_status_ok(stat);
  else code_tell("lock", rc, stat, errmsg, errmsg_len);
}

void _gfortran_caf_unlock(
    caf_token_t token, size_t index, int image, int *stat, char *errmsg, size_t errmsg_len)
{
  PST_CAF_TOLD(token->critical ? GASP_CAF_END_CRITICAL : GASP_CAF_UNLOCK, 0, image,
      _gfortran_caf_unlock(token, index, image, stat, errmsg, errmsg_len));
  const gasnet_node_t home = pst_caf_node_or_own("unlock", image);
  pst_caf_release();
  const int rc = pst_front_locks_release(locks_open(), home, lock_word(token, index, home));
  if (rc == PST_FRONT_LOCKS_DONE) pst_caf_status_ok(stat);
  else code_tell("unlock", rc, stat, errmsg, errmsg_len);
}
