#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/data.h"
#include "bench/control/json.h"
#include "bench/control/settings.h"
#include "bench/control/units.h"
#include "launch/options.h"

struct reading {
  const struct json *j;
  char *error;
};

static int wrong(const struct reading *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(const struct reading *in, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(in->error, ERROR_MOST, format, args);
  va_end(args);
  return -1;
}

/* ---- members ---- */

/* `least` characters and `size` - 1 at most, printable ones. */
static int string(const struct reading *in, const struct json_value *object, const char *name, size_t least, char *to, size_t size)
{
  const struct json_value *v = json_member(in->j, object, name, JSON_STRING);
  if (!v) return wrong(in, "no text \"%s\"", name);
  const size_t n = strlen(v->string);
  if (n < least || n >= size) return wrong(in, "\"%s\" has %zu characters", name, n);
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)v->string[i] < ' ' || (unsigned char)v->string[i] > 126) return wrong(in, "\"%s\" has strange characters", name);
  memcpy(to, v->string, n + 1);
  return 0;
}

static int number(const struct reading *in, const struct json_value *object, const char *name, double least, double most, double *to)
{
  const struct json_value *v = json_member(in->j, object, name, JSON_NUMBER);
  if (!v) return wrong(in, "no number \"%s\"", name);
  if (!(v->number >= least && v->number <= most)) return wrong(in, "\"%s\" is %g", name, v->number);
  *to = v->number;
  return 0;
}

static int whole(const struct reading *in, const struct json_value *object, const char *name, double least, double most, double *to)
{
  if (number(in, object, name, least, most, to) != 0) return -1;
  return floor(*to) == *to ? 0 : wrong(in, "\"%s\" is %g, which is no whole number", name, *to);
}

static int read_stats(const struct reading *in, const struct json_value *object, const char *name, struct stats *s)
{
  static const double most = 1e30;
  const struct json_value *v = json_member(in->j, object, name, JSON_OBJECT);
  if (!v) return wrong(in, "no object \"%s\"", name);
  if (whole(in, v, "n", 1, 1e9, &s->n) || number(in, v, "median", -most, most, &s->median) || number(in, v, "min", -most, most, &s->min) ||
      number(in, v, "p99", -most, most, &s->p99) || number(in, v, "q1", -most, most, &s->q1) || number(in, v, "q3", -most, most, &s->q3))
    return -1;
  return s->q1 <= s->median && s->median <= s->q3 ? 0 : wrong(in, "the quarters of \"%s\" are not on both sides of its median", name);
}

/* ---- results ---- */

static int read_kind(const struct reading *in, const struct json_value *v, struct result *r)
{
  static const char *const points[] = {"one", "sizes", "names", "nodes"};
  char unit[16], kind[16];
  if (string(in, v, "unit", 1, unit, sizeof unit) || string(in, v, "points", 1, kind, sizeof kind)) return -1;
  const unsigned u = unit_named(unit);
  if (u == UNITS) return wrong(in, "\"unit\" is %s, which is none", unit);
  r->unit = (enum bench_unit)u;
  for (unsigned k = 0; k < 4; k++)
    if (strcmp(points[k], kind) == 0) {
      r->points = (enum bench_points)k;
      return 0;
    }
  return wrong(in, "\"points\" is %s", kind);
}

static int read_names(const struct reading *in, const struct json_value *v, struct result *r)
{
  double nodes, threads, bytes;
  if (string(in, v, "test", 1, r->test, sizeof r->test) || string(in, v, "group", 1, r->group, sizeof r->group) ||
      string(in, v, "point", 1, r->point, sizeof r->point) || string(in, v, "conduit", 1, r->conduit, sizeof r->conduit) ||
      string(in, v, "transport", 1, r->transport, sizeof r->transport) || whole(in, v, "nodes", 1, 1e7, &nodes) ||
      whole(in, v, "threads", 1, 1e4, &threads) || whole(in, v, "bytes", 0, 1e15, &bytes) || read_kind(in, v, r))
    return -1;
  r->nodes = (unsigned)nodes;
  r->threads = (unsigned)threads;
  r->bytes = (size_t)bytes;
  return 0;
}

static int read_result(const struct reading *in, const struct json_value *v, struct result *r)
{
  if (v->kind != JSON_OBJECT) return wrong(in, "it is no object");
  if (read_names(in, v, r) != 0) return -1;
  if (json_member(in->j, v, "missing", JSON_STRING)) {
    r->state = MISSING;
    return string(in, v, "missing", 1, r->missing, sizeof r->missing);
  }
  r->state = MEASURED;
  if (read_stats(in, v, "ours", &r->ours) != 0) return -1;
  if (!json_member(in->j, v, "raw", JSON_OBJECT)) return 0;
  if (read_stats(in, v, "raw", &r->raw) != 0) return -1;
  return number(in, v, "ratio", 0, 1e12, &r->ratio);
}

static int read_results(const struct reading *in, const struct json_value *all, struct report *r)
{
  char what[ERROR_MOST];
  const struct reading inner = {in->j, what};
  unsigned n = 0;
  for (unsigned i = all->first; i != JSON_NONE; i = in->j->value[i].next, n++) {
    struct result *added = report_add(r);
    if (!added) return wrong(in, "more than %d results", RESULTS_MOST);
    if (read_result(&inner, &in->j->value[i], added) != 0) return wrong(in, "result %u: %.160s", n, what);
  }
  return 0;
}

/* ---- the whole ---- */

static int read_place(const struct reading *in, const struct json_value *v, struct place *p)
{
  double processors;
  if (string(in, v, "version", 1, p->version, sizeof p->version) || string(in, v, "date", 1, p->date, sizeof p->date) ||
      string(in, v, "host", 0, p->host, sizeof p->host) || string(in, v, "hosts", 0, p->hosts, sizeof p->hosts) ||
      string(in, v, "network", 0, p->network, sizeof p->network) ||
      string(in, v, "processor", 0, p->processor, sizeof p->processor) || string(in, v, "system", 0, p->system, sizeof p->system) ||
      whole(in, v, "processors", 1, 1e6, &processors) || number(in, v, "load", -1, 1e6, &p->load))
    return -1;
  p->processors = (unsigned)processors;
  return 0;
}

static int read_report(const struct reading *in, struct report *r)
{
  const struct json_value *whole = &in->j->value[1], *results;
  char format[32];
  if (whole->kind != JSON_OBJECT) return wrong(in, "it is no report of gasnetbench --json");
  if (string(in, whole, "format", 1, format, sizeof format) != 0 || strcmp(format, JSON_FORMAT) != 0)
    return wrong(in, "it is no report of gasnetbench --json, whose \"format\" is \"%s\"", JSON_FORMAT);
  if (read_place(in, whole, &r->place) != 0) return -1;
  if (!(results = json_member(in->j, whole, "results", JSON_ARRAY))) return wrong(in, "no array \"results\"");
  return read_results(in, results, r);
}

int report_read(const char *text, size_t n, struct report *r, char error[ERROR_MOST])
{
  struct json j;
  const struct reading in = {&j, error};
  const char *what;
  size_t at;
  *r = (struct report){0};
  int failed = json_read(text, n, &j, &what, &at);
  if (failed) wrong(&in, "%s, at byte %zu", what, at);
  else failed = read_report(&in, r);
  json_free(&j);
  if (failed) {
    report_free(r);
    *r = (struct report){0};
  }
  return failed;
}

/* All of it, or NULL with errno. */
static char *slurp(const char *path, size_t *n)
{
  FILE *f = fopen(path, "re");
  char *text = f ? malloc(JSON_BYTES + 2) : NULL;
  if (!f) return NULL;
  if (text) *n = fread(text, 1, JSON_BYTES + 1, f);
  if (ferror(f)) {
    free(text);
    text = NULL;
  }
  fclose(f);
  return text;
}

void report_load(const char *path, struct report *r)
{
  char error[ERROR_MOST];
  size_t n = 0;
  char *text = slurp(path, &n);
  if (!text) fail(EXIT_USAGE, "--vs %s: cannot be read: %s", path, strerror(errno));
  if (report_read(text, n, r, error) != 0) fail(EXIT_USAGE, "--vs %s: %s", path, error);
  free(text);
}
