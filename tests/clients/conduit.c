/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Prints the conduit that it was built for. WANT is the macro that must be 1. */
#if defined(GASNET_PAR)
#include <pthread.h>
#endif
#include <gasnet.h>
#if !defined(WANT) || !(WANT)
#error "the conduit is another"
#endif
int main(int argc, char **argv)
{
#if defined(GASNET_PAR)
  pthread_yield(); /* needs _GNU_SOURCE */
#endif
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 1;
  if (gasnet_mynode() == 0)
    printf("%s %s %d\n", GASNET_CONDUIT_NAME_STR, _STRINGIFY(GASNET_CONDUIT_NAME), (int)gasnet_nodes());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
  return 0;
}
