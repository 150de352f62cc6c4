/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "gasp/symbols.h"

#include <elf.h>
#include <string.h>

/* n bytes of the file from `at` on, or NULL. */
static const unsigned char *file_part(const unsigned char *file, size_t size, uint64_t at, uint64_t n)
{
  return at <= size && n <= size - at ? file + at : NULL;
}

static int file_section(
    const unsigned char *file, size_t size, const Elf64_Ehdr *head, unsigned i, Elf64_Shdr *out)
{
  if (i >= head->e_shnum || head->e_shoff > size) return 0;
  const unsigned char *from = file_part(file, size, head->e_shoff + (uint64_t)i * sizeof *out, sizeof *out);
  if (from) memcpy(out, from, sizeof *out);
  return from != NULL;
}

static const char *string_at(const unsigned char *strings, uint64_t size, uint32_t at)
{
  if (!strings || at >= size || !strings[at] || !memchr(strings + at, '\0', size - at)) return NULL;
  return (const char *)strings + at;
}

static const char *symbols_search(
    const unsigned char *symbols, uint64_t count, const unsigned char *strings, uint64_t size, uint64_t value)
{
  Elf64_Sym s;
  for (uint64_t i = 0; i < count; i++) {
    memcpy(&s, symbols + i * sizeof s, sizeof s);
    if (s.st_value != value || ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF) continue;
    const char *name = string_at(strings, size, s.st_name);
    if (name) return name;
  }
  return NULL;
}

const char *pst_gasp_symbol(const unsigned char *file, size_t size, uint64_t value)
{
  Elf64_Ehdr head;
  Elf64_Shdr table, text;
  if (size < sizeof head) return NULL;
  memcpy(&head, file, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) return NULL;
  if (head.e_shentsize != sizeof table) return NULL;
  for (unsigned i = 0; file_section(file, size, &head, i, &table); i++) {
    if (table.sh_type != SHT_SYMTAB || !file_section(file, size, &head, table.sh_link, &text)) continue;
    const unsigned char *symbols = file_part(file, size, table.sh_offset, table.sh_size);
    const unsigned char *strings = file_part(file, size, text.sh_offset, text.sh_size);
    const char *name = symbols
        ? symbols_search(symbols, table.sh_size / sizeof(Elf64_Sym), strings, text.sh_size, value)
        : NULL;
    if (name) return name;
  }
  return NULL;
}
