/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What statements are, in free form with blanks, and in fixed form with none and with too many. */
#include "xmpf90/statement.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"
#include "xmpf90/line.h"

struct example {
  const char *text, *kind;
};

static struct lines *lines_of(const char *text, enum form form)
{
  const struct line_options o = {.form = form, .width = 0};
  char *const copy = malloc(strlen(text) + 1);
  if (!copy) exit(1);
  strcpy(copy, text);
  return lines_read(copy, strlen(text), "a.f90", &o);
}

static void check_kind(const char *text, const char *shown, enum form form, const char *wanted)
{
  struct lines *const l = lines_of(text, form);
  char got[100] = "nothing";
  if (l->count) {
    const struct statement *const s = l->statement;
    snprintf(got, sizeof got, "%s%s%s%s%s", statement_name(s->kind), s->inner ? ": " : "",
        s->inner ? statement_name(s->inner_kind) : "", s->kind == STATEMENT_END && s->ends ? " " : "",
        s->kind == STATEMENT_END && s->ends ? statement_name(s->ends) : "");
  }
  if (strcmp(got, wanted) != 0) printf("\n%s: %s, not %s\n", shown, got, wanted);
  CU_ASSERT_STRING_EQUAL(got, wanted);
  CU_ASSERT_EQUAL(l->count, 1);
  lines_free(l);
}

static const struct example both[] = {{"if = 3", "assignment"}, {"do = 1", "assignment"},
    {"real(3) = x", "assignment"}, {"if (a) = 3", "assignment"}, {"if (a) b = 3", "if: assignment"},
    {"if (a) then", "if then"}, {"if (a) then = 3", "if: assignment"}, {"if (a) 10, 20, 30", "arithmetic if"},
    {"if (a) goto 10", "if: goto"}, {"if (a) call x", "if: call"}, {"end = 2", "assignment"}, {"end", "end"},
    {"end do", "end do"}, {"enddo", "end do"}, {"end if x", "end if then"},
    {"end block data", "end block data"}, {"endfile 5", "file"}, {"end file (5)", "file"},
    {"endsubroutine x", "end subroutine"}, {"end interface operator (+)", "end interface"},
    {"end select", "end select"}, {"else", "else"}, {"else if (x) then", "else if"},
    {"elseif (x) then y", "else if"}, {"elsewhere (m)", "elsewhere"}, {"else where", "elsewhere"},
    {"do 10 i = 1, 5", "do"}, {"do i = 1, 5", "do"}, {"do 10, i = f(1, 2), 5, -1", "do"}, {"do", "do"},
    {"do while (x > 1)", "do while"}, {"do 10 while (x)", "do while"},
    {"do concurrent (i = 1:3, j = 1:i)", "do concurrent"}, {"x: do i = 1, 2", "do"},
    {"x: if (y) then", "if then"}, {"x: block", "block"}, {"x : select case (y)", "select"},
    {"block", "block"}, {"block data", "block data"}, {"program x", "program"}, {"module x", "module"},
    {"module procedure x, y", "module procedure"}, {"module subroutine x", "subroutine"},
    {"submodule (a:b) c", "submodule"}, {"pure recursive subroutine x(a, *)", "subroutine"},
    {"real(8) function f(x)", "function"}, {"integer*4 function f(x) result(y)", "function"},
    {"type(t) pure function f(x)", "function"}, {"elemental double precision function f(x)", "function"},
    {"character*(*) function f(x)", "function"}, {"impure elemental module function f(x)", "function"},
    {"interface", "interface"}, {"interface operator (.x.)", "interface"},
    {"abstract interface", "interface"}, {"contains", "contains"}, {"entry x(a)", "entry"}, {"use x", "use"},
    {"use, intrinsic :: iso_c_binding, only: c_int", "use"}, {"use x, y => z", "use"}, {"import", "import"},
    {"import :: a", "import"}, {"implicit none", "implicit"}, {"implicit real*8 (a-h, o-z)", "implicit"},
    {"integer x", "declaration"}, {"integer :: x = 3", "declaration"},
    {"real, parameter :: a(3) = 1", "declaration"}, {"character*10 c", "declaration"},
    {"character(len=*), intent(in) :: c", "declaration"}, {"double precision x", "declaration"},
    {"doubleprecision x", "declaration"}, {"type(t) x", "declaration"},
    {"class(*), pointer :: x => null()", "declaration"}, {"type(t), pointer :: p => q", "declaration"},
    {"integer functional(10)", "declaration"}, {"integer moduleid, functions(3)", "declaration"},
    {"logical*1 x", "declaration"}, {"complex(8) z", "declaration"}, {"type t", "type"},
    {"type :: t", "type"}, {"type, extends(u), public :: t", "type"}, {"type t(k, n)", "type"},
    {"type is (integer)", "case"}, {"class is (t)", "case"}, {"class default", "case"},
    {"case (1:3)", "case"}, {"case default", "case"}, {"select type (x => y)", "select"},
    {"select case (x)", "select"}, {"rank (2)", "case"}, {"rank default", "case"},
    {"select rank (x)", "select"}, {"dimension a(3)", "attribute"}, {"allocatable :: a", "attribute"},
    {"save", "attribute"}, {"save /x/, y", "attribute"}, {"intent(in) :: x", "attribute"},
    {"external f", "attribute"}, {"bind(c) :: /x/", "attribute"}, {"public", "access"},
    {"private :: operator(+)", "access"}, {"parameter (a = 3)", "parameter"},
    {"common /a/ b, c(3)", "common"}, {"common // b", "common"}, {"equivalence (a, b)", "equivalence"},
    {"namelist /n/ a", "namelist"}, {"data a /3/", "data"}, {"data (a(i), i = 1, 3) /3*0/", "data"},
    {"sequence", "sequence"}, {"procedure(f), pointer :: p => null()", "procedure"},
    {"procedure, deferred :: p", "procedure"}, {"generic :: p => q, r", "generic"}, {"final :: f", "final"},
    {"enum, bind(c)", "enum"}, {"enumerator :: a = 1", "enumerator"}, {"enumerator a", "enumerator"},
    {"where (m) a = b", "where: assignment"}, {"where (m)", "where construct"},
    {"forall (i = 1:3) a(i) = i", "forall: assignment"}, {"forall (i = 1:3, m(i))", "forall construct"},
    {"associate (a => b)", "associate"}, {"critical", "critical"}, {"change team (t)", "change team"},
    {"p => q", "pointer assignment"}, {"p(1:) => q", "pointer assignment"},
    {"a%b(3)%c => null()", "pointer assignment"}, {"a[2] = 3", "assignment"}, {"a(1)[2]%b = 3", "assignment"},
    {"a%if = 3", "assignment"}, {"call x", "call"}, {"call x%y(a = 3)", "call"},
    {"allocate (a(3), stat = i)", "allocate"}, {"deallocate (a)", "deallocate"}, {"nullify (p)", "nullify"},
    {"read *, x", "read"}, {"read 10, x", "read"}, {"read (5, *) x", "read"}, {"write (*, *) a = b", "write"},
    {"print *, x", "print"}, {"print 10", "print"}, {"print '(a)', x", "print"}, {"open (unit = 5)", "open"},
    {"close (5)", "close"}, {"inquire (5, exist = x)", "inquire"}, {"rewind 5", "file"},
    {"flush (5)", "file"}, {"return", "return"}, {"return 1", "return"}, {"stop", "stop"},
    {"stop 'x'", "stop"}, {"error stop 3", "stop"}, {"exit", "exit"}, {"exit x", "exit"},
    {"cycle x", "cycle"}, {"goto 10", "goto"}, {"go to 10", "goto"}, {"go to (10, 20), i", "goto"},
    {"assign 10 to i", "assign"}, {"continue", "continue"}, {"sync all", "images"},
    {"sync images (*)", "images"}, {"lock (x)", "images"}, {"event post (x)", "images"},
    {"form team (1, t)", "images"}, {"10 format (1x, 'x')", "format"}, {"wait (5)", "file"},
    {"value x", "attribute"}, {"non_recursive subroutine x", "subroutine"}, {"f(x, y) = x + y", "assignment"},
    {"type(t) function f(x)", "function"}};

/* As it is; in fixed form from column 7 on, with blanks taken out, and with one between any two characters.
 */
static void test_both(void)
{
  for (size_t k = 0; k < sizeof both / sizeof *both; k++) {
    char text[400];
    const char *const given = both[k].text;
    const int label = given[0] == '1' ? 3 : 0;
    snprintf(text, sizeof text, "%s\n", given);
    check_kind(text, text, FORM_FREE, both[k].kind);
    for (int way = 0; way < 3; way++) {
      int n = sprintf(text, "%-6.*s", label, given);
      for (const char *c = given + label; *c; c++) {
        if (*c == ' ' && way > 0) continue;
        text[n++] = *c;
        if (way == 2) text[n++] = ' ';
      }
      text[n] = 0;
      check_kind(text, text, FORM_FIXED, both[k].kind);
    }
  }
}

static const struct example in_free[] = {{"do10i = 1.5", "assignment"}, {"enddox = 1", "assignment"},
    {"callx", "other"}, {"integerx", "other"}, {"print*,x", "print"}, {"a b", "other"}, {"= 3", "other"},
    {"(a) = 3", "other"}, {"include 'x'", "other"}, {"x: y", "other"}, {"real", "other"}, {"if (a", "other"},
    {"do i", "other"}, {"@", "other"}};
static const struct example in_fixed[] = {{"      do10i=1,5", "do"}, {"      do 10 i=1.5", "assignment"},
    {"      do10e5=1,2", "do"}, {"      realfunctionf(x)", "function"},
    {"      realfunctionf(10)", "declaration"}, {"      real*8d1d2", "declaration"},
    {"      return=3", "assignment"}, {"      re turn", "return"}, {"      doublecomplexx", "declaration"},
    {"      goto=3", "assignment"}, {"      callx(1)", "call"}, {"      p r i n t *,x", "print"},
    {"\tstop", "stop"}, {"10\tcontinue", "continue"}, {"  10  continue", "continue"}};

static void test_forms(void)
{
  for (size_t k = 0; k < sizeof in_free / sizeof *in_free; k++)
    check_kind(in_free[k].text, in_free[k].text, FORM_FREE, in_free[k].kind);
  for (size_t k = 0; k < sizeof in_fixed / sizeof *in_fixed; k++)
    check_kind(in_fixed[k].text, in_fixed[k].text, FORM_FIXED, in_fixed[k].kind);
}

/* Names are parted where their words end, and nowhere else. */
static void test_parts(void)
{
  static const char *const given[] = {"      DO10I=1,5", "      REAL*8D1D2,E5", "      ENDDOOUTER",
      "      INTEGERMODULEID", "      REALFUNCTIONF(X)", "      IMPLICITREAL*8(A-H)", "      ASSIGN10TOI",
      NULL};
  static const char *const wanted[] = {"DO|10|I|=|1|,|5|", "REAL|*|8|D1D2|,|E5|", "END|DO|OUTER|",
      "INTEGER|MODULEID|", "REAL|FUNCTION|F|(|X|)|", "IMPLICIT|REAL*8(A-H)", "ASSIGN|10|TOI|"};
  for (size_t k = 0; given[k]; k++) {
    struct lines *const l = lines_of(given[k], FORM_FIXED);
    char got[100] = "";
    for (size_t i = 0; i < l->statement->count; i++)
      sprintf(got + strlen(got), "%.*s%s", (int)l->statement->token[i].length, l->statement->token[i].text,
          k == 5 && i > 0 ? "" : "|");
    CU_ASSERT_STRING_EQUAL(got, wanted[k]);
    lines_free(l);
  }
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"both forms", test_both}, {"one form", test_forms}, {"parted names", test_parts}};
  return RUN_SUITE("xmpf90/statement", tests);
}
