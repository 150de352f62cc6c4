#include "vis/shape.h"

#include "support/error.h"

static int any_zero(const size_t count[], size_t levels)
{
  for (size_t i = 0; i <= levels; i++)
    if (count[i] == 0) return 1;
  return 0;
}

/* Does a level continue what is below it on a side? */
static int continues(size_t stride, size_t inner_stride, size_t inner_count)
{
  return stride == inner_stride * inner_count;
}

static void add_level(struct pst_shape *s, const char *call, size_t count, size_t dst, size_t src)
{
  const unsigned l = s->levels;
  if (count == 1) return;
  if (l == 0 && dst == s->row && src == s->row) {
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
  for (size_t i = 0; i < stridelevels; i++) add_level(s, call, count[i + 1], dststrides[i], srcstrides[i]);
}

size_t pst_shape_bytes(const struct pst_shape *s)
{
  size_t n = s->row;
  for (unsigned i = 0; i < s->levels; i++) n *= s->count[i];
  return n;
}

size_t pst_shape_extent(const struct pst_shape *s, const size_t strides[])
{
  size_t n = s->row;
  for (unsigned i = 0; i < s->levels; i++) n += (s->count[i] - 1) * strides[i];
  return s->row ? n : 0;
}

/* An odometer over the levels above `from`: 0 when all positions were visited. */
static int advance(const struct pst_shape *s, unsigned from, size_t position[], char **dst, const char **src)
{
  for (unsigned l = from; l < s->levels; l++) {
    *dst += s->dst[l];
    *src += s->src[l];
    if (++position[l] < s->count[l]) return 1;
    *dst -= s->dst[l] * s->count[l];
    *src -= s->src[l] * s->count[l];
    position[l] = 0;
  }
  return 0;
}

void pst_shape_rows(const struct pst_shape *s, char *dst, const char *src, pst_shape_row_fn fn, void *arg)
{
  size_t position[PST_SHAPE_LEVELS] = { 0 };
  if (s->row == 0) return;
  do {
    fn(arg, dst, src, s->row);
  } while (advance(s, 0, position, &dst, &src));
}

/* One level of equal rows; the common sizes become loads and stores. */
static inline void copy_level(char *dst, size_t dst_stride, const char *src, size_t src_stride, size_t count,
                              size_t row)
{
  for (size_t i = 0; i < count; i++) __builtin_memcpy(dst + i * dst_stride, src + i * src_stride, row);
}

static void copy_rows(char *dst, size_t ds, const char *src, size_t ss, size_t count, size_t row)
{
  switch (row) {
  case 1: copy_level(dst, ds, src, ss, count, 1); break;
  case 2: copy_level(dst, ds, src, ss, count, 2); break;
  case 4: copy_level(dst, ds, src, ss, count, 4); break;
  case 8: copy_level(dst, ds, src, ss, count, 8); break;
  case 16: copy_level(dst, ds, src, ss, count, 16); break;
  case 32: copy_level(dst, ds, src, ss, count, 32); break;
  case 64: copy_level(dst, ds, src, ss, count, 64); break;
  default: copy_level(dst, ds, src, ss, count, row);
  }
}

void pst_shape_copy(const struct pst_shape *s, char *dst, const char *src)
{
  size_t position[PST_SHAPE_LEVELS] = { 0 };
  const int loops = s->levels > 0;
  if (s->row == 0) return;
  do {
    copy_rows(dst, loops ? s->dst[0] : 0, src, loops ? s->src[0] : 0, loops ? s->count[0] : 1, s->row);
  } while (advance(s, 1, position, &dst, &src));
}
