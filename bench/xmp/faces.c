/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What reflect is compared with: a plan, and words that count turns, which the neighbours change. */
#include "node.h"

#include <gasnet.h>
#include <gasnetx.h>
#include <stdlib.h>

enum { LOWER, UPPER, NEIGHBOURS, LINE = 64 };

/* In the segment, a line for each neighbour. */
struct words {
  uint64_t arrived; /* the turn whose face has come */
  uint64_t ready;   /* the turn in which the neighbour's shadow may be written */
  char rest[LINE - 2 * sizeof(uint64_t)];
};

struct neighbour {
  gasnet_node_t node;
  struct words *mine, *theirs; /* theirs: as that node sees it */
};
struct bench_faces {
  int n, signals;
  struct neighbour to[NEIGHBOURS];
  gasnetx_plan_t plan;
  uint64_t turn;
};

/* Objects have their words one behind the other, on all nodes alike. */
static size_t used;
enum { ROOM = 64 * LINE };

/* With signals the neighbour has seen the last turn's word before this one's is sent. Without them the two
 * may come in any order, so they are added. */
static void notification_set(const struct bench_faces *f, int i)
{
  const gasnetx_notify_t n = {.kind = f->signals ? GASNETX_NOTIFY_SET : GASNETX_NOTIFY_ADD,
      .word = &f->to[i].theirs->arrived,
      .value = f->signals ? f->turn : 1};
  gasnetx_plan_notify(f->plan, (size_t)i, &n);
}

static void neighbour_add(struct bench_faces *f, int side, char *shadow, char *face, size_t bytes)
{
  const gasnet_node_t node = (gasnet_node_t)(side == LOWER ? bench_node.me - 1 : bench_node.me + 1);
  const size_t mine = used + (size_t)side * LINE
  , theirs = used + (size_t)!side * LINE;
  gasnetx_plan_puts(f->plan, node, shadow, NULL, face, NULL, &bytes, 0);
  f->to[f->n++] = (struct neighbour){node, (struct words *)(void *)(bench_node.segment + mine),
      (struct words *)(void *)((char *)bench_node.remote[node] + theirs)};
  notification_set(f, f->n - 1);
}

/* The part of a neighbour has a shadow before its first row, also where nothing is there. */
struct bench_faces *bench_faces_open(void *row, struct bench_block rows, long all, size_t bytes, int signals)
{
  struct bench_faces *const f = calloc(1, sizeof *f);
  struct bench_places parts = {0};
  const long count = rows.last - rows.first + 1;
  bench_places_find(&parts, row);
  if (!f || used + NEIGHBOURS * LINE > ROOM) bench_die("no memory for an exchange of faces");
  f->signals = signals;
  f->plan = gasnetx_plan_create();
  for (int i = 0; i < NEIGHBOURS; i++)
    *(struct words *)(void *)(bench_node.segment + used + (size_t)i * LINE) = (struct words){0};
  if (count > 0 && rows.first > 0) {
    const struct bench_block b = bench_block(all, bench_node.me - 1);
    char *const shadow = parts.remote[bench_node.me - 1] + (size_t)(b.last - b.first + 1) * bytes;
    neighbour_add(f, LOWER, shadow, row, bytes);
  }
  if (count > 0 && rows.last < all - 1)
    neighbour_add(
        f, UPPER, parts.remote[bench_node.me + 1] - bytes, (char *)row + (size_t)(count - 1) * bytes, bytes);
  used += NEIGHBOURS * LINE;
  free(parts.remote);
  free(parts.mapped);
  bench_sync(); /* the words are 0 */
  return f;
}

/* What was read from the shadow has been read. */
static void ready_tell(const struct bench_faces *f)
{
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (int i = 0; i < f->n; i++)
    gasnet_put_nbi_val(f->to[i].node, &f->to[i].theirs->ready, f->turn, sizeof f->turn);
}

static void await(const uint64_t *word, uint64_t turn)
{
  GASNET_BLOCKUNTIL(__atomic_load_n(word, __ATOMIC_ACQUIRE) >= turn);
}

void bench_faces_exchange(struct bench_faces *f)
{
  f->turn++;
  if (f->signals) {
    ready_tell(f);
    for (int i = 0; i < f->n; i++) notification_set(f, i);
    for (int i = 0; i < f->n; i++) await(&f->to[i].mine->ready, f->turn);
  }
  gasnetx_plan_start_nbi(f->plan);
  for (int i = 0; i < f->n; i++) await(&f->to[i].mine->arrived, f->turn);
  gasnetx_group_wait(NULL, GASNETX_GROUP_LOCAL);
}
