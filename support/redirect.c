/* A library calls what it does not have itself through a table that the loader fills: an ELF object's relocations say where in it each function
 * is. Where the loader has made the table read-only it is so again afterwards. */
#include "support/redirect.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
enum { BY_CALL = R_X86_64_JUMP_SLOT, BY_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined __aarch64__
enum { BY_CALL = R_AARCH64_JUMP_SLOT, BY_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { BY_CALL = -1, BY_ADDRESS = -1 };
#endif

/* ---- where it is ---- */

/* Loaders differ in whether they add the library's own address to those in its dynamic section. */
static const void *pointer_of(const struct link_map *l, ElfW(Addr) address)
{
  return (const void *)(address < l->l_addr ? l->l_addr + address : address);
}

struct table { const ElfW(Rela) *rela; size_t bytes; };
struct tables {
  struct table calls, others;
  const ElfW(Sym) *symbols;
  const char *names;
  ElfW(Sword) kind; /* of `calls` */
};

static struct tables tables_of(const struct link_map *l)
{
  struct tables t = { 0 };
  for (const ElfW(Dyn) *d = l->l_ld; d->d_tag != DT_NULL; d++) {
    switch (d->d_tag) {
    case DT_JMPREL: t.calls.rela = pointer_of(l, d->d_un.d_ptr); break;
    case DT_PLTRELSZ: t.calls.bytes = d->d_un.d_val; break;
    case DT_PLTREL: t.kind = (ElfW(Sword))d->d_un.d_val; break;
    case DT_RELA: t.others.rela = pointer_of(l, d->d_un.d_ptr); break;
    case DT_RELASZ: t.others.bytes = d->d_un.d_val; break;
    case DT_SYMTAB: t.symbols = pointer_of(l, d->d_un.d_ptr); break;
    case DT_STRTAB: t.names = pointer_of(l, d->d_un.d_ptr); break;
    default: break;
    }
  }
  if (t.kind != DT_RELA) t.calls.bytes = 0;
  return t;
}

static pst_function **find(const struct link_map *l, const struct tables *t, const struct table *in, const char *name)
{
  for (size_t i = 0; in->rela && i < in->bytes / sizeof *in->rela; i++) {
    const ElfW(Rela) *r = &in->rela[i];
    const int kind = (int)ELF64_R_TYPE(r->r_info);
    if (kind != BY_CALL && kind != BY_ADDRESS) continue;
    if (strcmp(t->names + t->symbols[ELF64_R_SYM(r->r_info)].st_name, name) == 0) return (pst_function **)(l->l_addr + r->r_offset);
  }
  return NULL;
}

static pst_function **place_of(void *handle, const char *name)
{
  struct link_map *l;
  struct tables t;
  pst_function **place;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &l) != 0 || !l || !l->l_ld) return NULL; /* a static program has none */
  t = tables_of(l);
  if (!t.symbols || !t.names) return NULL;
  place = find(l, &t, &t.calls, name);
  return place ? place : find(l, &t, &t.others, name);
}

/* ---- writing there ---- */

struct range { uintptr_t begin, end; };
struct search { uintptr_t address; struct range read_only; };

/* Of whole pages: the loader leaves the last one as it is where other data begin on it. */
static int in_read_only(struct dl_phdr_info *object, size_t size, void *search)
{
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct search *s = search;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &object->dlpi_phdr[i];
    const uintptr_t begin = (object->dlpi_addr + h->p_vaddr) & -page, end = (object->dlpi_addr + h->p_vaddr + h->p_memsz) & -page;
    if (h->p_type == PT_GNU_RELRO && s->address >= begin && s->address < end) s->read_only = (struct range){ begin, end };
  }
  return s->read_only.end != 0;
}

/* The word is written at once, for whoever calls through it meanwhile. */
static int write_to(pst_function **place, pst_function *f)
{
  struct search s = { .address = (uintptr_t)place };
  struct range *r = &s.read_only;
  dl_iterate_phdr(in_read_only, &s);
  if (r->end && mprotect((void *)r->begin, r->end - r->begin, PROT_READ | PROT_WRITE) != 0) return 0;
  __atomic_store_n(place, f, __ATOMIC_RELAXED);
  if (r->end) mprotect((void *)r->begin, r->end - r->begin, PROT_READ);
  return 1;
}

int pst_redirect_begin(void *handle, const char *name, pst_function *to, struct pst_redirect *r)
{
  *r = (struct pst_redirect){ .place = place_of(handle, name) };
  if (!r->place) return 0;
  r->before = *r->place;
  if (write_to(r->place, to)) return 1;
  r->place = NULL;
  return 0;
}

void pst_redirect_end(const struct pst_redirect *r)
{
  if (r->place) write_to(r->place, r->before);
}
