/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Segments of different sizes, none and large among them; what init knows before attach; attach with each bad
 * argument and then with good ones; direct access to the segments that are shared memory. With --alike 1 they
 * have the same addresses in all processes of a host. */
#include "common.h"

#include <gasnetx.h>
#include <sys/mman.h>

enum { H_ANY = 130 };
static void any(gasnet_token_t t) { (void)t; }
static void other(gasnet_token_t t) { (void)t; }

static void expect_bad(const char *what, gasnet_handlerentry_t *table, int n, uintptr_t size)
{
  int rc = gasnet_attach(table, n, size, 0);
  REQUIRE(rc != GASNET_OK, "attach with %s succeeded", what);
  CHECK(rc == GASNET_ERR_BAD_ARG, "attach with %s returned %s", what, gasnet_ErrorName(rc));
}

/* All nodes make the same mistake, get the error and may try again. */
static void test_bad_arguments(void)
{
  gasnet_handlerentry_t twice[] = {{200, (void (*)())any}, {200, (void (*)())other}};
  gasnet_handlerentry_t low[] = {{127, (void (*)())any}}, lowest[] = {{1, (void (*)())any}};
  gasnet_handlerentry_t good[] = {{H_ANY, (void (*)())any}};
  static gasnet_handlerentry_t many[129];
  for (int i = 0; i < 129; i++) many[i].fnptr = (void (*)())any;
  uintptr_t most = gasnet_getMaxLocalSegmentSize();
  expect_bad("an index twice", twice, 2, GASNET_PAGESIZE);
  expect_bad("the library's index 127", low, 1, GASNET_PAGESIZE);
  expect_bad("the library's index 1", lowest, 1, GASNET_PAGESIZE);
  expect_bad("129 handlers", many, 129, GASNET_PAGESIZE);
  for (int i = 0; i < 129; i++) CHECK(many[i].index == 0, "a failed attach wrote index %d", many[i].index);
  expect_bad("a negative number of handlers", good, -1, GASNET_PAGESIZE);
  expect_bad("no table for one handler", NULL, 1, GASNET_PAGESIZE);
  expect_bad("a size that is no multiple of the page", good, 1, GASNET_PAGESIZE + 1);
  expect_bad("half a page", good, 1, GASNET_PAGESIZE / 2);
  expect_bad("more than the maximum", good, 1, most / GASNET_PAGESIZE * GASNET_PAGESIZE + GASNET_PAGESIZE);
  expect_bad("more than any memory", good, 1, UINTPTR_MAX / GASNET_PAGESIZE * GASNET_PAGESIZE);
  CHECK(gasnet_getMaxLocalSegmentSize() == most, "a failed attach changed the maximum");
}

static void check_sizes_before(uintptr_t *local, uintptr_t *global)
{
  *local = gasnet_getMaxLocalSegmentSize();
  *global = gasnet_getMaxGlobalSegmentSize();
  CHECK(*local >= *global, "local maximum %zu is below the global one %zu", (size_t)*local, (size_t)*global);
  CHECK(*global >= 16 * GASNET_PAGESIZE, "global maximum is %zu bytes", (size_t)*global);
  CHECK(*local % GASNET_PAGESIZE == 0 && *global % GASNET_PAGESIZE == 0,
      "maxima are not multiples of the page");
}

/* Of each eight nodes one has no segment, one a large one, and the others some pages. */
static uintptr_t size_for(gasnet_node_t node, uintptr_t large)
{
  if (node % 8 == 1 || (test.nodes == 1 && node == 0)) return large;
  return node % 8 == 2 ? 0 : (uintptr_t)(1 + node * 3 % 17) * GASNET_PAGESIZE;
}

static void check_info(uintptr_t large)
{
  size_t bytes = (test.nodes + 1) * sizeof(gasnet_seginfo_t);
  gasnet_seginfo_t *part = (gasnet_seginfo_t *)malloc(bytes);
  for (gasnet_node_t n = 0; n <= test.nodes; n += 1 + test.nodes / 4) {
    memset(part, 0xAA, bytes);
    REQUIRE_OK(gasnet_getSegmentInfo(part, (int)n));
    CHECK(
        memcmp(part, test.seg, n * sizeof *part) == 0, "getSegmentInfo of the first %u differs", (unsigned)n);
    CHECK(bytes_bad(part + n, bytes - n * sizeof *part, 0xAA) == bytes - n * sizeof *part,
        "getSegmentInfo wrote past %u entries", (unsigned)n);
  }
  free(part);
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    CHECK(test.seg[i].size == size_for(i, large), "segment of node %u has %zu bytes, not %zu", (unsigned)i,
        (size_t)test.seg[i].size, (size_t)size_for(i, large));
    if (test.seg[i].size)
      CHECK(test.seg[i].addr && (uintptr_t)test.seg[i].addr % GASNET_PAGESIZE == 0,
          "segment of node %u at %p", (unsigned)i, test.seg[i].addr);
  }
}

static void fill_ends(char *base, uintptr_t size, gasnet_node_t owner, gasnet_node_t writer)
{
  if (!size) return;
  pattern_fill(base, 256, test_key(owner, writer, 30));
  pattern_fill(base + size - 256, 256, test_key(owner, writer, 31));
  pattern_fill(base + size / 2, 256, test_key(owner, writer, 32));
}

static void check_ends(
    char *base, uintptr_t size, gasnet_node_t owner, gasnet_node_t writer, const char *what)
{
  if (!size) return;
  CHECK_PATTERN(base, 256, test_key(owner, writer, 30), what);
  CHECK_PATTERN(base + size - 256, 256, test_key(owner, writer, 31), what);
  CHECK_PATTERN(base + size / 2, 256, test_key(owner, writer, 32), what);
}

/* The first and the last bytes of every segment can be read from everywhere. */
static void test_reach(void)
{
  char back[256];
  fill_ends(seg_at(test.me, 0), test.seg[test.me].size, test.me, test.me);
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    uintptr_t size = test.seg[i].size;
    if (!size) continue;
    gasnet_get_bulk(back, i, seg_at(i, 0), 256);
    CHECK_PATTERN(back, 256, test_key(i, i, 30), "start of a segment");
    gasnet_get_bulk(back, i, seg_at(i, size - 256), 256);
    CHECK_PATTERN(back, 256, test_key(i, i, 31), "end of a segment");
  }
  test_barrier();
}

/* For nodes of this supernode, address + offset is their memory. */
static void test_direct(const gasnet_nodeinfo_t *info)
{
  const gasnet_nodeinfo_t *mine = &info[test.me];
  gasnet_node_t round = 1, to = peer_to(round), from = peer_from(round);
  CHECK(mine->offset == 0, "the offset to oneself is %#zx", (size_t)mine->offset);
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    CHECK(info[i].host < test.nodes && info[i].supernode < test.nodes, "node %u: host %u supernode %u",
        (unsigned)i, (unsigned)info[i].host, (unsigned)info[i].supernode);
    if (info[i].supernode == mine->supernode) {
      CHECK(info[i].host == mine->host, "node %u shares a supernode and not the host", (unsigned)i);
      check_ends(
          (char *)((uintptr_t)test.seg[i].addr + info[i].offset), test.seg[i].size, i, i, "direct load");
    }
  }
  test_barrier();
  int near = info[to].supernode == mine->supernode;
  if (near)
    fill_ends((char *)((uintptr_t)test.seg[to].addr + info[to].offset), test.seg[to].size, to, test.me);
  test_barrier();
  if (info[from].supernode == mine->supernode)
    check_ends(seg_at(test.me, 0), test.seg[test.me].size, test.me, from, "direct store");
}

/* Each node has memory of its own at another of the places that the library tries first. */
static void occupy_places(void)
{
#if UINTPTR_MAX == UINT64_MAX
  void *const place = (void *)(((uintptr_t)1 << 45) + (uintptr_t)(test.me % 8) * ((uintptr_t)1 << 41));
  mmap(place, GASNET_PAGESIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
}

/* A list in the segments of a supernode: each node's first word points to the middle of its segment, and
 * the others follow that pointer as it is. */
static void test_alike(const gasnet_nodeinfo_t *info)
{
  char **const head = (char **)test.seg[test.me].addr;
  test_barrier();
  if (test.seg[test.me].size) {
    *head = (char *)head + test.seg[test.me].size / 2;
    pattern_fill(*head, 256, test_key(test.me, 0, 40));
  }
  test_barrier();
  for (gasnet_node_t i = 0; i < test.nodes; i++) {
    if (info[i].supernode != info[test.me].supernode) continue;
    CHECK(info[i].offset == 0, "the offset to node %u is %#zx", (unsigned)i, (size_t)info[i].offset);
    if (test.seg[i].size == 0) continue;
    char *const there = *(char **)test.seg[i].addr;
    CHECK(there == (char *)test.seg[i].addr + test.seg[i].size / 2, "node %u's pointer is %p", (unsigned)i,
        (void *)there);
    CHECK_PATTERN(there, 256, test_key(i, 0, 40), "what a pointer of another node leads to");
  }
  test_barrier();
}

static void check_supernodes(const gasnet_nodeinfo_t *info)
{
  const char *most = getenv("GASNET_SUPERNODE_MAXSIZE");
  unsigned long limit = most ? strtoul(most, NULL, 10) : 0;
  for (gasnet_node_t i = 0; limit && i < test.nodes; i++) {
    unsigned long members = 0;
    for (gasnet_node_t k = 0; k < test.nodes; k++) members += info[k].supernode == info[i].supernode;
    CHECK(members <= limit, "supernode %u has %lu members, the limit is %lu", (unsigned)info[i].supernode,
        members, limit);
  }
}

static void *hook_addr;
static uintptr_t hook_size;
static void attach_hook(void *addr, uintptr_t size)
{
  hook_addr = addr;
  hook_size = size;
}

int main(int argc, char **argv)
{
  uintptr_t local, global;
  gasnet_client_attach_hook = attach_hook;
  test_init("segment", &argc, &argv);
  const char *option = test_option(&argc, argv, "--alike");
  const int alike = option && atoi(option);
  test_no_more_options(argc, argv);
  gasnet_nodeinfo_t *info = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info),
                    *again = (gasnet_nodeinfo_t *)calloc(test.nodes, sizeof *info);
  REQUIRE_OK(gasnet_getNodeInfo(info, (int)test.nodes));
  check_supernodes(info);
  CHECK(gasnet_getenv("PATH") && !strcmp(gasnet_getenv("PATH"), getenv("PATH")), "getenv before attach");
  CHECK(gasnet_getenv("GASNET_NO_SUCH_NAME_AT_ALL") == NULL, "getenv of what is not set");
  check_sizes_before(&local, &global);
  test_bad_arguments();
  uintptr_t large = test_pages(global / 2 < (uintptr_t)256 << 20 ? global / 2 : (uintptr_t)256 << 20);
  gasnet_handlerentry_t table[] = {{H_ANY, (void (*)())any}};
  if (alike) {
    occupy_places();
    gasnetx_segments_at_same_addresses();
  }
  REQUIRE_OK(gasnet_attach(table, 1, size_for(test.me, large), 0));
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));
  test_agree_on_seed();
  if (test.me == 0)
    printf("segment: seed %llu nodes %u, maximum %zu MB a node\n", (unsigned long long)test.seed,
        (unsigned)test.nodes, (size_t)(local >> 20));
  CHECK(hook_size == test.seg[test.me].size && (!hook_size || hook_addr == test.seg[test.me].addr),
      "the attach hook saw another segment");
  check_info(large);
  test_reach();
  REQUIRE_OK(gasnet_getNodeInfo(again, (int)test.nodes));
  for (gasnet_node_t i = 0; i < test.nodes; i++)
    CHECK(again[i].host == info[i].host && again[i].supernode == info[i].supernode, "node %u moved at attach",
        (unsigned)i);
  test_direct(again);
  if (alike) test_alike(again);
  test_finish();
}
