/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Regions beside the segment. The client's memory becomes a file without a name, which is mapped where the
 * memory was, so that the other processes of the host can map the file, too. */
#include "core/region.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bootstrap/boot.h"
#include "core/job.h"
#include "gasnetx.h"

struct pst_regions pst_regions = {.count = 1};

/* What other processes need to open a region of this one: its descriptor, and what tells the right file. */
struct ticket {
  uint64_t addr, size, device, inode;
  int32_t pid, fd;
};

static int files[PST_REGIONS];              /* of the shared regions */
static unsigned shared = 1;                 /* regions with lower numbers are shared */
static struct ticket *tickets[PST_REGIONS]; /* [nodes], between exchange and close */

/* ---- making memory shared ---- */

/* A page may hold several variables, and what AddressSanitizer puts between them, which it lets no function
 * read; and data of ThreadSanitizer's, which change as the program runs. So neither of them may look into
 * these functions, nor into calls that they make. */
#define UNSEEN        __attribute__((no_sanitize("address", "thread")))
#define UNSEEN_INLINE UNSEEN __attribute__((always_inline)) static inline

UNSEEN_INLINE int is_zero(const char *page)
{
  const uint64_t *word = (const uint64_t *)page;
  uint64_t any = 0;
  for (size_t i = 0; i < PST_PAGESIZE / sizeof *word; i++) any |= word[i];
  return any == 0;
}

/* Pages of zeros stay holes in the file. */
UNSEEN_INLINE int copy_into(int fd, const char *from, size_t nbytes)
{
  for (size_t at = 0; at < nbytes; at += PST_PAGESIZE)
    if (!is_zero(from + at) &&
        syscall(SYS_pwrite64, fd, from + at, (size_t)PST_PAGESIZE, (off_t)at) != PST_PAGESIZE)
      return -1;
  return 0;
}

/* Where this library is linked statically, the memory may hold all of its variables: so nothing is written
 * between the copy and the moment that the copy takes the memory's place. */
UNSEEN static int region_replace(int fd, char *addr, size_t nbytes)
{
  if (copy_into(fd, addr, nbytes) != 0) return -1;
  return syscall(SYS_mmap, addr, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)0) == -1
      ? -1
      : 0;
}

static int region_share(const gasnet_seginfo_t *region)
{
  const int fd = memfd_create("penstock-region", MFD_CLOEXEC);
  if (fd < 0) return -1;
  if (ftruncate(fd, (off_t)region->size) == 0 && region_replace(fd, region->addr, region->size) == 0)
    return fd;
  close(fd);
  return -1;
}

/* ---- children ---- */

/* A child that a client forks is no node: it gets its own copy of the regions, as of ordinary memory. Its
 * parent waits until it has, so that the copy is that of the moment of the fork. */
static int gate[2] = {-1, -1};
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
  pthread_mutex_lock(&forking);
  if (pipe2(gate, O_CLOEXEC) != 0) gate[0] = gate[1] = -1;
}

static void close_gate(int end)
{
  if (gate[end] >= 0) close(gate[end]);
}

static void in_parent(void)
{
  char never;
  close_gate(1);
  while (gate[0] >= 0 && read(gate[0], &never, 1) < 0 && errno == EINTR) {}
  close_gate(0);
  pthread_mutex_unlock(&forking);
}

/* Copies only what the file has: a hole that is read would become a page. */
static int copy_from(char *to, int fd, size_t nbytes)
{
  off_t begin = 0, end;
  while ((begin = lseek(fd, begin, SEEK_DATA)) >= 0 && (size_t)begin < nbytes) {
    if ((end = lseek(fd, begin, SEEK_HOLE)) < 0) return -1;
    for (ssize_t n; begin < end; begin += n)
      if ((n = pread(fd, to + begin, (size_t)(end - begin), begin)) <= 0) return -1;
  }
  return begin < 0 && errno != ENXIO ? -1 : 0;
}

/* By the system call itself: UCX 1.13 puts a function in place of the library's mremap that loses the last
 * argument. */
static int keep_for_child(const gasnet_seginfo_t *region, int fd)
{
  char *copy = mmap(
      NULL, region->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED || copy_from(copy, fd, region->size) != 0) return -1;
  return syscall(SYS_mremap, copy, region->size, region->size, MREMAP_MAYMOVE | MREMAP_FIXED, region->addr) ==
          -1
      ? -1
      : 0;
}

static void in_child(void)
{
  static const char
      refused[] = "penstock: a forked child cannot have its own copy of the program's data: out of memory\n";
  for (unsigned r = 1; r < shared; r++)
    if (pst_regions.own[r].size && keep_for_child(&pst_regions.own[r], files[r]) != 0) {
      if (write(2, refused, sizeof refused - 1) < 0) {}
      _exit(1);
    }
  for (unsigned r = 1; r < shared; r++)
    if (files[r] >= 0) close(files[r]);
  shared = 1; /* the memory of this child's own children is ordinary */
  close_gate(0);
  close_gate(1);
  pthread_mutex_unlock(&forking);
}

static void watch_forks(void)
{
  static int watching;
  if (!watching && pthread_atfork(before_fork, in_parent, in_child) != 0)
    pst_fatal("out of memory for a fork's handlers");
  watching = 1;
}

/* ---- regions of this node ---- */

void pst_region_share(void)
{
  for (; shared < pst_regions.count; shared++) {
    const gasnet_seginfo_t region = pst_regions.own[shared];
    int fd = -1;
    if (region.size && (fd = region_share(&region)) < 0)
      pst_fatal(
          "cannot share the %zu bytes at %p with other processes: %m", (size_t)region.size, region.addr);
    files[shared] = fd;
    watch_forks();
  }
}

static int region_refuse(int err)
{
  errno = err;
  return -1;
}

int gasnetx_region_add(void *addr, size_t nbytes)
{
  const uintptr_t begin = (uintptr_t)addr;
  if (pst_job.phase == PST_PHASE_ATTACHED) return region_refuse(EBUSY);
  if (begin % PST_PAGESIZE || nbytes % PST_PAGESIZE || begin + nbytes < begin) return region_refuse(EINVAL);
  if (pst_regions.count == PST_REGIONS) return region_refuse(ENOSPC);
  if (nbytes && madvise(addr, nbytes, MADV_NORMAL) != 0) return -1; /* ENOMEM: not all of it is mapped */
  pst_regions.own[pst_regions.count] = (gasnet_seginfo_t){.addr = addr, .size = nbytes};
  pst_regions.count++;
  if (pst_job.phase == PST_PHASE_INIT) pst_region_share();
  return (int)pst_regions.count - 1;
}

/* ---- all nodes' ---- */

static void all_have_as_many(void)
{
  unsigned *all = pst_job_alloc(pst_nodes, sizeof *all);
  pst_boot_all(&pst_regions.count, sizeof pst_regions.count, all);
  for (unsigned i = 0; i < pst_nodes; i++)
    if (all[i] != pst_regions.count)
      pst_fatal("gasnetx_region_add was called %u times here and %u times on node %u", pst_regions.count - 1,
          all[i] - 1, i);
  free(all);
}

static struct ticket own_ticket(unsigned r)
{
  const gasnet_seginfo_t *region = &pst_regions.own[r];
  struct ticket t = {(uintptr_t)region->addr, region->size, 0, 0, getpid(), files[r]};
  struct stat st;
  if (region->size == 0) return t;
  if (fstat(files[r], &st) != 0)
    pst_fatal("the file of region %u is gone: %m (was its descriptor %d closed?)", r, files[r]);
  t.device = st.st_dev;
  t.inode = st.st_ino;
  return t;
}

static void tickets_exchange(unsigned r)
{
  const struct ticket mine = own_ticket(r);
  tickets[r] = pst_job_alloc(pst_nodes, sizeof *tickets[r]);
  pst_boot_all(&mine, sizeof mine, tickets[r]);
  for (unsigned i = 0; i < pst_nodes; i++)
    pst_regions.info[r][i] = (gasnet_seginfo_t){
        .addr = (void *)(uintptr_t)tickets[r][i].addr, .size = tickets[r][i].size};
}

void pst_region_exchange(const gasnet_seginfo_t *segment)
{
  pst_regions.own[0] = *segment;
  all_have_as_many();
  for (unsigned r = 0; r < pst_regions.count; r++) {
    pst_regions.info[r] = pst_job_alloc(pst_nodes, sizeof *pst_regions.info[r]);
    if (r > 0) tickets_exchange(r);
    else pst_boot_all(segment, sizeof *segment, pst_regions.info[0]);
  }
}

int pst_region_open(gasnet_node_t node, unsigned r)
{
  const struct ticket *t = &tickets[r][node];
  char path[64];
  struct stat st;
  int fd;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", t->pid, t->fd);
  fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) pst_fatal("cannot reach the static data of node %u by %s: %m", node, path);
  if (fstat(fd, &st) == 0 && st.st_dev == t->device && st.st_ino == t->inode &&
      (uint64_t)st.st_size >= t->size)
    return fd;
  pst_fatal(
      "%s is not the static data of node %u: the processes of this host see each other under other numbers",
      path, node);
}

void pst_region_close(void)
{
  for (unsigned r = 1; r < pst_regions.count; r++) free(tickets[r]);
}

static int region_holds(const gasnet_seginfo_t *region, const void *addr, size_t nbytes)
{
  const uintptr_t at = (uintptr_t)addr - (uintptr_t)region->addr;
  return at <= region->size && nbytes <= region->size - at;
}

int pst_region_find(gasnet_node_t node, const void *addr, size_t nbytes)
{
  for (unsigned r = 0; r < pst_regions.count; r++)
    if (region_holds(&pst_regions.info[r][node], addr, nbytes)) return (int)r;
  return -1;
}

unsigned gasnetx_region_count(void) { return pst_regions.count; }

int gasnetx_getRegionInfo(unsigned region, gasnet_seginfo_t *table, int numentries)
{
  if (pst_job.phase != PST_PHASE_ATTACHED) return GASNET_ERR_NOT_INIT;
  if (!table || numentries < 0 || region >= pst_regions.count) return GASNET_ERR_BAD_ARG;
  for (unsigned i = 0; i < (unsigned)numentries && i < pst_nodes; i++) table[i] = pst_regions.info[region][i];
  return GASNET_OK;
}
