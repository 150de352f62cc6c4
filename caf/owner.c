/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Accessors that run at the owner of a coarray, in a handler there.
 *
 * What an accessor works on goes with the question. Of `add` this is the memory itself: what is allocatable
 * in it stays at the image that asks, and the accessor fetches it by a call of its own. A handler cannot ask.
 * So such a call ends the run, and the answer says what is wanted; the image asks once more and sends that
 * along. An accessor looks for its subscripts before it changes anything. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "caf/access.h"
#include "caf/ask.h"
#include "caf/side.h"
#include "caf/target.h"

/* ---- what is sent ---- */

enum what { GET_SCALAR, GET_ARRAY, PUT, INQUIRE };

/* Behind it come, each at a multiple of 16 bytes: a descriptor of the place, if rank is not -1; add; for PUT
 * the source, its descriptor before if its rank is not -1; guests. */
struct question {
  int32_t what, hash, caller;
  int32_t place_rank, src_rank;
  uint32_t guests;
  uint64_t memory; /* of the coarray there */
  uint64_t add_size;
  uint64_t size; /* of the source; of a scalar or of a character that is wanted; of the one element there */
  int64_t place_length, length;
};
enum { NO_LENGTH = -1, NO_RANK = -1 };

/* What an accessor has fetched, or wants to fetch, of the data that came with it. It follows: for what is
 * wanted the `add` of that call, for what has been fetched the descriptor if it is an array, and the data. */
struct guest {
  int32_t hash, rank; /* rank: NO_RANK: a scalar */
  uint64_t size;      /* of a scalar */
  uint64_t nbytes;    /* that follow, without the descriptor */
};

enum outcome { DONE, UNALLOCATED, WANTED, UNKNOWN };
/* Behind it comes for an array its descriptor; the data; or the guest that is wanted. */
struct answer {
  int32_t outcome, rank;
  int64_t length;
  uint64_t nbytes;
};

static size_t descriptor_room(int rank)
{
  return rank == NO_RANK
      ? 0
      : pst_caf_part_room(offsetof(gfc_descriptor_t, dim) + (size_t)rank * sizeof(struct pst_caf_dim));
}

static gfc_descriptor_t *part_descriptor(struct pst_caf_parts *p, int rank)
{
  if (rank < NO_RANK || rank > PST_CAF_RANKS) pst_caf_parts_damaged();
  gfc_descriptor_t *const desc = pst_caf_part(p, descriptor_room(rank));
  if (desc && desc->rank != rank) pst_caf_parts_damaged();
  return desc;
}
static void part_store_descriptor(struct pst_caf_parts *p, const gfc_descriptor_t *desc)
{
  if (desc) pst_caf_part_store(p, desc, pst_caf_descriptor_bytes(desc));
}

/* The data of a packed array, whose descriptor came before, or of a scalar. */
static void *part_data(struct pst_caf_parts *p, gfc_descriptor_t *desc, size_t nbytes)
{
  void *const data = pst_caf_part(p, nbytes);
  if (!desc) return data;
  if (pst_caf_packed_bytes(desc) != nbytes) pst_caf_parts_damaged();
  return desc->base = data;
}

static int rank_of(const gfc_descriptor_t *desc) { return desc ? desc->rank : NO_RANK; }
static int64_t length_of(const size_t *length) { return length ? (int64_t)*length : NO_LENGTH; }

/* ---- a run for another image ---- */

struct pst_caf_run {
  jmp_buf stop;
  struct pst_caf_parts guests; /* those that have not been asked for */
  uint32_t left;
  struct guest wanted;
  const void *wanted_add;
};

void pst_caf_run_get(struct pst_caf_run *run, const struct pst_caf_access *a, const struct pst_caf_got *got)
{
  if (run->left == 0) {
    run->wanted = (struct guest){a->accessor->hash, rank_of(got->desc), got->size, a->add_size};
    run->wanted_add = a->add;
    longjmp(run->stop, 1);
  }
  const struct guest *const g = pst_caf_part(&run->guests, sizeof *g);
  if (g->hash != a->accessor->hash || g->rank != rank_of(got->desc))
    pst_caf_fatal(a->call, "an accessor wants other data than the last time");
  run->left--;
  gfc_descriptor_t *const desc = part_descriptor(&run->guests, g->rank);
  const void *const data = part_data(&run->guests, desc, g->nbytes);
  if (desc) {
    pst_caf_array_store(got, desc, a->call);
    return;
  }
  if (g->nbytes != got->size) pst_caf_parts_damaged();
  memcpy(*got->data, data, g->nbytes);
}

/* ---- the owner ---- */

static struct pst_caf_parts parts_new(size_t nbytes)
{
  return (struct pst_caf_parts){pst_caf_own_take(nbytes), nbytes};
}

static struct pst_caf_parts answer_new(
    enum outcome outcome, const gfc_descriptor_t *desc, int64_t length, const void *data, size_t nbytes)
{
  const struct answer head = {outcome, rank_of(desc), length, nbytes};
  const struct pst_caf_parts all = parts_new(
      pst_caf_part_room(sizeof head) + descriptor_room(head.rank) + pst_caf_part_room(nbytes));
  struct pst_caf_parts rest = all;
  pst_caf_part_store(&rest, &head, sizeof head);
  part_store_descriptor(&rest, desc);
  pst_caf_part_store(&rest, data, nbytes);
  return all;
}

static struct pst_caf_parts answer_wanted(const struct pst_caf_run *run)
{
  const struct pst_caf_parts all = parts_new(pst_caf_part_room(sizeof run->wanted) + run->wanted.nbytes);
  struct pst_caf_parts rest = all;
  pst_caf_part_store(&rest, &run->wanted, sizeof run->wanted);
  pst_caf_part_store(&rest, run->wanted_add, run->wanted.nbytes);
  const struct pst_caf_parts answer = answer_new(WANTED, NULL, NO_LENGTH, all.at, all.left);
  free(all.at);
  return answer;
}

/* What the accessor is called with. */
struct serving {
  const struct question *q;
  void (*accessor)(void);
  void *add, *place;
  struct pst_caf_token add_token;
  size_t place_length, length;
  gfc_descriptor_t *src_desc;
  void *src;
};

static void serving_get(struct serving *s, void *dst)
{
  int32_t moved;
  const int length = s->q->length != NO_LENGTH, place_length = s->q->place_length != NO_LENGTH;
  ((pst_caf_getter_fn)s->accessor)(s->add, &s->q->caller, dst, &moved, s->place, &s->add_token, 0,
      length ? &s->length : NULL, place_length ? &s->place_length : NULL);
}

/* Of what is not allocated the accessor gives the place within it, counted from NULL. */
static struct pst_caf_parts scalar_serve(struct serving *s)
{
  enum { PAGE = 4096 };
  void *data = NULL;
  serving_get(s, &data);
  const int characters = s->q->length != NO_LENGTH;
  const int64_t length = characters ? (int64_t)s->length : NO_LENGTH;
  if ((uintptr_t)data < PAGE) return answer_new(UNALLOCATED, NULL, length, NULL, 0);
  return answer_new(
      DONE, NULL, length, data, pst_caf_scalar_bytes(s->q->size, characters ? &s->length : NULL));
}

static struct pst_caf_parts array_serve(struct serving *s)
{
  union pst_caf_whole_descriptor d = {{0}};
  serving_get(s, &d);
  const int64_t length = s->q->length != NO_LENGTH ? (int64_t)s->length : NO_LENGTH;
  const struct pst_caf_parts r = answer_new(
      DONE, &d.desc, length, d.desc.base, pst_caf_packed_bytes(&d.desc));
  free(d.desc.base);
  return r;
}

static struct pst_caf_parts put_serve(struct serving *s)
{
  const int length = s->q->length != NO_LENGTH, place_length = s->q->place_length != NO_LENGTH;
  ((pst_caf_putter_fn)s->accessor)(s->add, &s->q->caller, s->place, s->src_desc ? s->src_desc : s->src,
      &s->add_token, 0, place_length ? &s->place_length : NULL, length ? &s->length : NULL);
  return answer_new(DONE, NULL, NO_LENGTH, NULL, 0);
}

static struct pst_caf_parts inquiry_serve(struct serving *s)
{
  int32_t result = 0;
  void *const one = s->q->size ? pst_caf_inquiry_place(s->place, s->q->size) : NULL;
  ((pst_caf_inquirer_fn)s->accessor)(s->add, &s->q->caller, &result, one ? one : s->place, &s->add_token, 0);
  free(one);
  return answer_new(DONE, NULL, NO_LENGTH, &result, sizeof result);
}

static struct pst_caf_parts (*const serve[])(struct serving *s) = {
    [GET_SCALAR] = scalar_serve, [GET_ARRAY] = array_serve, [PUT] = put_serve, [INQUIRE] = inquiry_serve};

static void serving_read(struct serving *s, struct pst_caf_parts *rest)
{
  const struct question *const q = s->q;
  gfc_descriptor_t *const place = part_descriptor(rest, q->place_rank);
  s->place = (void *)(uintptr_t)q->memory;
  if (place) {
    place->base = s->place;
    s->place = place;
  }
  s->add = pst_caf_part(rest, q->add_size);
  s->src_desc = part_descriptor(rest, q->src_rank);
  s->src = part_data(rest, s->src_desc, q->what == PUT ? q->size : 0);
}

static struct pst_caf_parts accessor_answer(struct pst_caf_parts question)
{
  const struct question *const q = pst_caf_part(&question, sizeof *q);
  struct pst_caf_run run = {.left = q->guests};
  struct serving s = {.q = q, .place_length = (size_t)q->place_length, .length = (size_t)q->length};
  if (q->what < GET_SCALAR || q->what > INQUIRE) pst_caf_parts_damaged();
  serving_read(&s, &question);
  s.add_token = (struct pst_caf_token){.memory = s.add, .nbytes = q->add_size, .run = &run};
  run.guests = question;
  s.accessor = pst_caf_accessor_find(q->hash);
  if (!s.accessor) return answer_new(UNKNOWN, NULL, NO_LENGTH, NULL, 0);
  if (setjmp(run.stop)) return answer_wanted(&run);
  return serve[q->what](&s);
}

struct pst_caf_parts pst_caf_answer(struct pst_caf_parts question)
{
  if (question.left < sizeof(int32_t)) pst_caf_parts_damaged();
  return *(const int32_t *)(void *)question.at == PST_CAF_TARGET ? pst_caf_target_answer(question)
                                                                 : accessor_answer(question);
}

/* ---- the image that asks ---- */

struct asking {
  const struct pst_caf_access *a;
  struct question head;
  const gfc_descriptor_t *src_desc;
  const void *src;
  char *guests; /* one behind the other */
  size_t guests_nbytes;
};

static void asking_open(
    struct asking *k, const struct pst_caf_access *a, enum what what, const size_t *length)
{
  *k = (struct asking){.a = a,
      .head = {.what = (int32_t)what,
          .hash = a->accessor->hash,
          .caller = pst_caf_team->image,
          .place_rank = rank_of(a->desc),
          .src_rank = NO_RANK,
          .memory = (uintptr_t)pst_caf_at(a->token, a->node, 0),
          .add_size = a->add ? a->add_size : 0,
          .place_length = length_of(a->length),
          .length = length_of(length)}};
}

static struct pst_caf_parts question_make(const struct asking *k)
{
  const size_t src = k->head.what == PUT ? k->head.size : 0;
  const struct pst_caf_parts all = parts_new(pst_caf_part_room(sizeof k->head) +
      descriptor_room(k->head.place_rank) + pst_caf_part_room(k->head.add_size) +
      descriptor_room(k->head.src_rank) + pst_caf_part_room(src) + k->guests_nbytes);
  struct pst_caf_parts rest = all;
  pst_caf_part_store(&rest, &k->head, sizeof k->head);
  part_store_descriptor(&rest, k->a->desc);
  pst_caf_part_store(&rest, k->a->add, k->head.add_size);
  part_store_descriptor(&rest, k->src_desc);
  pst_caf_part_store(&rest, k->src, src);
  pst_caf_part_store(&rest, k->guests, k->guests_nbytes);
  return all;
}

/* Runs the accessor that the owner's accessor has called, on this image's `add`. */
static void guest_add(struct asking *k, const struct guest *wanted, void *add)
{
  union pst_caf_whole_descriptor d = {{0}};
  void *data = NULL;
  int32_t moved;
  struct guest g = *wanted;
  struct pst_caf_token add_token = {.memory = add, .nbytes = wanted->nbytes};
  const pst_caf_getter_fn run = (pst_caf_getter_fn)pst_caf_accessor_find(wanted->hash);
  const int array = wanted->rank != NO_RANK;
  if (!run) pst_caf_fatal(k->a->call, "there is no accessor with the number %d", wanted->hash);
  run(add, &pst_caf_team->image, array ? (void *)&d : (void *)&data, &moved, k->a->add, &add_token, 0, NULL,
      NULL);
  if (array) data = d.desc.base;
  g.nbytes = array ? pst_caf_packed_bytes(&d.desc) : wanted->size;
  const size_t more = pst_caf_part_room(sizeof g) + descriptor_room(g.rank) + pst_caf_part_room(g.nbytes);
  k->guests = realloc(k->guests, k->guests_nbytes + more);
  if (!k->guests) pst_caf_fatal(k->a->call, "out of memory");
  struct pst_caf_parts rest = {k->guests + k->guests_nbytes, more};
  pst_caf_part_store(&rest, &g, sizeof g);
  if (array) part_store_descriptor(&rest, &d.desc);
  pst_caf_part_store(&rest, data, g.nbytes);
  k->guests_nbytes += more;
  k->head.guests++;
  if (array) free(data);
}

/* The answer's head, which the caller frees, and its other parts. NULL: the owner is lost. */
static struct answer *asking_done(struct asking *k, struct pst_caf_parts *rest)
{
  struct answer *r;
  for (;;) {
    const struct pst_caf_parts question = question_make(k);
    *rest = pst_caf_ask(k->a->node, question.at, question.left);
    free(question.at);
    r = rest->at ? pst_caf_part(rest, sizeof *r) : NULL;
    if (!r || r->outcome != WANTED) break;
    const struct guest *const wanted = pst_caf_part(rest, sizeof *wanted);
    guest_add(k, wanted, pst_caf_part(rest, wanted->nbytes));
    free(r);
  }
  free(k->guests);
  if (r && r->outcome == UNKNOWN)
    pst_caf_fatal(k->a->call, "image %d has no accessor with the number %d: it runs another program",
        (int)k->a->node + 1, k->head.hash);
  if (r && r->outcome == UNALLOCATED)
    pst_caf_fatal(
        k->a->call, "a component of image %d is not allocated, or a null pointer", (int)k->a->node + 1);
  return r;
}

int pst_caf_owner_get(const struct pst_caf_access *a, const struct pst_caf_got *got)
{
  struct asking k;
  struct pst_caf_parts rest;
  asking_open(&k, a, got->desc ? GET_ARRAY : GET_SCALAR, got->length);
  k.head.size = got->size;
  struct answer *const r = asking_done(&k, &rest);
  if (!r) return 0;
  gfc_descriptor_t *const desc = part_descriptor(&rest, r->rank);
  const void *const data = part_data(&rest, desc, r->nbytes);
  if (got->length && r->length != NO_LENGTH) *got->length = (size_t)r->length;
  if (got->desc && desc) pst_caf_array_store(got, desc, a->call);
  else if (r->nbytes) memcpy(*got->data, data, r->nbytes);
  free(r);
  return 1;
}

int pst_caf_owner_put(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  struct asking k;
  struct pst_caf_parts rest;
  union pst_caf_whole_descriptor packed;
  void *memory = NULL;
  asking_open(&k, a, PUT, given->length);
  k.head.size = pst_caf_scalar_bytes(given->size, given->length);
  k.src = given->data;
  if (given->desc) {
    struct pst_caf_side s;
    pst_caf_side_read(&s, given->desc, NULL, 0, given->desc->base);
    k.head.size = s.count * s.element;
    k.head.src_rank = given->desc->rank;
    memory = pst_caf_own_take(k.head.size);
    pst_caf_array_pack(&packed, given->desc, memory, a->call);
    k.src_desc = &packed.desc;
    k.src = memory;
  }
  struct answer *const r = asking_done(&k, &rest);
  free(memory);
  free(r);
  return r != NULL;
}

int pst_caf_owner_inquire(const struct pst_caf_access *a, size_t one, int32_t *result)
{
  struct asking k;
  struct pst_caf_parts rest;
  asking_open(&k, a, INQUIRE, NULL);
  k.head.size = one;
  struct answer *const r = asking_done(&k, &rest);
  if (!r) return 0;
  memcpy(result, pst_caf_part(&rest, sizeof *result), sizeof *result);
  free(r);
  return 1;
}
