/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* post and wait. A post is a message, which the target counts by its sender and its tag until a wait takes
 * it. A wait for any tag, or for several nodes, takes them in turn. */
#include "xmp/post.h"

#include <stdlib.h>

#include "xmp/coarray.h"
#include "xmp/tool.h"

enum { BUCKETS = 64 };

/* Posts of one sender and tag that no wait has taken yet. They stay when there are none: a program has few
 * pairs. The mutex guards them. */
struct posts {
  struct posts *in_bucket, *in_all;
  gasnet_node_t from;
  int tag;
  uint64_t count;
};
static struct posts *bucket[BUCKETS];
static struct posts *all, **last = &all; /* the one that a wait has taken from is the last */
static uint64_t count;                   /* of all */
static gasnet_hsl_t mutex = GASNET_HSL_INITIALIZER;

static struct posts **bucket_of(gasnet_node_t from, int tag)
{
  const uint64_t key = (uint64_t)from << 32 | (uint32_t)tag;
  return &bucket[(key * 0x9e3779b97f4a7c15u) >> 58];
}
_Static_assert(BUCKETS == 1 << (64 - 58), "a bucket's number is the highest bits of the hash");

static struct posts *posts_find(gasnet_node_t from, int tag)
{
  struct posts *p = *bucket_of(from, tag);
  while (p && (p->from != from || p->tag != tag)) p = p->in_bucket;
  return p;
}

static void posts_append(struct posts *p)
{
  p->in_all = NULL;
  *last = p;
  last = &p->in_all;
}

static struct posts *posts_new(gasnet_node_t from, int tag)
{
  struct posts **const b = bucket_of(from, tag), *const p = malloc(sizeof *p);
  if (!p) pst_xmp_fatal("post", "out of memory for a post with tag %d from node %u", tag, from);
  *p = (struct posts){.in_bucket = *b, .from = from, .tag = tag};
  *b = p;
  posts_append(p);
  return p;
}

void pst_xmp_post_handle(gasnet_token_t token, gasnet_handlerarg_t tag)
{
  gasnet_node_t from;
  struct posts *p;
  gasnet_AMGetMsgSource(token, &from);
  gasnet_hsl_lock(&mutex);
  if (!(p = posts_find(from, tag))) p = posts_new(from, tag);
  p->count++;
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  gasnet_hsl_unlock(&mutex);
}

/* ---- wait ---- */

struct wanted {
  const struct pst_xmp_set *from; /* NULL: any node */
  const int *tag;                 /* NULL: any */
};

static int posts_match(const struct posts *p, const struct wanted *w)
{
  return p->count && (!w->tag || p->tag == *w->tag) &&
      (!w->from || pst_xmp_set_rank(w->from, (int)p->from) >= 0);
}

/* Of several that match, the one whose turn is longest ago. */
static struct posts *posts_choose(const struct wanted *w)
{
  struct posts **at = &all, *p;
  if (w->tag && w->from && w->from->size == 1) {
    p = posts_find((gasnet_node_t)w->from->first, *w->tag);
    return p && p->count ? p : NULL;
  }
  while (*at && !posts_match(*at, w)) at = &(*at)->in_all;
  if (!(p = *at) || !p->in_all) return p;
  *at = p->in_all;
  posts_append(p);
  return p;
}

static int posts_take(const struct wanted *w)
{
  struct posts *p;
  gasnet_hsl_lock(&mutex);
  if ((p = posts_choose(w))) {
    p->count--;
    __atomic_store_n(&count, count - 1, __ATOMIC_RELEASE);
  }
  gasnet_hsl_unlock(&mutex);
  return p != NULL;
}

/* Looks again only when a post has come: `seen` is how many there were. */
static int posts_come(const struct wanted *w, uint64_t *seen)
{
  const uint64_t now = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
  if (now == *seen) return 0;
  *seen = now;
  return posts_take(w);
}

static void wait_run(const char *where, const struct pst_xmp_on *from, const int *tag)
{
  struct wanted w = {.tag = tag};
  struct pst_xmp_selection s;
  struct pst_xmp_set set;
  uint64_t seen = 0;
  int taken = 0;
  pst_xmp_need_open(where);
  pst_front_put_complete();
  if (from && from->desc) {
    pst_xmp_select(where, from, &s);
    if (s.empty) pst_xmp_fatal(where, "the reference names no node");
    set = pst_xmp_selection_set(where, &s);
    pst_xmp_selection_free(&s);
    w.from = &set;
  }
  GASNET_BLOCKUNTIL(
      taken || (taken = posts_come(&w, &seen))); /* posts come as messages: serve them at once */
  if (w.from) pst_xmp_set_free(&set);
}

void pst_xmp_wait(const char *where, const struct pst_xmp_on *from, const int *tag)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_WAIT, NULL), wait_run(where, from, tag));
}

/* ---- post ---- */

/* What this node has put and stored before is visible to the target when it sees the post. */
static void post_run(const char *where, const struct pst_xmp_on *to, int tag)
{
  int node;
  pst_xmp_need_open(where);
  node = pst_xmp_on_one(where, to);
  pst_front_put_complete();
  gasnet_AMRequestShort1((gasnet_node_t)node, PST_XMP_HANDLER_POST, tag);
}

void pst_xmp_post(const char *where, const struct pst_xmp_on *to, int tag)
{
  PST_XMP_ALONE(where);
  PST_XMP_TOLD(
      where, pst_xmp_told_plain(&told, xmpt_event_dummy, GASP_XMP_POST, NULL), post_run(where, to, tag));
}
