/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Segments of a given size, or the largest possible: --size BYTES|max|global (max: each node's own maximum).
 * Touches only some pages, and reaches across the segment with puts and gets. Ends with 0, or prints what
 * attach returned and ends with 3. */
#include "common.h"

/* The k-th of five places; each node's segment has its own size. */
static char *place(gasnet_node_t node, unsigned k)
{
  const size_t size = test.seg[node].size, at = size / 4 * k;
  return seg_at(node, at + 64 > size ? size - 64 : at);
}

static void touch(void)
{
  char back[64];
  gasnet_node_t to = peer_to(1), from = peer_from(1);
  for (unsigned k = 0; k < 5 && test.seg[to].size; k++)
    gasnet_put_bulk(to, place(to, k), (pattern_fill(back, 64, test_key(test.me, k, 60)), back), 64);
  test_barrier();
  for (unsigned k = 0; k < 5 && test.seg[test.me].size; k++)
    CHECK_PATTERN(place(test.me, k), 64, test_key(from, k, 60), "far ends of a segment");
  for (unsigned k = 0; k < 5 && test.seg[to].size; k++) {
    gasnet_get_bulk(back, to, place(to, k), 64);
    CHECK_PATTERN(back, 64, test_key(test.me, k, 60), "far ends of a segment, read back");
  }
}

int main(int argc, char **argv)
{
  test_init("attach", &argc, &argv);
  const char *text = test_option(&argc, argv, "--size");
  test_no_more_options(argc, argv);
  uintptr_t most = gasnet_getMaxGlobalSegmentSize();
  uintptr_t size = !text || !strcmp(text, "global") ? most
      : !strcmp(text, "max")                        ? gasnet_getMaxLocalSegmentSize()
                                                    : (uintptr_t)strtoull(text, NULL, 0);
  if (test.me == 0) printf("attach: %zu bytes a node of at most %zu\n", (size_t)size, (size_t)most);
  fflush(stdout);
  int rc = gasnet_attach(NULL, 0, size, 0);
  if (rc != GASNET_OK) {
    fprintf(stderr, "attach: gasnet_attach returned %s: %s\n", gasnet_ErrorName(rc), gasnet_ErrorDesc(rc));
    gasnet_exit(3);
  }
  test.seg = (gasnet_seginfo_t *)calloc(test.nodes, sizeof *test.seg);
  REQUIRE_OK(gasnet_getSegmentInfo(test.seg, (int)test.nodes));
  CHECK(test.seg[test.me].size == size, "the segment has %zu bytes", (size_t)test.seg[test.me].size);
  test.seed = 1;
  test_barrier();
  touch();
  test_finish();
}
