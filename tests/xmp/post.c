/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* post and wait: with a node and a tag, any tag, several nodes, any node. Each post ends one wait, and what
 * was done before it is seen behind it. */
#include "common.h"

enum { MOST = 64, TAGS = 5 };
static long mail[MOST];
static void *co_mail, *p;

__attribute__((constructor(102))) static void coarrays_register(void)
{
  co_mail = pst_xmp_coarray(AT, "mail", mail, sizeof mail, sizeof mail[0], 0, NULL, NULL);
}

static struct pst_xmp_subscript one(int node)
{
  return (struct pst_xmp_subscript){PST_XMP_ONE, 0, node, 0, 1};
}

static void post(int node, int tag)
{
  const struct pst_xmp_subscript s = one(node);
  const struct pst_xmp_on on = {p, 1, &s};
  pst_xmp_post(AT, &on, tag);
}

static void wait_for(int node, int tag)
{
  const struct pst_xmp_subscript s = one(node);
  const struct pst_xmp_on on = {p, 1, &s};
  pst_xmp_wait(AT, &on, &tag);
}

static void mail_put(int to, long value)
{
  pst_xmp_put(AT, co_mail, to, &mail[test.me], &value, sizeof value);
}

static void ring(int turns)
{
  const int next = (test.me + 1) % test.nodes, last = (test.me + test.nodes - 1) % test.nodes;
  for (int i = 0; i < turns; i++) {
    mail_put(next, i);
    post(next, 7);
    wait_for(last, 7);
    CHECK(mail[last] == i, "%ld came from %d, not %d", mail[last], last, i);
    post(last, 8);
    wait_for(next, 8);
  }
}

/* Tags are waited for in another order than they were posted in, and as often. */
static void tags(int turns)
{
  const int next = (test.me + 1) % test.nodes, last = (test.me + test.nodes - 1) % test.nodes;
  for (int i = 0; i < turns; i++) {
    for (int tag = 0; tag < TAGS; tag++)
      for (int k = 0; k <= tag; k++) post(next, tag - 2);
    for (int tag = TAGS - 1; tag >= 0; tag--)
      for (int k = 0; k <= tag; k++) wait_for(last, tag - 2);
  }
  xmp_sync_all(NULL);
}

/* Each node posts to all; each waits for as many, by each kind of wait. */
static void any(int turns)
{
  const struct pst_xmp_subscript upper = {PST_XMP_COUNT, 0, test.nodes / 2, test.nodes - test.nodes / 2, 1};
  const struct pst_xmp_on on = {p, 1, &upper};
  const int tag = 3;
  for (int i = 0; i < turns; i++) {
    const int mode = i % 4;
    for (int k = 0; k < test.nodes; k++) mail_put(k, 100 + i);
    for (int k = 0; k < test.nodes; k++) post(k, mode == 2 ? k : 3);
    if (mode == 0)
      for (int k = 0; k < test.nodes; k++) pst_xmp_wait(AT, NULL, NULL);
    if (mode == 1)
      for (int k = 0; k < test.nodes; k++) pst_xmp_wait(AT, NULL, &tag);
    if (mode == 2)
      for (int k = 0; k < test.nodes; k++) {
        const struct pst_xmp_subscript s = one(k);
        const struct pst_xmp_on from = {p, 1, &s};
        pst_xmp_wait(AT, &from, NULL);
      }
    if (mode == 3) {
      for (int k = test.nodes / 2; k < test.nodes; k++) pst_xmp_wait(AT, &on, &tag);
      for (int k = test.nodes / 2; k < test.nodes; k++)
        CHECK(mail[k] == 100 + i, "%ld came from %d", mail[k], k);
      for (int k = 0; k < test.nodes / 2; k++) wait_for(k, 3);
    }
    for (int k = 0; k < test.nodes; k++)
      CHECK(mail[k] == 100 + i, "%ld came from %d in turn %d", mail[k], k, i);
    xmp_sync_all(NULL);
  }
}

/* Nobody has a turn twice before others that wait have had theirs. */
static void turns_taken(void)
{
  if (test.me)
    for (int k = 0; k < 20; k++) post(0, test.me);
  xmp_sync_all(NULL);
  if (test.me == 0) {
    for (int k = 0; k < 20 * (test.nodes - 1); k++) pst_xmp_wait(AT, NULL, NULL);
  }
  xmp_sync_all(NULL);
}

int main(int argc, char **argv)
{
  test_start("post", &argc, &argv);
  test_no_more_options(argc, argv);
  const int turns = (int)(200 * test.scale) + 1;
  REQUIRE(test.nodes <= MOST, "more than %d nodes", MOST);
  p = pst_xmp_nodes(AT, "p", 1, (pst_xmp_index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  ring(turns);
  tags(turns / 4 + 1);
  any(turns);
  turns_taken();
  return test_finish();
}
