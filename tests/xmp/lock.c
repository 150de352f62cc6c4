/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Locks in coarrays: mutual exclusion, several at a time, acquired_lock, codes. */
#include "common.h"

enum { LOCKS = 5 };
static struct {
  xmp_lock_t lock[LOCKS];
  long guarded[LOCKS];
} shared;
static void *co;

__attribute__((constructor(102))) static void coarrays_register(void)
{
  co = pst_xmp_coarray(AT, "shared", &shared, sizeof shared, sizeof shared, 0, NULL, NULL);
}

static void lock(int image, int i) { pst_xmp_lock(AT, co, image, &shared.lock[i], NULL, NULL); }
static void unlock(int image, int i) { pst_xmp_unlock(AT, co, image, &shared.lock[i], NULL); }

static void guarded_add(int image, int i, long more)
{
  long value;
  pst_xmp_get(AT, co, image, &shared.guarded[i], &value, sizeof value);
  value += more;
  pst_xmp_put(AT, co, image, &shared.guarded[i], &value, sizeof value);
}

/* All images add to the numbers of all. */
static void exclusion(int turns)
{
  for (int t = 0; t < turns; t++) {
    const int image = (int)(test_key((uint64_t)t, (uint64_t)test.me, 1) % (uint64_t)test.nodes),
              i = t % LOCKS;
    int acquired = 1;
    if (t % 3) lock(image, i);
    else do
        pst_xmp_lock(AT, co, image, &shared.lock[i], &acquired, NULL);
      while (!acquired);
    guarded_add(image, i, 1);
    unlock(image, i);
  }
  xmp_sync_all(NULL);
  long sum = 0, value;
  for (int k = 0; k < test.nodes; k++)
    for (int i = 0; i < LOCKS; i++) {
      pst_xmp_get(AT, co, k, &shared.guarded[i], &value, sizeof value);
      sum += value;
    }
  CHECK(sum == (long)turns * test.nodes, "%ld additions of %d were seen", sum, turns * test.nodes);
  xmp_sync_all(NULL);
}

/* An image has all locks of all images at a time, in an order that is the same for all. */
static void many(void)
{
  for (int k = 0; k < test.nodes; k++)
    for (int i = 0; i < LOCKS; i++) lock(k, i);
  guarded_add(0, 0, 1000000);
  for (int k = test.nodes - 1; k >= 0; k--)
    for (int i = 0; i < LOCKS; i++) unlock(k, i);
  xmp_sync_all(NULL);
  long value;
  pst_xmp_get(AT, co, 0, &shared.guarded[0], &value, sizeof value);
  CHECK(value / 1000000 == test.nodes, "%ld images had all locks", value / 1000000);
  xmp_sync_all(NULL);
}

static void codes(void)
{
  int stat = -1, acquired = -1;
  pst_xmp_unlock(AT, co, test.me, &shared.lock[0], &stat);
  CHECK(stat == XMP_STAT_UNLOCKED, "unlock of a free lock: %d", stat);
  pst_xmp_lock(AT, co, test.me, &shared.lock[0], NULL, &stat);
  CHECK(stat == XMP_STAT_SUCCESS, "lock: %d", stat);
  pst_xmp_lock(AT, co, -1, &shared.lock[0], &acquired, &stat);
  CHECK(stat == XMP_STAT_LOCKED && acquired == -1, "lock by its owner: %d", stat);
  xmp_sync_all(NULL);
  if (test.nodes > 1) {
    const int other = (test.me + 1) % test.nodes;
    pst_xmp_lock(AT, co, other, &shared.lock[0], &acquired, &stat);
    CHECK(stat == XMP_STAT_SUCCESS && acquired == 0, "lock of another's: %d, %d", stat, acquired);
    pst_xmp_unlock(AT, co, other, &shared.lock[0], &stat);
    CHECK(stat == XMP_STAT_LOCKED_OTHER_IMAGE, "unlock of another's: %d", stat);
  }
  xmp_sync_all(NULL);
  pst_xmp_unlock(AT, co, test.me, &shared.lock[0], &stat);
  CHECK(stat == XMP_STAT_SUCCESS, "unlock: %d", stat);
  xmp_sync_all(NULL);
}

int main(int argc, char **argv)
{
  test_start("lock", &argc, &argv);
  test_no_more_options(argc, argv);
  codes();
  exclusion((int)(300 * test.scale) + 1);
  many();
  codes();
  return test_finish();
}
