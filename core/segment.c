#include "core/segment.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/bootstrap/boot.h"
#include "core/job.h"
#include "core/neighbourhood.h"
#include "support/env.h"
#include "support/memory.h"

struct pst_segments pst_segments;
const ptrdiff_t *pst_map;
uint64_t gasnet_max_segsize __attribute__((weak)) = 0;

enum { HUGE_PAGE = 2 << 20 };

static uintptr_t round_down(uint64_t n) { return (uintptr_t)(n & ~(uint64_t)(PST_PAGESIZE - 1)); }

static void bound(uint64_t *room, uint64_t limit)
{
  if (limit < *room) *room = limit;
}

/* A tenth stays for everything else on the host. Files under GASNET_TMPDIR also end with their file system (a memfd's
 * reports no size), and every file at the limit that this process has. */
static uint64_t memory_a_process(void)
{
  const uint64_t available = pst_memory_available();
  uint64_t room = available - available / 10;
  struct statvfs fs;
  struct rlimit file;
  if (fstatvfs(pst_job.place.hm.segment_fd, &fs) == 0 && fs.f_blocks > 0) bound(&room, (uint64_t)fs.f_bavail * fs.f_frsize);
  if (getrlimit(RLIMIT_FSIZE, &file) == 0 && file.rlim_cur != RLIM_INFINITY) bound(&room, file.rlim_cur);
  return room / pst_job.place.local;
}

/* The environment says more than the client's default, and neither more than there is. */
static uintptr_t largest_here(void)
{
  const uint64_t room = memory_a_process();
  uint64_t want;
  if (!pst_env_is_set(PST_ENV_MAX_SEGSIZE) && gasnet_max_segsize) want = gasnet_max_segsize;
  else want = pst_env_segsize(PST_ENV_MAX_SEGSIZE, pst_memory_physical(), pst_job.place.local);
  return round_down(want < room ? want : room);
}

void pst_segment_open(void)
{
  struct pst_segments *s = &pst_segments;
  uintptr_t *all = malloc(pst_nodes * sizeof *all);
  if (!all) pst_fatal("out of memory for %u nodes", pst_nodes);
  s->max_local = largest_here();
  pst_boot_all(&s->max_local, sizeof s->max_local, all);
  s->max_global = all[0];
  for (unsigned i = 1; i < pst_nodes; i++)
    if (all[i] < s->max_global) s->max_global = all[i];
  free(all);
}

uintptr_t gasnet_getMaxLocalSegmentSize(void) { return pst_segments.max_local; }
uintptr_t gasnet_getMaxGlobalSegmentSize(void) { return pst_segments.max_global; }

/* One file holds the segments of the host one behind the other; `at` are their offsets, at[local] its size. */
static void lay_out(const uintptr_t *size, uint64_t *at, uint64_t unit)
{
  at[0] = 0;
  for (unsigned i = 0; i < pst_job.place.local; i++) at[i + 1] = at[i] + (size[i] + unit - 1) / unit * unit;
}

/* The first node of a host does for all what is done once. */
static int is_first(void) { return pst_mynode == pst_job.place.first; }

static void size_file(int fd, uint64_t total)
{
  if (is_first() && ftruncate(fd, (off_t)total) != 0)
    pst_fatal("cannot make %.1f MiB of shared memory for the segments: %m; lower GASNET_MAX_SEGSIZE or raise the limit "
              "(ulimit -f, GASNET_TMPDIR's file system)", (double)total / 1048576);
  pst_boot_fence();
}

static char *map_file(int fd, uint64_t total, int flags)
{
  void *base = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
  return base == MAP_FAILED ? NULL : base;
}

static void *allocate(size_t n, size_t size)
{
  void *p = calloc(n, size);
  if (!p) pst_fatal("out of memory for %zu nodes", n);
  return p;
}

/* Growing a file beyond the limit would raise SIGXFSZ. */
static int may_grow_to(uint64_t size)
{
  struct rlimit file;
  return getrlimit(RLIMIT_FSIZE, &file) != 0 || file.rlim_cur == RLIM_INFINITY || size <= file.rlim_cur;
}

static int mapped_everywhere(char *base)
{
  char **all = allocate(pst_nodes, sizeof *all);
  int everywhere = 1;
  pst_boot_all(&base, sizeof base, all);
  for (unsigned i = 0; i < pst_nodes; i++) everywhere &= all[i] != NULL;
  free(all);
  return everywhere;
}

static char *no_huge_pages(char *base, uint64_t total)
{
  if (base) munmap(base, total);
  if (!is_first()) return NULL;
  if (ftruncate(pst_job.place.hm.huge_fd, 0) != 0) pst_warn("cannot give huge pages back: %m");
  if (pst_env_is_set(PST_ENV_USE_HUGEPAGES))
    pst_warn("too few huge pages for %.1f MiB of segments (see vm.nr_hugepages); using ordinary ones",
             (double)total / 1048576);
  return NULL;
}

/* Pages of 2 MiB when asked for, when there are enough of them, and on all nodes alike. */
static char *map_huge(const uintptr_t *size, uint64_t *at)
{
  const int fd = pst_job.place.hm.huge_fd;
  char *base = NULL;
  uint64_t total;
  lay_out(size, at, HUGE_PAGE);
  total = at[pst_job.place.local];
  if (fd < 0 || total == 0) return NULL;
  if (is_first() && may_grow_to(total) && ftruncate(fd, (off_t)total) != 0)
    pst_warn("cannot use huge pages: %m");
  pst_boot_fence();
  if (may_grow_to(total)) base = map_file(fd, total, 0);
  return mapped_everywhere(base) ? base : no_huge_pages(base, total);
}

static char *map_segments(const uintptr_t *size, uint64_t *at)
{
  char *base = map_huge(size, at);
  if (base) return base;
  lay_out(size, at, PST_PAGESIZE);
  size_file(pst_job.place.hm.segment_fd, at[pst_job.place.local]);
  if (at[pst_job.place.local] == 0) return NULL;
  base = map_file(pst_job.place.hm.segment_fd, at[pst_job.place.local], 0);
  if (!base)
    pst_fatal("cannot map %.1f MiB of segments: %m; lower GASNET_MAX_SEGSIZE or raise the limit (ulimit -v)",
              (double)at[pst_job.place.local] / 1048576);
  if (pst_env_bool(PST_ENV_USE_HUGEPAGES)) madvise(base, at[pst_job.place.local], MADV_HUGEPAGE);
  return base;
}

static gasnet_seginfo_t *exchange_info(char *addr, uintptr_t size)
{
  const gasnet_seginfo_t mine = { size ? addr : NULL, size };
  gasnet_seginfo_t *all = allocate(pst_nodes, sizeof *all);
  pst_boot_all(&mine, sizeof mine, all);
  return all;
}

/* `sizes`: of all nodes. */
static void attach(const uintptr_t *sizes)
{
  struct pst_segments *s = &pst_segments;
  const struct pst_start *place = &pst_job.place;
  uint64_t *at = allocate(place->local + 1, sizeof *at);
  char *base = map_segments(sizes + place->first, at);
  s->info = exchange_info(base + at[pst_mynode - place->first], sizes[pst_mynode]);
  s->delta = allocate(pst_nodes, sizeof *s->delta);
  for (unsigned i = 0; i < place->local; i++) {
    const gasnet_seginfo_t *info = &s->info[place->first + i];
    if (info->size) s->delta[place->first + i] = (ptrdiff_t)((uintptr_t)base + at[i] - (uintptr_t)info->addr);
  }
  free(at);
}

void pst_segment_attach(uintptr_t size)
{
  uintptr_t *sizes = allocate(pst_nodes, sizeof *sizes);
  pst_boot_all(&size, sizeof size, sizes);
  attach(sizes);
  free(sizes);
}

/* The shortcut is left out wherever each operation must be seen: see docs/architecture.md. */
void pst_segment_publish(void)
{
  ptrdiff_t *map = allocate(pst_nodes, sizeof *map);
  for (unsigned i = 0; i < pst_nodes; i++)
    map[i] = pst_neighbour_open(i) ? pst_segments.delta[i] : PST_UNMAPPED;
  pst_map = map;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int numentries)
{
  if (pst_job.phase != PST_PHASE_ATTACHED) return GASNET_ERR_NOT_INIT;
  if (!table || numentries < 0) return GASNET_ERR_BAD_ARG;
  for (unsigned i = 0; i < (unsigned)numentries && i < pst_nodes; i++) table[i] = pst_segments.info[i];
  return GASNET_OK;
}

void pst_segment_check(const char *call, const char *what, gasnet_node_t node, const void *addr, size_t nbytes)
{
  const gasnet_seginfo_t *s = &pst_segments.info[node];
  const uintptr_t begin = (uintptr_t)s->addr, a = (uintptr_t)addr;
  if (nbytes == 0 || (a >= begin && a - begin <= s->size && nbytes <= s->size - (a - begin))) return;
  pst_fatal("%s: %s %p with %zu bytes is outside the segment of node %u, %p to %p (%zu bytes)", call, what, addr, nbytes,
            node, s->addr, (void *)(begin + s->size), (size_t)s->size);
}
