/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The lock guards the table, and orders it with the marks of lost nodes: a node is marked before its entries
 * are ended under the lock, so whoever notes a reply under the lock afterwards finds the mark. */
#include "extended/pending.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/job.h"

struct pending {
  struct pending *next; /* in its bucket, or in the list of free ones */
  void *key;
  struct pst_completion *completion;
  gasnet_node_t node;
  unsigned event, count;
};

enum { BUCKETS = 1024 };
static struct {
  pthread_mutex_t lock;
  struct pending *bucket[BUCKETS], *free;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct pending **pending_find(gasnet_node_t node, const void *key, unsigned event)
{
  const uint64_t hash = ((uintptr_t)key + node) * 0x9E3779B97F4A7C15u;
  struct pending **at = &table.bucket[hash >> 32 & (BUCKETS - 1)];
  while (*at && ((*at)->node != node || (*at)->key != key || (*at)->event != event)) at = &(*at)->next;
  return at;
}

static struct pending *pending_make(void)
{
  struct pending *p = table.free;
  if (p) table.free = p->next;
  else if (!(p = malloc(sizeof *p)))
    pst_fatal("out of memory for operations in flight; synchronise some first");
  return p;
}

static void pending_remove(struct pending **at)
{
  struct pending *p = *at;
  *at = p->next;
  p->next = table.free;
  table.free = p;
}

static void pending_add(gasnet_node_t node, void *key, struct pst_completion *c, unsigned event)
{
  struct pending **at = pending_find(node, key, event), *p = *at;
  if (!p) {
    p = *at = pending_make();
    *p = (struct pending){.key = key, .completion = c, .node = node, .event = event};
  }
  p->count++;
}

static void events_end(struct pst_completion *c, unsigned event, unsigned count)
{
  pst_completion_lose(c, PST_LOSS_LOST);
  pst_completion_subtract(c, event, count);
}

void pst_pending_note(gasnet_node_t node, void *key, struct pst_completion *c, unsigned event)
{
  const uint32_t known = pst_loss_look();
  pthread_mutex_lock(&table.lock);
  const int lost = known && pst_loss_is_marked(node);
  if (!lost) pending_add(node, key, c, event);
  pthread_mutex_unlock(&table.lock);
  if (lost) events_end(c, event, 1);
}

int pst_pending_forget(gasnet_node_t node, const void *key, unsigned event)
{
  pthread_mutex_lock(&table.lock);
  struct pending **at = pending_find(node, key, event);
  const int found = *at != NULL;
  if (found && --(*at)->count == 0) pending_remove(at);
  pthread_mutex_unlock(&table.lock);
  return found;
}

static void node_is_lost(gasnet_node_t node)
{
  pthread_mutex_lock(&table.lock);
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct pending **at = &table.bucket[i], *p; (p = *at) != NULL;) {
      if (p->node != node) {
        at = &p->next;
        continue;
      }
      events_end(p->completion, p->event, p->count);
      pending_remove(at);
    }
  pthread_mutex_unlock(&table.lock);
}

void pst_pending_open(void) { pst_loss_hook = node_is_lost; }
