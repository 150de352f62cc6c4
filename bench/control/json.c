/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/forms.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#ifdef PST_HAVE_JANSSON
#include <jansson.h>
#endif

#include "bench/control/settings.h"
#include "launch/arguments.h"

/* ---- members: by this one table they are written and read ---- */

/* COUNT, BYTES and NUMBER are an unsigned, a size_t and a double; a WORD is a value of an enumeration. What
 * FOLLOWS is written alike, and not read: it follows from another member. */
enum kind { TEXT, COUNT, BYTES, NUMBER, WORD, FOLLOWS };

struct member {
  const char *name;
  enum kind kind;
  size_t at, room;                     /* in its structure; of a TEXT with its end */
  const char *(*word)(unsigned value); /* NULL: there is no such value */
};

/* clang-format off */
#define TEXT_OF(type, name) {#name, TEXT, offsetof(struct type, name), sizeof((struct type *)0)->name, NULL}
#define NUMBER_OF(type, kind, name) {#name, kind, offsetof(struct type, name), 0, NULL}
#define VALUE_OF(name, member) {name, NUMBER, offsetof(struct bench_summary, member), 0, NULL}
#define WORD_OF(name, kind, member, word) {name, kind, offsetof(struct result, member), 0, word}
#define END {.name = NULL}
/* clang-format on */

static const char *points_name(unsigned points)
{
  static const char *const name[] = {"one", "sizes", "names", "nodes"};
  return points < sizeof name / sizeof *name ? name[points] : NULL;
}

static const char *unit_word(unsigned unit) { return unit < UNITS ? units[unit].name : NULL; }
static const char *base_word(unsigned unit) { return units[unit].base; }

static const struct member of_place[] = {TEXT_OF(place, version), TEXT_OF(place, date), TEXT_OF(place, host),
    TEXT_OF(place, hosts), TEXT_OF(place, network), TEXT_OF(place, processor), TEXT_OF(place, system),
    NUMBER_OF(place, COUNT, processors), NUMBER_OF(place, NUMBER, load), END};
static const struct member of_result[] = {TEXT_OF(result, test), TEXT_OF(result, group),
    TEXT_OF(result, point), WORD_OF("points", WORD, points, points_name), NUMBER_OF(result, COUNT, nodes),
    NUMBER_OF(result, COUNT, threads), TEXT_OF(result, conduit), TEXT_OF(result, transport),
    WORD_OF("unit", WORD, unit, unit_word), WORD_OF("base", FOLLOWS, unit, base_word),
    NUMBER_OF(result, BYTES, bytes), END};
static const struct member of_missing[] = {TEXT_OF(result, missing), END};
static const struct member of_compared[] = {NUMBER_OF(result, NUMBER, ratio), END};
static const struct member of_stats[] = {NUMBER_OF(bench_summary, COUNT, n), VALUE_OF("median", median),
    VALUE_OF("min", least), VALUE_OF("p99", p99), VALUE_OF("q1", q1), VALUE_OF("q3", q3), END};
_Static_assert(sizeof(enum bench_unit) == sizeof(unsigned) && sizeof(enum bench_points) == sizeof(unsigned),
    "words are read into an unsigned");

/* ---- writing ---- */

/* Printable ASCII, as all of a report. */
static void write_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; text++) fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc('"', out);
}

/* As long as what comes back is the same number. */
static void write_number(FILE *out, double value)
{
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fputs(text, out);
}

static void write_member(FILE *out, const struct member *m, const void *object)
{
  const char *at = (const char *)object + m->at;
  fprintf(out, "\"%s\": ", m->name);
  switch (m->kind) {
  case TEXT: write_text(out, at); return;
  case COUNT: fprintf(out, "%u", *(const unsigned *)at); return;
  case BYTES: fprintf(out, "%zu", *(const size_t *)at); return;
  case NUMBER: write_number(out, *(const double *)at); return;
  case WORD:
  case FOLLOWS: write_text(out, m->word(*(const unsigned *)at));
  }
}

/* What stands before the first member, then all, with commas between. */
static void write_members(FILE *out, const char *before, const struct member *m, const void *object)
{
  for (; m->name; m++, before = ", ") {
    fputs(before, out);
    write_member(out, m, object);
  }
}

static void write_named(FILE *out, const char *before, double value)
{
  fputs(before, out);
  write_number(out, value);
}

/* What was judged, which nobody needs to read again. */
static void write_verdicts(FILE *out, const struct report *report, const struct result *r)
{
  if (r->bound) {
    write_named(out, ", \"check\": {\"value\": ", check_value(r->bound, r));
    write_named(out, ", \"bound\": ", r->bound->bound);
    fprintf(out, ", \"ok\": %s}", r->over ? "false" : "true");
  }
  if (!report->then) return;
  fprintf(out, ", \"change\": {\"verdict\": \"%s\"", change_name(r->change));
  if (r->earlier) write_named(out, ", \"before\": ", r->earlier->ours.median);
  fputc('}', out);
}

static void write_values(FILE *out, const struct result *r)
{
  write_named(out, ", \"shown\": ", unit_shown(r, r->ours.median));
  write_members(out, ",\n  \"ours\": {", of_stats, &r->ours);
  fputc('}', out);
  if (r->raw.n == 0) return;
  write_members(out, ", \"raw\": {", of_stats, &r->raw);
  write_members(out, "}, ", of_compared, r);
}

static void write_result(FILE *out, const struct report *report, const struct result *r)
{
  write_members(out, "{", of_result, r);
  if (r->state == MISSING) {
    write_members(out, ", ", of_missing, r);
  } else {
    write_values(out, r);
    write_verdicts(out, report, r);
  }
  fputc('}', out);
}

void json_write(FILE *out, const struct report *r)
{
  unsigned written = 0;
  fprintf(out, "{\n\"format\": \"%s\"", JSON_FORMAT);
  write_members(out, ", ", of_place, &r->place);
  fputs(",\n\"notes\": [", out);
  for (unsigned i = 0; i < r->notes; i++) fputs(i ? ", " : "", out), write_text(out, r->note[i]);
  fputs("],\n\"results\": [", out);
  EACH_RESULT (each, r) {
    if (each->state == WAITING) continue;
    fputs(written++ ? ",\n" : "\n", out);
    write_result(out, r, each);
  }
  fputs("\n]\n}\n", out);
}

/* ---- reading ---- */

static __attribute__((format(printf, 2, 3))) int refuse(char *error, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(error, ERROR_MOST, format, args);
  va_end(args);
  return -1;
}

#ifdef PST_HAVE_JANSSON

/* Printable characters, for which there is room. */
static int read_text(const json_t *v, const char *name, size_t room, char *to, char *error)
{
  if (!json_is_string(v)) return refuse(error, "no text \"%s\"", name);
  const char *text = json_string_value(v);
  if (strlen(text) >= room) return refuse(error, "\"%s\" has %zu characters", name, strlen(text));
  strcpy(to, text);
  report_plain(to);
  return strcmp(to, text) == 0 ? 0 : refuse(error, "\"%s\" has strange characters", name);
}

static int read_word(const json_t *v, const struct member *m, unsigned *to, char *error)
{
  char text[16];
  const char *word;
  if (read_text(v, m->name, sizeof text, text, error) != 0) return -1;
  for (*to = 0; (word = m->word(*to)) != NULL && strcmp(word, text) != 0;) ++*to;
  return word ? 0 : refuse(error, "\"%s\" is %s, which is none", m->name, text);
}

static int read_member(const json_t *object, const struct member *m, void *into, char *error)
{
  static const struct {
    double least, most;
  } range[] = {[COUNT] = {1, 1e9}, [BYTES] = {0, 1e15}, [NUMBER] = {-1e30, 1e30}};
  const json_t *v = json_object_get(object, m->name);
  char *to = (char *)into + m->at;
  if (m->kind == FOLLOWS) return 0;
  if (m->kind == TEXT) return read_text(v, m->name, m->room, to, error);
  if (m->kind == WORD) return read_word(v, m, (unsigned *)to, error);
  if (!json_is_number(v)) return refuse(error, "no number \"%s\"", m->name);
  const double x = json_number_value(v);
  if (!(x >= range[m->kind].least && x <= range[m->kind].most))
    return refuse(error, "\"%s\" is %g", m->name, x);
  if (m->kind != NUMBER && floor(x) != x)
    return refuse(error, "\"%s\" is %g, which is no whole number", m->name, x);
  if (m->kind == COUNT) *(unsigned *)to = (unsigned)x;
  else if (m->kind == BYTES) *(size_t *)to = (size_t)x;
  else *(double *)to = x;
  return 0;
}

static int read_members(const json_t *object, const struct member *m, void *into, char *error)
{
  for (; m->name; m++)
    if (read_member(object, m, into, error) != 0) return -1;
  return 0;
}

static int read_stats(const json_t *result, const char *name, struct bench_summary *s, char *error)
{
  const json_t *v = json_object_get(result, name);
  if (!json_is_object(v)) return refuse(error, "no object \"%s\"", name);
  if (read_members(v, of_stats, s, error) != 0) return -1;
  if (s->q1 <= s->median && s->median <= s->q3) return 0;
  return refuse(error, "the quarters of \"%s\" are not on both sides of its median", name);
}

static int read_result(const json_t *v, struct result *r, char *error)
{
  if (!json_is_object(v)) return refuse(error, "it is no object");
  if (read_members(v, of_result, r, error) != 0) return -1;
  if (json_is_string(json_object_get(v, "missing"))) {
    r->state = MISSING;
    return read_members(v, of_missing, r, error);
  }
  r->state = MEASURED;
  if (read_stats(v, "ours", &r->ours, error) != 0) return -1;
  if (!json_is_object(json_object_get(v, "raw"))) return 0;
  return read_stats(v, "raw", &r->raw, error) != 0 ? -1 : read_members(v, of_compared, r, error);
}

static int read_report(const json_t *whole, struct report *r, char *error)
{
  const json_t *format = json_object_get(whole, "format"), *results = json_object_get(whole, "results");
  char what[ERROR_MOST];
  if (!json_is_string(format) || strcmp(json_string_value(format), JSON_FORMAT) != 0)
    return refuse(error, "it is no report of gasnetbench --json, whose \"format\" is \"%s\"", JSON_FORMAT);
  if (read_members(whole, of_place, &r->place, error) != 0) return -1;
  if (!json_is_array(results)) return refuse(error, "no array \"results\"");
  for (size_t i = 0; i < json_array_size(results); i++) {
    struct result *added = report_add(r);
    if (!added) return refuse(error, "more than %d results", RESULTS_MOST);
    if (read_result(json_array_get(results, i), added, what) != 0)
      return refuse(error, "result %zu: %.160s", i, what);
  }
  return 0;
}

int report_read(const char *text, size_t n, struct report *r, char error[ERROR_MOST])
{
  json_error_t wrong;
  size_t commas = 0;
  *r = (struct report){0};
  if (n > JSON_BYTES) return refuse(error, "it is too large");
  /* A value takes dozens of bytes of memory where its text takes two. */
  for (size_t i = 0; i < n; i++) commas += text[i] == ',';
  if (commas >= JSON_VALUES) return refuse(error, "there are too many values");
  json_t *whole = json_loadb(text, n, JSON_REJECT_DUPLICATES, &wrong);
  if (!whole) return refuse(error, "%s, at byte %d", wrong.text, wrong.position);
  const int failed = read_report(whole, r, error);
  json_decref(whole);
  if (failed) report_free(r);
  return failed;
}

#else

int report_read(const char *text, size_t n, struct report *r, char error[ERROR_MOST])
{
  (void)text, (void)n;
  *r = (struct report){0};
  return refuse(error,
      "reports are read by jansson, which was not there when gasnetbench was built (Debian: libjansson-dev)");
}

#endif

void report_load(const char *path, struct report *r)
{
  char error[ERROR_MOST], *text = malloc(JSON_BYTES + 1);
  FILE *f = text ? fopen(path, "re") : NULL;
  const size_t n = f ? fread(text, 1, JSON_BYTES + 1, f) : 0;
  if (!f || ferror(f)) fail(EXIT_USAGE, "--vs %s: cannot be read: %m", path);
  fclose(f);
  if (report_read(text, n, r, error) != 0) fail(EXIT_USAGE, "--vs %s: %s", path, error);
  free(text);
}
