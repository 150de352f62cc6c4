/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tool `profile`: a table of the places that events come from, of all threads together and of each. */
#include <stdlib.h>
#include <string.h>

#include "gasp/tools/common.h"

static int profile_merge(struct pst_part *parts, unsigned threads, const char *output);
const struct pst_tool pst_tool = {
    .name = "profile", .output = NULL, .inside = "profile.txt", .stream = 0, .merge = profile_merge};

/* ---- sums ---- */

static void clear(struct pst_join *join)
{
  for (uint32_t i = 0; i < join->count; i++) {
    struct pst_site *s = &join->sites[i];
    s->count = s->bytes = s->time = s->most = 0;
    s->least = UINT64_MAX;
  }
}

static void add(struct pst_site *s, const struct pst_part_totals *t)
{
  s->count += t->count;
  s->bytes += t->bytes;
  s->time += t->time;
  if (t->least < s->least) s->least = t->least;
  if (t->most > s->most) s->most = t->most;
}

static void add_part(struct pst_join *join, struct pst_part *part, const uint32_t *of)
{
  union pst_part_body body;
  unsigned kind;
  pst_part_rewind(part);
  while ((kind = pst_part_next(part, &body)))
    if (kind == PST_PART_TOTALS && body.totals.count) add(&join->sites[of[body.totals.site]], &body.totals);
}

/* ---- the table ---- */

static int by_time(const void *left, const void *right)
{
  const struct pst_site *a = *(struct pst_site *const *)left, *b = *(struct pst_site *const *)right;
  if (a->time != b->time) return a->time > b->time ? -1 : 1;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return a->id < b->id ? -1 : 1;
}

/* Names come from the program: control characters must not break the line. Of a path too long for its column,
 * the end is shown. */
static void print_text(FILE *out, const char *text, int width)
{
  const int n = (int)strlen(text), skip = n > width ? n - width + 2 : 0;
  if (skip) fputs("..", out);
  for (const char *c = text + skip; *c; c++) fputc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, out);
  if (n < width) fprintf(out, "%*s", width - n, "");
}

static void print_site(FILE *out, const struct pst_site *s, double run)
{
  char where[4200];
  if (!*s->file) snprintf(where, sizeof where, "-");
  else if (s->line == 0) snprintf(where, sizeof where, "%s", s->file);
  else snprintf(where, sizeof where, "%s:%d", s->file, s->line);
  fputs("  ", out);
  print_text(out, pst_site_name(s), 26);
  fputc(' ', out);
  print_text(out, where, 28);
  fprintf(out, " %10llu %14llu %10.2f %10.2f %10.2f %6.2f\n", (unsigned long long)s->count,
      (unsigned long long)s->bytes, (double)s->least / 1e3, (double)s->time / (double)s->count / 1e3,
      (double)s->most / 1e3, run > 0 ? 100 * (double)s->time / run : 0);
}

static void print_table(FILE *out, struct pst_join *join, double run)
{
  struct pst_site **order = pst_tool_grow(NULL, join->count + 1, sizeof *order);
  uint32_t n = 0;
  for (uint32_t i = 0; i < join->count; i++)
    if (join->sites[i].count) order[n++] = &join->sites[i];
  qsort(order, n, sizeof *order, by_time);
  fprintf(out, "  %-26s %-28s %10s %14s %10s %10s %10s %6s\n", "event", "where", "count", "bytes", "min us",
      "mean us", "max us", "% run");
  for (uint32_t i = 0; i < n; i++) print_site(out, order[i], run);
  if (n == 0) fprintf(out, "  nothing was measured\n");
  free(order);
}

static double run_time(const struct pst_part *part)
{
  return part->missing ? 0 : (double)(part->end - part->head.begin);
}

static void print_all(FILE *out, struct pst_part *parts, unsigned threads, struct pst_join *join)
{
  uint64_t first, last;
  double run = 0;
  pst_parts_span(parts, threads, &first, &last);
  clear(join);
  for (unsigned t = 0; t < threads; t++) {
    add_part(join, &parts[t], join->of[t]);
    run += run_time(&parts[t]);
  }
  fprintf(out, "penstock profile: %u thread%s, %.6f s\nall threads\n", threads, threads == 1 ? "" : "s",
      (double)(last - first) / 1e9);
  print_table(out, join, run);
}

static void print_thread(FILE *out, struct pst_part *part, struct pst_join *join, const uint32_t *of)
{
  if (part->missing) return;
  clear(join);
  add_part(join, part, of);
  fprintf(out, "thread %u on ", part->head.thread);
  print_text(out, part->head.host, (int)strlen(part->head.host));
  fprintf(out, ", %.6f s%s\n", run_time(part) / 1e9, part->complete ? "" : ", which did not end by itself");
  print_table(out, join, run_time(part));
}

static int profile_merge(struct pst_part *parts, unsigned threads, const char *output)
{
  struct pst_join join;
  FILE *out = output ? fopen(output, "w") : stderr;
  if (!out) {
    pst_tool_say("cannot write %s: %m", output);
    return -1;
  }
  pst_join_make(&join, parts, threads);
  print_all(out, parts, threads, &join);
  for (unsigned t = 0; threads > 1 && t < threads; t++) print_thread(out, &parts[t], &join, join.of[t]);
  pst_join_free(&join, threads);
  const int bad = ferror(out);
  if ((output ? fclose(out) : fflush(out)) == 0 && !bad) return 0;
  pst_tool_say("cannot write %s: %m", output ? output : "the profile");
  return -1;
}
