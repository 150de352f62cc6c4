/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Regions beside the segment: a static array and mapped memory keep what was in them, and all operations
 * reach them like the segment; a forked child has its own. Some nodes' regions are empty. */
#include "common.h"

#include <gasnetx.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 8, LATE = 3, H_LONG = 150, BLOCK = 1000, SLOTS = 16 };
static struct {
  unsigned char bytes[PAGES * GASNET_PAGESIZE];
} fixed __attribute__((aligned(GASNET_PAGESIZE))) = {{1, 2, 3}};
static unsigned char zeros[PAGES * GASNET_PAGESIZE] __attribute__((aligned(GASNET_PAGESIZE)));
static gasnet_seginfo_t *info[5];
static volatile int longs;

static void on_long(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t a)
{
  (void)token, (void)a;
  CHECK(nbytes == BLOCK && (unsigned char *)buf >= fixed.bytes &&
          (unsigned char *)buf < fixed.bytes + sizeof fixed,
      "a long went elsewhere");
  __atomic_fetch_add(&longs, 1, __ATOMIC_RELAXED);
}

static void add(void *addr, size_t nbytes, int number)
{
  const int got = gasnetx_region_add(addr, nbytes);
  REQUIRE(got == number, "region %d has the number %d: %m", number, got);
}

static void refuses(void)
{
  errno = 0;
  CHECK(gasnetx_region_add(fixed.bytes + 1, GASNET_PAGESIZE) == -1 && errno == EINVAL,
      "an odd address was taken");
  CHECK(gasnetx_region_add(fixed.bytes, 100) == -1 && errno == EINVAL, "an odd size was taken");
  void *hole = mmap(NULL, GASNET_PAGESIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(hole, GASNET_PAGESIZE);
  CHECK(gasnetx_region_add(hole, GASNET_PAGESIZE) == -1 && errno == ENOMEM,
      "memory that is not there was taken");
}

static size_t late_size(gasnet_node_t node) { return node % 3 == 1 ? 0 : (size_t)LATE * GASNET_PAGESIZE; }

static void learn(void)
{
  CHECK(gasnetx_region_count() == 4, "%u regions", gasnetx_region_count());
  for (unsigned r = 0; r < 4; r++) {
    info[r] = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *info[r]);
    REQUIRE_OK(gasnetx_getRegionInfo(r, info[r], (int)test.nodes));
  }
  CHECK(gasnetx_getRegionInfo(4, info[0], 1) == GASNET_ERR_BAD_ARG, "region 4 has a place");
  CHECK(memcmp(info[0], test.seg, test.nodes * sizeof *info[0]) == 0, "region 0 is not the segment");
  CHECK(
      info[1][test.me].addr == fixed.bytes && info[1][test.me].size == sizeof fixed, "region 1 is elsewhere");
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    CHECK(info[3][i].size == late_size(i), "region 3 of node %u has %zu bytes", i, (size_t)info[3][i].size);
}

/* The owner's place in region r (0 is the segment) of a node. */
static unsigned char *place(unsigned r, gasnet_node_t node, gasnet_node_t owner)
{
  return (unsigned char *)info[r][node].addr + 1024 * (owner % SLOTS) + (r == 1 ? GASNET_PAGESIZE : 0);
}

static void by_every_form(unsigned r, gasnet_node_t to)
{
  unsigned char data[BLOCK], back[BLOCK + 2];
  unsigned char *at = place(r, to, test.me);
  for (int form = 0; form < 6; form++) {
    const uint64_t key = test_key(r, to, (uint64_t)form);
    pattern_fill(data, BLOCK, key);
    memset(back, 0x55, sizeof back);
    if (form == 0) gasnet_put(to, at, data, BLOCK);
    else if (form == 1) gasnet_wait_syncnb(gasnet_put_nb_bulk(to, at, data, BLOCK));
    else if (form == 2) {
      gasnet_put_nbi(to, at, data, BLOCK);
      gasnet_wait_syncnbi_puts();
    } else if (form == 3)
      for (int i = 0; i < BLOCK; i += 8) gasnet_put_nbi(to, at + i, data + i, 8);
    else if (form == 4) {
      const size_t dstst = 10, srcst = 10, count[] = { 10, BLOCK / 10 };
      gasnet_puts_bulk(to, at, &dstst, data, &srcst, count, 1);
    } else {
      void *list[BLOCK / 100], *src[] = {data};
      for (int i = 0; i < BLOCK / 100; i++) list[i] = at + 100 * i;
      gasnet_puti_bulk(to, BLOCK / 100, list, 100, 1, src, BLOCK);
    }
    gasnet_wait_syncnbi_puts();
    gasnet_get_bulk(back + 1, to, at, BLOCK);
    CHECK_PATTERN(back + 1, BLOCK, key, "what came back");
    CHECK(back[0] == 0x55 && back[BLOCK + 1] == 0x55, "a get wrote beside its place");
  }
  gasnet_put_val(to, at, 0x1234567890abcdefull, 8);
  CHECK(gasnet_get_val(to, at, 8) == 0x1234567890abcdefull, "a value in region %u of node %u is another", r,
      to);
  gasnet_memset(to, at, 0xA7, BLOCK);
  gasnet_get(back, to, at, BLOCK);
  for (int i = 0; i < BLOCK; i++) CHECK(back[i] == 0xA7, "byte %d after memset is %d", i, back[i]);
}

/* A list with an entry in each region, put and got back. */
static void mixed(gasnet_node_t to)
{
  unsigned char data[4 * 96], back[4 * 96];
  void *list[4], *here[] = {data}, *there[] = {back};
  size_t n = 0;
  for (unsigned r = 0; r < 4; r++)
    if (info[r][to].size) list[n++] = place(r, to, test.me);
  pattern_fill(data, n * 96, test_key(77, to, test.me));
  memset(back, 0, sizeof back);
  gasnet_puti_bulk(to, n, list, 96, 1, here, n * 96);
  gasnet_geti_bulk(1, there, n * 96, to, n, list, 96);
  CHECK_PATTERN(back, n * 96, test_key(77, to, test.me), "a list over all regions");
  gasnet_get_bulk(back, to, place(n == 4 ? 3 : 2, to, test.me), 96);
  CHECK(memcmp(back, data + (n - 1) * 96, 96) == 0, "the list's last entry is elsewhere");
}

static void by_long(gasnet_node_t to)
{
  unsigned char data[BLOCK];
  pattern_fill(data, BLOCK, test_key(99, to, test.me));
  REQUIRE_OK(gasnet_AMRequestLong1(to, H_LONG, data, BLOCK, place(1, to, test.me), 0));
}

static void check_longs(void)
{
  GASNET_BLOCKUNTIL(longs == (int)test.nodes);
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    CHECK_PATTERN(place(1, test.me, i), BLOCK, test_key(99, test.me, i), "a long's payload");
}

/* The grandchild sees what the child has written. */
static int grandchild(void)
{
  int status = 0;
  const pid_t pid = fork();
  if (pid == 0) _exit(fixed.bytes[5] == 1 && zeros[sizeof zeros - 1] == 9 ? 0 : 1);
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A child sees what was there, and its parent does not see what it writes. */
static void child(void)
{
  int status = 0;
  fixed.bytes[5] = 77;
  const pid_t pid = fork();
  if (pid == 0) {
    const int same = fixed.bytes[0] == 1 && fixed.bytes[5] == 77 && zeros[sizeof zeros - 1] == 0;
    fixed.bytes[5] = 1;
    zeros[sizeof zeros - 1] = 9;
    _exit(same && grandchild() ? 0 : 1);
  }
  REQUIRE(pid > 0 && waitpid(pid, &status, 0) == pid, "fork: %m");
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child saw other memory");
  CHECK(fixed.bytes[5] == 77 && zeros[sizeof zeros - 1] == 0,
      "the child's store is seen by its parent: %d, %d", fixed.bytes[5], zeros[sizeof zeros - 1]);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{H_LONG, (void (*)())on_long}};
  void *mapped;
  refuses();
  add(fixed.bytes, sizeof fixed, 1);
  add(zeros, sizeof zeros, 2);
  test_init("region", &argc, &argv);
  test_no_more_options(argc, argv);
  CHECK(fixed.bytes[0] == 1 && fixed.bytes[2] == 3 && fixed.bytes[3] == 0 && zeros[100] == 0,
      "the memory has changed");
  mapped = mmap(NULL, LATE * GASNET_PAGESIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(mapped, 0xEE, LATE * GASNET_PAGESIZE);
  add(mapped, late_size(test.me), 3);
  test_attach(table, 1, SLOTS * 1024 + GASNET_PAGESIZE);
  CHECK(*(unsigned char *)mapped == 0xEE, "the mapped memory has changed");
  learn();
  CHECK(
      gasnetx_region_add(zeros, GASNET_PAGESIZE) == -1 && errno == EBUSY, "a region was added after attach");
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    const gasnet_node_t to = (test.me + i) % test.nodes;
    for (unsigned r = 0; r < 4; r++)
      if (info[r][to].size && !(r == 3 && test.nodes > LATE * 4)) by_every_form(r, to);
    mixed(to);
  }
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++) by_long(i);
  check_longs();
  child();
  test_finish();
}
