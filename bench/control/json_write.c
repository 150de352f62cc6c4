#include <stdlib.h>
#include <string.h>

#include "bench/control/compare.h"
#include "bench/control/check.h"
#include "bench/control/data.h"
#include "bench/control/units.h"

/* Characters that stand for something else are written by number; what is above ASCII passes as it is. */
static void write_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < ' ' || *text == 127) fprintf(out, "\\u%04x", (unsigned char)*text);
    else fputc(*text, out);
  }
  fputc('"', out);
}

static void member(FILE *out, const char *name, const char *text)
{
  fprintf(out, ", \"%s\": ", name);
  write_string(out, text);
}

/* As long as what comes back is the same number. */
static void number(FILE *out, const char *name, double value)
{
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fprintf(out, "\"%s\": %s", name, text);
}

static void write_stats(FILE *out, const struct stats *s)
{
  const struct {
    const char *name;
    double value;
  } part[] = {{"n", s->n}, {"median", s->median}, {"min", s->min}, {"p99", s->p99}, {"q1", s->q1}, {"q3", s->q3}};
  for (unsigned i = 0; i < sizeof part / sizeof *part; i++) {
    fputs(i ? ", " : "{", out);
    number(out, part[i].name, part[i].value);
  }
  fputc('}', out);
}

static void write_place(FILE *out, const struct place *p)
{
  fprintf(out, "{\n\"format\": \"%s\"", JSON_FORMAT);
  member(out, "version", p->version);
  member(out, "date", p->date);
  member(out, "host", p->host);
  member(out, "hosts", p->hosts);
  member(out, "network", p->network);
  member(out, "processor", p->processor);
  member(out, "system", p->system);
  fprintf(out, ", \"processors\": %u, ", p->processors);
  number(out, "load", p->load);
}

static void write_notes(FILE *out, const struct report *r)
{
  fputs(",\n\"notes\": [", out);
  for (unsigned i = 0; i < r->notes; i++) {
    if (i) fputs(", ", out);
    write_string(out, r->note[i]);
  }
  fputs("],\n\"results\": [", out);
}

static const char *const points_name[] = {"one", "sizes", "names", "nodes"};

static void write_names(FILE *out, const struct result *r)
{
  fputs("{\"test\": ", out);
  write_string(out, r->test);
  member(out, "group", r->group);
  member(out, "point", r->point);
  member(out, "points", points_name[r->points]);
  fprintf(out, ", \"nodes\": %u, \"threads\": %u", r->nodes, r->threads);
  member(out, "conduit", r->conduit);
  member(out, "transport", r->transport);
  member(out, "unit", unit_name(r->unit));
  member(out, "base", unit_base(r->unit));
  fprintf(out, ", \"bytes\": %zu", r->bytes);
}

/* What was judged, which nobody needs to read again. */
static void write_verdicts(FILE *out, const struct report *report, const struct result *r)
{
  if (r->bound) {
    fputs(", \"check\": {", out);
    number(out, "value", check_value(r->bound, r));
    fputs(", ", out);
    number(out, "bound", r->bound->bound);
    fprintf(out, ", \"ok\": %s}", r->over ? "false" : "true");
  }
  if (!report->then) return;
  fprintf(out, ", \"change\": {\"verdict\": \"%s\"", change_name(compare(r, report->noise)));
  if (r->earlier) {
    fputs(", ", out);
    number(out, "before", r->earlier->ours.median);
  }
  fputc('}', out);
}

static void write_result(FILE *out, const struct report *report, const struct result *r)
{
  write_names(out, r);
  if (r->state == MISSING) {
    member(out, "missing", r->missing);
    fputc('}', out);
    return;
  }
  fputs(", ", out);
  number(out, "shown", unit_shown(r, r->ours.median));
  fputs(",\n  \"ours\": ", out);
  write_stats(out, &r->ours);
  if (r->raw.n > 0) {
    fputs(", \"raw\": ", out);
    write_stats(out, &r->raw);
    fputs(", ", out);
    number(out, "ratio", r->ratio);
  }
  write_verdicts(out, report, r);
  fputc('}', out);
}

void json_write(FILE *out, const struct report *r)
{
  unsigned written = 0;
  write_place(out, &r->place);
  write_notes(out, r);
  for (unsigned i = 0; i < r->count; i++) {
    if (r->result[i].state == WAITING) continue;
    fputs(written++ ? ",\n" : "\n", out);
    write_result(out, r, &r->result[i]);
  }
  fputs("\n]\n}\n", out);
}
