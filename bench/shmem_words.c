/* Eight bytes to and from the neighbour, and atomic operations, against the same through a mapped pointer. Both sides of each comparison go
 * through the same words in the same order; each iteration of both ends in a compiler barrier, so that nothing becomes a vector. */
#include "shmem.h"

#include <mpp/shmem.h>

static volatile int neighbour = 1; /* not known to the compiler */
static long *table[2][8];          /* where each PE's words of the heap, and static ones, are here */
static long cell[OSH_WINDOW];      /* local side */

enum { HEAP, STATIC };

/* Only PE 0 works; the other waits in the next barrier. */
#define LOOP(n, where, body) \
  if (osh.me != 0) return 0; \
  const int pe = neighbour; \
  long *const remote = where == HEAP ? osh.heap : osh_static; \
  (void)remote; \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % OSH_WINDOW; \
    body; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n)

#define MAPPED(where) (table[where][pe])
#define USE(v) __asm__ volatile("" : : "r"(v))

#define PAIR(name, body) \
  static double name##_heap(long n) { LOOP(n, HEAP, body(HEAP)); } \
  static double name##_static(long n) { LOOP(n, STATIC, body(STATIC)); }

#define STORE(where) MAPPED(where)[k] = cell[k]
#define STORE_VALUE(where) MAPPED(where)[k] = i
#define LOAD(where) cell[k] = MAPPED(where)[k]
#define LOAD_VALUE(where) USE(MAPPED(where)[k])
#define XADD(where) USE(__atomic_fetch_add(&MAPPED(where)[k], i, __ATOMIC_SEQ_CST))
#define PUT(where) do { shmem_long_put(remote + k, cell + k, 1, pe); shmem_quiet(); } while (0)
#define P(where) do { shmem_long_p(remote + k, i, pe); shmem_quiet(); } while (0)
#define GET(where) shmem_long_get(cell + k, remote + k, 1, pe)
#define G(where) USE(shmem_long_g(remote + k, pe))
#define FADD(where) USE(shmem_long_fadd(remote + k, i, pe))
#define SWAP(where) USE(shmem_long_swap(remote + k, i, pe))
#define CSWAP(where) USE(shmem_long_cswap(remote + k, i - OSH_WINDOW, i, pe))

PAIR(bare_store, STORE) PAIR(bare_store_value, STORE_VALUE) PAIR(bare_load, LOAD) PAIR(bare_load_value, LOAD_VALUE) PAIR(bare_xadd, XADD)
PAIR(put, PUT) PAIR(p, P) PAIR(get, GET) PAIR(g, G) PAIR(fadd, FADD) PAIR(swap, SWAP) PAIR(cswap, CSWAP)

void osh_measure_words(void)
{
  enum { N = 40000, ATOMICS = 40000 };
  static const struct osh_contest above[] = {
    {"put_heap", bare_store_heap, put_heap, N}, {"put_static", bare_store_static, put_static, N},
    {"p_heap", bare_store_value_heap, p_heap, N}, {"p_static", bare_store_value_static, p_static, N},
    {"get_heap", bare_load_heap, get_heap, N}, {"get_static", bare_load_static, get_static, N},
    {"g_heap", bare_load_value_heap, g_heap, N}, {"g_static", bare_load_value_static, g_static, N},
  };
  static const struct osh_contest atomic[] = {
    {"fadd_heap", bare_xadd_heap, fadd_heap, ATOMICS}, {"fadd_static", bare_xadd_static, fadd_static, ATOMICS},
    {"swap_heap", bare_xadd_heap, swap_heap, ATOMICS}, {"swap_static", bare_xadd_static, swap_static, ATOMICS},
    {"cswap_heap", bare_xadd_heap, cswap_heap, ATOMICS}, {"cswap_static", bare_xadd_static, cswap_static, ATOMICS},
  };
  for (int pe = 0; pe < osh.pes; pe++) {
    table[HEAP][pe] = osh.heap_of[pe];
    table[STATIC][pe] = shmem_ptr(osh_static, pe);
    if (!table[HEAP][pe] || !table[STATIC][pe]) return;
  }
  for (unsigned i = 0; i < sizeof above / sizeof *above; i++) osh_contest_above(&above[i]);
  for (unsigned i = 0; i < sizeof atomic / sizeof *atomic; i++) osh_contest(&atomic[i]);
}
