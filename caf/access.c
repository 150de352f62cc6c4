/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The calls of gfortran 15 and later.
 *
 * Where the owner's memory is mapped, an accessor runs here. But gfortran allocates components that are
 * allocatable by malloc inside of accessors, and pointers may have any targets: a coarray with such
 * components is used by its owner alone. */
#include "caf/access.h"

#include <stdlib.h>
#include <string.h>

#include "caf/team.h"
#include "caf/tool.h"
#include "caf/transfer.h"
#include "caf/version.h"

static const char call_get[] = "reference to another image", call_put[] = "assignment to another image",
                  call_present[] = "allocated";

/* ---- arrays ---- */

static ptrdiff_t extent_of(const struct pst_caf_dim *d)
{
  return d->upper < d->lower ? 0 : d->upper - d->lower + 1;
}

static ptrdiff_t span_of(const gfc_descriptor_t *desc)
{
  return desc->span ? desc->span : (ptrdiff_t)desc->element;
}

size_t pst_caf_packed_bytes(const gfc_descriptor_t *desc)
{
  size_t n = (size_t)span_of(desc);
  for (int k = 0; k < desc->rank; k++) n *= (size_t)extent_of(&desc->dim[k]);
  return n;
}

size_t pst_caf_descriptor_bytes(const gfc_descriptor_t *desc)
{
  return offsetof(gfc_descriptor_t, dim) + (size_t)desc->rank * sizeof desc->dim[0];
}

static int is_packed(const gfc_descriptor_t *desc)
{
  ptrdiff_t stride = 1;
  if (span_of(desc) != (ptrdiff_t)desc->element) return 0;
  for (int k = 0; k < desc->rank; k++) {
    if (desc->dim[k].stride != stride && extent_of(&desc->dim[k]) > 1) return 0;
    stride *= extent_of(&desc->dim[k]);
  }
  return 1;
}

/* A descriptor like another one, of an array that is packed, with lower bounds of 1: accessors give them to
 * what they allocate, and gfortran's own descriptors of temporary arrays have others. */
static void packed_like(union pst_caf_whole_descriptor *packed, const gfc_descriptor_t *desc, void *base)
{
  gfc_descriptor_t *const p = &packed->desc;
  ptrdiff_t stride = 1, offset = 0;
  memcpy(packed, desc, pst_caf_descriptor_bytes(desc));
  p->base = base;
  p->span = (ptrdiff_t)desc->element;
  for (int k = 0; k < desc->rank; k++) {
    const ptrdiff_t n = extent_of(&desc->dim[k]);
    p->dim[k] = (struct pst_caf_dim){stride, 1, n};
    offset -= stride;
    stride *= n;
  }
  p->offset = (size_t)offset;
}

static void elements_copy(const char *call, const gfc_descriptor_t *dst, const gfc_descriptor_t *src)
{
  struct pst_caf_side d, s;
  pst_caf_side_read(&d, dst, NULL, 0, dst->base);
  pst_caf_side_read(&s, src, NULL, 0, src->base);
  if (d.count != s.count || d.element != s.element)
    pst_caf_fatal(
        call, "%zu elements of %zu bytes are assigned to %zu of %zu", s.count, s.element, d.count, d.element);
  s.type = d.type = PST_CAF_DERIVED;
  if (is_packed(dst) && is_packed(src)) memcpy(dst->base, src->base, d.count * d.element);
  else pst_caf_assign(call, &d, &s);
}

void pst_caf_array_pack(
    union pst_caf_whole_descriptor *packed, const gfc_descriptor_t *desc, void *base, const char *call)
{
  packed_like(packed, desc, base);
  elements_copy(call, &packed->desc, desc);
}

void pst_caf_array_store(const struct pst_caf_got *got, const gfc_descriptor_t *packed, const char *call)
{
  gfc_descriptor_t *const dst = got->desc;
  if (got->reallocatable) {
    const size_t nbytes = pst_caf_packed_bytes(packed);
    void *const memory = realloc(dst->base, nbytes ? nbytes : 1);
    if (!memory) pst_caf_fatal(call, "out of memory: %zu bytes are wanted", nbytes);
    memcpy(memory, packed->base, nbytes);
    memcpy(dst, packed, pst_caf_descriptor_bytes(packed));
    dst->base = memory;
  } else elements_copy(call, dst, packed);
}

/* ---- here ---- */

/* The coarray, as the accessor wants it. */
static void *place_of(const struct pst_caf_access *a, union pst_caf_whole_descriptor *room)
{
  char *const at = pst_caf_at(a->token, a->node, 0);
  if (!a->desc) return at;
  memcpy(room, a->desc, pst_caf_descriptor_bytes(a->desc));
  room->desc.base = at;
  return room;
}

/* What comes with the statement, as a coarray of this image: NULL where there is nothing. */
static caf_token_t add_token(const struct pst_caf_access *a, struct pst_caf_token *room)
{
  if (!a->add) return NULL;
  *room = (struct pst_caf_token){.memory = a->add, .nbytes = a->add_size};
  return room;
}

static void getter_run(const struct pst_caf_access *a, void *dst, void *place, size_t *length)
{
  struct pst_caf_token room_of_add;
  int32_t moved = 0;
  ((pst_caf_getter_fn)a->accessor->run)(
      a->add, &pst_caf_team->image, dst, &moved, place, add_token(a, &room_of_add), 0, length, a->length);
}

/* An accessor that finds memory of the right shape stores into it, with lower bounds of 1. */
static void array_get_here(const struct pst_caf_access *a, const struct pst_caf_got *got, void *place)
{
  union pst_caf_whole_descriptor d;
  const int direct = is_packed(got->desc);
  if (got->reallocatable) {
    getter_run(a, got->desc, place, got->length);
    return;
  }
  packed_like(&d, got->desc, direct ? got->desc->base : NULL);
  getter_run(a, &d, place, got->length);
  if (direct && d.desc.base == got->desc->base) return;
  pst_caf_array_store(got, &d.desc, a->call);
  free(d.desc.base);
}

static void get_here(const struct pst_caf_access *a, const struct pst_caf_got *got)
{
  union pst_caf_whole_descriptor room;
  void *const place = place_of(a, &room);
  if (got->desc) array_get_here(a, got, place);
  else getter_run(a, got->data, place, got->length);
}

static void put_here(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  union pst_caf_whole_descriptor room;
  struct pst_caf_token room_of_add;
  ((pst_caf_putter_fn)a->accessor->run)(a->add, &pst_caf_team->image, place_of(a, &room),
      given->desc ? given->desc : given->data, add_token(a, &room_of_add), 0, a->length, given->length);
}

/* Elements of this image are assigned to others of it, which may be the same: gfortran leaves it to the
 * library to read all of them first. */
static void put_own(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  union pst_caf_whole_descriptor packed;
  struct pst_caf_given copy = *given;
  struct pst_caf_side s;
  char *low, *high;
  if (!given->desc) {
    put_here(a, given);
    return;
  }
  pst_caf_side_read(&s, given->desc, NULL, 0, given->desc->base);
  pst_caf_side_range(&s, &low, &high);
  if (!a->token->has_components && (high <= a->token->memory || low >= a->token->memory + a->token->nbytes)) {
    put_here(a, given);
    return;
  }
  void *const memory = pst_caf_own_take(s.count * s.element);
  pst_caf_array_pack(&packed, given->desc, memory, a->call);
  copy.desc = &packed.desc;
  put_here(a, &copy);
  free(memory);
}

/* ---- one or the other ---- */

static int is_used_here(const struct pst_caf_access *a)
{
  return a->node == pst_caf_job.me || (pst_caf_is_here(a->node) && !a->token->has_components);
}

/* What a scalar's accessor answers is an address in the coarray, and no component's: it is found in this
 * image's own coarray, and then read from the owner's. */
static int scalar_fetch(const struct pst_caf_access *a, const struct pst_caf_got *got)
{
  struct pst_caf_access own = *a;
  union pst_caf_whole_descriptor room;
  void *at = *got->data;
  own.node = pst_caf_job.me;
  getter_run(&own, &at, place_of(&own, &room), got->length);
  const size_t nbytes = pst_caf_scalar_bytes(got->size, got->length),
               offset = (size_t)((char *)at - a->token->memory);
  if (offset > a->token->nbytes || nbytes > a->token->nbytes - offset) return 0;
  pst_caf_fetch(a->node, *got->data, pst_caf_at(a->token, a->node, offset), nbytes);
  return 1;
}

static void access_get(const struct pst_caf_access *a, const struct pst_caf_got *got)
{
  if (is_used_here(a)) get_here(a, got);
  else if (got->desc || a->token->has_components || !scalar_fetch(a, got)) pst_caf_owner_get(a, got);
}

static void owned_put(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  if (a->node == pst_caf_job.me) put_own(a, given);
  else if (is_used_here(a)) put_here(a, given);
  else pst_caf_owner_put(a, given);
}

static void blanks_store(char *at, size_t count, size_t size)
{
  const uint32_t blank = ' ';
  for (size_t i = 0; i < count; i++)
    if (size == sizeof blank) memcpy(at + i * size, &blank, size);
    else at[i] = ' ';
}

/* The accessor for a component of characters takes one length, the source's, where gfortran passes that of
 * the destination first. So what is shorter is padded with blanks: then both lengths are right. */
static void padded_put(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  union pst_caf_whole_descriptor one = {{0}}, padded;
  const gfc_descriptor_t *const desc = given->desc ? given->desc : &one.desc;
  const size_t is = given->size * *given->length, shall = given->size * *a->length;
  size_t count = 1;
  for (int k = 0; k < desc->rank; k++) count *= (size_t)extent_of(&desc->dim[k]);
  char *const memory = pst_caf_own_take(count * shall);
  blanks_store(memory, count * *a->length, given->size);
  if (given->desc) {
    memcpy(&one, desc, pst_caf_descriptor_bytes(desc));
    one.desc.element = shall;
    packed_like(&padded, &one.desc, memory);
    padded.desc.element = is;
    elements_copy(a->call, &padded.desc, desc);
    padded.desc.element = shall;
  } else memcpy(memory, given->data, is);
  const struct pst_caf_given longer = {memory, given->size, a->length, given->desc ? &padded.desc : NULL};
  owned_put(a, &longer);
  free(memory);
}

static void access_put(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  if (a->length && given->length && *a->length > *given->length) padded_put(a, given);
  else owned_put(a, given);
}

/* ---- the calls ---- */

/* For a tool: the image where it is one of the current team. */
static int image_told(caf_team_t *team, const int *number, int image)
{
  return team || number ? PST_CAF_NO_IMAGE : image;
}

/* The same: bytes of a side here. */
static size_t data_bytes(const gfc_descriptor_t *desc, size_t size, const size_t *length)
{
  return desc ? pst_caf_told_bytes(desc, NULL, 0) : pst_caf_scalar_bytes(size, length);
}

static inline struct pst_caf_access access_of(const char *call, caf_token_t token, gasnet_node_t node,
    const gfc_descriptor_t *desc, const size_t *length, int index, void *add, size_t add_size)
{
  return (struct pst_caf_access){
      call, token, node, desc, length, pst_caf_accessor_at(call, index), add, add_size};
}

void _gfortran_caf_get_from_remote(caf_token_t token, const gfc_descriptor_t *src, const size_t *src_length,
    int image, size_t size, void **data, size_t *length, gfc_descriptor_t *dst, bool reallocatable, int index,
    void *add, size_t add_size, int *stat, caf_team_t *team, int *number)
{
  PST_CAF_TOLD(GASP_CAF_GET, reallocatable ? 0 : data_bytes(dst, size, length),
      image_told(team, number, image),
      (_gfortran_caf_get_from_remote(token, src, src_length, image, size, data, length, dst, reallocatable,
           index, add, add_size, stat, team, number),
          told_.nbytes = data_bytes(dst, size, length)));
  const struct pst_caf_got got = {data, size, length, dst, reallocatable};
  if (__builtin_expect(token->run != NULL, 0)) {
    const struct pst_caf_access a = access_of(
        call_get, token, pst_caf_job.me, src, src_length, index, add, add_size);
    pst_caf_run_get(token->run, &a, &got);
    return;
  }
  const gasnet_node_t node = pst_caf_node_in(call_get, team, number, image);
  const struct pst_caf_access a = access_of(call_get, token, node, src, src_length, index, add, add_size);
  access_get(&a, &got);
  pst_caf_put_status(call_get, node, stat);
}

void _gfortran_caf_send_to_remote(caf_token_t token, gfc_descriptor_t *dst, const size_t *dst_length,
    int image, size_t size, const void *data, const size_t *length, const gfc_descriptor_t *src, int index,
    void *add, size_t add_size, int *stat, caf_team_t *team, int *number)
{
  PST_CAF_TOLD(GASP_CAF_PUT, data_bytes(src, size, length), image_told(team, number, image),
      _gfortran_caf_send_to_remote(
          token, dst, dst_length, image, size, data, length, src, index, add, add_size, stat, team, number));
  const struct pst_caf_given given = {data, size, length, src};
  const gasnet_node_t node = pst_caf_node_in(call_put, team, number, image);
  const struct pst_caf_access a = access_of(call_put, token, node, dst, dst_length, index, add, add_size);
  access_put(&a, &given);
  pst_caf_put_status(call_put, node, stat);
}

static void scalar_move(const struct pst_caf_access *to, const struct pst_caf_access *from, size_t size)
{
  size_t length = from->length ? *from->length : 1;
  size_t *const here = from->length ? &length : NULL;
  void *const room = pst_caf_own_take(pst_caf_scalar_bytes(size, here)), *data = room;
  const struct pst_caf_got got = {&data, size, here, NULL, 0};
  access_get(from, &got);
  const struct pst_caf_given given = {data, size, here, NULL};
  access_put(to, &given);
  free(room);
}

static void array_move(const struct pst_caf_access *to, const struct pst_caf_access *from)
{
  union pst_caf_whole_descriptor d = {{0}};
  size_t length = from->length ? *from->length : 0;
  size_t *const here = from->length ? &length : NULL;
  const struct pst_caf_got got = {&d.desc.base, 0, here, &d.desc, 1};
  access_get(from, &got);
  const struct pst_caf_given given = {d.desc.base, 0, here, &d.desc};
  access_put(to, &given);
  free(d.desc.base);
}

/* The last arguments of gfortran 16 are the statuses of both sides, and team and number for each. gfortran 15
 * leaves out what is about the source's team, and has the source's status at the end. */
void _gfortran_caf_transfer_between_remotes(caf_token_t dst_token, gfc_descriptor_t *dst, size_t *dst_length,
    int dst_image, int dst_index, void *dst_add, size_t dst_add_size, caf_token_t src_token,
    const gfc_descriptor_t *src, const size_t *src_length, int src_image, int src_index, void *src_add,
    size_t src_add_size, size_t size, bool scalar, int *dst_stat, void *second, void *third, void *fourth,
    caf_team_t *src_team, int *src_number)
{
  static const char call[] = "assignment between images";
  PST_CAF_TOLD(GASP_CAF_COPY, scalar ? pst_caf_scalar_bytes(size, src_length) : 0, PST_CAF_NO_IMAGE,
      _gfortran_caf_transfer_between_remotes(dst_token, dst, dst_length, dst_image, dst_index, dst_add,
          dst_add_size, src_token, src, src_length, src_image, src_index, src_add, src_add_size, size, scalar,
          dst_stat, second, third, fourth, src_team, src_number));
  const int is_16 = pst_caf_version_is_16();
  int *const src_stat = is_16 ? second : fourth;
  const gasnet_node_t to = pst_caf_node_in(call, is_16 ? third : second, is_16 ? fourth : third, dst_image),
                      from = pst_caf_node_in(
                          call, is_16 ? src_team : NULL, is_16 ? src_number : NULL, src_image);
  const struct pst_caf_access d = access_of(
      call, dst_token, to, dst, dst_length, dst_index, dst_add, dst_add_size);
  const struct pst_caf_access s = access_of(
      call, src_token, from, src, src_length, src_index, src_add, src_add_size);
  if (scalar) scalar_move(&d, &s, size);
  else array_move(&d, &s);
  pst_caf_put_status(call, from, src_stat);
  pst_caf_put_status(call, to, dst_stat);
}

/* ---- allocated ---- */

/* The accessor takes the address of a scalar's address, and the address of an array. gfortran does not say
 * which one it is, and one element may be either. So this is both: a copy of it that has its address at the
 * beginning. Only the first component of the type, in an array of one element, then always seems to be
 * allocated. */
void *pst_caf_inquiry_place(const void *memory, size_t element)
{
  char *const place = pst_caf_own_take(element < sizeof memory ? sizeof memory : element);
  memcpy(place, memory, element);
  memcpy(place, &memory, sizeof memory);
  return place;
}

static void inquire_here(const struct pst_caf_access *a, size_t one, int32_t *result)
{
  union pst_caf_whole_descriptor room;
  struct pst_caf_token room_of_add;
  void *const place = place_of(a, &room), *const element = one ? pst_caf_inquiry_place(place, one) : NULL;
  ((pst_caf_inquirer_fn)a->accessor->run)(
      a->add, &pst_caf_team->image, result, element ? element : place, add_token(a, &room_of_add), 0);
  free(element);
}

/* gfortran 16 also asks so for coarrays of this image, which then may have no token. The call has no
 * descriptor: the bounds are those with which the coarray was allocated. */
int32_t _gfortran_caf_is_present_on_remote(
    caf_token_t token, int image, int index, void *add, size_t add_size)
{
  int32_t is;
  PST_CAF_TOLD(GASP_CAF_ALLOCATED, 0, image,
      is = _gfortran_caf_is_present_on_remote(token, image, index, add, add_size), is);
  if (!token || !token->memory) return 0;
  const gasnet_node_t node = pst_caf_node(call_present, image);
  union pst_caf_whole_descriptor desc;
  int32_t result = 0;
  const int is_allocatable = pst_caf_token_describe(token, &desc);
  const size_t one = !is_allocatable && token->nbytes == token->element ? token->element : 0;
  const struct pst_caf_access a = access_of(
      call_present, token, node, is_allocatable ? &desc.desc : NULL, NULL, index, add, add_size);
  if (is_used_here(&a)) inquire_here(&a, one, &result);
  else if (!pst_caf_owner_inquire(&a, one, &result))
    pst_caf_fatal(call_present, "image %d has failed", image);
  return result;
}
