/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Places of code for events of compilers that pass none: file and line by the program's debug information,
 * which libdw of elfutils reads. It is loaded where a tool wants places, so no program is linked with it.
 * Without it, or where a file has no such information, a place is a text: "prog+0x11d3", as addr2line wants
 * it, and the procedure if the dynamic linker knows that. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasp/known.h"
#include "gasp/place.h"
#include "gasp/runtime.h"

/* ---- the file that code has come from ---- */

struct object {
  struct object *next;
  uintptr_t bias;   /* of its addresses in memory */
  const char *path; /* that can be opened */
  const char *name;
  void *debug; /* NULL: it has no debug information, or that cannot be read */
  int complained;
};

struct search {
  uintptr_t address, bias;
  const char *path; /* NULL: nowhere */
};

static int object_has(struct dl_phdr_info *info, size_t size, void *search)
{
  struct search *const s = search;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *const p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || s->address - info->dlpi_addr - p->p_vaddr >= p->p_memsz) continue;
    s->bias = info->dlpi_addr;
    s->path = info->dlpi_name;
    return 1;
  }
  return 0;
}

/* ---- libdw ---- */

#ifdef PST_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>

#define FUNCTIONS X(begin) X(addrdie) X(getsrc_die) X(linesrc) X(lineno) X(attr) X(formstring)
static struct {
#define X(f) __typeof__(&dwarf_##f) f;
  FUNCTIONS
#undef X
} lib;

/* The first object is the program. */
static int program_has_linker(struct dl_phdr_info *info, size_t size, void *has)
{
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_INTERP) *(int *)has = 1;
  return 1;
}

/* NULL: it is there. Else why not. libdw has variables for each thread, and a static program has no room for
 * those of a library that it loads. */
static const char *library_load(void)
{
  int has_linker = 0;
  dl_iterate_phdr(program_has_linker, &has_linker);
  if (!has_linker) return "a program that is linked by -static cannot load it";
  void *const handle = dlopen(PST_LIBDW, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return dlerror();
#define X(f) \
  if (!(*(void **)&lib.f = dlsym(handle, "dwarf_" #f))) return dlerror();
  FUNCTIONS
#undef X
  return NULL;
}

/* The file stays open, since texts lie in it. */
static void *debug_open(const char *path)
{
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  Dwarf *const debug = fd < 0 ? NULL : lib.begin(fd, DWARF_C_READ);
  if (fd >= 0 && !debug) close(fd);
  return debug;
}

/* As the compiler was told the file's name, where it was relative. */
static const char *name_shorten(const char *file, Dwarf_Die *unit)
{
  Dwarf_Attribute attribute;
  const char *const directory = lib.formstring(lib.attr(unit, DW_AT_comp_dir, &attribute));
  const size_t n = directory ? strlen(directory) : 0;
  return n && strncmp(file, directory, n) == 0 && file[n] == '/' && file[n + 1] ? file + n + 1 : file;
}

static int debug_find(void *debug, uintptr_t address, struct pst_gasp_known *k)
{
  Dwarf_Die unit;
  Dwarf_Line *line;
  const char *file;
  if (!debug || !lib.addrdie(debug, address, &unit) || !(line = lib.getsrc_die(&unit, address))) return 0;
  if (!(file = lib.linesrc(line, NULL, NULL)) || lib.lineno(line, &k->line) != 0) return 0;
  k->text = name_shorten(file, &unit);
  return 1;
}

#else
static const char *library_load(void) { return "this Penstock was built without it"; }
static void *debug_open(const char *path)
{
  (void)path;
  return NULL;
}
static int debug_find(void *debug, uintptr_t address, struct pst_gasp_known *k)
{
  (void)debug, (void)address, (void)k;
  return 0;
}
#endif

/* ---- places ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* libdw is for one thread at a time */
static struct object *objects;

static const char *library_missing(void)
{
  static const char *why;
  static int tried;
  if (!tried++) why = library_load();
  return why;
}

/* That libdw lacks is said once; that lines do, once for each file. */
static void object_complain(struct object *o)
{
  static int complained;
  const char *const why = library_missing();
  if (pst_gasp_place.thread != 0 || o->complained++ || (why && complained++)) return;
  if (why)
    dprintf(STDERR_FILENO,
        "penstock: the tool gets addresses instead of lines, for lack of libdw (Debian: libdw1): %s\n", why);
  else
    dprintf(STDERR_FILENO,
        "penstock: the tool gets addresses instead of lines, for lack of debug information in %s; compile "
        "with -g\n",
        o->name);
}

static struct object *object_new(const struct search *s)
{
  struct object *const o = malloc(sizeof *o);
  const char *const path = *s->path ? s->path : "/proc/self/exe", *slash;
  char *const copy = strdup(path);
  if (!o || !copy) pst_gasp_fatal("out of memory for places in the source");
  slash = strrchr(copy, '/');
  *o = (struct object){.next = objects, .bias = s->bias, .path = copy};
  o->name = !*s->path ? program_invocation_short_name : slash ? slash + 1 : copy;
  if (!library_missing()) o->debug = debug_open(o->path);
  return objects = o;
}

static struct object *object_of(const struct search *s)
{
  const char *const path = *s->path ? s->path : "/proc/self/exe";
  struct object *o = objects;
  while (o && (o->bias != s->bias || strcmp(o->path, path) != 0)) o = o->next;
  return o ? o : object_new(s);
}

static void offset_print(struct pst_gasp_known *k, const struct object *o, uintptr_t offset)
{
  Dl_info info;
  char text[400];
  const int n = snprintf(text, sizeof text, "%.150s+%#lx", o->name, (unsigned long)offset);
  if (dladdr((const char *)k->address - 1, &info) && info.dli_sname)
    snprintf(text + n, sizeof text - (size_t)n, " (%.200s)", info.dli_sname);
  k->text = strdup(text);
}

/* The call lies before the address to which it returns. */
static void code_find(struct pst_gasp_known *k)
{
  struct search s = {.address = (uintptr_t)k->address - 1};
  if (!dl_iterate_phdr(object_has, &s)) return;
  pthread_mutex_lock(&lock);
  struct object *const o = object_of(&s);
  if (!debug_find(o->debug, s.address - s.bias, k)) {
    object_complain(o);
    offset_print(k, o, s.address - s.bias);
  }
  pthread_mutex_unlock(&lock);
}

void pst_gasp_set_code_site(const void *code)
{
  static struct pst_gasp_knowledge places = {.find = code_find};
  const struct pst_gasp_known *const k = pst_gasp_know(&places, code);
  pst_gasp_set_site(k ? k->text : NULL, k ? k->line : 0, 0);
}
