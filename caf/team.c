/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Images and teams. */
#include <stdlib.h>

#include "caf/sync.h"
#include "caf/team.h"
#include "caf/tool.h"
#include "caf/version.h"
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

/* ---- which team ---- */

static struct pst_caf_team *youngest;

int pst_caf_team_exists(const void *team)
{
  const struct pst_caf_team *t = youngest;
  while (t && t != team) t = t->older;
  return team && (t || team == &pst_caf_initial);
}

/* gfortran 16 passes a team or NULL; earlier ones how many levels it is above the current one, at most the
 * initial one, as an integer: the upper half of its register may have anything. */
static const struct pst_caf_team *team_named(caf_team_t team)
{
  const struct pst_caf_team *t = pst_caf_team;
  if (pst_caf_team_exists(team)) {
    pst_caf_version_seen("inquiry", 1);
    return team;
  }
  for (int distance = (int)(intptr_t)team; distance > 0 && t->parent; distance--) t = t->parent;
  return t;
}

static const struct pst_caf_team *team_or_current(const caf_team_t *team)
{
  return team && pst_caf_team_exists(*team) ? *team : pst_caf_team;
}

/* The nodes of a team that was formed with this one, into `list`. Answers how many; -1: their new_index= are
 * not 1 to so many, each once. Images without one come in the order that they had. */
static int members_list(const struct pst_caf_team *t, int number, gasnet_node_t list[])
{
  const gasnet_node_t none = (gasnet_node_t)-1;
  const int n = t->parent->images;
  int count = 0, next = 0;
  for (int i = 0; i < n; i++)
    if (t->peers[i].number == number) list[count++] = none;
  for (int i = 0; i < n; i++) {
    const int index = t->peers[i].new_index;
    if (t->peers[i].number != number || index == 0) continue;
    if (index < 1 || index > count || list[index - 1] != none) return -1;
    list[index - 1] = pst_caf_team_node(t->parent, i + 1);
  }
  for (int i = 0; i < n; i++) {
    if (t->peers[i].number != number || t->peers[i].new_index) continue;
    while (list[next] != none) next++;
    list[next] = pst_caf_team_node(t->parent, i + 1);
  }
  return count;
}

/* The images of the team that has the number and was formed with the current one; -1: the initial team. */
static int sibling_list(const char *call, int number, gasnet_node_t **list)
{
  int n = pst_caf_initial.images;
  *list = pst_caf_own_take((size_t)n * sizeof **list);
  if (number == -1)
    for (int i = 1; i <= n; i++) (*list)[i - 1] = pst_caf_team_node(&pst_caf_initial, i);
  else n = pst_caf_team->peers ? members_list(pst_caf_team, number, *list) : 0;
  if (n <= 0) pst_caf_fatal(call, "no team with the number %d was formed with the current one", number);
  return n;
}

gasnet_node_t pst_caf_node_of_team(const char *call, caf_team_t *team, const int *number, int image)
{
  gasnet_node_t *list = NULL, node;
  pst_caf_need_open();
  if (team && !pst_caf_team_exists(*team)) pst_caf_fatal(call, "the variable has no team");
  const int images = team ? (*team)->images : sibling_list(call, *number, &list);
  if (image < 1 || image > images)
    pst_caf_fatal(call, "there is no image %d: the team has %d", image, images);
  node = team ? pst_caf_team_node(*team, image) : list[image - 1];
  free(list);
  return node;
}

/* ---- inquiry ---- */

int _gfortran_caf_this_image(caf_team_t team)
{
  pst_caf_need_open();
  return __builtin_expect((int)(intptr_t)team == 0, 1) ? pst_caf_team->image : team_named(team)->image;
}

static int image_state(const struct pst_caf_team *t, int image)
{
  const gasnet_node_t node = pst_caf_team_node(t, image);
  if (gasnetx_node_is_lost(node)) return PST_CAF_STAT_FAILED_IMAGE;
  return pst_front_meet_has_stopped(node) ? PST_CAF_STAT_STOPPED_IMAGE : 0;
}

/* failed: 1: those that have failed, 0: those that have not, -1: all. */
static int images_count(const struct pst_caf_team *t, int failed)
{
  int lost = 0;
  if (failed < 0) return t->images;
  for (int i = 1; gasnetx_lost_count() && i <= t->images; i++)
    lost += image_state(t, i) == PST_CAF_STAT_FAILED_IMAGE;
  return failed ? lost : t->images - lost;
}

/* number is NULL, or gfortran 16's address of one, or an integer of earlier ones: failed=. */
int _gfortran_caf_num_images(caf_team_t team, int32_t *number)
{
  const int failed = (int)(intptr_t)number;
  pst_caf_need_open();
  if (failed == -1 || failed == 1) pst_caf_version_seen("num_images", 0);
  else if (number && failed) {
    gasnet_node_t *list;
    pst_caf_version_seen("num_images", 1);
    const int n = sibling_list("num_images", *number, &list);
    free(list);
    return n;
  }
  const struct pst_caf_team *const t = team_named(team);
  return images_count(t, pst_caf_version_is_16() ? -1 : failed);
}

/* Earlier versions than gfortran 16 pass the integer -1 as the team. */
int _gfortran_caf_image_status(int image, caf_team_t *team)
{
  const struct pst_caf_team *const t = team_or_current((int)(intptr_t)team == -1 ? NULL : team);
  if (t == pst_caf_team) pst_caf_image_need("image_status", image);
  else if (image < 1 || image > t->images)
    pst_caf_fatal("image_status", "there is no image %d: the team has %d", image, t->images);
  return image_state(t, image);
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
static void images_list(gfc_descriptor_t *array, const caf_team_t *team, const int *kind, int state)
{
  const int k = kind ? *kind : 4;
  int count = 0;
  pst_caf_need_open();
  const struct pst_caf_team *const t = team_or_current(team);
  void *const list = pst_caf_own_take((size_t)t->images * (size_t)k);
  for (int i = 1; i <= t->images; i++)
    if (image_state(t, i) == state) integer_store(list, (size_t)count++, k, i);
  array->base = list;
  array->type = PST_CAF_INTEGER;
  array->element = (size_t)k;
  array->span = k;
  array->offset = 0;
  array->dim[0] = (struct pst_caf_dim){1, 0, count - 1};
}

void _gfortran_caf_failed_images(gfc_descriptor_t *array, caf_team_t *team, int *kind)
{
  images_list(array, team, kind, PST_CAF_STAT_FAILED_IMAGE);
}

void _gfortran_caf_stopped_images(gfc_descriptor_t *array, caf_team_t *team, int *kind)
{
  images_list(array, team, kind, PST_CAF_STAT_STOPPED_IMAGE);
}

/* ---- teams ---- */

int pst_caf_team_is_lost(const struct pst_caf_team *team)
{
  for (int i = 1; gasnetx_lost_count() && i <= team->images; i++)
    if (gasnetx_node_is_lost(pst_caf_team_node(team, i))) return 1;
  return 0;
}

/* ---- what gfortran calls ---- */

static gasnet_node_t parent_node(const void *team, int i) { return pst_caf_team_node(team, i + 1); }

/* What the images of the parent say, into t->peers. Where images may be lost, a collective would end at some
 * and not at others. So those that are left agree, and a lost one may have no number. 0: an image has
 * stopped, and nobody gets what all say. */
static int peers_gather(struct pst_caf_team *t, const struct pst_caf_peer *own)
{
  const struct pst_caf_team *const p = t->parent;
  if (!pst_caf_job.losses) {
    gasnetx_coll_allgather(p->nodes, t->peers, own, sizeof *own);
    return gasnetx_status_take() == GASNET_OK;
  }
  uint32_t *const values = pst_caf_own_take((size_t)p->images * sizeof *values);
  pst_front_meet_agree(p->images, p->image - 1, parent_node, p, (uint32_t)own->number, values);
  for (int i = 0; i < p->images; i++) t->peers[i].number = (int)values[i];
  pst_front_meet_agree(p->images, p->image - 1, parent_node, p, (uint32_t)own->new_index + 1, values);
  for (int i = 0; i < p->images; i++) t->peers[i].new_index = values[i] ? (int)values[i] - 1 : 0;
  free(values);
  return 1;
}

/* The statement has formed no team. */
static void team_drop(struct pst_caf_team *t)
{
  free(t->peers);
  free(t->list);
  free(t);
}

/* The members alone make the team of nodes. The list has also one that is lost before they have. */
static void members_join(struct pst_caf_team *t)
{
  t->nodes = gasnetx_team_create(t->list, (size_t)t->images);
  for (int i = 0; i < t->images; i++)
    if (t->list[i] == pst_caf_job.me) t->image = i + 1;
  t->older = youngest;
  youngest = t;
}

void _gfortran_caf_form_team(
    int number, caf_team_t *team, int *new_index, int *stat, char *errmsg, size_t errmsg_len)
{
  PST_CAF_TOLD(GASP_CAF_FORM_TEAM, 0, PST_CAF_NO_IMAGE,
      _gfortran_caf_form_team(number, team, new_index, stat, errmsg, errmsg_len));
  struct pst_caf_status status = {.call = "form team"};
  struct pst_caf_peer own = {.number = number};
  pst_caf_need_open();
  pst_caf_version_assumed();
  if (pst_caf_version_is_16()) {
    status = (struct pst_caf_status){status.call, stat, errmsg, errmsg_len};
    if (new_index) own.new_index = *new_index;
    if (new_index && *new_index < 1) own.new_index = pst_caf_team->images + 1; /* which is wrong */
  }
  if (number < 1) pst_caf_fatal(status.call, "the team's number is %d, which is not positive", number);
  struct pst_caf_team *const t = pst_caf_own_take(sizeof *t);
  *t = (struct pst_caf_team){.parent = pst_caf_team, .number = number};
  t->list = pst_caf_own_take((size_t)pst_caf_team->images * sizeof *t->list);
  t->peers = pst_caf_own_take((size_t)pst_caf_team->images * sizeof *t->peers);
  pst_caf_release();
  if (!peers_gather(t, &own)) {
    pst_caf_status_stopped(&status);
    team_drop(t);
    return;
  }
  t->images = members_list(t, number, t->list);
  if (t->images < 0) {
    pst_caf_status_set(&status, PST_CAF_STAT_NEW_INDEX,
        "the new_index= of the images of a team are not 1 to their number, each once");
    team_drop(t);
    return;
  }
  members_join(t);
  *team = t;
  pst_caf_status_set(&status, 0, "");
}

void _gfortran_caf_change_team(caf_team_t team, int *stat, char *errmsg, size_t errmsg_len)
{
  struct pst_caf_status status = {"change team", stat, errmsg, errmsg_len};
  PST_CAF_TOLD(
      GASP_CAF_CHANGE_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_change_team(team, stat, errmsg, errmsg_len));
  struct pst_caf_team *const t = pst_caf_version_team(&status, team);
  if (t->parent != pst_caf_team) pst_caf_fatal(status.call, "the team was not formed by the current one");
  pst_caf_team = t;
  pst_caf_symmetric_push();
  pst_caf_sync_active(&status, t);
}

/* gfortran before 16 passes NULL alone, which is no stat=. */
void _gfortran_caf_end_team(int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"end team", stat, errmsg, errmsg_len};
  PST_CAF_TOLD(GASP_CAF_END_TEAM, 0, PST_CAF_NO_IMAGE, _gfortran_caf_end_team(stat, errmsg, errmsg_len));
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

/* INITIAL_TEAM, PARENT_TEAM, CURRENT_TEAM of ISO_FORTRAN_ENV. */
caf_team_t _gfortran_caf_get_team(int32_t *level)
{
  enum { INITIAL, PARENT };
  pst_caf_need_open();
  if (level && *level == INITIAL) return &pst_caf_initial;
  return level && *level == PARENT && pst_caf_team->parent ? pst_caf_team->parent : pst_caf_team;
}
