/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Synchronisation of images.
 *
 * Each node has a counter for each other node, to which that one adds 1 when it synchronises with it. Call
 * number k with an image returns when its counter has come to k. So images need no agreement on who else
 * takes part.
 *
 * A node that has come to the end of its program says so in a word that others look at when they wait. All
 * images of the job synchronise by an all-reduction, which counts those that have stopped: these take part in
 * it until all have. Those of a smaller set tell each other in log2 rounds, by counters of another kind, that
 * all have come so far, or that one of them has stopped. */
#include "xmp/sync.h"

#include <string.h>

#include "front/wait.h"
#include "xmp/context.h"
#include "xmp/coarray.h"
#include "xmp/tool.h"

/* In the heap of each node, at the same distance from its beginning. */
struct area {
  uint64_t stopped;
  struct inbox {
    uint64_t calls;  /* that the node has made with this one */
    uint64_t rounds; /* in which it has told this one that others have come; FAILED: that one has stopped */
  } from[];          /* [nodes] */
};
#define FAILED ((uint64_t)1 << 40)
static struct area *mine;
static struct partner {
  uint64_t calls;  /* that this node has made with it */
  uint64_t marked; /* the number of the last call whose set has it */
  uint64_t rounds; /* in which it was to tell this node, and the last value that was seen */
  uint64_t seen;
} * partner; /* [nodes] */
static uint64_t calls;

void pst_xmp_sync_open(void)
{
  const size_t nodes = (size_t)pst_xmp_job.nodes;
  mine = pst_xmp_heap_take("the start", NULL, sizeof *mine + nodes * sizeof mine->from[0]);
  partner = pst_xmp_own_take_clear("the start", nodes, sizeof *partner);
  memset(mine, 0, sizeof *mine + nodes * sizeof mine->from[0]);
}

/* As that node sees it. */
static struct area *area_of(gasnet_node_t node)
{
  const gasnet_seginfo_t *const segment = pst_xmp_job.segment;
  return (struct area *)((char *)segment[node].addr + ((char *)mine - (char *)segment[pst_xmp_job.me].addr));
}

/* ---- images that have stopped ---- */

static int node_has_stopped(gasnet_node_t node)
{
  struct area *const there = area_of(node), *const here = pst_xmp_mapped((int)node, there);
  if (here) return __atomic_load_n(&here->stopped, __ATOMIC_ACQUIRE) != 0;
  return gasnet_get_val(node, &there->stopped, sizeof there->stopped) != 0;
}

/* Over a network a node is asked after some milliseconds, and then now and then. */
struct patience {
  gasnett_tick_t since; /* 0: it has not begun */
};
static int patience_ends(struct patience *p, gasnet_node_t node)
{
  enum { MICROSECONDS = 20000 };
  const gasnett_tick_t now = gasnett_ticks_now();
  const int ends = p->since && gasnett_ticks_to_us(now - p->since) >= MICROSECONDS;
  if (!p->since || ends) p->since = now;
  return ends || pst_map[node] != PST_UNMAPPED;
}

static int status_set(const char *call, int *status, int stopped)
{
  if (status) *status = stopped ? XMP_STAT_STOPPED_IMAGE : XMP_STAT_SUCCESS;
  else if (stopped) pst_xmp_fatal(call, "an image that it waits for has come to the end of its program");
  return stopped;
}

/* ---- pairs ---- */

static void word_add(gasnet_node_t node, uint64_t *word, uint64_t value)
{
  const gasnetx_notify_t n = {.kind = GASNETX_NOTIFY_ADD, .word = word, .value = value};
  gasnetx_put_notify_nbi_bulk(node, NULL, NULL, 0, &n);
}

static void partner_signal(gasnet_node_t node)
{
  partner[node].calls++;
  word_add(node, &area_of(node)->from[pst_xmp_job.me].calls, 1);
}

static int partner_has_come(gasnet_node_t node)
{
  return __atomic_load_n(&mine->from[node].calls, __ATOMIC_ACQUIRE) >= partner[node].calls;
}

/* It may have come just before it stopped. */
static int partner_has_gone(gasnet_node_t node, struct patience *p)
{
  return patience_ends(p, node) && node_has_stopped(node) && !partner_has_come(node);
}

/* 1: it will never come. */
static int partner_wait(gasnet_node_t node)
{
  struct patience p = {0};
  int gone = 0;
  PST_FRONT_UNTIL(gone || partner_has_come(node) || (gone = partner_has_gone(node, &p)));
  return gone;
}

/* Whether the call under way meets a node for the first time. */
static int partner_mark(gasnet_node_t node)
{
  if (node == (gasnet_node_t)pst_xmp_job.me || partner[node].marked == calls) return 0;
  partner[node].marked = calls;
  return 1;
}

/* images NULL: 0, 1, 2, ... */
static void images_meet(const char *call, int n, const int *images, int *status)
{
  const struct pst_xmp_images *const set = pst_xmp_images_named();
  int stopped = 0;
  pst_xmp_put_complete();
  calls++;
  for (int i = 0; i < n; i++) {
    const gasnet_node_t node = pst_xmp_images_node(call, set, images ? images[i] : i);
    if (partner_mark(node)) partner_signal(node);
  }
  calls++;
  for (int i = 0; i < n; i++) {
    const gasnet_node_t node = pst_xmp_images_node(call, set, images ? images[i] : i);
    if (partner_mark(node)) stopped |= partner_wait(node);
  }
  status_set(call, status, stopped);
}

static void image_run(const char *where, int image, int *status)
{
  pst_xmp_need_open(where);
  images_meet(where, 1, &image, status);
}

static void images_run(const char *where, int n, int *set, int *status)
{
  pst_xmp_need_open(where);
  if (n < 0) pst_xmp_fatal(where, "a set of %d images", n);
  if (n && !set) pst_xmp_fatal(where, "the set is NULL");
  images_meet(where, n, set, status);
}

static void images_all_run(const char *where, int *status)
{
  pst_xmp_need_open(where);
  images_meet(where, (int)pst_xmp_images_named()->count, NULL, status);
}

/* ---- all images ---- */

/* How many of all nodes have stopped; the caller has, or has not. */
static int stopped_count(int has_stopped)
{
  const gasnetx_reduction_t sum = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_SUM, .size = sizeof(int)};
  int n = has_stopped;
  if (pst_xmp_job.nodes > 1) gasnetx_coll_allreduce(GASNET_TEAM_ALL, &n, &n, 1, &sum);
  return n;
}

/* What this node has told others is there before they see that it has stopped. */
void pst_xmp_sync_leave(void)
{
  pst_xmp_put_complete();
  gasnet_wait_syncnbi_puts();
  __atomic_store_n(&mine->stopped, 1, __ATOMIC_RELEASE);
  while (stopped_count(1) < pst_xmp_job.nodes) continue;
}

static int round_has_come(gasnet_node_t node)
{
  return (__atomic_load_n(&mine->from[node].rounds, __ATOMIC_ACQUIRE) & (FAILED - 1)) >= partner[node].rounds;
}

static int round_has_gone(gasnet_node_t node, struct patience *p)
{
  return patience_ends(p, node) && node_has_stopped(node) && !round_has_come(node);
}

/* Waits until the node has told this one of its round. 1: it, or one of those before it, has stopped. */
static int round_wait(gasnet_node_t node)
{
  struct patience p = {0};
  uint64_t before = partner[node].seen;
  int gone = 0;
  partner[node].rounds++;
  PST_FRONT_UNTIL(gone || round_has_come(node) || (gone = round_has_gone(node, &p)));
  if (gone) partner[node].rounds--;
  partner[node].seen = __atomic_load_n(&mine->from[node].rounds, __ATOMIC_RELAXED);
  return gone || partner[node].seen / FAILED != before / FAILED;
}

/* In round r a rank tells the one 2^r behind it, and hears of the one 2^r before it. */
static int set_meet(const struct pst_xmp_group *g)
{
  int gone = 0;
  for (int distance = 1; distance < g->size; distance *= 2) {
    const gasnet_node_t to = (gasnet_node_t)pst_xmp_set_node(&g->set, (g->rank + distance) % g->size),
                        from = (gasnet_node_t)pst_xmp_set_node(
                            &g->set, (g->rank - distance + g->size) % g->size);
    word_add(to, &area_of(to)->from[pst_xmp_job.me].rounds, gone ? FAILED + 1 : 1);
    gone |= round_wait(from);
  }
  return gone;
}

static void all_run(const char *where, int *status)
{
  struct pst_xmp_group *g;
  pst_xmp_need_open(where);
  pst_xmp_put_complete();
  g = pst_xmp_executing();
  status_set(where, status, g == pst_xmp_group_all ? stopped_count(0) > 0 : set_meet(g));
}

static void memory_run(const char *where, int *status)
{
  pst_xmp_need_open(where);
  const int waits = pst_xmp_put_pending();
  pst_xmp_put_complete();
  PST_XMP_FENCE(__ATOMIC_SEQ_CST);
  if (!waits) gasnet_AMPoll(); /* a program may look at its own coarray until it changes, no more */
  status_set(where, status, 0);
}

/* ---- the calls: with their place in the source, as xmpcc writes them, and without it ---- */

void pst_xmp_sync_image(const char *where, int image, int *status)
{
  PST_XMP_TOLD(where, pst_xmp_told_sync_image(&told, image), image_run(where, image, status));
}

void xmp_sync_image(int image, int *status)
{
  static const char call[] = "xmp_sync_image";
  PST_XMP_TOLD(call, pst_xmp_told_sync_image(&told, image), image_run(call, image, status));
}

void pst_xmp_sync_images(const char *where, int n, int *set, int *status)
{
  PST_XMP_TOLD(where, pst_xmp_told_sync_images(&told, n, set), images_run(where, n, set, status));
}

void xmp_sync_images(int n, int *set, int *status)
{
  static const char call[] = "xmp_sync_images";
  PST_XMP_TOLD(call, pst_xmp_told_sync_images(&told, n, set), images_run(call, n, set, status));
}

void pst_xmp_sync_images_all(const char *where, int *status)
{
  PST_XMP_TOLD(where,
      pst_xmp_told_plain(&told, xmpt_event_sync_images_all_begin, GASP_XMP_SYNC_IMAGES_ALL, NULL),
      images_all_run(where, status));
}

void xmp_sync_images_all(int *status)
{
  static const char call[] = "xmp_sync_images_all";
  PST_XMP_TOLD(call,
      pst_xmp_told_plain(&told, xmpt_event_sync_images_all_begin, GASP_XMP_SYNC_IMAGES_ALL, NULL),
      images_all_run(call, status));
}

void pst_xmp_sync_all(const char *where, int *status)
{
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_sync_all_begin, GASP_XMP_SYNC_ALL, NULL),
      all_run(where, status));
}

void xmp_sync_all(int *status)
{
  static const char call[] = "xmp_sync_all";
  PST_XMP_TOLD(call, pst_xmp_told_plain(&told, xmpt_event_sync_all_begin, GASP_XMP_SYNC_ALL, NULL),
      all_run(call, status));
}

void pst_xmp_sync_memory(const char *where, int *status)
{
  PST_XMP_TOLD(where, pst_xmp_told_plain(&told, xmpt_event_sync_memory_begin, GASP_XMP_SYNC_MEMORY, NULL),
      memory_run(where, status));
}

void xmp_sync_memory(int *status)
{
  static const char call[] = "xmp_sync_memory";
  PST_XMP_TOLD(call, pst_xmp_told_plain(&told, xmpt_event_sync_memory_begin, GASP_XMP_SYNC_MEMORY, NULL),
      memory_run(call, status));
}
