/* Ghost layers: each face of the block goes straight into the neighbour's ghost layer, out of one grid in a segment
 * into another, as one strided put. Both sides have their own strides, because blocks may differ in size; the network,
 * or a plain copy where the neighbour is on this host, deals with the gaps. */
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
  for (int l = 0; l < 2; l++) {
    int stride = d == Y ? 1 : l;
    f->from_strides[l] = here[stride];
    f->to_strides[l] = there[stride];
  }
}

/* My first layer becomes the ghost layer behind the lower neighbour's last one; my last layer the one before the upper
 * neighbour's first. */
static void face_ends(const struct job *job, const struct block *other, int d, int up, struct face *f)
{
  const struct block *mine = &job->mine;
  long from[DIMS] = {0, 0, 0}, to[DIMS] = {0, 0, 0};
  from[d] = up ? mine->n[d] - 1 : 0;
  to[d] = up ? -1 : other->n[d];
  for (int which = 0; which < 2; which++) {
    f->from[which] = job_field(job, gasnet_mynode(), which) + cell(mine, from[X], from[Y], from[Z]);
    f->to[which] = job_field(job, f->peer, which) + cell(other, to[X], to[Y], to[Z]);
  }
}

void exchange_plan(const struct job *job, struct exchange *x)
{
  memset(x, 0, sizeof *x);
  for (int d = 0; d < DIMS; d++) {
    for (int up = 0; up < 2; up++) {
      long at[DIMS];
      memcpy(at, job->mine.at, sizeof at);
      at[d] += up ? 1 : -1;
      long peer = node_at(&job->split, at);
      if (peer < 0) continue; /* the rim of the grid: its ghosts stay 0 */
      struct block other;
      struct face *f = &x->face[x->faces++];
      block_of(&job->split, peer, &other);
      f->peer = (gasnet_node_t)peer;
      face_shape(&job->mine, &other, d, f);
      face_ends(job, &other, d, up, f);
      x->neighbour[d][up] = true;
      x->bytes += (double)f->count[0] * (double)f->count[1] * (f->levels == 2 ? (double)f->count[2] : 1.0);
    }
  }
}

void exchange_start(struct exchange *x, int which)
{
  for (int i = 0; i < x->faces; i++) {
    struct face *f = &x->face[i];
    x->handle[i] = gasnet_puts_nb_bulk(f->peer, f->to[which], f->to_strides, f->from[which], f->from_strides, f->count,
                                       f->levels);
  }
}

void exchange_finish(struct exchange *x)
{
  gasnet_wait_syncnb_all(x->handle, (size_t)x->faces);
}
