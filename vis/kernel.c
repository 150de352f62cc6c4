#include "vis/kernel.h"

/* An odometer over the levels above `from`: 0 when all positions were visited. */
static int advance(const struct pst_shape *s, unsigned from, size_t position[], char **dst, const char **src)
{
  for (unsigned l = from; l < s->levels; l++) {
    *dst += s->dst[l];
    *src += s->src[l];
    if (++position[l] < s->count[l]) return 1;
    *dst -= s->dst[l] * (ptrdiff_t)s->count[l];
    *src -= s->src[l] * (ptrdiff_t)s->count[l];
    position[l] = 0;
  }
  return 0;
}

/* One level of equal rows; the common sizes become loads and stores. */
static inline void copy_level(char *dst, ptrdiff_t dst_stride, const char *src, ptrdiff_t src_stride, size_t count,
                              size_t row)
{
  for (size_t i = 0; i < count; i++, dst += dst_stride, src += src_stride) __builtin_memcpy(dst, src, row);
}

static void copy_rows(char *dst, ptrdiff_t ds, const char *src, ptrdiff_t ss, size_t count, size_t row)
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

static void copy_plain(const struct pst_shape *s, char *dst, const char *src)
{
  size_t position[PST_SHAPE_LEVELS] = { 0 };
  const int loops = s->levels > 0;
  if (s->row == 0) return;
  do {
    copy_rows(dst, loops ? s->dst[0] : 0, src, loops ? s->src[0] : 0, loops ? s->count[0] : 1, s->row);
  } while (advance(s, 1, position, &dst, &src));
}

pst_kernel_fn pst_kernel_choose(const struct pst_shape *s)
{
  (void)s;
  return copy_plain;
}

void pst_kernel_copy(const struct pst_shape *s, char *dst, const char *src) { pst_kernel_choose(s)(s, dst, src); }
