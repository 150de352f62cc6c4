#include <string.h>

#include "bench/control/compare.h"
#include "bench/control/data.h"
#include "bench/control/columns.h"
#include "bench/control/units.h"

/* Fields with commas or quotes stand in quotes, which are doubled inside. */
static void field(FILE *out, const char *text)
{
  if (!strpbrk(text, ",\"\n\r")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void text(FILE *out, const char *value)
{
  fputc(',', out);
  field(out, value);
}

static void number(FILE *out, int there, double value)
{
  fputc(',', out);
  if (there) fprintf(out, "%.6g", value);
}

static void write_values(FILE *out, const struct result *r)
{
  const int ours = r->state == MEASURED, raw = ours && r->raw.n > 0;
  double low = 0, high = 0;
  if (ours) unit_quarters(r, &r->ours, &low, &high);
  number(out, ours, r->ours.n);
  number(out, ours, unit_shown(r, r->ours.median));
  number(out, ours, unit_shown(r, unit_best(r, &r->ours)));
  number(out, ours, unit_shown(r, unit_p99(r, &r->ours)));
  number(out, ours, low);
  number(out, ours, high);
  number(out, raw, unit_shown(r, r->raw.median));
  number(out, raw, unit_shown(r, unit_best(r, &r->raw)));
  number(out, raw && r->ratio > 0, r->ratio);
}

static void write_result(FILE *out, const struct report *report, const struct result *r)
{
  char bound[TEXT_MOST] = "";
  const int compared = report->then && r->state == MEASURED;
  field(out, r->test);
  text(out, r->group);
  text(out, r->point);
  fprintf(out, ",%u,%u", r->nodes, r->threads);
  text(out, r->conduit);
  text(out, r->transport);
  text(out, unit_name(r->unit));
  write_values(out, r);
  if (r->bound) bound_text(r, bound);
  text(out, bound);
  text(out, r->bound ? r->over ? "over" : "ok" : "");
  number(out, compared && r->earlier, r->earlier ? unit_shown(r, r->earlier->ours.median) : 0);
  number(out, compared && r->earlier, compared && r->earlier ? compare_percent(r) : 0);
  text(out, compared ? change_name(compare(r, report->noise)) : "");
  text(out, r->state == MISSING ? r->missing : "");
  fputc('\n', out);
}

void csv_write(FILE *out, const struct report *r)
{
  fputs("test,group,point,nodes,threads,conduit,transport,unit,samples,median,best,p99,quarter_low,quarter_high,raw_median,raw_best,time_ratio,"
        "bound,check,before,change_percent,change,missing\n", out);
  for (unsigned i = 0; i < r->count; i++)
    if (r->result[i].state != WAITING) write_result(out, r, &r->result[i]);
}
