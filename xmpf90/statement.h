/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* One statement of Fortran: its tokens, where it stands, and what it is. Fortran has no reserved words, so
 * what a statement is follows from all of it: statement_classify looks for = and for brackets first. A
 * statement that it does not know is none of these kinds, and is copied. */
#ifndef XMPF90_STATEMENT_H
#define XMPF90_STATEMENT_H
#include "xmpf90/lexical.h"

enum statement_kind {
  STATEMENT_OTHER,
  STATEMENT_XMP,    /* a directive: token[0] has the list */
  STATEMENT_OPENMP, /* !$omp, where !$ lines are text; as XMP */

  /* program units, and parts of them */
  STATEMENT_PROGRAM,
  STATEMENT_MODULE,
  STATEMENT_SUBMODULE,
  STATEMENT_BLOCK_DATA,
  STATEMENT_SUBROUTINE,
  STATEMENT_FUNCTION,
  STATEMENT_MODULE_PROCEDURE, /* in an interface names of procedures, in a submodule the procedure itself */
  STATEMENT_INTERFACE,        /* abstract ones, too */
  STATEMENT_CONTAINS,
  STATEMENT_ENTRY,
  STATEMENT_END, /* `ends` says of what: OTHER of a bare END */

  /* specifications */
  STATEMENT_USE,
  STATEMENT_IMPORT,
  STATEMENT_IMPLICIT,
  STATEMENT_DECLARATION, /* begins with a type */
  STATEMENT_ATTRIBUTE,   /* dimension, allocatable, save, intent, ..: `body` is behind the word */
  STATEMENT_ACCESS,      /* public, private */
  STATEMENT_PARAMETER,
  STATEMENT_COMMON,
  STATEMENT_EQUIVALENCE,
  STATEMENT_NAMELIST,
  STATEMENT_DATA,
  STATEMENT_TYPE, /* the definition of a type */
  STATEMENT_SEQUENCE,
  STATEMENT_PROCEDURE, /* a declaration, or bound to a type */
  STATEMENT_GENERIC,
  STATEMENT_FINAL,
  STATEMENT_ENUM,
  STATEMENT_ENUMERATOR,
  STATEMENT_FORMAT,
  STATEMENT_FUNCTION_STATEMENT, /* f(x) = ..; units_read tells it from an assignment */

  /* constructs */
  STATEMENT_IF_THEN,
  STATEMENT_ELSE_IF,
  STATEMENT_ELSE,
  STATEMENT_SELECT, /* case, type, rank */
  STATEMENT_CASE,   /* and type is, class is, class default, rank */
  STATEMENT_WHERE_CONSTRUCT,
  STATEMENT_ELSEWHERE,
  STATEMENT_FORALL_CONSTRUCT,
  STATEMENT_ASSOCIATE,
  STATEMENT_BLOCK,
  STATEMENT_CRITICAL,
  STATEMENT_CHANGE_TEAM,
  STATEMENT_DO,
  STATEMENT_DO_WHILE,
  STATEMENT_DO_CONCURRENT,

  /* actions */
  STATEMENT_IF, /* with one more statement: `inner` */
  STATEMENT_IF_ARITHMETIC,
  STATEMENT_WHERE,  /* likewise */
  STATEMENT_FORALL, /* likewise */
  STATEMENT_ASSIGNMENT,
  STATEMENT_POINTER_ASSIGNMENT,
  STATEMENT_CALL,
  STATEMENT_ALLOCATE,
  STATEMENT_DEALLOCATE,
  STATEMENT_NULLIFY,
  STATEMENT_READ,
  STATEMENT_WRITE,
  STATEMENT_PRINT,
  STATEMENT_OPEN,
  STATEMENT_CLOSE,
  STATEMENT_INQUIRE,
  STATEMENT_FILE, /* rewind, backspace, endfile, flush, wait */
  STATEMENT_RETURN,
  STATEMENT_STOP, /* and error stop, fail image, pause */
  STATEMENT_EXIT,
  STATEMENT_CYCLE,
  STATEMENT_GOTO,
  STATEMENT_ASSIGN,
  STATEMENT_CONTINUE,
  STATEMENT_IMAGES, /* sync, event, notify, lock, unlock, form team */
  STATEMENT_KINDS
};

struct statement {
  enum statement_kind kind;
  struct token *token; /* [count], and a TOKEN_END; in fixed form statement_classify parts names */
  size_t count;
  struct token label; /* of length 0: there is none */
  const struct joined *joined;
  size_t line; /* in the list of lines */

  /* Places in `token`, which statement_classify sets. */
  int is_named;             /* token[0] names the construct, token[1] is the colon */
  size_t first;             /* the keyword; 2 of a named construct, else 0 */
  size_t body;              /* behind the keyword; of assignments the = or => */
  size_t name;              /* of the unit or type that begins here; 0: none, as the keyword is before it */
  size_t do_label;          /* of DO.. 10; 0: none */
  enum statement_kind ends; /* of END: SUBROUTINE, DO, .. */
  size_t inner;             /* of IF, WHERE, FORALL: where the one statement begins */
  enum statement_kind inner_kind;
  struct output_edits *edits; /* output.h */
};

void statement_classify(struct statement *s);
/* For messages and tests: "do while". */
const char *statement_name(enum statement_kind kind);
/* Whether it can stand before the first executable statement, and there alone. */
int statement_is_specification(enum statement_kind kind);

/* Statements are read in two ways, by one function: in free form words are tokens, in fixed form blanks mean
 * nothing, so a word may be the beginning of a name, which is parted then. The parts of "end do" may be one
 * token or two. On success *at is behind the word. */
int statement_word(struct statement *s, size_t *at, const char *words);
/* Whether token k is this punctuation. */
int statement_is(const struct statement *s, size_t k, const char *punctuation);
/* Whether tokens k and k + 1 are these two characters side by side: :: and **. */
int statement_is_double(const struct statement *s, size_t k, const char *character);
/* The place behind the bracket that closes the one at k; count where none does. */
size_t statement_skip(const struct statement *s, size_t k);
/* Parts the token k behind n of its characters. A rest that begins with digits has these as a number. */
void statement_part(struct statement *s, size_t k, unsigned n);
/* The place behind a type: real, real*8, real(8), character(len=*), type(t), double precision; k itself: no
 * type is here. */
size_t statement_type(struct statement *s, size_t k);

#endif
