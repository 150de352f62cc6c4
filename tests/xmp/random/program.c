/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* program SEED: writes a random program to standard output. Its first line has the number of its nodes.
 * program SEED check: one that also prints the checksums of all arrays after each statement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const char
    *const head = "#include <stdio.h>\n"
                  "#include <stdlib.h>\n"
                  "#ifdef _XCALABLEMP\n"
                  "#include <xmp.h>\n"
                  "#define NODE(n) xmpc_node_num()\n"
                  "#define WRAP(e, n) (e)\n"
                  "#else\n"
                  "#define NODE(n) (n)\n"
                  "#define WRAP(e, n) ((((e) % (n)) + (n)) % (n))\n"
                  "#endif\n"
                  "#define ADD(a, b) ((a) + (b))\n"
                  "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
                  "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n"
                  "#define IN(e, n) ((int)((((long)(e)) % (n) + (n)) % (n)))\n"
                  "struct pair { double v; char c; };\n"
                  "typedef struct { short s; long v; } pair_type;\n"
                  "typedef int value_type;\n"
                  "static int same_all[256];\n"
                  "#define same (same_all + 128)\n"
                  "static inline int one(int x) { return x; }\n"
                  "static inline int mod(long x) { return (int)((x % 97 + 97) % 97); }\n"
                  "static inline unsigned long hash_add(unsigned long h, long x)\n"
                  "{\n"
                  "  return h * 31 + (unsigned long)x;\n"
                  "}\n"
                  "/* One node of those that execute prints; all have the same value. */\n"
                  "static void say_at(int at, const char *name, unsigned long value)\n"
                  "{\n"
                  "  unsigned long low = value, high = value;\n"
                  "#pragma xmp reduction (min:low)\n"
                  "#pragma xmp reduction (max:high)\n"
                  "  if (NODE(0) == 0)\n"
                  "    printf(\"%d %s %lx%s\\n\", at, name, value, low == high ? \"\" : \" differs\");\n"
                  "  fflush(stdout);\n"
                  "}\n"
                  "#define say(name, value) say_at(__LINE__, name, value)\n";

static void constants_write(void)
{
  for (int i = 0; i < 48; i++)
    line(i % 5 == 3 ? "#define K%d ADD(K%d, 2)" : "#define K%d %d", i, i % 5 == 3 ? i - 2 : i);
}

static void block_variables_write(void)
{
  const char *list = "";
  for (int i = 0; i < 16; i++) list = text("%s%sv%d = %d", list, i ? ", " : "", i, i);
  line("int %s;", list);
  line("int i0 = 0, j0 = 0, k0 = 0, m0 = 0, n0 = 0, o0 = 0;");
  line("long i1 = 0, j1 = 0, k1 = 0, m1 = 0, n1 = 0, o1 = 0;");
}

/* Of statements that only some arrays can have, several are tried. */
static void statement_write(void)
{
  static int (*const special[])(void) = {array_directive_draw, loop_rows_draw, loop_periodic_draw,
      loop_expand_draw, reduce_shadow_draw, gmove_task_draw};
  const int kind = draw(22);
  if (kind < 4) gmove_draw();
  else if (kind < 5) assignment_draw();
  else if (kind < 7) construct_draw();
  else if (kind < 8) loop_nodes_draw();
  else if (kind < 15) loop_draw();
  else
    for (int i = 0; i < 10 && !special[(kind - 15) % 6](); i++) continue;
}

static int checks;

static void checks_write(void)
{
  const unsigned long long state = draw_state();
  for (int i = 0; i < scope.arrays; i++) array_check(scope.array[i]);
  draw_again(state);
}

static void statements_write(int n, int arrays)
{
  for (int i = 0; i < n; i++) {
    statement_write();
    if (checks) checks_write();
  }
  for (int i = arrays; i < scope.arrays; i++) {
    array_check(scope.array[i]);
    if (scope.array[i]->template_ && chance(50)) loop_sum(scope.array[i]);
  }
}

/* A block with objects of its own. */
static void block_write(void)
{
  const struct scope before = scope;
  line("{");
  indent(1);
  mapping_declare(draw_from(1, 2));
  scalars_declare();
  mapping_fix(before.templates, before.arrays);
  statements_write(draw_from(2, 5), before.arrays);
  scope = before;
  indent(-1);
  line("}");
}

static const char *function_begin(const char *parameter)
{
  const char *const name = text("f%d", number_next());
  line("static void %s(%s)", name, parameter);
  line("{");
  indent(1);
  in_block = 1;
  block_variables_write();
  return name;
}

static void function_end(void)
{
  in_block = 0;
  indent(-1);
  line("}");
}

static const char *function_plain(void)
{
  const char *const name = function_begin("void");
  statements_write(draw_from(2, 6), scope.arrays);
  if (chance(60)) block_write();
  function_end();
  return text("%s();", name);
}

/* A function with an array as its parameter. */
static const char *function_with_parameter(void)
{
  struct array *const a = array_draw();
  const struct scope before = scope;
  if (!a) return "";
  struct array b = *a;
  b.name = "parameter";
  b.pointer = chance(30);
  const char *const name = function_begin(declaration_of(&b, b.name));
  line("#pragma xmp align %s%s", b.name, b.align);
  if (b.shadow) line("#pragma xmp shadow %s%s", b.name, b.shadow);
  for (int i = 0; i < scope.arrays; i++)
    if (scope.array[i] == a) scope.array[i] = &b;
  statements_write(draw_from(1, 4), scope.arrays);
  function_end();
  scope = before;
  return text("%s(%s);", name, a->name);
}

/* A function that some of the nodes run, with objects of its own. */
static const char *function_of_task(void)
{
  const struct scope before = scope;
  const struct nodes *const p = scope.nodes[draw(scope.nodes_count)];
  const int all = executing;
  const char *list[DIMS];
  const int square = chance(60);
  if (!p->all) return "";
  executing = 1;
  for (int k = 0; k < p->dims; k++) {
    const int first = draw(p->size[k]), count = draw_from(1, p->size[k] - first);
    executing *= count;
    list[k] = square ? text("%s:%s", number(first), number(count))
                     : text("%s:%s", number(first + 1), number(first + count));
  }
  memset(&scope, 0, sizeof scope);
  const char *const name = function_begin("void");
  block_write();
  function_end();
  scope = before;
  executing = all;
  return text("\n#pragma xmp task on %s%s\n  %s();", p->name, axes_text(square, p->dims, list), name);
}

static void main_write(const char *const *call, int calls, int templates, int arrays)
{
  line("int main(void)");
  line("{");
  indent(1);
  in_block = 1;
  block_variables_write();
  line("for (int i = -128; i < 128; i++) same[i] = i;");
  mapping_fix(templates, arrays);
  for (int i = 0; i < calls; i++) line("%s", call[i]);
  for (int i = 0; i < scope.arrays; i++) {
    array_check(scope.array[i]);
    loop_sum(scope.array[i]);
  }
  line("return 0;");
  indent(-1);
  line("}");
}

int main(int argc, char **argv)
{
  const char *call[8];
  if (argc < 2) {
    fprintf(stderr, "usage: program SEED [check]\n");
    return 2;
  }
  checks = argc > 2;
  draw_begin(strtoul(argv[1], NULL, 10));
  executing = chance(70) ? draw_from(1, 6) : draw_from(1, 12);
  printf("/* nodes: %d, seed %s */\n%s", executing, argv[1], head);
  constants_write();
  mapping_declare(draw_from(1, 3));
  scalars_declare();
  const int calls = draw_from(2, 5);
  for (int i = 0; i < calls; i++) {
    const int kind = draw(6);
    call[i] = kind == 0 ? function_of_task() : kind == 1 ? function_with_parameter() : function_plain();
  }
  main_write(call, calls, 0, 0);
  return 0;
}
