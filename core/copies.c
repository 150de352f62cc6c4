/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Second copies of the library in a process: a program is linked with an archive, and a library that it loads
 * brings libgasnet.so or an archive of its own. Each copy has its own idea of the job, and the linker decides
 * which copy a call reaches: such a program might compute with nodes that do not exist. So a process that
 * joins a job must have one copy.
 *
 * A copy need not export any name, so copies find each other by ELF notes, which the loader maps and
 * dl_iterate_phdr shows: owner "Penstock", type 1; the contents are 4 bytes, the distance from there to the
 * copy's word `joined` (docs/formats.md).
 *
 * A copy that joins stores `joined` and then looks at the list of loaded files. A copy that is loaded is in
 * that list before its constructor looks at the others' words. Both hold the loader's lock while they look,
 * so one of the two sees the other. dlmopen's namespaces have lists of their own: copies in two of them do
 * not see each other. */
#include "core/copies.h"

#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "support/error.h"

#define NOTE_OWNER "Penstock"
#define NOTE_TYPE  1

/* Hidden, so that the note's distance is known when a file is linked; `used`, because the compiler does not
 * read the assembly. */
__attribute__((used, visibility("hidden"))) _Atomic int pst_copy_joined;

__asm__(".pushsection .note.penstock, \"a\", %note\n"
        ".balign 4\n"
        ".long 9, 4, 1\n" /* bytes of owner and contents, type */
        ".asciz \"Penstock\"\n"
        ".balign 4\n"
        ".long pst_copy_joined - .\n"
        ".popsection\n");

/* What dl_iterate_phdr has shown. The loader owns the names; the program's own is empty. */
struct copies {
  const char *own, *other;
  int other_joined;
};

static size_t note_align(size_t n, size_t align) { return (n + align - 1) / align * align; }

/* The contents of our note among a file's notes; NULL without one. */
static const char *note_find(const char *at, size_t left, size_t align)
{
  while (left >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *n = (const void *)at;
    const size_t contents = note_align(sizeof *n + n->n_namesz, align);
    const size_t size = note_align(contents + n->n_descsz, align);
    if (contents + n->n_descsz > left) return NULL;
    if (n->n_type == NOTE_TYPE && n->n_namesz == sizeof NOTE_OWNER && n->n_descsz == sizeof(int32_t) &&
        memcmp(n + 1, NOTE_OWNER, sizeof NOTE_OWNER) == 0)
      return at + contents;
    if (size >= left) return NULL;
    at += size;
    left -= size;
  }
  return NULL;
}

static void copy_seen(struct copies *seen, const char *file, const char *contents)
{
  int32_t distance;
  memcpy(&distance, contents, sizeof distance);
  const _Atomic int *joined = (const void *)(contents + distance);
  if (joined == &pst_copy_joined) {
    seen->own = file;
  } else if (!seen->other_joined) {
    seen->other = file;
    seen->other_joined = atomic_load(joined);
  }
}

static int file_seen(struct dl_phdr_info *file, size_t size, void *seen)
{
  (void)size;
  for (size_t i = 0; i < file->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &file->dlpi_phdr[i];
    if (p->p_type != PT_NOTE) continue;
    const char *notes = (const char *)(file->dlpi_addr + p->p_vaddr);
    const char *contents = note_find(notes, p->p_memsz, p->p_align == 8 ? 8 : 4);
    if (contents) copy_seen(seen, file->dlpi_name, contents);
  }
  return 0;
}

static struct copies copies_look(void)
{
  struct copies seen = {NULL, NULL, 0};
  dl_iterate_phdr(file_seen, &seen);
  return seen;
}

static const char *file_name(const char *name) { return name && *name ? name : "the program itself"; }

static _Noreturn void copies_refuse(const struct copies *seen)
{
  pst_fatal("this process has two copies of the library, in %s and in %s, which know nothing of each other; "
            "link the "
            "program and all of its libraries with the shared library (-lgasnet; pkg-config gasnet), or only "
            "one of "
            "them with an archive",
      file_name(seen->own), file_name(seen->other));
}

void pst_copies_join(void)
{
  atomic_store(&pst_copy_joined, 1);
  const struct copies seen = copies_look();
  if (seen.other) copies_refuse(&seen);
}

__attribute__((constructor)) static void copy_loaded(void)
{
  const struct copies seen = copies_look();
  if (seen.other_joined) copies_refuse(&seen);
}
