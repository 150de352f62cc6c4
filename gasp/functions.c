/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Entry and exit of functions that were compiled with -finstrument-functions. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gasp/runtime.h"
#include "gasp/symbols.h"

#define PLAIN   __attribute__((no_instrument_function)) /* also where this library's flags instrument */
#define BUCKETS 4096

/* A function's name is looked for once. Entries stay for ever. */
struct entry {
  const void *function;
  const char *name; /* NULL: it has none */
  struct entry *next;
};
static _Atomic(struct entry *) bucket[BUCKETS];

static struct {
  const unsigned char *file; /* NULL: it cannot be read */
  size_t size;
  uintptr_t base; /* where the program's address 0 is */
} program;

static PLAIN int program_find(struct dl_phdr_info *info, size_t size, void *unused)
{
  (void)size, (void)unused;
  program.base = info->dlpi_addr;
  return 1; /* the first is the program */
}

/* The mapping stays, since names lie in it. */
static PLAIN void program_map(void)
{
  struct stat st;
  const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && st.st_size > 0) {
    void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at != MAP_FAILED) program.file = at;
    program.size = (size_t)st.st_size;
  }
  close(fd);
  dl_iterate_phdr(program_find, NULL);
}

/* Names in libraries are copied, since a library may be unloaded. */
static PLAIN const char *function_find_name(const void *function)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const char *name = NULL;
  Dl_info info;
  pthread_once(&once, program_map);
  if (program.file) name = pst_gasp_symbol(program.file, program.size, (uintptr_t)function - program.base);
  if (name) return name;
  return dladdr(function, &info) && info.dli_sname && info.dli_saddr == function ? strdup(info.dli_sname)
                                                                                 : NULL;
}

static PLAIN _Atomic(struct entry *) *function_bucket(const void *function)
{
  return &bucket[((uintptr_t)function >> 4) % BUCKETS];
}

static PLAIN const struct entry *entry_find(const struct entry *e, const void *function)
{
  while (e && e->function != function) e = e->next;
  return e;
}

/* Tools know a name by its address: where threads add one function at the same time, all use one entry. */
static PLAIN const struct entry *entry_insert(struct entry *e)
{
  _Atomic(struct entry *) *at = function_bucket(e->function);
  const struct entry *there;
  e->next = atomic_load(at);
  while (!(there = entry_find(e->next, e->function)))
    if (atomic_compare_exchange_weak(at, &e->next, e)) return e;
  if (e->name != there->name)
    free((char *)e->name); /* it is a copy: names in the program's file have one address */
  free(e);
  return there;
}

static PLAIN const char *entry_add(const void *function)
{
  const int error = errno;
  const char *name = NULL;
  pst_gasp_hush(1);
  struct entry *e = malloc(sizeof *e);
  if (e) {
    *e = (struct entry){.function = function, .name = function_find_name(function)};
    name = entry_insert(e)->name;
  }
  pst_gasp_hush(-1);
  errno = error;
  return name;
}

static PLAIN const char *function_name(const void *function)
{
  const struct entry *e = entry_find(
      atomic_load_explicit(function_bucket(function), memory_order_acquire), function);
  return e ? e->name : entry_add(function);
}

PLAIN void __cyg_profile_func_enter(void *function, void *from);
PLAIN void __cyg_profile_func_exit(void *function, void *from);

/* Functions under way whose entry was told. Others, such as main, began before there was a tool. */
static _Thread_local unsigned depth;

void __cyg_profile_func_enter(void *function, void *from)
{
  (void)from;
  if (pst_gasp_on && pst_gasp_tell(GASP_C_FUNC, GASP_START, 0, function_name(function))) depth++;
}

void __cyg_profile_func_exit(void *function, void *from)
{
  (void)from;
  if (pst_gasp_on && depth && pst_gasp_tell(GASP_C_FUNC, GASP_END, 0, function_name(function))) depth--;
}
