/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "conduits/net/call.h"

#include <signal.h>
#include <time.h>

_Thread_local volatile sig_atomic_t pst_net_call_depth __attribute__((tls_model("initial-exec")));
_Atomic int pst_net_call_stopped;
struct pst_net_call_asked pst_net_call_asked;
pthread_mutex_t pst_net_call_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned under_way; /* of all threads; counted where there may be several */

/* A call counts itself before it looks whether calls are stopped, and pst_net_call_stop stops them before it
 * looks at the count: one of the two sees the other. */
int pst_net_call_count(void)
{
  atomic_fetch_add(&under_way, 1);
  if (!atomic_load(&pst_net_call_stopped)) return 1;
  atomic_fetch_sub(&under_way, 1);
  return 0;
}

void pst_net_call_uncount(void) { atomic_fetch_sub_explicit(&under_way, 1, memory_order_release); }

int pst_net_call_interrupted(void) { return pst_net_call_depth != 0; }

int pst_net_call_defer(void (*end)(int sig), int sig)
{
  if (!pst_net_call_depth) return 0;
  pst_net_call_asked.sig = sig;
  pst_net_call_asked.end = end;
  return 1;
}

int pst_net_call_deferred(void) { return pst_net_call_asked.end != NULL; }

int pst_net_call_stop(double seconds)
{
  const struct timespec step = {.tv_nsec = 1000000};
  if (pst_net_call_depth) return 0;
  atomic_store(&pst_net_call_stopped, 1);
  for (int i = 0; atomic_load(&under_way); i++) {
    if (i >= (int)(seconds * 1000)) return 0;
    nanosleep(&step, NULL);
  }
  return 1;
}
