/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/statement.h"

#include <string.h>
#include <strings.h>

/* ---- words that a statement begins with ---- */

/* What has to follow the word. */
enum follow {
  ANYTHING,
  BRACKET,      /* ( */
  NAME_OR_NONE, /* a name, or the end */
  NAME,
  END_ONLY
};
struct keyword {
  const char *words;
  enum statement_kind kind;
  enum follow follow;
};

/* In fixed form a word may begin another one: the longer one comes first. */
static const struct keyword keywords[] = {{"abstract interface", STATEMENT_INTERFACE, END_ONLY},
    {"allocatable", STATEMENT_ATTRIBUTE, ANYTHING}, {"allocate", STATEMENT_ALLOCATE, BRACKET},
    {"assign", STATEMENT_ASSIGN, ANYTHING}, {"associate", STATEMENT_ASSOCIATE, BRACKET},
    {"asynchronous", STATEMENT_ATTRIBUTE, ANYTHING}, {"backspace", STATEMENT_FILE, ANYTHING},
    {"bind", STATEMENT_ATTRIBUTE, BRACKET}, {"block data", STATEMENT_BLOCK_DATA, NAME_OR_NONE},
    {"block", STATEMENT_BLOCK, END_ONLY}, {"call", STATEMENT_CALL, NAME},
    {"case default", STATEMENT_CASE, NAME_OR_NONE}, {"case", STATEMENT_CASE, BRACKET},
    {"change team", STATEMENT_CHANGE_TEAM, BRACKET}, {"class default", STATEMENT_CASE, NAME_OR_NONE},
    {"class is", STATEMENT_CASE, BRACKET}, {"close", STATEMENT_CLOSE, BRACKET},
    {"codimension", STATEMENT_ATTRIBUTE, ANYTHING}, {"common", STATEMENT_COMMON, ANYTHING},
    {"contains", STATEMENT_CONTAINS, END_ONLY}, {"contiguous", STATEMENT_ATTRIBUTE, ANYTHING},
    {"continue", STATEMENT_CONTINUE, END_ONLY}, {"critical", STATEMENT_CRITICAL, ANYTHING},
    {"cycle", STATEMENT_CYCLE, NAME_OR_NONE}, {"data", STATEMENT_DATA, ANYTHING},
    {"deallocate", STATEMENT_DEALLOCATE, BRACKET}, {"dimension", STATEMENT_ATTRIBUTE, ANYTHING},
    {"else if", STATEMENT_ELSE_IF, BRACKET}, {"else where", STATEMENT_ELSEWHERE, ANYTHING},
    {"else", STATEMENT_ELSE, NAME_OR_NONE}, {"entry", STATEMENT_ENTRY, NAME},
    {"enumerator", STATEMENT_ENUMERATOR, ANYTHING}, {"enum", STATEMENT_ENUM, ANYTHING},
    {"equivalence", STATEMENT_EQUIVALENCE, BRACKET}, {"error stop", STATEMENT_STOP, ANYTHING},
    {"event post", STATEMENT_IMAGES, BRACKET}, {"event wait", STATEMENT_IMAGES, BRACKET},
    {"exit", STATEMENT_EXIT, NAME_OR_NONE}, {"external", STATEMENT_ATTRIBUTE, ANYTHING},
    {"fail image", STATEMENT_STOP, END_ONLY}, {"final", STATEMENT_FINAL, ANYTHING},
    {"flush", STATEMENT_FILE, ANYTHING}, {"format", STATEMENT_FORMAT, BRACKET},
    {"form team", STATEMENT_IMAGES, BRACKET}, {"generic", STATEMENT_GENERIC, ANYTHING},
    {"go to", STATEMENT_GOTO, ANYTHING}, {"implicit", STATEMENT_IMPLICIT, ANYTHING},
    {"import", STATEMENT_IMPORT, ANYTHING}, {"inquire", STATEMENT_INQUIRE, BRACKET},
    {"intent", STATEMENT_ATTRIBUTE, BRACKET}, {"interface", STATEMENT_INTERFACE, ANYTHING},
    {"intrinsic", STATEMENT_ATTRIBUTE, ANYTHING}, {"lock", STATEMENT_IMAGES, BRACKET},
    {"module procedure", STATEMENT_MODULE_PROCEDURE, ANYTHING}, {"module", STATEMENT_MODULE, NAME},
    {"namelist", STATEMENT_NAMELIST, ANYTHING}, {"nullify", STATEMENT_NULLIFY, BRACKET},
    {"open", STATEMENT_OPEN, BRACKET}, {"optional", STATEMENT_ATTRIBUTE, ANYTHING},
    {"parameter", STATEMENT_PARAMETER, ANYTHING}, {"pause", STATEMENT_STOP, ANYTHING},
    {"pointer", STATEMENT_ATTRIBUTE, ANYTHING}, {"print", STATEMENT_PRINT, ANYTHING},
    {"private", STATEMENT_ACCESS, ANYTHING}, {"procedure", STATEMENT_PROCEDURE, ANYTHING},
    {"program", STATEMENT_PROGRAM, NAME}, {"protected", STATEMENT_ATTRIBUTE, ANYTHING},
    {"public", STATEMENT_ACCESS, ANYTHING}, {"rank default", STATEMENT_CASE, NAME_OR_NONE},
    {"rank", STATEMENT_CASE, BRACKET}, {"read", STATEMENT_READ, ANYTHING},
    {"return", STATEMENT_RETURN, ANYTHING}, {"rewind", STATEMENT_FILE, ANYTHING},
    {"save", STATEMENT_ATTRIBUTE, ANYTHING}, {"select case", STATEMENT_SELECT, BRACKET},
    {"select rank", STATEMENT_SELECT, BRACKET}, {"select type", STATEMENT_SELECT, BRACKET},
    {"sequence", STATEMENT_SEQUENCE, END_ONLY}, {"stop", STATEMENT_STOP, ANYTHING},
    {"submodule", STATEMENT_SUBMODULE, BRACKET}, {"sync all", STATEMENT_IMAGES, ANYTHING},
    {"sync images", STATEMENT_IMAGES, BRACKET}, {"sync memory", STATEMENT_IMAGES, ANYTHING},
    {"sync team", STATEMENT_IMAGES, BRACKET}, {"target", STATEMENT_ATTRIBUTE, ANYTHING},
    {"unlock", STATEMENT_IMAGES, BRACKET}, {"use", STATEMENT_USE, ANYTHING},
    {"value", STATEMENT_ATTRIBUTE, ANYTHING}, {"volatile", STATEMENT_ATTRIBUTE, ANYTHING},
    {"wait", STATEMENT_FILE, BRACKET}, {"write", STATEMENT_WRITE, BRACKET}};

/* What END.. ends. */
static const struct keyword endings[] = {{"associate", STATEMENT_ASSOCIATE, NAME_OR_NONE},
    {"block data", STATEMENT_BLOCK_DATA, NAME_OR_NONE}, {"block", STATEMENT_BLOCK, NAME_OR_NONE},
    {"critical", STATEMENT_CRITICAL, NAME_OR_NONE}, {"do", STATEMENT_DO, NAME_OR_NONE},
    {"enum", STATEMENT_ENUM, END_ONLY}, {"forall", STATEMENT_FORALL_CONSTRUCT, NAME_OR_NONE},
    {"function", STATEMENT_FUNCTION, NAME_OR_NONE}, {"if", STATEMENT_IF_THEN, NAME_OR_NONE},
    {"interface", STATEMENT_INTERFACE, ANYTHING}, {"module", STATEMENT_MODULE, NAME_OR_NONE},
    {"procedure", STATEMENT_MODULE_PROCEDURE, NAME_OR_NONE}, {"program", STATEMENT_PROGRAM, NAME_OR_NONE},
    {"select", STATEMENT_SELECT, NAME_OR_NONE}, {"submodule", STATEMENT_SUBMODULE, NAME_OR_NONE},
    {"subroutine", STATEMENT_SUBROUTINE, NAME_OR_NONE}, {"team", STATEMENT_CHANGE_TEAM, ANYTHING},
    {"type", STATEMENT_TYPE, NAME_OR_NONE}, {"where", STATEMENT_WHERE_CONSTRUCT, NAME_OR_NONE}};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static int is_name(const struct statement *s, size_t k)
{
  return k < s->count && s->token[k].kind == TOKEN_NAME;
}

static int follows(const struct statement *s, size_t k, enum follow follow)
{
  switch (follow) {
  case BRACKET: return statement_is(s, k, "(");
  case NAME: return is_name(s, k);
  case END_ONLY: return k == s->count;
  case NAME_OR_NONE: return k == s->count || is_name(s, k);
  default: return 1;
  }
}

/* In free form a word counts only if what follows it is right. In fixed form the name is parted before that
 * is known; it is parted again, or copied, with the same letters. */
static const struct keyword *keyword_find(
    struct statement *s, size_t *at, const struct keyword *list, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    size_t behind = *at;
    if (!statement_word(s, &behind, list[k].words) || !follows(s, behind, list[k].follow)) continue;
    *at = behind;
    return &list[k];
  }
  return NULL;
}

/* ---- assignments ---- */

/* The = or => behind a designator that begins at k: a, a(..), a(..)%b[..]; 0: that is not what is here. */
static size_t assignment_find(const struct statement *s, size_t k)
{
  if (!is_name(s, k)) return 0;
  for (k++; k < s->count;) {
    if (statement_is(s, k, "=") || statement_is(s, k, "=>")) return k;
    if (statement_is(s, k, "(") || statement_is(s, k, "[")) k = statement_skip(s, k);
    else if (statement_is(s, k, "%") && is_name(s, k + 1)) k += 2;
    else return 0;
  }
  return 0;
}

static int has_comma(const struct statement *s, size_t k)
{
  for (; k < s->count; k = statement_is(s, k, "(") || statement_is(s, k, "[") ? statement_skip(s, k) : k + 1)
    if (statement_is(s, k, ",")) return 1;
  return 0;
}

/* In fixed form DO 10 I = 1, 5 is DO10I=1,5. */
static int is_fixed_do(const struct statement *s, size_t k, size_t equals)
{
  return s->joined->form == FORM_FIXED && equals == k + 1 && s->token[k].length > 2 &&
      strncasecmp(s->token[k].text, "do", 2) == 0 && has_comma(s, equals + 1);
}

static enum statement_kind assignment_classify(struct statement *s, size_t k, size_t *body)
{
  const size_t equals = assignment_find(s, k);
  if (!equals || is_fixed_do(s, k, equals)) return STATEMENT_OTHER;
  *body = equals;
  return statement_is(s, equals, "=") ? STATEMENT_ASSIGNMENT : STATEMENT_POINTER_ASSIGNMENT;
}

/* ---- statements with brackets and something behind ---- */

static enum statement_kind action_classify(struct statement *s, size_t k, size_t *body);

/* IF (..), WHERE (..), FORALL (..): a construct, or one more statement. */
static enum statement_kind guard_classify(
    struct statement *s, size_t k, enum statement_kind construct, enum statement_kind single)
{
  const size_t after = statement_skip(s, k);
  size_t inner_body;
  s->body = k;
  if (after == s->count) return construct;
  s->inner = after;
  s->inner_kind = action_classify(s, after, &inner_body);
  return single;
}

static enum statement_kind if_classify(struct statement *s, size_t k)
{
  const size_t after = statement_skip(s, k);
  if (after < s->count && s->token[after].kind == TOKEN_NUMBER) return s->body = k, STATEMENT_IF_ARITHMETIC;
  if (after + 1 == s->count && token_is_word(&s->token[after], "then")) return s->body = k, STATEMENT_IF_THEN;
  const enum statement_kind kind = guard_classify(s, k, STATEMENT_OTHER, STATEMENT_IF);
  const int has_labels = kind == STATEMENT_IF && s->inner_kind == STATEMENT_OTHER && has_comma(s, after);
  return has_labels ? STATEMENT_IF_ARITHMETIC : kind; /* labels may be names */
}

static enum statement_kind bracketed_classify(struct statement *s, size_t k)
{
  size_t at = k;
  if (statement_word(s, &at, "if")) return statement_is(s, at, "(") ? if_classify(s, at) : STATEMENT_OTHER;
  if (statement_word(s, &at, "where"))
    return statement_is(s, at, "(") ? guard_classify(s, at, STATEMENT_WHERE_CONSTRUCT, STATEMENT_WHERE)
                                    : STATEMENT_OTHER;
  if (statement_word(s, &at, "forall"))
    return statement_is(s, at, "(") ? guard_classify(s, at, STATEMENT_FORALL_CONSTRUCT, STATEMENT_FORALL)
                                    : STATEMENT_OTHER;
  return STATEMENT_OTHER;
}

/* ---- do ---- */

/* In fixed form a name that begins with DO may be DOUBLEPRECISION. */
static int is_do(const struct statement *s, size_t k)
{
  if (!is_name(s, k) || strncasecmp(s->token[k].text, "do", 2) != 0) return 0;
  const char *const rest = s->token[k].text + 2;
  const size_t n = s->token[k].length - 2;
  if (s->joined->form == FORM_FREE || n == 0 || lexical_is_digit(*rest)) return s->token[k].length >= 2;
  return (n == 5 && strncasecmp(rest, "while", n) == 0) ||
      (n == 10 && strncasecmp(rest, "concurrent", n) == 0) || assignment_find(s, k) != 0;
}

static enum statement_kind do_classify(struct statement *s, size_t k)
{
  size_t at = k;
  if (!is_do(s, k) || !statement_word(s, &at, "do")) return STATEMENT_OTHER;
  if (at < s->count && s->token[at].kind == TOKEN_NUMBER) {
    statement_part(s, at, (unsigned)strspn(s->token[at].text, "0123456789"));
    s->do_label = at++;
    if (statement_is(s, at, ",")) at++;
  }
  s->body = at;
  if (assignment_find(s, at)) return STATEMENT_DO;
  if (statement_word(s, &at, "while") && statement_is(s, at, "(")) return s->body = at, STATEMENT_DO_WHILE;
  if (statement_word(s, &at, "concurrent") && statement_is(s, at, "("))
    return s->body = at, STATEMENT_DO_CONCURRENT;
  return at == s->count ? STATEMENT_DO : STATEMENT_OTHER;
}

/* ---- procedures, and declarations ---- */

/* Whether FUNCTION NAME is here; in fixed form FUNCTIONNAME ( names ), which is parted only if so. */
static int is_function(const struct statement *s, size_t k)
{
  if (!is_name(s, k) || s->token[k].length < 8 || strncasecmp(s->token[k].text, "function", 8) != 0) return 0;
  if (s->joined->form == FORM_FREE) return s->token[k].length == 8 && is_name(s, k + 1);
  return s->token[k].length > 8 && statement_is(s, k + 1, "(");
}

/* Whether what follows a type may be a function, and no variable: in fixed form REAL FUNCTION F(X) differs
 * from REAL FUNCTIONF(10) by its arguments. */
static int may_be_function(const struct statement *s, size_t k)
{
  int found = 0;
  if (s->joined->form == FORM_FREE) return 1;
  if (!is_name(s, k) || !statement_is(s, k + 1, "(")) return 0;
  for (unsigned i = 0; i + 8 < s->token[k].length && !found; i++)
    found = strncasecmp(s->token[k].text + i, "function", 8) == 0;
  for (k += 2; found && k < s->count && !statement_is(s, k, ")"); k++)
    if (!is_name(s, k) && !statement_is(s, k, ",")) return 0;
  return found;
}

/* Steps over PURE, ELEMENTAL and the like. */
static void prefix_skip(struct statement *s, size_t *at)
{
  static const char *const prefixes[] = {
      "elemental", "impure", "pure", "recursive", "non_recursive", "module"};
  for (int more = 1; more;) {
    more = 0;
    for (size_t i = 0; i < COUNT(prefixes) && !more; i++) more = statement_word(s, at, prefixes[i]);
  }
}

static enum statement_kind procedure_named(struct statement *s, size_t k, enum statement_kind kind)
{
  if (!is_name(s, k)) return STATEMENT_OTHER;
  s->name = k;
  s->body = k + 1;
  return kind;
}

static enum statement_kind procedure_classify(struct statement *s, size_t k)
{
  size_t at = k;
  prefix_skip(s, &at);
  const size_t type = statement_type(s, at);
  if (type > at) {
    if (!may_be_function(s, at = type)) return STATEMENT_OTHER;
    prefix_skip(s, &at);
  }
  if (statement_word(s, &at, "subroutine")) return procedure_named(s, at, STATEMENT_SUBROUTINE);
  if (!is_function(s, at)) return STATEMENT_OTHER;
  statement_word(s, &at, "function");
  return procedure_named(s, at, STATEMENT_FUNCTION);
}

/* TYPE :: T, TYPE, EXTENDS(..) :: T, TYPE T, TYPE T(K); but TYPE(T) :: X and TYPE IS (..). */
static enum statement_kind type_classify(struct statement *s, size_t k)
{
  size_t at = k;
  if (!statement_word(s, &at, "type")) return STATEMENT_OTHER;
  size_t is = at;
  if (statement_is(s, at, "(")) return STATEMENT_OTHER;
  if (is_name(s, at) && strncasecmp(s->token[at].text, "is", s->token[at].length) == 0 &&
      statement_word(s, &is, "is") && statement_is(s, is, "("))
    return s->body = is, STATEMENT_CASE;
  while (at < s->count && !statement_is_double(s, at, ":"))
    if (is_name(s, at) && !statement_is(s, at - 1, ",")) break;
    else at = statement_is(s, at, "(") ? statement_skip(s, at) : at + 1;
  if (statement_is_double(s, at, ":")) at += 2;
  return procedure_named(s, at, STATEMENT_TYPE);
}

static enum statement_kind declaration_classify(struct statement *s, size_t k)
{
  const size_t at = statement_type(s, k);
  if (at == k || at == s->count) return STATEMENT_OTHER;
  s->body = at;
  return STATEMENT_DECLARATION;
}

/* ---- end ---- */

static enum statement_kind end_classify(struct statement *s, size_t k)
{
  size_t at = k;
  if (!is_name(s, k) || strncasecmp(s->token[k].text, "end", s->token[k].length < 3 ? 1 : 3) != 0)
    return STATEMENT_OTHER;
  if (statement_word(s, &at, "end file")) return s->body = at, STATEMENT_FILE;
  at = k;
  if (s->token[k].length > 3) statement_part(s, k, 3); /* ENDDO, in both forms */
  at = k + 1;
  s->body = at;
  s->ends = STATEMENT_OTHER;
  if (at == s->count) return STATEMENT_END;
  const struct keyword *const found = keyword_find(s, &at, endings, COUNT(endings));
  if (!found) return STATEMENT_OTHER;
  s->ends = found->kind;
  s->body = at;
  if (is_name(s, at)) s->name = at;
  return STATEMENT_END;
}

/* ---- all ---- */

static int has_name(enum statement_kind kind)
{
  return kind == STATEMENT_PROGRAM || kind == STATEMENT_MODULE || kind == STATEMENT_BLOCK_DATA ||
      kind == STATEMENT_ENTRY || kind == STATEMENT_CALL;
}

static enum statement_kind keyword_classify(struct statement *s, size_t k, size_t *body)
{
  size_t at = k;
  const struct keyword *const found = keyword_find(s, &at, keywords, COUNT(keywords));
  if (!found) return STATEMENT_OTHER;
  *body = at;
  if (has_name(found->kind) && is_name(s, at) && k == s->first) s->name = at;
  return found->kind;
}

/* What can stand behind IF (..). */
static enum statement_kind action_classify(struct statement *s, size_t k, size_t *body)
{
  const enum statement_kind kind = assignment_classify(s, k, body);
  return kind ? kind : keyword_classify(s, k, body);
}

static enum statement_kind statement_kind(struct statement *s, size_t k)
{
  enum statement_kind kind;
  if ((kind = assignment_classify(s, k, &s->body))) return kind;
  if ((kind = end_classify(s, k))) return kind;
  if ((kind = do_classify(s, k))) return kind;
  if ((kind = bracketed_classify(s, k))) return kind;
  if ((kind = type_classify(s, k))) return kind;
  if ((kind = procedure_classify(s, k))) return kind;
  if ((kind = declaration_classify(s, k))) return kind;
  return keyword_classify(s, k, &s->body);
}

/* SUBMODULE (a:b) c */
static void submodule_name(struct statement *s)
{
  const size_t at = statement_skip(s, s->body);
  if (is_name(s, at)) s->name = at;
}

void statement_classify(struct statement *s)
{
  s->is_named = is_name(s, 0) && statement_is(s, 1, ":") && !statement_is_double(s, 1, ":");
  s->first = s->is_named ? 2 : 0;
  s->kind = s->count > s->first ? statement_kind(s, s->first) : STATEMENT_OTHER;
  if (s->kind == STATEMENT_SUBMODULE) submodule_name(s);
}

int statement_is_specification(enum statement_kind kind)
{
  return kind >= STATEMENT_USE && kind <= STATEMENT_FUNCTION_STATEMENT && kind != STATEMENT_FORMAT &&
      kind != STATEMENT_DATA;
}

const char *statement_name(enum statement_kind kind)
{
  static const char *const names[STATEMENT_KINDS] = {"other", "xmp", "openmp", "program", "module",
      "submodule", "block data", "subroutine", "function", "module procedure", "interface", "contains",
      "entry", "end", "use", "import", "implicit", "declaration", "attribute", "access", "parameter",
      "common", "equivalence", "namelist", "data", "type", "sequence", "procedure", "generic", "final",
      "enum", "enumerator", "format", "statement function", "if then", "else if", "else", "select", "case",
      "where construct", "elsewhere", "forall construct", "associate", "block", "critical", "change team",
      "do", "do while", "do concurrent", "if", "arithmetic if", "where", "forall", "assignment",
      "pointer assignment", "call", "allocate", "deallocate", "nullify", "read", "write", "print", "open",
      "close", "inquire", "file", "return", "stop", "exit", "cycle", "goto", "assign", "continue", "images"};
  return names[kind];
}
