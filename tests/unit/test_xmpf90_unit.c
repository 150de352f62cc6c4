/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Units, what they declare, and loops: each source is shown as a text. */
#include "xmpf90/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

static struct lines *lines_of(const char *text, enum form form)
{
  const struct line_options o = {.form = form, .width = 72};
  char *const copy = malloc(strlen(text) + 1);
  if (!copy) exit(1);
  strcpy(copy, text);
  return lines_read(copy, strlen(text), "a.f90", &o);
}

static struct token name_of(const char *text)
{
  return (struct token){.kind = TOKEN_NAME, .text = text, .length = (unsigned)strlen(text)};
}

/* The k-th unit from the file's first child on, in the order in which they begin. */
static const struct unit *unit_number(const struct units *all, int k)
{
  const struct unit *u = all->file;
  while (k--) {
    if (u->child) {
      u = u->child;
      continue;
    }
    while (u && !u->next) u = u->parent;
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    u = u->next;
  }
  return u;
}

static void text_add_range(char *to, const struct expression *e)
{
  for (const struct token *t = e->first; t && t < e->last; t++)
    sprintf(to + strlen(to), "%.*s", (int)t->length, t->text);
}

/* "type rank bounds attributes" of a name: "real(8) 2 1:n,0:* 0x1". */
static void check_symbol(const struct units *all, int unit, const char *name, const char *wanted)
{
  static const char *const shown[] = {"", ":", ":", "*", ".."};
  const struct token t = name_of(name);
  const struct symbol *const y = unit_own(unit_number(all, unit), &t);
  char got[300] = "";
  if (y) {
    text_add_range(got, &y->type);
    sprintf(got + strlen(got), " %d ", y->rank);
    for (int k = 0; k < y->rank; k++) {
      if (k) strcat(got, ",");
      text_add_range(got, &y->bound[k].a);
      if (!expression_is_empty(&y->bound[k].a) && y->bound[k].kind != BOUND_ASSUMED_LOWER) strcat(got, ":");
      if (y->bound[k].kind == BOUND_EXPLICIT) text_add_range(got, &y->bound[k].b);
      strcat(got, shown[y->bound[k].kind]);
    }
    sprintf(got + strlen(got), " %x", y->attributes);
  }
  if (strcmp(got, wanted) != 0) printf("\n%s: '%s', not '%s'\n", name, got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
}

static void test_declarations(void)
{
  struct lines *const l = lines_of("subroutine s(a, b, *, c)\n"
                                   "real(8), dimension(n, 0:m) :: x, y(3) = 1, z\n"
                                   "real, intent(inout), optional :: a(:, 2:), b(*), c(0:n-1, *)\n"
                                   "character*(*) d*8, e(4)*3, f\n"
                                   "integer, allocatable, save :: g(:), h(..)\n"
                                   "type(t), pointer :: i => null(), j(:)[*]\n"
                                   "dimension k(5); save; parameter (o = 3, p = (1 + 2))\n"
                                   "common /blk/ q(3), r // u; namelist /nml/ q, v; equivalence (w, q(1))\n"
                                   "data aa, bb(1) /1, 2*3/, (cc(i), i = 1, 3) /3*0/; external :: ee\n"
                                   "integer ff /3/, gg(2) /1, 2/\n"
                                   "procedure(ee), pointer :: hh => null()\nprivate :: z\nend\n",
      FORM_FREE);
  struct units *const all = units_read(l);
  check_symbol(all, 1, "x", "real(8) 2 n,0:m 0");
  check_symbol(all, 1, "Y", "real(8) 1 3 200000");
  check_symbol(all, 1, "z", "real(8) 2 n,0:m 10000");
  check_symbol(all, 1, "a", "real 2 :,2: 4000e0");
  check_symbol(all, 1, "b", "real 1 * 4000e0");
  check_symbol(all, 1, "c", "real 2 0:n-1,* 4000e0");
  check_symbol(all, 1, "e", "character*(*) 1 4 0");
  check_symbol(all, 1, "g", "integer 1 : 9");
  check_symbol(all, 1, "h", "integer 1 .. 9");
  check_symbol(all, 1, "i", "type(t) 0  200002");
  check_symbol(all, 1, "j", "type(t) 1 : 2");
  check_symbol(all, 1, "k", " 1 5 0");
  check_symbol(all, 1, "p", " 0  200010");
  check_symbol(all, 1, "q", " 1 3 1c0000");
  check_symbol(all, 1, "u", " 0  40000");
  check_symbol(all, 1, "v", " 0  100000");
  check_symbol(all, 1, "w", " 0  80000");
  check_symbol(all, 1, "bb", " 0  200000");
  check_symbol(all, 1, "cc", " 0  200000");
  check_symbol(all, 1, "ee", " 0  200");
  check_symbol(all, 1, "gg", "integer 1 2 200000");
  check_symbol(all, 1, "hh", " 0  1200002");
  check_symbol(all, 1, "ii", "");
  const struct unit *const u = unit_number(all, 1);
  CU_ASSERT(u->saves_all && u->dummies == 4 && u->dummy[2] == NULL && u->dummy[3]->dummy == 4);
  units_free(all);
  lines_free(l);
}

static void test_units(void)
{
  static const enum unit_kind kinds[] = {UNIT_FILE, UNIT_MODULE, UNIT_TYPE, UNIT_INTERFACE, UNIT_FUNCTION,
      UNIT_ENUM, UNIT_SUBROUTINE, UNIT_BLOCK, UNIT_FUNCTION, UNIT_SUBMODULE, UNIT_PROCEDURE, UNIT_PROGRAM,
      UNIT_SUBROUTINE};
  struct lines *const l = lines_of(
      "module m\ntype t\nreal x\ncontains\nprocedure p\nend type\ninterface g\nmodule procedure s\n"
      "real function f(x)\nend\nend interface\nenum, bind(c)\nenumerator :: e = 1\nend enum\ncontains\n"
      "subroutine s\nblock\ninteger b\nend block\ncontains\nfunction h() result(r)\nend\nend subroutine\n"
      "end module\nsubmodule (m) q\ncontains\nmodule procedure v\nend procedure\nend\n"
      "use m\ni = 1\nend\nsubroutine last\n",
      FORM_FREE);
  struct units *const all = units_read(l);
  for (int k = 0; k < 13; k++) CU_ASSERT_EQUAL(unit_number(all, k)->kind, kinds[k]);
  check_symbol(all, 1, "e", " 0  200010");
  check_symbol(all, 1, "t", " 0  2000000");
  check_symbol(all, 2, "x", "real 0  0");
  check_symbol(all, 8, "r", " 0  800000");
  CU_ASSERT(unit_number(all, 8)->parent == unit_number(all, 6) && unit_number(all, 11)->uses == 1);
  CU_ASSERT(unit_number(all, 1)->contains != SIZE_MAX && unit_number(all, 1)->executable == SIZE_MAX);
  CU_ASSERT(unit_number(all, 11)->executable == unit_number(all, 11)->first + 1);
  units_free(all);
  lines_free(l);
}

/* "1-9 i:1:n:2" for each loop, by lines; a star where the last statement is shared. */
static void check_loops(const char *text, enum form form, const char *wanted)
{
  struct lines *const l = lines_of(text, form);
  struct units *const all = units_read(l);
  char got[500] = "";
  for (size_t k = 0; k < l->count; k++) {
    const struct loop *const p = all->loop[k];
    if (!p) continue;
    const unsigned last = p->last < l->count ? l->statement[p->last].token->line : 0;
    sprintf(got + strlen(got), "%u-%u%s%s", l->statement[k].token->line, last, p->is_shared ? "*" : "",
        p->outer ? "^" : "");
    for (int i = 0; i < p->count; i++) {
      const struct loop_index *const x = &p->index[i];
      sprintf(got + strlen(got), " %.*s:", (int)x->variable->length, x->variable->text);
      text_add_range(got, &x->begin), strcat(got, ":");
      text_add_range(got, &x->end), strcat(got, ":");
      text_add_range(got, &x->step);
    }
    if (!expression_is_empty(&p->mask)) strcat(got, " if "), text_add_range(got, &p->mask);
    strcat(got, ";");
  }
  if (strcmp(got, wanted) != 0) printf("\n'%s', not '%s'\n", got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  units_free(all);
  lines_free(l);
}

static void test_loops(void)
{
  check_loops("do i = 1, n\na: do j = f(1, 2), m(3), -1\nif (x) then\nend if\nend do a\nend do\n", FORM_FREE,
      "1-6 i:1:n:;2-5^ j:f(1,2):m(3):-1;");
  check_loops("do 10 i = 1, 2\ndo 10, j = 1, 2\nx = 1\n10 y = 2\ndo 20 k = 1, 2\n020 end do\n", FORM_FREE,
      "1-4* i:1:2:;2-4*^ j:1:2:;5-6 k:1:2:;");
  check_loops("do concurrent (integer(8) :: i = 1:n, j = f(1:2):m:2, a(i, j) > 0) local(x)\nend do\n"
              "do while (x)\nenddo\ndo\nexit\nend do\ndo i = 1, 2; end do\ndo k = 1, 3\n",
      FORM_FREE, "1-2 i:1:n: j:f(1:2):m:2 if a(i,j)>0;3-4;5-7;8-8 i:1:2:;9-0 k:1:3:;");
  check_loops("      DO10I=1,2\n      DO 10 J=1,2,K\n10    CONTINUE\n      DO20E5=1,2\n20    X=1", FORM_FIXED,
      "1-3* I:1:2:;2-3*^ J:1:2:K;4-5 E5:1:2:;");
  check_loops(
      "do i = 1, 2\nblock\ndo j = 1, 2\nend do\nend block\nend do\n", FORM_FREE, "1-6 i:1:2:;3-4^ j:1:2:;");
}

/* ---- which name is meant ---- */

static void check_found(const struct units *all, int unit, const char *name, int in, int open)
{
  const struct token t = name_of(name);
  int is_open;
  const struct symbol *const y = unit_find(all, unit_number(all, unit), &t, &is_open);
  if ((y ? y->unit : NULL) != (in < 0 ? NULL : unit_number(all, in)) || (!y && is_open != open))
    printf("\n%s in unit %d: %s, %d\n", name, unit, y ? "found" : "not found", is_open);
  CU_ASSERT_PTR_EQUAL(y ? y->unit : NULL, in < 0 ? NULL : unit_number(all, in));
  if (!y) CU_ASSERT_EQUAL(is_open, open);
}

static void test_association(void)
{
  struct lines *const l = lines_of(
      "module a\ninteger x, y, z\nprivate :: z\nend module\n"
      "module b\nuse a, w => y\ninteger v\nend module\n"
      "subroutine s\nuse b\ninteger q\ncontains\nsubroutine t\ninteger x\nend\nend\n"
      "subroutine u\nuse a, only: x\nuse, non_intrinsic :: elsewhere, only: k => kk\n"
      "interface\nsubroutine i(n)\nimport :: x\nend\nend interface\nend\n",
      FORM_FREE);
  struct units *const all = units_read(l);
  check_found(all, 3, "X", 1, 0);
  check_found(all, 3, "w", 1, 0);
  check_found(all, 3, "y", -1, 0);
  check_found(all, 3, "z", -1, 0);
  check_found(all, 4, "v", 2, 0);
  check_found(all, 4, "x", 4, 0);
  check_found(all, 4, "q", 3, 0);
  check_found(all, 5, "y", -1, 0);
  check_found(all, 5, "k", -1, 1);
  check_found(all, 7, "x", 1, 0);
  check_found(all, 7, "k", -1, 0);
  check_found(all, 7, "n", 7, 0);
  units_free(all);
  lines_free(l);
}

static void check_implicit(const struct units *all, int unit, const char *name, int has, const char *wanted)
{
  const struct token t = name_of(name);
  struct expression type;
  char got[100] = "";
  CU_ASSERT_EQUAL(unit_implicit(unit_number(all, unit), &t, &type), has);
  text_add_range(got, &type);
  CU_ASSERT_STRING_EQUAL(got, wanted);
}

static void test_implicit(void)
{
  struct lines *const l = lines_of(
      "subroutine s\nimplicit real(8) (a-c, x), type(t) (d), integer (e-f)\ncontains\n"
      "subroutine t\nimplicit character*4 (b)\nend\nend\n"
      "subroutine u\nimplicit none (type, external)\nend\n",
      FORM_FREE);
  struct units *const all = units_read(l);
  check_implicit(all, 1, "C", 1, "real(8)");
  check_implicit(all, 1, "dx", 1, "type(t)");
  check_implicit(all, 1, "e", 1, "integer");
  check_implicit(all, 1, "i", 1, "");
  check_implicit(all, 2, "bb", 1, "character*4");
  check_implicit(all, 2, "x", 1, "real(8)");
  check_implicit(all, 3, "x", 0, "");
  units_free(all);
  lines_free(l);
}

/* The kind of the statement on line 4. */
static void check_function(const char *text, enum statement_kind wanted)
{
  struct lines *const l = lines_of(text, FORM_FREE);
  units_free(units_read(l));
  if (l->statement[3].kind != wanted) printf("\n%s: %s\n", text, statement_name(l->statement[3].kind));
  CU_ASSERT_EQUAL(l->statement[3].kind, wanted);
  lines_free(l);
}

static void test_statement_functions(void)
{
  check_function("subroutine s\nreal f\ninteger i\nf(i) = i\n", STATEMENT_FUNCTION_STATEMENT);
  check_function("subroutine s\nreal g\ninteger i\nf(i) = i\n", STATEMENT_FUNCTION_STATEMENT);
  check_function("subroutine s\nreal f(3)\ninteger i\nf(i) = i\n", STATEMENT_ASSIGNMENT);
  check_function("subroutine s\nreal f\ni = 1\nf(i) = i\n", STATEMENT_ASSIGNMENT);
  check_function("subroutine s\nreal f\ninteger i\nf(1) = i\n", STATEMENT_ASSIGNMENT);
  check_function("subroutine s\nuse m\ninteger i\nf(i) = i\n", STATEMENT_ASSIGNMENT);
  check_function("subroutine s\nimplicit none\ninteger i\nf(i) = i\n", STATEMENT_ASSIGNMENT);
}

int main(void)
{
  static const struct unit_test tests[] = {{"declarations", test_declarations}, {"the tree", test_units},
      {"loops", test_loops}, {"association", test_association}, {"implicit types", test_implicit},
      {"statement functions", test_statement_functions}};
  return RUN_SUITE("xmpf90/unit", tests);
}
