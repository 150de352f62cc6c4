/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/arrived.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/job.h"

/* A transfer some of whose messages have come. */
struct partial {
  struct partial *next;
  uint64_t total, arrived;
  gasnet_node_t src;
  uint32_t id;
};

enum { BUCKETS = 256 };

/* The lock also makes the data that other threads' handlers stored visible to the thread that finishes. */
static struct {
  pthread_mutex_t lock;
  struct partial *bucket[BUCKETS];
} table = {PTHREAD_MUTEX_INITIALIZER, {NULL}};

static struct partial **partial_find(gasnet_node_t src, uint32_t id)
{
  struct partial **p = &table.bucket[(src * 31 + id) % BUCKETS];
  while (*p && ((*p)->src != src || (*p)->id != id)) p = &(*p)->next;
  return p;
}

static struct partial *partial_add(struct partial **at, gasnet_node_t src, uint32_t id, uint64_t total)
{
  struct partial *p = malloc(sizeof *p);
  if (!p) pst_fatal("out of memory for a put that node %u has under way to here", src);
  *p = (struct partial){.total = total, .src = src, .id = id};
  return *at = p;
}

/* 1: all bytes have come. */
static int partial_count(gasnet_node_t src, uint32_t id, uint64_t total, uint64_t nbytes)
{
  struct partial **at = partial_find(src, id), *p = *at ? *at : partial_add(at, src, id, total);
  if (p->total != total || nbytes > total - p->arrived)
    pst_fatal("a message of node %u is malformed: part of a put of %llu bytes of which %llu have come, it "
              "brings %llu of %llu",
        src, (unsigned long long)p->total, (unsigned long long)p->arrived, (unsigned long long)nbytes,
        (unsigned long long)total);
  p->arrived += nbytes;
  if (p->arrived < total) return 0;
  *at = p->next;
  free(p);
  return 1;
}

int pst_arrived(gasnet_node_t src, uint32_t id, uint64_t total, uint64_t nbytes)
{
  int all;
  if (nbytes == total) return 1;
  pthread_mutex_lock(&table.lock);
  all = partial_count(src, id, total, nbytes);
  pthread_mutex_unlock(&table.lock);
  return all;
}
