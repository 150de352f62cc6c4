/* What reductions do with two operands: loops that compilers make vectors of. */
#include "shmem/collective.h"

/* Overflow of signed integers would be none of the compiler's business: sums and products are done unsigned. */
typedef unsigned wrap_short, wrap_int;
typedef unsigned long wrap_long;
typedef unsigned long long wrap_longlong;
typedef float wrap_float;
typedef double wrap_double;
typedef long double wrap_longdouble;
typedef float _Complex wrap_complexf;
typedef double _Complex wrap_complexd;

/* An operation, of operands a and b of type T, whose short name is N. */
#define OP_and(T, N, a, b) ((a) & (b))
#define OP_or(T, N, a, b) ((a) | (b))
#define OP_xor(T, N, a, b) ((a) ^ (b))
#define OP_max(T, N, a, b) ((a) > (b) ? (a) : (b))
#define OP_min(T, N, a, b) ((a) < (b) ? (a) : (b))
#define OP_sum(T, N, a, b) ((wrap_##N)(a) + (wrap_##N)(b))
#define OP_prod(T, N, a, b) ((wrap_##N)(a) * (wrap_##N)(b))

#define DEFINE(T, N, OP, W)                                                          \
  void pst_shmem_combine_##N##_##OP(void *inout, const void *in, size_t count)       \
  {                                                                                  \
    T *restrict a = inout;                                                           \
    const T *restrict b = in;                                                        \
    for (size_t i = 0; i < count; i++) a[i] = (T)OP_##OP(T, N, a[i], b[i]);          \
  }
PST_SHMEM_REDUCTIONS(DEFINE)
