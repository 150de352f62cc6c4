/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A client of gasnet.h that is linked with part.c, or loads libpart.so before gasnet_init or after
 * gasnet_attach, as its argument says. */
#include <dlfcn.h>
#include <gasnet.h>
#if defined(LINKED)
int part(void);
static int (*load(void))(void) { return part; }
#else
static int (*load(void))(void)
{
  int (*found)(void);
  void *library = dlopen("./libpart.so", RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "part") : NULL;
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(99);
  }
  memcpy(&found, &symbol, sizeof found);
  return found;
}
#endif
int main(int argc, char **argv)
{
  const char *when = argc > 1 ? argv[1] : "before";
  int (*part)(void) = strcmp(when, "before") == 0 ? load() : NULL;
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 1;
  if (!part) part = load();
  if (part() != 0) gasnet_exit(98);
  if (gasnet_mynode() == 0) puts("the data are right");
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
}
