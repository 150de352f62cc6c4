/* Waiting, the barrier of all, order, locks: sections 7.38 to 7.45, 7.58 to 7.61. SHMEM_WAIT is for INTEGERs of default kind. */
#include "shmem/fortran.h"
#include "shmem/lock.h"

#define WAIT(name, type, c)                                                     \
  void shmem_##name##wait_(type *var, const type *value)                        \
  {                                                                             \
    shmem_##c##_wait(var, *value);                                              \
  }                                                                             \
  void shmem_##name##wait_until_(type *var, const f_integer *cmp, const type *value) \
  {                                                                             \
    shmem_##c##_wait_until(var, *cmp, *value);                                  \
  }

WAIT(, f_integer, int)
WAIT(int4_, int32_t, int)
WAIT(int8_, int64_t, long)
PST_F_NAMES(shmem_wait, SHMEM_WAIT)
PST_F_NAMES(shmem_wait_until, SHMEM_WAIT_UNTIL)
PST_F_ALL_NAMES(shmem_int4_wait, SHMEM_INT4_WAIT)
PST_F_ALL_NAMES(shmem_int4_wait_until, SHMEM_INT4_WAIT_UNTIL)
PST_F_ALL_NAMES(shmem_int8_wait, SHMEM_INT8_WAIT)
PST_F_ALL_NAMES(shmem_int8_wait_until, SHMEM_INT8_WAIT_UNTIL)

void shmem_barrier_all_(void) { shmem_barrier_all(); }
PST_F_NAMES(shmem_barrier_all, SHMEM_BARRIER_ALL)

void shmem_fence_(void) { shmem_fence(); }
PST_F_NAMES(shmem_fence, SHMEM_FENCE)

void shmem_quiet_(void) { shmem_quiet(); }
PST_F_NAMES(shmem_quiet, SHMEM_QUIET)

/* Locks are INTEGERs of default kind, section 7.58: half as wide as C's. */
void shmem_set_lock_(volatile f_integer *lock) { pst_shmem_lock_set("SHMEM_SET_LOCK", lock, sizeof *lock); }
PST_F_NAMES(shmem_set_lock, SHMEM_SET_LOCK)

void shmem_clear_lock_(volatile f_integer *lock) { pst_shmem_lock_clear("SHMEM_CLEAR_LOCK", lock, sizeof *lock); }
PST_F_NAMES(shmem_clear_lock, SHMEM_CLEAR_LOCK)

f_integer shmem_test_lock_(volatile f_integer *lock) { return pst_shmem_lock_test("SHMEM_TEST_LOCK", lock, sizeof *lock); }
PST_F_NAMES(shmem_test_lock, SHMEM_TEST_LOCK)
PST_F_FUNCTION_NAMES(shmem_test_lock, SHMEM_TEST_LOCK)
