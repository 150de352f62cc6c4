/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Images and teams. */
#include <stdlib.h>

#include "caf/internal.h"
#include "caf/sync.h"
#include "caf/tool.h"
#include "front/meet.h"

struct pst_caf_team pst_caf_initial, *pst_caf_team = &pst_caf_initial;

/* Coarrays may have been registered already. */
void pst_caf_team_open(void)
{
  pst_caf_initial.nodes = GASNET_TEAM_ALL;
  pst_caf_initial.number = -1;
  pst_caf_initial.images = pst_caf_job.nodes;
  pst_caf_initial.image = (int)pst_caf_job.me + 1;
}

void pst_caf_image_need(const char *call, int image)
{
  pst_caf_need_open();
  if (image < 1 || image > pst_caf_team->images)
    pst_caf_fatal(call, "there is no image %d: the current team has %d", image, pst_caf_team->images);
}

/* ---- inquiry ---- */

/* The team `distance` levels up, at most the initial one. */
static const struct pst_caf_team *team_above(int distance)
{
  const struct pst_caf_team *t = pst_caf_team;
  for (; distance > 0 && t->parent; distance--) t = t->parent;
  return t;
}

int _gfortran_caf_this_image(int distance)
{
  pst_caf_need_open();
  return team_above(distance)->image;
}

static int image_state(const struct pst_caf_team *t, int image)
{
  const gasnet_node_t node = gasnetx_team_node(t->nodes, (gasnet_node_t)image - 1);
  if (gasnetx_node_is_lost(node)) return PST_CAF_STAT_FAILED_IMAGE;
  return pst_front_meet_has_stopped(node) ? PST_CAF_STAT_STOPPED_IMAGE : 0;
}

/* failed: 1: those that have failed, 0: those that have not, -1: all. */
int _gfortran_caf_num_images(int distance, int failed)
{
  pst_caf_need_open();
  const struct pst_caf_team *const t = team_above(distance);
  int lost = 0;
  if (failed < 0) return t->images;
  for (int i = 1; gasnetx_lost_count() && i <= t->images; i++)
    lost += image_state(t, i) == PST_CAF_STAT_FAILED_IMAGE;
  return failed ? lost : t->images - lost;
}

int _gfortran_caf_image_status(int image, int team)
{
  (void)team;
  pst_caf_image_need("image_status", image);
  return image_state(pst_caf_team, image);
}

static void integer_store(void *array, size_t i, int kind, int value)
{
  switch (kind) {
  case 1: ((int8_t *)array)[i] = (int8_t)value; break;
  case 2: ((int16_t *)array)[i] = (int16_t)value; break;
  case 8: ((int64_t *)array)[i] = value; break;
  case 16: ((__int128 *)array)[i] = value; break;
  default: ((int32_t *)array)[i] = value;
  }
}

/* The images in a state, in ascending order, in memory that the compiler frees. */
static void images_list(gfc_descriptor_t *array, const int *kind, int state)
{
  const int k = kind ? *kind : 4;
  int count = 0;
  pst_caf_need_open();
  void *const list = pst_caf_own_take((size_t)pst_caf_team->images * (size_t)k);
  for (int i = 1; i <= pst_caf_team->images; i++)
    if (image_state(pst_caf_team, i) == state) integer_store(list, (size_t)count++, k, i);
  array->base = list;
  array->type = PST_CAF_INTEGER;
  array->element = (size_t)k;
  array->span = k;
  array->offset = 0;
  array->dim[0] = (struct pst_caf_dim){1, 0, count - 1};
}

void _gfortran_caf_failed_images(gfc_descriptor_t *array, void *team, int *kind)
{
  (void)team;
  images_list(array, kind, PST_CAF_STAT_FAILED_IMAGE);
}

void _gfortran_caf_stopped_images(gfc_descriptor_t *array, void *team, int *kind)
{
  (void)team;
  images_list(array, kind, PST_CAF_STAT_STOPPED_IMAGE);
}

/* ---- teams ---- */

void _gfortran_caf_form_team(int number, caf_team_t *team, int flags)
{
  PST_CAF_TOLD(GASP_CAF_FORM_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_form_team(number, team, flags));
  struct pst_caf_team *const t = pst_caf_own_take(sizeof *t);
  (void)flags;
  pst_caf_need_open();
  if (number < 1) pst_caf_fatal("form team", "the team's number is %d, which is not positive", number);
  *t = (struct pst_caf_team){.parent = pst_caf_team, .number = number};
  pst_caf_release();
  t->nodes = gasnetx_team_split(pst_caf_team->nodes, (uint32_t)number, (uint32_t)pst_caf_team->image);
  if (t->nodes == GASNETX_NO_TEAM) pst_caf_fatal("form team", "an image has failed");
  t->images = (int)gasnetx_team_size(t->nodes);
  t->image = (int)gasnetx_team_rank(t->nodes) + 1;
  *team = t;
}

void _gfortran_caf_change_team(caf_team_t *team, int flags)
{
  const struct pst_caf_status status = {.call = "change team"};
  PST_CAF_TOLD(GASP_CAF_CHANGE_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_change_team(team, flags));
  (void)flags;
  if (!*team || (*team)->parent != pst_caf_team)
    pst_caf_fatal(status.call, "the team was not formed by the current one");
  pst_caf_team = *team;
  pst_caf_symmetric_push();
  pst_caf_sync_team(&status);
}

void _gfortran_caf_end_team(caf_team_t *team)
{
  const struct pst_caf_status status = {.call = "end team"};
  PST_CAF_TOLD(GASP_CAF_END_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_end_team(team));
  (void)team;
  if (!pst_caf_team->parent) pst_caf_fatal(status.call, "no team has been changed to");
  pst_caf_sync_team(&status);
  pst_caf_tokens_free(pst_caf_team);
  pst_caf_symmetric_pop();
  pst_caf_team = pst_caf_team->parent;
}

int _gfortran_caf_team_number(caf_team_t team)
{
  pst_caf_need_open();
  return (team ? team : pst_caf_team)->number;
}
