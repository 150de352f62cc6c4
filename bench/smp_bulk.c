/* Large puts and gets between an own buffer and the neighbour's segment, against memcpy between the same. */
#include "smp.h"

#include <gasnet.h>
#include <sys/mman.h>

static char *buffer; /* own */
static size_t bytes; /* a copy */

static char *mapped(void) { return smp.here[1] + SMP_OFF_BULK; }
static char *remote(void) { return (char *)smp.remote[1] + SMP_OFF_BULK; }

/* The first copy is not counted: it pays for what the loop before it left in the cache. */
#define TIMED(n, copy) \
  if (smp.me != 0) return 0; \
  copy; \
  const double start = bench_now_ns(); \
  for (long i = 0; i < (n); i++) { \
    copy; \
    bench_compiler_barrier(); \
  } \
  return (bench_now_ns() - start) / (double)(n)

static double bare_put(long n) { TIMED(n, memcpy(mapped(), buffer, bytes)); }
static double bare_get(long n) { TIMED(n, memcpy(buffer, mapped(), bytes)); }
static double put(long n) { TIMED(n, gasnet_put_bulk(1, remote(), buffer, bytes)); }
static double get(long n) { TIMED(n, gasnet_get_bulk(buffer, 1, remote(), bytes)); }

static void contest(const char *name, size_t size, smp_measure_fn bare, smp_measure_fn ours)
{
  const size_t traffic = (size_t)32 << 20; /* a measurement: at least this much, and three copies */
  const long n = (long)(traffic / size);
  const struct smp_contest c = {name, {bare}, ours, n > 3 ? n : 3};
  bytes = size;
  if (!bench_selected(name, smp.rows)) return;
  if (smp.me == 0) /* the library tries ways to copy while it learns; that is not what is measured */
    for (int i = 0; i < 8; i++) {
      gasnet_put_bulk(1, remote(), buffer, bytes);
      gasnet_get_bulk(buffer, 1, remote(), bytes);
    }
  smp_contest(&c);
}

void smp_measure_bulk(void)
{
  static const struct { size_t size; const char *put, *get; } sizes[] = {
    {64 << 10, "put_64K", "get_64K"}, {1 << 20, "put_1M", "get_1M"},
    {16 << 20, "put_16M", "get_16M"}, {SMP_LARGEST, "put_64M", "get_64M"}};
  buffer = mmap(NULL, SMP_LARGEST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (buffer == MAP_FAILED) {
    fprintf(stderr, "smp: no memory for a buffer of 64 MiB\n");
    gasnet_exit(1);
  }
  if (smp.me == 0) memset(buffer, 1, SMP_LARGEST);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    contest(sizes[i].put, sizes[i].size, bare_put, put);
    contest(sizes[i].get, sizes[i].size, bare_get, get);
  }
  munmap(buffer, SMP_LARGEST);
}
