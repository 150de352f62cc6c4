/* A strided description, normalised: levels that do not move are dropped, levels that continue each other on both sides
 * are merged. What is left is a row of bytes and loops around it, innermost first. */
#ifndef VIS_SHAPE_H
#define VIS_SHAPE_H
#include <stddef.h>

enum { PST_SHAPE_LEVELS = 64 };

struct pst_shape {
  size_t row;                 /* contiguous bytes on both sides; 0: nothing to do */
  unsigned levels;
  size_t count[PST_SHAPE_LEVELS];
  size_t dst[PST_SHAPE_LEVELS], src[PST_SHAPE_LEVELS]; /* strides in bytes */
};

/* At most PST_SHAPE_LEVELS levels that move; more is fatal, naming `call`. */
void pst_shape_strided(struct pst_shape *s, const char *call, const size_t dststrides[], const size_t srcstrides[],
                       const size_t count[], size_t stridelevels);

/* All bytes, and the distance from the first to the last on one side. */
size_t pst_shape_bytes(const struct pst_shape *s);
size_t pst_shape_extent(const struct pst_shape *s, const size_t strides[]);

/* Calls fn for every row, in order of the destination. */
typedef void (*pst_shape_row_fn)(void *arg, char *dst, const char *src, size_t nbytes);
void pst_shape_rows(const struct pst_shape *s, char *dst, const char *src, pst_shape_row_fn fn, void *arg);

/* Copies; both sides are mapped here. */
void pst_shape_copy(const struct pst_shape *s, char *dst, const char *src);

#endif
