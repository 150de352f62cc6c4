/* Waiting for an own word that others change: a few looks, then with the manners of the library, which serves messages and, where cores are
 * short, gives its own away and sleeps. */
#include "shmem/internal.h"

enum { LOOKS = 64 };

#define UNTIL(cond)                                             \
  do {                                                          \
    struct pst_wait pst_steps = { 0, 0 };                       \
    for (int i = 0; i < LOOKS; i++) {                           \
      if (cond) return;                                         \
      pst_spin_hint();                                          \
    }                                                           \
    while (!(cond)) pst_wait_step(&pst_steps);                  \
    return;                                                     \
  } while (0)

static void bad_comparison(const char *call, int cmp) __attribute__((noreturn, cold));
static void bad_comparison(const char *call, int cmp) { pst_shmem_fatal(call, "%d is none of the comparisons SHMEM_CMP_...", cmp); }

/* What was written before the word is visible after it. */
#define NOW __atomic_load_n(var, __ATOMIC_ACQUIRE)

#define DEFINE(T, wait, wait_until)                             \
  void wait(volatile T *var, T value)                           \
  {                                                             \
    pst_shmem_need_open(#wait);                                 \
    pst_shmem_check_own(#wait, "address", var, sizeof *var);    \
    UNTIL(NOW != value);                                        \
  }                                                             \
  void wait_until(volatile T *var, int cmp, T value)            \
  {                                                             \
    pst_shmem_need_open(#wait_until);                           \
    pst_shmem_check_own(#wait_until, "address", var, sizeof *var); \
    switch (cmp) {                                              \
    case SHMEM_CMP_EQ: UNTIL(NOW == value);                     \
    case SHMEM_CMP_NE: UNTIL(NOW != value);                     \
    case SHMEM_CMP_GT: UNTIL(NOW > value);                      \
    case SHMEM_CMP_LE: UNTIL(NOW <= value);                     \
    case SHMEM_CMP_LT: UNTIL(NOW < value);                      \
    case SHMEM_CMP_GE: UNTIL(NOW >= value);                     \
    default: bad_comparison(#wait_until, cmp);                  \
    }                                                           \
  }
#define TYPED(T, N) DEFINE(T, shmem_##N##_wait, shmem_##N##_wait_until)
PST_SHMEM_WAIT_TYPES(TYPED)
DEFINE(long, shmem_wait, shmem_wait_until)
