/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Blocks and functions of statements. */
#include <string.h>

#include "random.h"

int checks, in_function;

void block_variables_write(void)
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
      loop_expand_draw, reduce_shadow_draw, gmove_task_draw, coarray_phase_draw, task_draw, sets_draw};
  const int kind = draw(27);
  if (kind < 4) gmove_draw();
  else if (kind < 5) assignment_draw();
  else if (kind < 7) construct_draw();
  else if (kind < 8) loop_nodes_draw();
  else if (kind < 15) loop_draw();
  else
    for (int i = 0; i < 10 && !special[(kind - 15) % 9](); i++) continue;
}

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

/* ---- blocks ---- */

/* Statements that leave a block before its end, all nodes alike. */
static void leave_write(const char *how)
{
  if (strcmp(how, "break") == 0 || chance(50)) line("if (one(1)) %s;", how);
  else {
    line("switch (one(2)) {");
    line("case 1: break;");
    line("default: %s;", how);
    line("}");
  }
}

static void block_inside_write(const char *leave)
{
  const struct scope before = scope;
  names_hide();
  const int arrays = scope.arrays;
  mapping_declare(draw_from(1, 2));
  scalars_declare();
  if (chance(30)) coarrays_declare();
  mapping_fix(before.templates, arrays);
  statements_write(draw_from(1, 3), scope.arrays);
  if (leave) leave_write(leave);
  statements_write(draw_from(1, 2), arrays);
  scope = before;
}

/* A block with objects of its own, which is entered once or several times, and left in any way. */
void block_write(void)
{
  static const char *const leave[] = {"break", "continue", "goto left%d", "return"};
  const int kind = draw(12), id = number_next();
  const char *const how = kind < 3 ? text(leave[kind], id) : kind == 3 && in_function ? leave[3] : NULL;
  const int loops = kind < 3 || chance(20);
  if (loops) line("for (int turn%d = 0; turn%d < 2; turn%d++)", id, id, id);
  line("{");
  indent(1);
  block_inside_write(how);
  indent(-1);
  line("}");
  if (kind == 2) line("left%d:;", id);
}

/* ---- functions ---- */

static enum file file_draw(void) { return file_is_open(OTHER) && chance(50) ? OTHER : MAIN; }

static const char *function_begin(enum file file, const char *parameter)
{
  const char *const name = text("f%d", number_next());
  const int several = file_is_open(OTHER);
  if (several) {
    file_choose(HEADER);
    line("void %s(%s);", name, parameter);
  }
  file_choose(file);
  line("%svoid %s(%s)", several ? "" : "static ", name, parameter);
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
  const enum file file = file_draw();
  file_choose(file);
  const char *const call = names_function_write();
  const char *const name = function_begin(file, "void");
  if (*call) line("%s", call);
  statements_write(draw_from(2, 6), scope.arrays);
  in_function = 1;
  if (chance(60)) block_write();
  in_function = 0;
  function_end();
  return text("%s();", name);
}

/* A function with an array as its parameter. */
static const char *function_with_parameter(void)
{
  struct array *const a = array_draw();
  const struct scope before = scope;
  if (!a) return ";";
  struct array b = *a;
  b.name = b.as = "parameter";
  b.pointer = chance(30);
  const char *const name = function_begin(file_draw(), declaration_of(&b, b.name));
  if (b.shadow && chance(30)) line("#pragma xmp shadow %s%s", b.name, b.shadow), b.shadow = "";
  line("#pragma xmp align %s%s", b.name, b.align);
  if (b.shadow && *b.shadow) line("#pragma xmp shadow %s%s", b.name, b.shadow);
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
  const int all = executing;
  const char *const nodes = nodes_draw(&executing);
  if (!nodes) return ";";
  memset(&scope, 0, sizeof scope);
  const char *const name = function_begin(file_draw(), "void");
  block_write();
  function_end();
  scope = before;
  executing = all;
  return text("\n#pragma xmp task on %s\n  %s();", nodes, name);
}

const char *function_draw(void)
{
  switch (draw(6)) {
  case 0: return function_of_task();
  case 1: return function_with_parameter();
  default: return function_plain();
  }
}
