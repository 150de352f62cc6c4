/* Eight bytes to and from the neighbour, against a load or store through a pointer looked up in a table.
 * Both sides of each comparison go through the same addresses in the same order, and each iteration of both ends
 * in a compiler barrier: the table is read each time and nothing becomes a vector. */
#include "smp.h"

#include <gasnet.h>

enum { WINDOW = 64 }; /* words in turn: 512 bytes, in the first-level cache */

static char **table;             /* bare: where each node's words lie here */
static uint64_t *words;          /* where the neighbour's lie for put and get */
static volatile gasnet_node_t neighbour = 1; /* not known to the compiler */
static uint64_t cell[WINDOW];    /* local side */

#define LOOP(n, body) \
  const gasnet_node_t node = neighbour; \
  uint64_t *const remote = words; \
  const double start = bench_now_ns(); \
  (void)remote; \
  for (long i = 0; i < (n); i++) { \
    const unsigned k = (unsigned)i % WINDOW; \
    body; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n)

#define MAPPED(node) ((uint64_t *)table[node])
#define USE(v) __asm__ volatile("" : : "r"(v))

/* Only node 0 works; the other waits in the next barrier. */
#define IDLE_UNLESS_FIRST if (smp.me != 0) return 0

static double bare_store(long n) { IDLE_UNLESS_FIRST; LOOP(n, MAPPED(node)[k] = cell[k]); }
static double bare_load(long n) { IDLE_UNLESS_FIRST; LOOP(n, cell[k] = MAPPED(node)[k]); }
static double bare_store_value(long n) { IDLE_UNLESS_FIRST; LOOP(n, MAPPED(node)[k] = (uint64_t)i); }
static double bare_load_value(long n) { IDLE_UNLESS_FIRST; LOOP(n, USE(MAPPED(node)[k])); }

static double put_8(long n) { IDLE_UNLESS_FIRST; LOOP(n, gasnet_put(node, remote + k, cell + k, 8)); }
static double get_8(long n) { IDLE_UNLESS_FIRST; LOOP(n, gasnet_get(cell + k, node, remote + k, 8)); }
static double put_val(long n) { IDLE_UNLESS_FIRST; LOOP(n, gasnet_put_val(node, remote + k, (uint64_t)i, 8)); }
static double get_val(long n) { IDLE_UNLESS_FIRST; LOOP(n, USE(gasnet_get_val(node, remote + k, 8))); }
static double put_nb(long n)
{
  IDLE_UNLESS_FIRST;
  LOOP(n, gasnet_wait_syncnb(gasnet_put_nb(node, remote + k, cell + k, 8)));
}

static double put_nbi(long n)
{
  IDLE_UNLESS_FIRST;
  LOOP(n, {
    gasnet_put_nbi(node, remote + k, cell + k, 8);
    if (i % 1000 == 999) gasnet_wait_syncnbi_puts();
  });
}

static double bare_store_counted(long n)
{
  IDLE_UNLESS_FIRST;
  LOOP(n, {
    MAPPED(node)[k] = cell[k];
    if (i % 1000 == 999) bench_compiler_barrier();
  });
}

void smp_measure_words(void)
{
  enum { N = 400000 };
  static const struct smp_contest contests[] = {
    {"put_8", {bare_store}, put_8, N},
    {"get_8", {bare_load}, get_8, N},
    {"put_val", {bare_store_value}, put_val, N},
    {"get_val", {bare_load_value}, get_val, N},
    {"put_nb", {bare_store}, put_nb, N},
    {"put_nbi", {bare_store_counted}, put_nbi, N},
  };
  table = malloc(smp.nodes * sizeof *table);
  if (!table) gasnet_exit(1);
  for (unsigned i = 0; i < smp.nodes; i++) table[i] = smp.here[i] + SMP_OFF_WORDS;
  words = (uint64_t *)((char *)smp.remote[1] + SMP_OFF_WORDS);
  for (unsigned i = 0; i < sizeof contests / sizeof *contests; i++) smp_contest(&contests[i]);
}
