/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/segment.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bootstrap/boot.h"
#include "bootstrap/variables.h"
#include "core/job.h"
#include "core/loss.h"
#include "core/neighbourhood.h"
#include "core/region.h"
#include "core/variables.h"
#include "gasnetx.h"
#include "support/env.h"
#include "support/memory.h"
#include "support/tsan.h"

struct pst_segments pst_segments;
const ptrdiff_t *pst_map;
uint64_t gasnet_max_segsize __attribute__((weak)) = 0;

enum { HUGE_PAGE = 2 << 20 };

static uintptr_t round_down(uint64_t n) { return (uintptr_t)(n & ~(uint64_t)(PST_PAGESIZE - 1)); }

static void bound_room(uint64_t *room, uint64_t limit)
{
  if (limit < *room) *room = limit;
}

/* A tenth of the memory stays for everything else on the host. A file under GASNET_TMPDIR cannot outgrow its
 * file system (a memfd's reports no size), and no file this process's limit. */
static uint64_t memory_a_process(void)
{
  const uint64_t available = pst_memory_available();
  uint64_t room = available - available / 10;
  struct statvfs fs;
  struct rlimit file;
  if (fstatvfs(pst_job.place.hm.segment_fd, &fs) == 0 && fs.f_blocks > 0)
    bound_room(&room, (uint64_t)fs.f_bavail * fs.f_frsize);
  if (getrlimit(RLIMIT_FSIZE, &file) == 0 && file.rlim_cur != RLIM_INFINITY) bound_room(&room, file.rlim_cur);
  return room / pst_job.place.local;
}

/* The environment overrides the client's default; neither may ask for more than there is. */
static uintptr_t largest_here(void)
{
  const uint64_t room = memory_a_process();
  uint64_t want;
  if (!pst_env_is_set(&pst_core_env.max_segsize) && gasnet_max_segsize) want = gasnet_max_segsize;
  else want = pst_segsize_most(pst_memory_physical(), pst_job.place.local);
  return round_down(want < room ? want : room);
}

/* What a node tells all others first. */
struct offer {
  uintptr_t largest;
  uint64_t variables; /* a checksum of those that must be common */
};

/* Node 0 ends the job; the others come no further than to the next exchange. */
static void variables_compare(const struct offer *all, unsigned i, const char *names)
{
  if (pst_mynode == 0 && all[i].variables != all[0].variables)
    pst_fatal("node %u has another value than node 0 of a variable that must be the same on all nodes: %s", i,
        names);
}

void pst_segment_open(void)
{
  struct pst_segments *s = &pst_segments;
  struct offer *all = pst_job_alloc(pst_nodes, sizeof *all);
  char names[256];
  const struct offer mine = {largest_here(), pst_env_common(names, sizeof names)};
  s->max_local = mine.largest;
  pst_boot_all(&mine, sizeof mine, all);
  s->max_global = all[0].largest;
  for (unsigned i = 1; i < pst_nodes; i++) {
    variables_compare(all, i, names);
    if (all[i].largest < s->max_global) s->max_global = all[i].largest;
  }
  free(all);
}

uintptr_t gasnet_getMaxLocalSegmentSize(void) { return pst_segments.max_local; }
uintptr_t gasnet_getMaxGlobalSegmentSize(void) { return pst_segments.max_global; }

/* ---- the file ---- */

/* One file holds the segments of the host's nodes, one after the other, at offsets at[0..local-1]; at[local]
 * is the size of the file. */
struct file {
  int fd;
  uint64_t *at;
};

static uint64_t total_of(const struct file *f) { return f->at[pst_job.place.local]; }

static void lay_out(const uintptr_t *size, uint64_t *at, uint64_t unit)
{
  at[0] = 0;
  for (unsigned i = 0; i < pst_job.place.local; i++) at[i + 1] = at[i] + (size[i] + unit - 1) / unit * unit;
}

/* The first node of a host does what must be done once a host. */
static int is_first(void) { return pst_mynode == pst_job.place.first; }

static void size_file(int fd, uint64_t total)
{
  if (is_first() && ftruncate(fd, (off_t)total) != 0)
    pst_fatal("cannot make %.1f MiB of shared memory for the segments: %m; lower GASNET_MAX_SEGSIZE or raise "
              "the limit "
              "(ulimit -f, GASNET_TMPDIR's file system)",
        (double)total / 1048576);
  pst_boot_fence();
}

/* Growing a file beyond the limit would raise SIGXFSZ. */
static int may_grow_to(uint64_t size)
{
  struct rlimit file;
  return getrlimit(RLIMIT_FSIZE, &file) != 0 || file.rlim_cur == RLIM_INFINITY || size <= file.rlim_cur;
}

static int works_everywhere(int here)
{
  int *all = pst_job_alloc(pst_nodes, sizeof *all), everywhere = 1;
  pst_boot_all(&here, sizeof here, all);
  for (unsigned i = 0; i < pst_nodes; i++) everywhere &= all[i];
  free(all);
  return everywhere;
}

/* Mapping it once reserves its pages for good. */
static int huge_reserve(int fd, uint64_t total)
{
  void *base;
  if (total == 0) return 1;
  if (!may_grow_to(total)) return 0;
  base = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return base != MAP_FAILED && munmap(base, total) == 0;
}

static void no_huge_pages(uint64_t total)
{
  if (!is_first()) return;
  if (ftruncate(pst_job.place.hm.huge_fd, 0) != 0) pst_warn("cannot give huge pages back: %m");
  if (pst_env_is_set(&pst_bootstrap_env.use_hugepages))
    pst_warn("too few huge pages for %.1f MiB of segments (see vm.nr_hugepages); using ordinary ones",
        (double)total / 1048576);
}

/* Pages of 2 MiB where the user asks for them and the hosts of all nodes have enough of them. */
static int choose_huge(const uintptr_t *size, struct file *f)
{
  f->fd = pst_job.place.hm.huge_fd;
  if (!works_everywhere(f->fd >= 0)) return 0;
  lay_out(size, f->at, HUGE_PAGE);
  if (is_first() && may_grow_to(total_of(f)) && ftruncate(f->fd, (off_t)total_of(f)) != 0)
    pst_warn("cannot use huge pages: %m");
  pst_boot_fence();
  if (works_everywhere(huge_reserve(f->fd, total_of(f)))) return 1;
  no_huge_pages(total_of(f));
  return 0;
}

static void choose_file(const uintptr_t *size, struct file *f)
{
  f->at = pst_job_alloc(pst_job.place.local + 1, sizeof *f->at);
  if (choose_huge(size, f)) return;
  f->fd = pst_job.place.hm.segment_fd;
  lay_out(size, f->at, PST_PAGESIZE);
  size_file(f->fd, total_of(f));
}

/* ---- mapping ---- */

static _Noreturn void refuse_to_map(const struct file *f)
{
  pst_fatal("cannot map %.1f MiB of segments: %m; lower GASNET_MAX_SEGSIZE or raise the limit (ulimit -v)",
      (double)total_of(f) / 1048576);
}

/* Where to map the segment of a node with further regions, so that neighbours can map both at one distance,
 * wherever the program's data lies: far from both ends of the addresses. Sanitizers use most addresses. */
static void *good_place(void)
{
#if defined(PST_TSAN) || UINTPTR_MAX < UINT64_MAX
  return NULL;
#else
  return pst_regions.count > 1 ? (void *)(UINT64_C(1) << 45) : NULL;
#endif
}

/* A part of the file. */
static char *map_file(const struct file *f, void *place, uint64_t at, uint64_t size)
{
  void *p = size ? mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, (off_t)at) : NULL;
  if (p == MAP_FAILED) refuse_to_map(f);
  if (p && pst_env_bool(&pst_bootstrap_env.use_hugepages)) madvise(p, size, MADV_HUGEPAGE);
  return p;
}

/* Where node i's segment begins in the file. */
static uint64_t offset_of(const struct file *f, gasnet_node_t i) { return f->at[i - pst_job.place.first]; }

/* A part of a node's memory that must be mapped here: its segment or a region, from the file's offset on. */
struct part {
  uintptr_t addr;
  size_t size;
  int fd;
  off_t at;
};

static unsigned parts_of(gasnet_node_t node, const struct file *f, struct part *part)
{
  unsigned n = 0;
  for (unsigned r = 0; r < pst_regions.count; r++) {
    const gasnet_seginfo_t *s = &pst_regions.info[r][node];
    if (s->size == 0) continue;
    part[n++] = r == 0 ? (struct part){(uintptr_t)s->addr, s->size, f->fd, (off_t)offset_of(f, node)}
                       : (struct part){(uintptr_t)s->addr, s->size, pst_region_open(node, r), 0};
  }
  return n;
}

static void close_parts(const struct part *part, unsigned n, const struct file *f)
{
  for (unsigned i = 0; i < n; i++)
    if (part[i].fd != f->fd) close(part[i].fd);
}

/* ThreadSanitizer takes 0 for an address that it does not allow, and there root may map: as a mere hint it
 * leads elsewhere. */
#if defined(PST_TSAN)
enum { MAP_THERE = MAP_SHARED };
#else
enum { MAP_THERE = MAP_SHARED | MAP_FIXED_NOREPLACE };
#endif

/* Maps all parts, each `delta` away from where the node has it. 0: some of these addresses are in use. */
static int map_at(const struct part *part, unsigned n, ptrdiff_t delta)
{
  for (unsigned i = 0; i < n; i++) {
    void *const want = (void *)(part[i].addr + (uintptr_t)delta);
    void *const got = (intptr_t)want < PST_PAGESIZE
        ? MAP_FAILED
        : mmap(want, part[i].size, PROT_READ | PROT_WRITE, MAP_THERE, part[i].fd, part[i].at);
    if (got == want) continue;
    if (got != MAP_FAILED) munmap(got, part[i].size); /* a kernel that does not know the flag */
    while (i-- > 0) munmap((void *)(part[i].addr + (uintptr_t)delta), part[i].size);
    return 0;
  }
  return 1;
}

/* Tries distances in both directions, in steps larger than any part. Each node of this host begins with
 * another distance. */
static ptrdiff_t find_delta(const struct part *part, unsigned n, unsigned begin)
{
  enum { MOST = 1 << 16 };
  ptrdiff_t step = (ptrdiff_t)1 << 30;
  for (unsigned i = 0; i < n; i++)
    while ((size_t)step < part[i].size) step <<= 1;
  for (ptrdiff_t k = begin; k < MOST; k++) {
    if (map_at(part, n, k * step)) return k * step;
    if (map_at(part, n, -k * step)) return -k * step;
  }
  return 0;
}

static ptrdiff_t map_neighbour(gasnet_node_t node, const struct file *f)
{
  struct part part[PST_REGIONS];
  const unsigned n = parts_of(node, f, part);
  ptrdiff_t delta = 0;
  if (n > 0 && (delta = find_delta(part, n, 1 + (node - pst_job.place.first))) == 0)
    pst_fatal(
        "there is no room for the %u regions of node %u among the addresses of this process; see ulimit -v",
        n, node);
  for (unsigned i = 0; i < n && pst_env_bool(&pst_bootstrap_env.use_hugepages); i++)
    madvise((void *)(part[i].addr + (uintptr_t)delta), part[i].size, MADV_HUGEPAGE);
  close_parts(part, n, f);
  return delta;
}

/* Maps each node of this host by itself, for a job with regions: a node's regions lie apart from its segment,
 * at distances that differ from node to node. */
static void map_each(const struct file *f, gasnet_seginfo_t own)
{
  const struct pst_start *place = &pst_job.place;
  own.addr = map_file(f, good_place(), offset_of(f, pst_mynode), own.size);
  pst_region_exchange(&own);
  for (gasnet_node_t i = place->first; i < place->first + place->local; i++)
    if (i != pst_mynode) pst_segments.delta[i] = map_neighbour(i, f);
  pst_boot_fence(); /* all have opened what they need of each other */
}

/* ---- the same addresses in all processes of a host ---- */

static int alike; /* whether the client asks for it */

void gasnetx_segments_at_same_addresses(void)
{
  if (pst_job.phase == PST_PHASE_ATTACHED)
    pst_fatal("gasnetx_segments_at_same_addresses was called after gasnet_attach");
  alike = 1;
}

/* Places that are free in most programs: far from both ends of the addresses; then those that sanitizers
 * leave free, and some for processors with few addresses. */
enum { PLACES = 48 };
static uintptr_t alike_place(unsigned i)
{
  static const struct {
    uint64_t first, step;
  } from[] = {{(uint64_t)1 << 45, (uint64_t)1 << 41}, {(uint64_t)0x7e80 << 32, (uint64_t)1 << 35},
      {(uint64_t)1 << 37, (uint64_t)1 << 33}};
  return (uintptr_t)(from[i / 16].first + i % 16 * from[i / 16].step);
}

/* The place is a wish, which the kernel grants where nothing is there. */
static int place_is_free(uintptr_t place, uint64_t size)
{
  void *const p = mmap((void *)place, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p != MAP_FAILED && munmap(p, size) == 0 && p == (void *)place;
}

/* One that is free in all processes of this host. Other threads' mappings do not come there: the kernel puts
 * them near the libraries. */
static void *alike_choose(const struct file *f)
{
  uint64_t *all = pst_job_alloc(pst_nodes, sizeof *all), mine = 0, common = ~(uint64_t)0;
  const uint64_t size = total_of(f);
  for (unsigned i = 0; size && i < PLACES; i++) mine |= (uint64_t)place_is_free(alike_place(i), size) << i;
  pst_boot_all(&mine, sizeof mine, all);
  for (unsigned i = 0; i < pst_job.place.local; i++) common &= all[pst_job.place.first + i];
  free(all);
  if (size && !common)
    pst_fatal("no place for %.1f MiB of segments is free among the addresses of all processes of this host; "
              "see ulimit -v",
        (double)size / 1048576);
  return size ? (void *)alike_place((unsigned)__builtin_ctzll(common)) : NULL;
}

static void alike_check(const char *base, const void *place)
{
  if (place && base != place) pst_fatal("the segments are at %p, not at %p", base, place);
}

/* Maps the whole file at once. With a mapping for each node, a host with n nodes would have n * n, and the
 * kernel keeps all mappings of a file in one tree. */
static void map_all(const struct file *f, gasnet_seginfo_t own)
{
  const struct pst_start *place = &pst_job.place;
  void *const common = alike ? alike_choose(f) : NULL;
  char *const base = map_file(f, common, 0, total_of(f));
  alike_check(base, common);
  own.addr = own.size ? base + offset_of(f, pst_mynode) : NULL;
  pst_region_exchange(&own);
  for (gasnet_node_t i = place->first; i < place->first + place->local; i++) {
    const gasnet_seginfo_t *s = &pst_regions.info[0][i];
    if (s->size) pst_segments.delta[i] = (ptrdiff_t)((uintptr_t)base + offset_of(f, i) - (uintptr_t)s->addr);
  }
}

/* `sizes`: of all nodes. */
static void segments_attach(const uintptr_t *sizes)
{
  const gasnet_seginfo_t own = {.size = sizes[pst_mynode]};
  struct file f;
  choose_file(sizes + pst_job.place.first, &f);
  pst_segments.delta = pst_job_alloc(pst_nodes, sizeof *pst_segments.delta);
  if (pst_regions.count > 1) map_each(&f, own);
  else map_all(&f, own);
  pst_segments.info = pst_regions.info[0];
  free(f.at);
  pst_region_close();
}

/* What a node wants. */
struct request {
  uintptr_t size;
  int alike, reports;
};

/* A node that has not asked for it goes on, and waits for the others until the job ends. */
static void request_check(const struct request *all)
{
  if (alike && pst_regions.count > 1)
    pst_fatal("segments cannot be at the same addresses in all processes where there are regions");
  for (unsigned i = 0; i < pst_nodes; i++)
    if (alike && !all[i].alike)
      pst_fatal("gasnetx_segments_at_same_addresses was called on this node, but not on node %u", i);
  for (unsigned i = 0; i < pst_nodes; i++)
    if (pst_loss.asked && !all[i].reports)
      pst_fatal("gasnetx_report_losses was called on this node, but not on node %u", i);
}

void pst_segment_attach(uintptr_t size)
{
  const struct request mine = {size, alike, pst_loss.asked};
  struct request *all = pst_job_alloc(pst_nodes, sizeof *all);
  uintptr_t *sizes = pst_job_alloc(pst_nodes, sizeof *sizes);
  pst_boot_all(&mine, sizeof mine, all);
  request_check(all);
  for (unsigned i = 0; i < pst_nodes; i++) sizes[i] = all[i].size;
  segments_attach(sizes);
  free(sizes);
  free(all);
}

/* No node is mapped for the inlined calls where each operation must be seen: see docs/architecture.md. */
void pst_segment_publish(void)
{
  ptrdiff_t *map = pst_job_alloc(pst_nodes, sizeof *map);
  for (unsigned i = 0; i < pst_nodes; i++)
    map[i] = pst_neighbour_open(i) ? pst_segments.delta[i] : PST_UNMAPPED;
  pst_map = map;
}

void pst_segment_hide(void)
{
  for (unsigned i = 0; i < pst_nodes; i++) ((ptrdiff_t *)pst_map)[i] = PST_UNMAPPED;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int numentries)
{
  if (pst_job.phase != PST_PHASE_ATTACHED) return GASNET_ERR_NOT_INIT;
  if (!table || numentries < 0) return GASNET_ERR_BAD_ARG;
  for (unsigned i = 0; i < (unsigned)numentries && i < pst_nodes; i++) table[i] = pst_segments.info[i];
  return GASNET_OK;
}

/* The region that an address outside of all was meant for: the one that begins nearest below. */
static const gasnet_seginfo_t *region_meant(gasnet_node_t node, uintptr_t a)
{
  const gasnet_seginfo_t *best = &pst_regions.info[0][node];
  for (unsigned r = 1; r < pst_regions.count; r++) {
    const gasnet_seginfo_t *s = &pst_regions.info[r][node];
    if ((uintptr_t)s->addr <= a && ((uintptr_t)best->addr > a || s->addr > best->addr)) best = s;
  }
  return best;
}

void pst_segment_check(
    const char *call, const char *what, gasnet_node_t node, const void *addr, size_t nbytes)
{
  const gasnet_seginfo_t *s = region_meant(node, (uintptr_t)addr);
  if (nbytes == 0 || pst_region_find(node, addr, nbytes) >= 0) return;
  pst_fatal("%s: %s %p with %zu bytes is outside the %s of node %u, %p to %p (%zu bytes)", call, what, addr,
      nbytes, s == &pst_regions.info[0][node] ? "segment" : "region", node, s->addr,
      (void *)((uintptr_t)s->addr + s->size), (size_t)s->size);
}
