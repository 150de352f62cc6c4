#include "vis/shape.h"

#include "support/error.h"

static int any_zero(const size_t count[], size_t levels)
{
  for (size_t i = 0; i <= levels; i++)
    if (count[i] == 0) return 1;
  return 0;
}

/* Does a level continue what is below it on a side? */
static int continues(ptrdiff_t stride, ptrdiff_t inner_stride, size_t inner_count)
{
  return stride == inner_stride * (ptrdiff_t)inner_count;
}

static void add_level(struct pst_shape *s, const char *call, size_t count, ptrdiff_t dst, ptrdiff_t src)
{
  const unsigned l = s->levels;
  if (count == 1) return;
  if (l == 0 && dst == (ptrdiff_t)s->row && src == dst) {
    s->row *= count;
    return;
  }
  if (l > 0 && continues(dst, s->dst[l - 1], s->count[l - 1]) && continues(src, s->src[l - 1], s->count[l - 1])) {
    s->count[l - 1] *= count;
    return;
  }
  if (l == PST_SHAPE_LEVELS) pst_fatal("%s: more than %d stride levels with a count above 1", call, PST_SHAPE_LEVELS);
  s->count[l] = count;
  s->dst[l] = dst;
  s->src[l] = src;
  s->levels++;
}

void pst_shape_strided(struct pst_shape *s, const char *call, const size_t dststrides[], const size_t srcstrides[],
                       const size_t count[], size_t stridelevels)
{
  s->levels = 0;
  s->row = 0;
  if (any_zero(count, stridelevels)) return;
  s->row = count[0];
  for (size_t i = 0; i < stridelevels; i++) 
    add_level(s, call, count[i + 1], (ptrdiff_t)dststrides[i], (ptrdiff_t)srcstrides[i]);
}

size_t pst_shape_bytes(const struct pst_shape *s)
{
  size_t n = s->row;
  for (unsigned i = 0; i < s->levels; i++) n *= s->count[i];
  return n;
}
