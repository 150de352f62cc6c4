/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "front/threads.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void pst_front_threads_lock(void) { pthread_mutex_lock(&mutex); }
void pst_front_threads_unlock(void) { pthread_mutex_unlock(&mutex); }

const void *pst_front_thread(void)
{
  static _Thread_local char own;
  return &own;
}
