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
  const gasnet_node_t node = pst_caf_team_node(t, image);
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

int pst_caf_team_is_lost(const struct pst_caf_team *team)
{
  for (int i = 1; gasnetx_lost_count() && i <= team->images; i++)
    if (gasnetx_node_is_lost(pst_caf_team_node(team, i))) return 1;
  return 0;
}

static void members_split(struct pst_caf_team *t)
{
  t->nodes = gasnetx_team_split(t->parent->nodes, (uint32_t)t->number, (uint32_t)t->parent->image);
  t->images = (int)gasnetx_team_size(t->nodes);
  t->image = (int)gasnetx_team_rank(t->nodes) + 1;
  for (int i = 0; i < t->images; i++) t->list[i] = gasnetx_team_node(t->nodes, (gasnet_node_t)i);
}

static gasnet_node_t parent_node(const void *team, int i) { return pst_caf_team_node(team, i + 1); }

/* Where images may be lost, a split would end at some and not at others. So those that are left agree on the
 * members, whom the list has also if one of them is lost before they have made a team of nodes. */
static void members_agree(struct pst_caf_team *t)
{
  const struct pst_caf_team *const p = t->parent;
  uint32_t *const numbers = pst_caf_own_take((size_t)p->images * sizeof *numbers);
  pst_front_meet_agree(p->images, p->image - 1, parent_node, p, (uint32_t)t->number, numbers);
  for (int i = 1; i <= p->images; i++) {
    if (numbers[i - 1] != (uint32_t)t->number) continue;
    t->list[t->images++] = pst_caf_team_node(p, i);
    if (i == p->image) t->image = t->images;
  }
  free(numbers);
  t->nodes = gasnetx_team_create(t->list, (size_t)t->images);
}

void _gfortran_caf_form_team(int number, caf_team_t *team, int flags)
{
  PST_CAF_TOLD(GASP_CAF_FORM_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_form_team(number, team, flags));
  struct pst_caf_team *const t = pst_caf_own_take(sizeof *t);
  (void)flags;
  pst_caf_need_open();
  if (number < 1) pst_caf_fatal("form team", "the team's number is %d, which is not positive", number);
  *t = (struct pst_caf_team){.parent = pst_caf_team, .number = number};
  t->list = pst_caf_own_take((size_t)pst_caf_team->images * sizeof *t->list);
  pst_caf_release();
  if (pst_caf_job.losses) members_agree(t);
  else members_split(t);
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
  pst_caf_sync_active(&status, pst_caf_team);
}

void _gfortran_caf_end_team(caf_team_t *team)
{
  const struct pst_caf_status status = {.call = "end team"};
  PST_CAF_TOLD(GASP_CAF_END_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_end_team(team));
  (void)team;
  if (!pst_caf_team->parent) pst_caf_fatal(status.call, "no team has been changed to");
  pst_caf_sync_active(&status, pst_caf_team);
  pst_caf_tokens_free(pst_caf_team);
  pst_caf_symmetric_pop();
  pst_caf_team = pst_caf_team->parent;
}

int _gfortran_caf_team_number(caf_team_t team)
{
  pst_caf_need_open();
  return (team ? team : pst_caf_team)->number;
}
