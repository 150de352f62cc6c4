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

static size_t rounded(size_t nbytes) { return (nbytes + 15) & ~(size_t)15; }
static size_t descriptor_room(int rank)
{
  return rank == NO_RANK
      ? 0
      : rounded(offsetof(gfc_descriptor_t, dim) + (size_t)rank * sizeof(struct pst_caf_dim));
}

/* The next part of a message, at a multiple of 16 bytes; NULL: it has none. */
static void *part(char **at, size_t nbytes)
{
  void *const p = nbytes ? *at : NULL;
  *at += rounded(nbytes);
  return p;
}
static void part_store(char **at, const void *from, size_t nbytes)
{
  if (nbytes) memcpy(part(at, nbytes), from, nbytes);
}
static gfc_descriptor_t *part_descriptor(char **at, int rank) { return part(at, descriptor_room(rank)); }
static void part_store_descriptor(char **at, const gfc_descriptor_t *desc)
{
  if (desc) memcpy(part(at, descriptor_room(desc->rank)), desc, pst_caf_descriptor_bytes(desc));
}

static int rank_of(const gfc_descriptor_t *desc) { return desc ? desc->rank : NO_RANK; }
static int64_t length_of(const size_t *length) { return length ? (int64_t)*length : NO_LENGTH; }

/* ---- a run for another image ---- */

struct pst_caf_run {
  jmp_buf stop;
  char *guests; /* those that have not been asked for */
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
  const struct guest *const g = part(&run->guests, sizeof *g);
  if (g->hash != a->accessor->hash || g->rank != rank_of(got->desc))
    pst_caf_fatal(a->call, "an accessor wants other data than the last time");
  run->left--;
  gfc_descriptor_t *const desc = part_descriptor(&run->guests, g->rank);
  void *const data = part(&run->guests, g->nbytes);
  if (!desc) {
    memcpy(*got->data, data, g->nbytes);
    return;
  }
  desc->base = data;
  pst_caf_array_store(got, desc, a->call);
}

/* ---- the owner ---- */

static struct answer *answer_new(enum outcome outcome, const gfc_descriptor_t *desc, int64_t length,
    const void *data, size_t nbytes, size_t *total)
{
  *total = rounded(sizeof(struct answer)) + descriptor_room(rank_of(desc)) + rounded(nbytes);
  struct answer *const r = pst_caf_own_take(*total);
  char *at = (char *)r;
  const struct answer head = {outcome, rank_of(desc), length, nbytes};
  part_store(&at, &head, sizeof head);
  part_store_descriptor(&at, desc);
  part_store(&at, data, nbytes);
  return r;
}

static struct answer *answer_wanted(const struct pst_caf_run *run, size_t *total)
{
  const size_t nbytes = rounded(sizeof run->wanted) + run->wanted.nbytes;
  char *const data = pst_caf_own_take(nbytes), *at = data;
  part_store(&at, &run->wanted, sizeof run->wanted);
  part_store(&at, run->wanted_add, run->wanted.nbytes);
  struct answer *const r = answer_new(WANTED, NULL, NO_LENGTH, data, nbytes, total);
  free(data);
  return r;
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

static struct answer *scalar_serve(struct serving *s, size_t *total)
{
  enum { PAGE = 4096 };
  void *data = NULL;
  serving_get(s, &data);
  const int characters = s->q->length != NO_LENGTH;
  const int64_t length = characters ? (int64_t)s->length : NO_LENGTH;
  if ((uintptr_t)data < PAGE) return answer_new(UNALLOCATED, NULL, length, NULL, 0, total);
  return answer_new(
      DONE, NULL, length, data, pst_caf_scalar_bytes(s->q->size, characters ? &s->length : NULL), total);
}

static struct answer *array_serve(struct serving *s, size_t *total)
{
  union pst_caf_whole_descriptor d = {{0}};
  serving_get(s, &d);
  const int64_t length = s->q->length != NO_LENGTH ? (int64_t)s->length : NO_LENGTH;
  struct answer *const r = answer_new(
      DONE, &d.desc, length, d.desc.base, pst_caf_packed_bytes(&d.desc), total);
  free(d.desc.base);
  return r;
}

static struct answer *put_serve(struct serving *s, size_t *total)
{
  const int length = s->q->length != NO_LENGTH, place_length = s->q->place_length != NO_LENGTH;
  if (s->src_desc) s->src_desc->base = s->src;
  ((pst_caf_putter_fn)s->accessor)(s->add, &s->q->caller, s->place, s->src_desc ? s->src_desc : s->src,
      &s->add_token, 0, place_length ? &s->place_length : NULL, length ? &s->length : NULL);
  return answer_new(DONE, NULL, NO_LENGTH, NULL, 0, total);
}

static struct answer *inquiry_serve(struct serving *s, size_t *total)
{
  int32_t result = 0;
  void *const one = s->q->size ? pst_caf_inquiry_place(s->place, s->q->size) : NULL;
  ((pst_caf_inquirer_fn)s->accessor)(s->add, &s->q->caller, &result, one ? one : s->place, &s->add_token, 0);
  free(one);
  return answer_new(DONE, NULL, NO_LENGTH, &result, sizeof result, total);
}

static struct answer *(*const serve[])(struct serving *s, size_t *total) = {
    [GET_SCALAR] = scalar_serve, [GET_ARRAY] = array_serve, [PUT] = put_serve, [INQUIRE] = inquiry_serve};

void *pst_caf_answer(void *question, size_t *nbytes)
{
  if (*(const int32_t *)question == PST_CAF_TARGET) return pst_caf_target_answer(question, nbytes);
  char *at = question;
  struct question *const q = part(&at, sizeof *q);
  struct pst_caf_run run = {.left = q->guests};
  struct serving s = {.q = q, .place_length = (size_t)q->place_length, .length = (size_t)q->length};
  gfc_descriptor_t *const place = part_descriptor(&at, q->place_rank);
  s.place = (void *)(uintptr_t)q->memory;
  if (place) {
    place->base = s.place;
    s.place = place;
  }
  s.add = part(&at, q->add_size);
  s.add_token = (struct pst_caf_token){.memory = s.add, .nbytes = q->add_size, .run = &run};
  s.src_desc = part_descriptor(&at, q->src_rank);
  s.src = part(&at, q->what == PUT ? q->size : 0);
  run.guests = at;
  s.accessor = pst_caf_accessor_find(q->hash);
  if (!s.accessor) return answer_new(UNKNOWN, NULL, NO_LENGTH, NULL, 0, nbytes);
  if (setjmp(run.stop)) return answer_wanted(&run, nbytes);
  return serve[q->what](&s, nbytes);
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

static void *question_make(const struct asking *k, size_t *nbytes)
{
  const size_t src = k->head.what == PUT ? k->head.size : 0;
  *nbytes = rounded(sizeof k->head) + descriptor_room(k->head.place_rank) + rounded(k->head.add_size) +
      descriptor_room(k->head.src_rank) + rounded(src) + k->guests_nbytes;
  char *const question = pst_caf_own_take(*nbytes), *at = question;
  part_store(&at, &k->head, sizeof k->head);
  part_store_descriptor(&at, k->a->desc);
  part_store(&at, k->a->add, k->head.add_size);
  part_store_descriptor(&at, k->src_desc);
  part_store(&at, k->src, src);
  if (k->guests_nbytes) memcpy(at, k->guests, k->guests_nbytes);
  return question;
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
  const size_t more = rounded(sizeof g) + descriptor_room(g.rank) + rounded(g.nbytes);
  k->guests = realloc(k->guests, k->guests_nbytes + more);
  if (!k->guests) pst_caf_fatal(k->a->call, "out of memory");
  char *at = k->guests + k->guests_nbytes;
  part_store(&at, &g, sizeof g);
  if (array) part_store_descriptor(&at, &d.desc);
  part_store(&at, data, g.nbytes);
  k->guests_nbytes += more;
  k->head.guests++;
  if (array) free(data);
}

/* The answer, which the caller frees; NULL: the owner is lost. */
static struct answer *asking_done(struct asking *k)
{
  struct answer *r;
  for (;;) {
    size_t nbytes;
    void *const question = question_make(k, &nbytes);
    r = pst_caf_ask(k->a->node, question, nbytes);
    free(question);
    if (!r || r->outcome != WANTED) break;
    char *at = (char *)r + rounded(sizeof *r);
    const struct guest *const wanted = part(&at, sizeof *wanted);
    guest_add(k, wanted, part(&at, wanted->nbytes));
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
  asking_open(&k, a, got->desc ? GET_ARRAY : GET_SCALAR, got->length);
  k.head.size = got->size;
  struct answer *const r = asking_done(&k);
  if (!r) return 0;
  char *at = (char *)r + rounded(sizeof *r);
  gfc_descriptor_t *const desc = part_descriptor(&at, r->rank);
  void *const data = part(&at, r->nbytes);
  if (got->length && r->length != NO_LENGTH) *got->length = (size_t)r->length;
  if (got->desc) {
    desc->base = data;
    pst_caf_array_store(got, desc, a->call);
  } else if (r->nbytes) memcpy(*got->data, data, r->nbytes);
  free(r);
  return 1;
}

int pst_caf_owner_put(const struct pst_caf_access *a, const struct pst_caf_given *given)
{
  struct asking k;
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
  struct answer *const r = asking_done(&k);
  free(memory);
  free(r);
  return r != NULL;
}

int pst_caf_owner_inquire(const struct pst_caf_access *a, size_t one, int32_t *result)
{
  struct asking k;
  asking_open(&k, a, INQUIRE, NULL);
  k.head.size = one;
  struct answer *const r = asking_done(&k);
  if (!r) return 0;
  memcpy(result, (char *)r + rounded(sizeof *r), sizeof *result);
  free(r);
  return 1;
}
