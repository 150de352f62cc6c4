/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Collective subroutines: those of the current team (gasnetx_coll_*), on arrays of any strides. */
#include <stdlib.h>
#include <string.h>

#include "caf/convert.h"
#include "caf/reduce.h"
#include "caf/tool.h"

/* The argument as one row of elements. */
struct row {
  char *elements;
  size_t count;
  int is_packed;                    /* as it is: its elements are those of the argument */
  struct pst_caf_side side, packed; /* where it is not */
};

/* For an allocatable component of what is broadcast gfortran makes a descriptor without span and offset.
 * Those of variables and sections have the offset that belongs to their bounds. */
static int is_component(const gfc_descriptor_t *a)
{
  return a->rank == 1 && a->dim[0].lower == 1 && a->dim[0].stride == 1 && (ptrdiff_t)a->offset != -1;
}

/* 1: the elements lie one behind the other. Counts them. */
static int elements_count(const gfc_descriptor_t *a, size_t *count)
{
  int is_packed = 1;
  if (is_component(a)) {
    *count = pst_caf_dim_count(&a->dim[0]);
    return 1;
  }
  *count = 1;
  for (int k = 0; k < a->rank; k++) {
    const size_t n = pst_caf_dim_count(&a->dim[k]);
    is_packed &= n == 1 || a->dim[k].stride * pst_caf_span(a) == (ptrdiff_t)(*count * a->element);
    *count *= n;
  }
  return is_packed;
}

static void row_open(struct row *r, const gfc_descriptor_t *a, const char *call)
{
  pst_caf_need_open();
  r->elements = a->base;
  r->is_packed = elements_count(a, &r->count);
  if (!a->base && r->count * a->element > 0)
    pst_caf_fatal(call, "the argument, or a component of it, is not allocated");
  if (r->is_packed) return;
  r->elements = pst_caf_own_take(r->count * a->element);
  pst_caf_side_read(&r->side, a, NULL, 0, a->base);
  pst_caf_side_pack(&r->packed, &r->side, &r->side, r->elements);
}

static void row_close(struct row *r)
{
  if (!r->is_packed) free(r->elements);
}

static void row_pack(struct row *r, const char *call)
{
  if (!r->is_packed) pst_caf_assign(call, &r->packed, &r->side);
}
static void row_unpack(struct row *r, const char *call)
{
  if (!r->is_packed) pst_caf_assign(call, &r->side, &r->packed);
}

/* ---- failed images ---- */

/* 0: the team serves no call any more, and may have no nodes. What other statements have left is no matter.
 */
static int team_begin(const struct pst_caf_status *status)
{
  if (__builtin_expect(!pst_caf_job.losses, 1)) return 1;
  gasnetx_status_take();
  const int is_lost = pst_caf_team_is_lost(pst_caf_team);
  if (is_lost) pst_caf_status_end(status, 1);
  return !is_lost;
}

/* ---- errmsg= ---- */

/* gfortran 12 passes a variable that is no dummy argument as a whole, on the stack. What comes behind moves
 * up: to the place of its address come the length of characters, or that of the text. No address is as small.
 */
enum { LEAST_ADDRESS = 65536 };
static char *errmsg_of(char *errmsg) { return (uintptr_t)errmsg < LEAST_ADDRESS ? NULL : errmsg; }
static int length_of(const gfc_descriptor_t *a, const char *errmsg, int length)
{
  if (a->type != PST_CAF_CHARACTER) return 0;
  return errmsg && (uintptr_t)errmsg < LEAST_ADDRESS ? (int)(uintptr_t)errmsg : length;
}

/* ---- broadcast ---- */

static gasnet_node_t rank_need(const char *call, int image)
{
  pst_caf_image_need(call, image);
  return (gasnet_node_t)image - 1;
}

void _gfortran_caf_co_broadcast(
    gfc_descriptor_t *a, int source_image, int *stat, char *errmsg, size_t errmsg_len)
{
  static const char call[] = "co_broadcast";
  PST_CAF_TOLD(GASP_CAF_CO_BROADCAST, pst_caf_told_bytes(a, NULL, 0), source_image,
      _gfortran_caf_co_broadcast(a, source_image, stat, errmsg, errmsg_len));
  const struct pst_caf_status status = {call, stat, errmsg_of(errmsg), errmsg_len};
  const gasnet_node_t root = rank_need(call, source_image);
  struct row r;
  if (!team_begin(&status)) return;
  row_open(&r, a, call);
  if (root + 1 == (gasnet_node_t)pst_caf_team->image) row_pack(&r, call);
  gasnetx_coll_broadcast(pst_caf_team->nodes, r.elements, root, r.elements, r.count * a->element);
  if (root + 1 != (gasnet_node_t)pst_caf_team->image) row_unpack(&r, call);
  row_close(&r);
  pst_caf_status_take(&status);
}

/* ---- reductions ---- */

/* For a tool: which image gets the result. */
static int result_at(int result_image) { return result_image ? result_image : PST_CAF_NO_IMAGE; }

/* result_image 0: all images have the result. */
static void row_reduce(const struct pst_caf_status *status, gfc_descriptor_t *a, int result_image,
    const gasnetx_reduction_t *reduction)
{
  struct row r;
  if (!team_begin(status)) return;
  row_open(&r, a, status->call);
  row_pack(&r, status->call);
  if (result_image == 0)
    gasnetx_coll_allreduce(pst_caf_team->nodes, r.elements, r.elements, r.count, reduction);
  else
    gasnetx_coll_reduce(pst_caf_team->nodes, rank_need(status->call, result_image), r.elements, r.elements,
        r.count, reduction);
  if (result_image == 0 || result_image == pst_caf_team->image) row_unpack(&r, status->call);
  row_close(&r);
  pst_caf_status_take(status);
}

static void numbers_reduce(const struct pst_caf_status *status, gfc_descriptor_t *a, int result_image,
    enum pst_caf_operation op, int length)
{
  gasnetx_reduction_t reduction;
  struct pst_caf_operands operands;
  pst_caf_reduction_make(status->call, &reduction, &operands, a, op, length);
  row_reduce(status, a, result_image, &reduction);
}

void _gfortran_caf_co_sum(gfc_descriptor_t *a, int result_image, int *stat, char *errmsg, size_t errmsg_len)
{
  const struct pst_caf_status status = {"co_sum", stat, errmsg_of(errmsg), errmsg_len};
  PST_CAF_TOLD(GASP_CAF_CO_SUM, pst_caf_told_bytes(a, NULL, 0), result_at(result_image),
      _gfortran_caf_co_sum(a, result_image, stat, errmsg, errmsg_len));
  numbers_reduce(&status, a, result_image, PST_CAF_SUM, 0);
}

void _gfortran_caf_co_min(
    gfc_descriptor_t *a, int result_image, int *stat, char *errmsg, int length, size_t errmsg_len)
{
  const struct pst_caf_status status = {"co_min", stat, errmsg_of(errmsg), errmsg_len};
  PST_CAF_TOLD(GASP_CAF_CO_MIN, pst_caf_told_bytes(a, NULL, 0), result_at(result_image),
      _gfortran_caf_co_min(a, result_image, stat, errmsg, length, errmsg_len));
  numbers_reduce(&status, a, result_image, PST_CAF_MIN, length_of(a, errmsg, length));
}

void _gfortran_caf_co_max(
    gfc_descriptor_t *a, int result_image, int *stat, char *errmsg, int length, size_t errmsg_len)
{
  const struct pst_caf_status status = {"co_max", stat, errmsg_of(errmsg), errmsg_len};
  PST_CAF_TOLD(GASP_CAF_CO_MAX, pst_caf_told_bytes(a, NULL, 0), result_at(result_image),
      _gfortran_caf_co_max(a, result_image, stat, errmsg, length, errmsg_len));
  numbers_reduce(&status, a, result_image, PST_CAF_MAX, length_of(a, errmsg, length));
}

void _gfortran_caf_co_reduce(gfc_descriptor_t *a, void *(*function)(void *, void *), int flags,
    int result_image, int *stat, char *errmsg, int length, size_t errmsg_len)
{
  const struct pst_caf_status status = {"co_reduce", stat, errmsg_of(errmsg), errmsg_len};
  PST_CAF_TOLD(GASP_CAF_CO_REDUCE, pst_caf_told_bytes(a, NULL, 0), result_at(result_image),
      _gfortran_caf_co_reduce(a, function, flags, result_image, stat, errmsg, length, errmsg_len));
  gasnetx_reduction_t reduction;
  struct pst_caf_function f;
  pst_caf_function_make(&reduction, &f, a, function, flags, length_of(a, errmsg, length));
  row_reduce(&status, a, result_image, &reduction);
}
