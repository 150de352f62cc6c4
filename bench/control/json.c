/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Reports as JSON. A comparison needs a part of what is written, and only that is read again. */
#include "bench/control/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#ifdef PST_HAVE_JANSSON
#include <jansson.h>
#endif

#include "launch/arguments.h"

/* ---- writing ---- */

/* JSON, in which ' stands for ", and %s, %u, %z, %g, %m for ASCII, an unsigned, size_t, double, summary. */
static void write_json(FILE *out, const char *piece, ...)
{
  const char *text;
  va_list args;
  va_start(args, piece);
  for (; *piece; piece++)
    if (*piece == '\'') fputc('"', out);
    else if (*piece != '%') fputc(*piece, out);
    else if (*++piece == 's') {
      fputc('"', out);
      for (text = va_arg(args, const char *); *text; text++)
        fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
      fputc('"', out);
    } else if (*piece == 'u') fprintf(out, "%u", va_arg(args, unsigned));
    else if (*piece == 'z') fprintf(out, "%zu", va_arg(args, size_t));
    else if (*piece == 'g') { /* as long as what comes back is the same number */
      const double value = va_arg(args, double);
      int digits = 6;
      while (digits < 17 && strtod(text_of("%.*g", digits, value), NULL) != value) digits++;
      fprintf(out, "%.*g", digits, value);
    } else {
      const struct bench_summary *s = va_arg(args, const struct bench_summary *);
      write_json(out, "{'n': %u, 'median': %g, 'min': %g, 'p99': %g, 'q1': %g, 'q3': %g}", s->n, s->median,
          s->least, s->p99, s->q1, s->q3);
    }
  va_end(args);
}

static void write_result(FILE *out, const struct report *report, const struct result *r)
{
  static const char *const points[] = {"one", "sizes", "names", "nodes"};
  write_json(out, "{'test': %s, 'group': %s, 'point': %s, 'points': %s, 'nodes': %u, 'threads': %u, ",
      r->test, r->group, r->point, points[r->points], r->nodes, r->threads);
  write_json(out, "'conduit': %s, 'transport': %s, 'unit': %s, 'base': %s, 'bytes': %z", r->conduit,
      r->transport, units[r->unit].name, units[r->unit].base, r->bytes);
  if (r->state == MISSING) {
    write_json(out, ", 'missing': %s}", r->missing);
    return;
  }
  write_json(out, ", 'shown': %g,\n  'ours': %m", unit_shown(r, r->ours.median), &r->ours);
  if (r->raw.n) write_json(out, ", 'raw': %m, 'ratio': %g", &r->raw, r->ratio);
  if (r->bound)
    write_json(out,
        r->over ? ", 'check': {'value': %g, 'bound': %g, 'ok': false}"
                : ", 'check': {'value': %g, 'bound': %g, 'ok': true}",
        check_value(r->bound, r), r->bound->bound);
  if (report->then) write_json(out, ", 'change': {'verdict': %s", change_text[r->change].name);
  if (r->earlier) write_json(out, ", 'before': %g", r->earlier->ours.median);
  fputs(report->then ? "}}" : "}", out);
}

#define FORMAT "gasnetbench 1"

void json_write(FILE *out, const struct report *r)
{
  const struct place *p = &r->place;
  const char *before = "\n";
  write_json(out, "{\n'format': %s, 'version': %s, 'date': %s, 'host': %s, 'hosts': %s, 'network': %s, ",
      FORMAT, p->version, p->date, p->host, p->hosts, p->network);
  write_json(out, "'processor': %s, 'system': %s, 'processors': %u, 'load': %g,\n'notes': [", p->processor,
      p->system, p->processors, p->load);
  for (unsigned i = 0; i < r->notes; i++) write_json(out, i ? ", %s" : "%s", r->note[i]);
  write_json(out, "],\n'results': [");
  EACH_RESULT (each, r) {
    if (each->state == WAITING) continue;
    fputs(before, out);
    write_result(out, r, each);
    before = ",\n";
  }
  write_json(out, "\n]\n}\n");
}

/* ---- reading ---- */

#ifdef PST_HAVE_JANSSON

static int read_stats(json_t *v, struct bench_summary *s, json_error_t *wrong)
{
  if (json_unpack_ex(v, wrong, 0, "{s:i, s:F, s:F, s:F, s:F, s:F}", "n", &s->n, "median", &s->median, "min",
          &s->least, "p99", &s->p99, "q1", &s->q1, "q3", &s->q3) != 0)
    return -1;
  snprintf(wrong->text, sizeof wrong->text, "its n is %d, and not at least 1", (int)s->n);
  return (int)s->n >= 1 ? 0 : -1;
}

static int read_result(json_t *v, struct result *r, json_error_t *wrong)
{
  const char *unit;
  json_t *ours = NULL, *raw = NULL;
  json_int_t bytes;
  if (json_unpack_ex(v, wrong, 0, "{s:s, s:s, s:i, s:i, s:s, s:s, s:s, s:I, s?o, s?o, s?F}", "test", &r->test,
          "point", &r->point, "nodes", &r->nodes, "threads", &r->threads, "conduit", &r->conduit, "transport",
          &r->transport, "unit", &unit, "bytes", &bytes, "ours", &ours, "raw", &raw, "ratio", &r->ratio) != 0)
    return -1;
  r->test = text_plain(r->test);
  r->point = text_plain(r->point);
  r->conduit = text_plain(r->conduit);
  r->transport = text_plain(r->transport);
  r->state = ours ? MEASURED : MISSING;
  r->bytes = (size_t)bytes;
  unsigned u = 0;
  while (u < UNITS && strcmp(units[u].name, unit) != 0) u++;
  r->unit = u;
  snprintf(wrong->text, sizeof wrong->text, "its unit is %s, which is none", unit);
  if (u == UNITS || (ours && read_stats(ours, &r->ours, wrong) != 0)) return -1;
  return raw ? read_stats(raw, &r->raw, wrong) : 0;
}

static const char *read_report(json_t *whole, struct report *r)
{
  const char *format = json_string_value(json_object_get(whole, "format")), *version, *date;
  json_t *results;
  json_error_t wrong;
  if (!format || strcmp(format, FORMAT) != 0)
    return text_of("it is no report of gasnetbench --json, whose \"format\" is \"%s\"", FORMAT);
  if (json_unpack_ex(
          whole, &wrong, 0, "{s:s, s:s, s:o}", "version", &version, "date", &date, "results", &results) != 0)
    return text_of("%s", wrong.text);
  if (!json_is_array(results)) return "no array \"results\"";
  r->place = (struct place){.version = text_plain(version), .date = text_plain(date)};
  for (size_t i = 0; i < json_array_size(results); i++) {
    struct result *added = report_add(r);
    if (!added) return text_of("more than %d results", RESULTS_MOST);
    if (read_result(json_array_get(results, i), added, &wrong) != 0)
      return text_of("result %zu: %s", i, wrong.text);
  }
  return NULL;
}

#endif

const char *report_read(FILE *in, struct report *r)
{
  *r = (struct report){0};
#ifdef PST_HAVE_JANSSON
  json_error_t error;
  json_t *whole = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
  if (!whole) return text_of("%s, at byte %d", error.text, error.position);
  const char *wrong = read_report(whole, r);
  json_decref(whole);
  if (wrong) report_free(r);
  return wrong;
#else
  (void)in;
  return "reports are read by jansson, which was not there when gasnetbench was built (Debian: "
         "libjansson-dev)";
#endif
}

void report_load(const char *path, struct report *r)
{
  FILE *f = fopen(path, "re");
  const char *wrong = f ? report_read(f, r) : NULL;
  if (!f || ferror(f)) fail(EXIT_MISUSE, "--vs %s: cannot be read: %m", path);
  if (wrong) fail(EXIT_MISUSE, "--vs %s: %s", path, wrong);
  fclose(f);
}
