/* A face packed by hand: what strided puts save one from writing, here to compare with. Each face goes through a buffer of my
 * own and one in the neighbour's segment, of which there are two, as there are two fields. */
#include "jacobi3d.h"

void pack_open(const struct job *job, int side, int their_side, struct face *f)
{
  f->packed = malloc(f->bytes);
  if (!f->packed) stop_here(EXIT_MEMORY, "no memory for a face of %zu bytes", f->bytes);
  for (int which = 0; which < 2; which++) {
    f->landed[which] = job_buffer(job, gasnet_mynode(), side, which);
    f->to[which] = job_buffer(job, f->peer, their_side, which);
  }
}

void pack_close(struct face *f)
{
  free(f->packed);
}

/* A column of single cells; the compiler makes better loads and stores of it than memcpy would. */
static void pack_cells(double *to, const char *at, size_t stride, size_t n)
{
  for (size_t i = 0; i < n; i++, at += stride) to[i] = *(const double *)at;
}

static void unpack_cells(const double *from, char *at, size_t stride, size_t n)
{
  for (size_t i = 0; i < n; i++, at += stride) *(double *)at = from[i];
}

void pack_face(const struct face *f, int which)
{
  const size_t row = f->count[0], planes = f->levels == 2 ? f->count[2] : 1;
  char *to = f->packed;
  for (size_t k = 0; k < planes; k++, to += row * f->count[1]) {
    const char *at = (char *)f->layer[which] + k * f->here[1];
    if (row == sizeof(double)) pack_cells((double *)to, at, f->here[0], f->count[1]);
    else for (size_t j = 0; j < f->count[1]; j++) memcpy(to + j * row, at + j * f->here[0], row);
  }
}

void unpack_face(const struct face *f, int which)
{
  const size_t row = f->count[0], planes = f->levels == 2 ? f->count[2] : 1;
  const char *from = f->landed[which];
  for (size_t k = 0; k < planes; k++, from += row * f->count[1]) {
    char *at = (char *)f->ghost[which] + k * f->here[1];
    if (row == sizeof(double)) unpack_cells((const double *)from, at, f->here[0], f->count[1]);
    else for (size_t j = 0; j < f->count[1]; j++) memcpy(at + j * f->here[0], from + j * row, row);
  }
}
