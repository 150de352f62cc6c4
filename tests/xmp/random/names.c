/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names that mean other things in a block. */
#include <string.h>

#include "random.h"

/* Declares the name as something else. */
static void name_declare(const char *name)
{
  static const char *const forms[][2] = {
      {"int %s = %d;", "%s"},
      {"enum { %s = %d };", "%s"},
      {"long %s[3] = {4, 5, %d};", "%s[1] + %s[2]"},
      {"struct { long %s[2]; } %s = {{%d, 3}};", "%s.%s[0] + %s.%s[1]"},
      {"typedef struct { int %s; } %s; %s %s_ = {%d};", "%s_.%s"},
      {"long %s_ = %d, *%s = &%s_;", "*%s + %s[0]"},
      {"static int %s[2][2] = {{2, %d}, {4}};", "%s[0][1] + %s[1][0]"},
  };
  const int kind = draw(sizeof forms / sizeof *forms), x = draw(97);
  const char *made, *used;
  switch (kind) {
  case 3: made = text(forms[kind][0], name, name, x); break;
  case 4: made = text(forms[kind][0], name, name, name, name, x); break;
  case 5: made = text(forms[kind][0], name, x, name, name); break;
  default: made = text(forms[kind][0], name, x);
  }
  used = text(forms[kind][1], name, name, name, name);
  line("%s", made);
  line("say(\"%s\", (unsigned long)(%s));", name, used);
}

/* What has them outside is not used in the block. Names of nodes and templates are apart from those of C. */
void names_hide(void)
{
  for (int i = 0; i < scope.arrays; i++) {
    if (!chance(8) || strchr(scope.array[i]->as, '.') || !scope.array[i]->template_) continue;
    name_declare(scope.array[i]->as);
    scope.array[i] = scope.array[--scope.arrays];
  }
  for (int i = 0; i < scope.coarrays; i++) {
    if (!chance(8)) continue;
    name_declare(scope.coarray[i]->array.name);
    scope.coarray[i] = scope.coarray[--scope.coarrays];
  }
  if (scope.templates && chance(20)) name_declare(scope.template_[draw(scope.templates)]->name);
  if (scope.nodes_count && chance(20)) name_declare(scope.nodes[draw(scope.nodes_count)]->name);
}

/* A function whose parameters have names of arrays, which it does not know as such. */
const char *names_function_write(void)
{
  const struct array *const a = array_draw();
  const int id = number_next();
  if (!a || strchr(a->as, '.')) return "";
  line("static long g%d_%s(int %s, const long p%d[2]);", id, a->as, a->as, id);
  line("static long g%d_%s(int %s, const long p%d[2])", id, a->as, a->as, id);
  line("{");
  line("  struct { int %s; } field = {3};", a->as);
  line("  return %s + field.%s + p%d[1];", a->as, a->as, id);
  line("}");
  return text("say(\"g%d\", (unsigned long)g%d_%s(%d, (const long[]){1, 2}));", id, id, a->as, draw(97));
}
