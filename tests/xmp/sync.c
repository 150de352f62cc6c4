/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images: pairs, sets, all, in tasks, by an image directive; with images that have come to
 * the end of their program. What was put before is there afterwards. */
#include "common.h"

enum { MOST = 64 };
static long mail[MOST], seen[MOST]; /* what each image has put here */
static void *co_mail;

__attribute__((constructor(102))) static void coarrays_register(void)
{
  co_mail = pst_xmp_coarray(AT, "mail", mail, sizeof mail, sizeof mail[0], 0, NULL, NULL);
}

static void mail_put(int to, long value)
{
  pst_xmp_put(AT, co_mail, to, &mail[test.me], &value, sizeof value);
}
static void mail_check(const char *what, int from, long value)
{
  CHECK(mail[from] == value, "%s: %ld came from %d, not %ld", what, mail[from], from, value);
}

static void ring(int turns)
{
  const int next = (test.me + 1) % test.nodes, last = (test.me + test.nodes - 1) % test.nodes;
  for (int i = 0; i < turns; i++) {
    int set[] = {next, last, test.me, next}, status = -1;
    mail_put(next, 10 * i);
    xmp_sync_images(4, set, &status);
    CHECK(status == XMP_STAT_SUCCESS, "status %d", status);
    mail_check("ring", last, 10 * i);
    xmp_sync_images(2, set, NULL);
  }
  xmp_sync_all(NULL);
}

/* Image 0 with all others together, and each of them with image 0 alone. */
static void star(int turns)
{
  for (int i = 0; i < turns; i++) {
    if (test.me) mail_put(0, 100 * i + test.me);
    else
      for (int k = 1; k < test.nodes; k++) mail_put(k, -i);
    if (test.me) xmp_sync_image(0, NULL);
    else xmp_sync_images_all(NULL);
    if (test.me) mail_check("star", 0, -i);
    else
      for (int k = 1; k < test.nodes; k++) mail_check("star", k, 100 * i + k);
    if (test.me) xmp_sync_image(0, NULL);
    else xmp_sync_images_all(NULL);
  }
}

/* Each two images agree by a random number whether they meet in a turn. One may be several turns ahead. */
static void pairs(int turns)
{
  for (int i = 0; i < turns; i++) {
    int set[MOST], n = 0;
    for (int k = 0; k < test.nodes; k++) {
      const uint64_t low = (uint64_t)(k < test.me ? k : test.me),
                     high = (uint64_t)(k < test.me ? test.me : k);
      if (k != test.me && test_key((uint64_t)i, low, high) % 3 == 0) set[n++] = k;
    }
    for (int k = 0; k < n; k++) mail_put(set[k], 1000 + i);
    xmp_sync_images(n, set, NULL);
    for (int k = 0; k < n; k++) {
      CHECK(mail[set[k]] >= 1000 + i && mail[set[k]] > seen[set[k]], "pairs: %ld came from %d in turn %d",
          mail[set[k]], set[k], i);
      seen[set[k]] = mail[set[k]];
    }
    xmp_sync_images(n, set, NULL);
  }
  xmp_sync_all(NULL);
}

static void all(int turns)
{
  for (int i = 0; i < turns; i++) {
    int status = -1;
    for (int k = 0; k < test.nodes; k++) mail_put(k, 5000 + i);
    xmp_sync_all(&status);
    CHECK(status == XMP_STAT_SUCCESS, "status %d", status);
    for (int k = 0; k < test.nodes; k++) mail_check("all", k, 5000 + i);
    xmp_sync_all(NULL);
  }
}

static void memory_alone(void)
{
  int status = -1;
  for (int i = 0; i < 100; i++) {
    mail_put((test.me + 1) % test.nodes, i);
    xmp_sync_memory(&status);
    CHECK(status == XMP_STAT_SUCCESS, "status %d", status);
  }
  xmp_sync_all(NULL);
  mail_check("memory", (test.me + test.nodes - 1) % test.nodes, 99);
  xmp_sync_all(NULL);
}

/* The nodes from the upper half on, in their order. */
static struct pst_xmp_subscript upper;
static struct pst_xmp_on upper_of(void *p)
{
  upper = (struct pst_xmp_subscript){PST_XMP_COUNT, 0, test.nodes / 2, test.nodes - test.nodes / 2, 1};
  return (struct pst_xmp_on){p, 1, &upper};
}

static void tasks(void *p, int turns)
{
  const struct pst_xmp_on on = upper_of(p);
  const int first = test.nodes / 2;
  pst_xmp_task_t task;
  if (pst_xmp_task_enter(&task, AT, &on, 0))
    for (int i = 0; i < turns; i++) {
      int set[MOST], n = 0;
      for (int k = 0; k < test.nodes - first; k++) mail_put(k, 7000 + i);
      xmp_sync_all(NULL);
      for (int k = first; k < test.nodes; k++) mail_check("a task's sync all", k, 7000 + i);
      xmp_sync_all(NULL);
      for (int k = 0; k < test.nodes - first; k++) set[n++] = k;
      for (int k = 0; k < test.nodes - first; k++) mail_put(k, 8000 + i);
      xmp_sync_images(n, set, NULL);
      for (int k = first; k < test.nodes; k++) mail_check("a task's sync images", k, 8000 + i);
      xmp_sync_images_all(NULL);
    }
  pst_xmp_task_leave(&task);
  xmp_sync_all(NULL);
}

static void image_directive(void *q)
{
  const int first = test.nodes / 2;
  if (test.me >= first) {
    for (int k = first; k < test.nodes; k++) mail_put(k, 9000);
    pst_xmp_images_enter(AT, q);
    for (int k = 0; k < test.nodes - first; k++) xmp_sync_image(k, NULL);
    pst_xmp_images_leave();
    for (int k = first; k < test.nodes; k++) mail_check("an image directive", k, 9000);
  }
  xmp_sync_all(NULL);
}

/* The last image has come to the end of its program, and the others go on. */
static void stopped(void *p)
{
  const struct pst_xmp_on on = upper_of(p);
  const int last = test.nodes - 1;
  pst_xmp_task_t task;
  for (int i = 0; i < 3; i++) {
    int status = -1, set[MOST], n = 0;
    xmp_sync_image(last, &status);
    CHECK(status == XMP_STAT_STOPPED_IMAGE, "sync image: status %d", status);
    for (int k = 0; k < last; k++) set[n++] = k;
    xmp_sync_images(n, set, &status);
    CHECK(status == XMP_STAT_SUCCESS, "sync images without it: status %d", status);
    xmp_sync_all(&status);
    CHECK(status == XMP_STAT_STOPPED_IMAGE, "sync all: status %d", status);
    xmp_sync_images_all(&status);
    CHECK(status == XMP_STAT_STOPPED_IMAGE, "sync images all: status %d", status);
  }
  if (test.me < test.nodes / 2 || test.nodes < 3) return;
  if (pst_xmp_task_enter(&task, AT, &on, 1)) {
    int status = -1;
    xmp_sync_all(&status);
    CHECK(status == XMP_STAT_STOPPED_IMAGE, "a task's sync all: status %d", status);
  }
  pst_xmp_task_leave(&task);
}

int main(int argc, char **argv)
{
  test_start("sync", &argc, &argv);
  test_no_more_options(argc, argv);
  const int turns = (int)(300 * test.scale) + 1;
  void *p = pst_xmp_nodes(AT, "p", 1, (pst_xmp_index_t[]){test.nodes}, PST_XMP_NO_PARENT, NULL);
  const struct pst_xmp_on on = upper_of(p);
  void *q = pst_xmp_nodes(
      AT, "q", 1, (pst_xmp_index_t[]){test.nodes - test.nodes / 2}, PST_XMP_OF_NODES, &on);
  REQUIRE(test.nodes <= MOST, "more than %d nodes", MOST);
  memory_alone();
  ring(turns);
  star(turns);
  pairs(turns);
  all(turns);
  tasks(p, turns);
  image_directive(q);
  if (test_finish()) return 1;
  if (test.nodes > 1 && test.me < test.nodes - 1) stopped(p);
  if (test.failures) xmp_exit(1);
  return 0;
}
