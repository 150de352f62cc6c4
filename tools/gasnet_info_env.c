/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdio.h>
#include <string.h>

#include "support/env.h"
#include "support/error.h"
#include "tools/gasnet_info.h"

#define WIDTH  100 /* columns of the output */
#define INDENT 4

/* Breaks text between words. */
static void print_wrapped(const char *text)
{
  int column = 0;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (column && column + 1 + n > WIDTH - INDENT) column = 0, putchar('\n');
    printf("%*s%.*s", column ? 1 : INDENT, "", n, text);
    column += n + (column != 0);
    text += n;
    while (*text == ' ') text++;
  }
  putchar('\n');
}

static int print_value(const struct pst_variable *v)
{
  const char *text = pst_env_text(v);
  char legal[256];
  printf("%*snow: %s%s\n", INDENT, "", text ? text : "unset", pst_env_is_set(v) ? "  (set)" : "");
  if (!text || pst_env_valid(v, text) == PST_OK) return 0;
  printf("%*sNOT VALID: it must be %s\n", INDENT, "", pst_env_legal(v, legal, sizeof legal));
  return 1;
}

static void print_unknown(const char *name, const char *near)
{
  printf("\n%s\n%*sset, unknown and ignored%s%s%s\n", name, INDENT, "", near ? "; did you mean " : "",
      near ? near : "", near ? "?" : "");
}

int info_env_table(void)
{
  int bad = 0;
  char legal[256];
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    printf("%s%s  (%s; default: %s)\n", i ? "\n" : "", v->name, pst_env_type_name(v->type),
        v->deflt ? v->deflt : "unset");
    print_wrapped(v->help);
    printf("%*slegal: %s\n", INDENT, "", pst_env_legal(v, legal, sizeof legal));
    bad += print_value(v);
  }
  info_env_unknown(print_unknown);
  puts("\nPrograms of OpenSHMEM heed SMA_... and SHMEM_..., too: see openshmem(7); those of UPC "
       "UPC_SHARED_HEAP_SIZE: see upc_memory(3).");
  return bad;
}

/* In troff a hyphen that is to be a minus needs a backslash, and a line may not begin with a dot or an
 * apostrophe. */
static void print_troff(const char *text)
{
  if (*text == '.' || *text == '\'') fputs("\\&", stdout);
  for (; *text; text++) {
    if (*text == '-' || *text == '\\') putchar('\\');
    putchar(*text);
  }
}

void info_env_manual(void)
{
  char legal[256];
  puts(".SH ENVIRONMENT\nAn empty value counts as unset.");
  const struct pst_variable *v;
  for (unsigned i = 0; (v = pst_env_at(i)) != NULL; i++) {
    printf(".TP\n.B %s\n", v->name);
    print_troff(v->help);
    fputs("\n.br\nLegal: ", stdout);
    print_troff(pst_env_legal(v, legal, sizeof legal));
    fputs(". Default: ", stdout);
    print_troff(v->deflt ? v->deflt : "unset");
    puts(".");
  }
}
