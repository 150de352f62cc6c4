/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Entry and exit of functions that were compiled with -finstrument-functions. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gasp/known.h"
#include "gasp/runtime.h"
#include "gasp/symbols.h"

#define PLAIN __attribute__((no_instrument_function)) /* also where this library's flags instrument */

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
static PLAIN void function_find_name(struct pst_gasp_known *k)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  Dl_info info;
  pthread_once(&once, program_map);
  if (program.file)
    k->text = pst_gasp_symbol(program.file, program.size, (uintptr_t)k->address - program.base);
  if (!k->text && dladdr(k->address, &info) && info.dli_sname && info.dli_saddr == k->address)
    k->text = strdup(info.dli_sname);
}

static PLAIN const char *function_name(const void *function)
{
  static struct pst_gasp_knowledge functions = {.find = function_find_name};
  const struct pst_gasp_known *const k = pst_gasp_know(&functions, function);
  return k ? k->text : NULL;
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
