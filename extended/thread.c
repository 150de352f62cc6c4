/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <pthread.h>
#include <stdlib.h>

#include "core/job.h"
#include "core/variables.h"
#include "core/wait.h"
#include "extended/op.h"
#include "support/env.h"

_Thread_local struct pst_thread *pst_thread_self __attribute__((tls_model("initial-exec")));

/* States outlive their threads, for operations may still be in flight, and serve later threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pst_thread *ended;
static uint32_t made;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void leave(void *thread)
{
  struct pst_thread *t = thread;
  pst_wait_offer();
  pst_thread_self = NULL; /* a later destructor's call joins anew */
  t->region = NULL;
  pthread_mutex_lock(&lock);
  t->next = ended;
  ended = t;
  pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
  if (pthread_key_create(&key, leave) != 0) pst_fatal("no thread keys left; the library needs one");
}

static struct pst_thread *make(void)
{
  const int64_t most = pst_env_int(&pst_core_env.max_threads);
  struct pst_thread *t;
  if (made >= most)
    pst_fatal("more than %lld threads use the library at once; raise GASNET_MAX_THREADS", (long long)most);
  t = calloc(1, sizeof *t);
  if (!t) pst_fatal("out of memory for thread %u", made);
  t->index = made++;
  t->implicit.kind = PST_OPKIND_IMPLICIT;
  t->implicit.owner = t->index;
  return t;
}

struct pst_thread *pst_thread_join(void)
{
  struct pst_thread *t;
  pthread_once(&once, make_key);
  pthread_mutex_lock(&lock);
  t = ended;
  if (t) ended = t->next;
  else t = make();
  pthread_mutex_unlock(&lock);
  pthread_setspecific(key, t);
  return pst_thread_self = t;
}
