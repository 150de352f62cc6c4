/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Static data of the program and of the libraries that were loaded with it. The system's libraries are left
 * out unless they are linked with ours; so are libraries that may change their data during the copy. */
#include "front/statics.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <gasnet_tools.h>

/* The pages of an object that stay writable: the dynamic linker makes the first, GNU_RELRO, read-only. */
static void object_writable(const struct dl_phdr_info *info, uintptr_t *from, uintptr_t *to)
{
  const uintptr_t page = GASNETT_PAGESIZE;
  uintptr_t relro = 0;
  *from = *to = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
    if (p->p_type == PT_GNU_RELRO) relro = end / page * page;
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_W) || p->p_memsz == 0) continue;
    if (!*to || begin < *from) *from = begin / page * page;
    if (end > *to) *to = (end + page - 1) / page * page;
  }
  if (relro > *from) *from = relro;
  if (*from >= *to) *from = *to = 0;
}

static const ElfW(Dyn) * object_dynamic(const struct dl_phdr_info *info)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return NULL;
}

/* Whether an object says that it uses the front-end. */
static int object_is_linked(const struct dl_phdr_info *info, const char *name)
{
  const ElfW(Dyn) *first = object_dynamic(info);
  uintptr_t strings = 0;
  for (const ElfW(Dyn) *d = first; d && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = d->d_un.d_ptr;
  if (strings && strings < info->dlpi_addr) strings += info->dlpi_addr; /* not all C libraries relocate it */
  for (const ElfW(Dyn) *d = first; strings && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED && strncmp((const char *)strings + d->d_un.d_val, name, strlen(name)) == 0)
      return 1;
  return 0;
}

static int object_has(const struct dl_phdr_info *info, uintptr_t address)
{
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && address - (info->dlpi_addr + p->p_vaddr) < p->p_memsz) return 1;
  }
  return 0;
}

/* These may change their data while it is copied: the C library (stdout is part of it), another allocator of
 * memory, the dynamic linker, and this library. */
static int object_is_at_work(const struct dl_phdr_info *info)
{
  const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
  return object_has(info, (uintptr_t)stdout) || object_has(info, (uintptr_t)malloc) ||
      info->dlpi_addr == getauxval(AT_BASE) || strncmp(name, "libgasnet", 9) == 0 ||
      strncmp(name, "libpenstock-", 12) == 0;
}

static int path_is_the_systems(const char *path)
{
  static const char *const where[] = {
      "/lib/", "/lib32/", "/lib64/", "/libx32/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libx32/"};
  for (size_t i = 0; i < sizeof where / sizeof where[0]; i++)
    if (strncmp(path, where[i], strlen(where[i])) == 0) return 1;
  return !strchr(path, '/'); /* the kernel's */
}

/* Where ThreadSanitizer is part of the program, as clang links it, its data are symmetric, too. A fork takes
 * its locks, and the child releases them before it has its own copy of them (core/region.c): no handler of
 * ours runs before the sanitizer's. */
extern void __tsan_init(void) __attribute__((weak));

static void sanitizer_find(const struct dl_phdr_info *info, void (*fork_warn)(void))
{
  if (__tsan_init && object_has(info, (uintptr_t)__tsan_init)) pthread_atfork(fork_warn, NULL, NULL);
}

struct search {
  const struct pst_front_statics *for_whom;
  int libraries; /* the program, which comes first, has been found */
};

/* The libraries come as they were loaded: in the same order on all nodes. */
static int object_note(struct dl_phdr_info *info, size_t size, void *arg)
{
  struct search *s = arg;
  const int needed = !s->libraries || object_is_linked(info, s->for_whom->library);
  uintptr_t from, to;
  (void)size;
  if (!needed && (path_is_the_systems(info->dlpi_name) || object_is_at_work(info))) return 0;
  object_writable(info, &from, &to);
  s->for_whom->add(from, to - from, s->libraries ? info->dlpi_name : "the program", needed);
  sanitizer_find(info, s->for_whom->fork_warn);
  s->libraries = 1;
  return 0;
}

void pst_front_statics_find(const struct pst_front_statics *for_whom)
{
  struct search s = {for_whom, 0};
  dl_iterate_phdr(object_note, &s);
}
