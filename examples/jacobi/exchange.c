/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Ghost layers: each face of the block goes straight into the neighbour's ghost layer, out of one grid in a
 * segment into another, as one strided put. Both sides have their own strides, because blocks may differ in
 * size; the network, or a plain copy where the neighbour is on this host, deals with the gaps. With --plan
 * all faces together are described once and then put by one call, with --notify each tells its target, with
 * --exchange packed they go through buffers. */
#include "jacobi3d.h"

/* A face is one layer thick along dimension d. Ghost corners are not needed by a seven-point stencil. */
static void face_shape(const struct block *mine, const struct block *other, int d, struct face *f)
{
  const size_t here[2] = {(size_t)mine->pitch * 8, (size_t)mine->plane * 8};
  const size_t there[2] = {(size_t)other->pitch * 8, (size_t)other->plane * 8};
  size_t ny = (size_t)mine->n[Y], nz = (size_t)mine->n[Z];
  f->count[0] = d == X ? 8 : (size_t)mine->n[X] * 8;
  f->count[1] = d == Y ? nz : ny; /* rows; for a y face there is one row in each plane */
  f->count[2] = nz;
  f->levels = d == X ? 2 : 1;
  f->bytes = f->count[0] * f->count[1] * (f->levels == 2 ? f->count[2] : 1);
  for (int l = 0; l < 2; l++) {
    int stride = d == Y ? 1 : l;
    f->here[l] = here[stride];
    f->there[l] = there[stride];
  }
}

static void *layer_at(const struct job *job, long node, const struct block *b, int d, long layer, int which)
{
  long at[DIMS] = {0, 0, 0};
  at[d] = layer;
  return job_field(job, node, which) + cell(b, at[X], at[Y], at[Z]);
}

/* My first layer becomes the ghost layer behind the lower neighbour's last one; my last layer the one before
 * the upper neighbour's first. The neighbour's faces come to my ghosts on the same side. */
static void face_ends(const struct job *job, const struct block *other, int d, int up, struct face *f)
{
  const long me = gasnet_mynode(), last = job->mine.n[d] - 1;
  for (int which = 0; which < 2; which++) {
    f->layer[which] = layer_at(job, me, &job->mine, d, up ? last : 0, which);
    f->ghost[which] = layer_at(job, me, &job->mine, d, up ? last + 1 : -1, which);
    f->to[which] = layer_at(job, f->peer, other, d, up ? -1 : other->n[d], which);
  }
}

/* Sides are counted 2*d + up; my upper neighbour has me on its lower side. */
static void face_words(const struct job *job, int d, int up, struct face *f)
{
  f->notify = (gasnetx_notify_t){.kind = GASNETX_NOTIFY_ADD, .value = 1};
  f->notify.word = &job_record(job, f->peer)->arrived[2 * d + !up].faces;
  f->arrived = &job_record(job, gasnet_mynode())->arrived[2 * d + up].faces;
}

static void add_face(const struct job *job, struct exchange *x, int d, int up)
{
  long at[DIMS];
  memcpy(at, job->mine.at, sizeof at);
  at[d] += up ? 1 : -1;
  long peer = node_at(&job->split, at);
  if (peer < 0) return; /* the rim of the grid: its ghosts stay 0 */
  struct block other;
  struct face *f = &x->face[x->faces++];
  block_of(&job->split, peer, &other);
  f->peer = (gasnet_node_t)peer;
  face_shape(&job->mine, &other, d, f);
  face_ends(job, &other, d, up, f);
  face_words(job, d, up, f);
  if (x->with_packing) pack_open(job, 2 * d + up, 2 * d + !up, f);
  x->neighbour[d][up] = true;
  x->bytes += (double)f->bytes;
}

static void make_plan(struct exchange *x)
{
  x->plan = gasnetx_plan_create();
  for (int i = 0; i < x->faces; i++) {
    const struct face *f = &x->face[i];
    if (x->with_packing) gasnetx_plan_puts(x->plan, f->peer, f->to[0], NULL, f->packed, NULL, &f->bytes, 0);
    else gasnetx_plan_puts(x->plan, f->peer, f->to[0], f->there, f->layer[0], f->here, f->count, f->levels);
    if (x->with_notify) gasnetx_plan_notify(x->plan, (size_t)i, &f->notify);
  }
}

void exchange_open(const struct job *job, struct exchange *x)
{
  memset(x, 0, sizeof *x);
  x->with_notify = job->opt.notify;
  x->with_packing = job->opt.packed;
  for (int d = 0; d < DIMS; d++)
    for (int up = 0; up < 2; up++) add_face(job, x, d, up);
  if (job->opt.plan) make_plan(x);
}

void exchange_close(struct exchange *x)
{
  if (x->plan) gasnetx_plan_destroy(x->plan);
  for (int i = 0; i < x->faces; i++) pack_close(&x->face[i]);
}

static gasnet_handle_t put_packed(const struct exchange *x, const struct face *f, int which)
{
  pack_face(f, which);
  if (!x->with_notify) return gasnet_put_nb_bulk(f->peer, f->to[which], f->packed, f->bytes);
  return gasnetx_put_notify_nb_bulk(f->peer, f->to[which], f->packed, f->bytes, &f->notify);
}

static gasnet_handle_t put_strided(const struct exchange *x, const struct face *f, int which)
{
  if (!x->with_notify)
    return gasnet_puts_nb_bulk(
        f->peer, f->to[which], f->there, f->layer[which], f->here, f->count, f->levels);
  return gasnetx_puts_notify_nb_bulk(
      f->peer, f->to[which], f->there, f->layer[which], f->here, f->count, f->levels, &f->notify);
}

/* One plan serves both fields: only the addresses differ. */
static void start_plan(struct exchange *x, int which)
{
  for (int i = 0; i < x->faces; i++) {
    const struct face *f = &x->face[i];
    if (x->with_packing) pack_face(f, which);
    gasnetx_plan_rebase(x->plan, (size_t)i, f->to[which], x->with_packing ? f->packed : f->layer[which]);
  }
  x->handle[0] = gasnetx_plan_start(x->plan);
}

void exchange_start(struct exchange *x, int which)
{
  if (x->plan) {
    start_plan(x, which);
    return;
  }
  for (int i = 0; i < x->faces; i++)
    x->handle[i] = x->with_packing ? put_packed(x, &x->face[i], which) : put_strided(x, &x->face[i], which);
}

void exchange_finish(struct exchange *x)
{
  gasnet_wait_syncnb_all(x->handle, x->plan ? 1 : (size_t)x->faces);
}

void exchange_await(const struct exchange *x, long step)
{
  for (int i = 0; i < x->faces; i++) gasnetx_wait_until(x->face[i].arrived, GASNETX_GE, (uint64_t)step);
}

void exchange_unpack(const struct exchange *x, int which)
{
  if (!x->with_packing) return;
  for (int i = 0; i < x->faces; i++) unpack_face(&x->face[i], which);
}
