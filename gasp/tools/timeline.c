/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tool `timeline`: a file in the trace event format of Chrome and Perfetto: a track for each thread, a
 * slice for each pair of Start and End, and an arrow from the thread that puts or gets to the other one. */
#include <stdlib.h>
#include <string.h>

#include "gasp/tools/common.h"

static int timeline_merge(struct pst_part *parts, unsigned threads, const char *output);
const struct pst_tool pst_tool = {.name = "timeline",
    .output = "penstock-timeline.json",
    .inside = "timeline.json",
    .stream = 1,
    .merge = timeline_merge};

/* A pair whose End is still to come. */
struct open {
  const struct pst_site *site;
  struct pst_part_event start;
};

/* The outermost slices of a track: an arrow ends at the slice in which it arrives, if there is one. */
struct slices {
  struct {
    uint64_t from, to;
  } * at;
  size_t count, room;
};

struct writer {
  FILE *out;
  uint64_t first; /* where time begins */
  uint64_t arrows;
  const char *comma;
  struct slices *slices; /* of each thread */
  struct open *open;
  size_t depth, room;
};

/* ---- JSON ---- */

/* Bytes of the UTF-8 character that begins here; 0: none does. */
static int character(const unsigned char *c)
{
  const int more = *c >= 0xf0 && *c <= 0xf4 ? 3
      : *c >= 0xe0 && *c < 0xf0             ? 2
      : *c >= 0xc2 && *c < 0xe0             ? 1
                                            : 0;
  if (*c < 0x80) return 1;
  for (int i = 1; i <= more; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] >= 0xa0) || (*c == 0xf0 && c[1] < 0x90) ||
      (*c == 0xf4 && c[1] >= 0x90))
    return 0;
  return more ? more + 1 : 0;
}

/* Names come from the program: they may hold anything. */
static void print_string(FILE *out, const char *text)
{
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    const int n = character(c);
    if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
    else if (*c < ' ' || *c == 127 || n == 0) fprintf(out, "\\u%04x", *c);
    else fwrite(c, 1, (size_t)n, out);
    c += n ? n : 1;
  }
  fputc('"', out);
}

static void begin_event(struct writer *w, const char *phase, unsigned thread)
{
  fprintf(w->out, "%s{\"ph\":\"%s\",\"pid\":0,\"tid\":%u", w->comma, phase, thread);
  w->comma = ",\n";
}

/* Microseconds, with three digits for nanoseconds: a double would lose them in runs of days. */
static void print_time(FILE *out, const char *key, uint64_t ns)
{
  fprintf(out, ",\"%s\":%llu.%03u", key, (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static uint64_t since(const struct writer *w, uint64_t time) { return time > w->first ? time - w->first : 0; }

/* ---- slices and arrows ---- */

static const char *category(const struct pst_site *site)
{
  static const char *const names[] = {"other", "exit", "barrier", "put", "get", "copy", "sync", "memory",
      "lock", "collective", "function", "cache", "atomic", "wait"};
  const struct pst_event_info *info = pst_event_info(site->tag);
  return info ? names[info->class] : "user";
}

static void print_details(struct writer *w, const struct pst_site *site, const struct pst_part_event *e)
{
  fputs(",\"name\":", w->out);
  print_string(w->out, pst_site_name(site));
  fprintf(w->out, ",\"cat\":\"%s\",\"args\":{\"bytes\":%llu", category(site), (unsigned long long)e->bytes);
  if (e->peer != PST_NOBODY) fprintf(w->out, ",\"thread\":%u", e->peer);
  if (*site->file) {
    fputs(",\"file\":", w->out);
    print_string(w->out, site->file);
    if (site->line) fprintf(w->out, ",\"line\":%d", site->line);
  }
  fputs("}}", w->out);
}

static int within_slice(const struct slices *s, uint64_t time)
{
  size_t low = 0, high = s->count; /* the last that begins at this time or before lies below `high` */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->at[middle].from <= time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && s->at[low - 1].to >= time;
}

/* If the other thread is in no slice when data arrive, the arrow goes to its next one. */
static void print_arrow(struct writer *w, unsigned thread, const struct pst_site *site,
    const struct pst_part_event *start, uint64_t end)
{
  const struct pst_event_info *info = pst_event_info(site->tag);
  const char *name = info && info->class == PST_EVENT_ATOMIC ? "atomic" : start->get ? "get" : "put";
  if (start->peer == PST_NOBODY || start->peer == thread) return;
  begin_event(w, "s", thread);
  print_time(w->out, "ts", since(w, start->time));
  fprintf(w->out, ",\"id\":%llu,\"name\":\"%s\",\"cat\":\"transfer\"}", (unsigned long long)w->arrows, name);
  begin_event(w, "f", start->peer);
  print_time(w->out, "ts", since(w, end));
  fprintf(w->out, ",\"id\":%llu,\"name\":\"%s\",\"cat\":\"transfer\"%s}", (unsigned long long)w->arrows++,
      name, within_slice(&w->slices[start->peer], end) ? ",\"bp\":\"e\"" : "");
}

static void print_slice(struct writer *w, unsigned thread, const struct open *open, uint64_t end)
{
  begin_event(w, "X", thread);
  print_time(w->out, "ts", since(w, open->start.time));
  print_time(w->out, "dur", end - open->start.time);
  print_details(w, open->site, &open->start);
  print_arrow(w, thread, open->site, &open->start, end);
}

static void print_instant(
    struct writer *w, unsigned thread, const struct pst_site *site, const struct pst_part_event *e)
{
  begin_event(w, "i", thread);
  print_time(w->out, "ts", since(w, e->time));
  fputs(",\"s\":\"t\"", w->out);
  print_details(w, site, e);
}

/* ---- parts ---- */

static void open_push(struct writer *w, const struct pst_site *site, const struct pst_part_event *e)
{
  if (w->depth == w->room) {
    w->room = w->room ? 2 * w->room : 64;
    w->open = pst_tool_grow(w->open, w->room, sizeof *w->open);
  }
  w->open[w->depth++] = (struct open){site, *e};
}

/* 1: *out is the pair that ends, which is no longer open. 0: there is none. */
static int pop(struct writer *w, const struct pst_site *site, struct open *out)
{
  size_t i = w->depth;
  while (i > 0 && w->open[i - 1].site != site) i--;
  if (i == 0) return 0;
  *out = w->open[i - 1];
  memmove(w->open + i - 1, w->open + i, (w->depth - i) * sizeof *w->open);
  w->depth--;
  return 1;
}

static void add_slice(struct slices *s, uint64_t from, uint64_t to)
{
  if (s->count == s->room) {
    s->room = s->room ? 2 * s->room : 256;
    s->at = pst_tool_grow(s->at, s->room, sizeof *s->at);
  }
  s->at[s->count].from = from;
  s->at[s->count++].to = to;
}

/* Gives each pair and atomic event to `take`. Pairs that stay open end with the part. */
static void part_walk(struct writer *w, struct pst_part *part,
    void (*take)(struct writer *, unsigned, const struct open *, uint64_t, int))
{
  const unsigned thread = part->head.thread;
  union pst_part_body body;
  struct open open;
  unsigned kind;
  w->depth = 0;
  while ((kind = pst_part_next(part, &body))) {
    if (kind > PST_PART_ATOMIC) continue;
    const struct pst_site *site = &part->sites[body.event.site];
    if (kind == PST_PART_START) open_push(w, site, &body.event);
    else if (kind == PST_PART_END && pop(w, site, &open)) {
      open.start.bytes = body.event.bytes; /* may not have been known before */
      take(w, thread, &open, body.event.time, kind);
    } else if (kind == PST_PART_ATOMIC)
      take(w, thread, &(struct open){site, body.event}, body.event.time, kind);
  }
  while (w->depth && pop(w, w->open[w->depth - 1].site, &open))
    take(w, thread, &open, part->end, PST_PART_END);
  pst_part_rewind(part);
}

static void note_slice(struct writer *w, unsigned thread, const struct open *open, uint64_t end, int kind)
{
  if (kind == PST_PART_END && w->depth == 0) add_slice(&w->slices[thread], open->start.time, end);
}

static void print_event(struct writer *w, unsigned thread, const struct open *open, uint64_t end, int kind)
{
  if (kind == PST_PART_ATOMIC) print_instant(w, thread, open->site, &open->start);
  else print_slice(w, thread, open, end);
}

static void print_track(struct writer *w, const struct pst_part *part, unsigned thread)
{
  char name[128];
  snprintf(name, sizeof name, "thread %u (%s)", thread, part->missing ? "missing" : part->head.host);
  begin_event(w, "M", thread);
  fputs(",\"name\":\"thread_name\",\"args\":{\"name\":", w->out);
  print_string(w->out, name);
  fputs("}}", w->out);
  begin_event(w, "M", thread);
  fprintf(w->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", thread);
}

/* Reads all sites before the first pointer to one is kept: tables move as they grow. */
static void read_slices(struct writer *w, struct pst_part *parts, unsigned threads)
{
  union pst_part_body body;
  uint64_t last;
  for (unsigned t = 0; t < threads; t++) {
    while (pst_part_next(&parts[t], &body)) continue;
    pst_part_rewind(&parts[t]);
    if (!parts[t].missing) part_walk(w, &parts[t], note_slice);
  }
  pst_parts_span(parts, threads, &w->first, &last);
}

static int timeline_merge(struct pst_part *parts, unsigned threads, const char *output)
{
  struct writer w = {.out = fopen(output, "w"), .comma = ""};
  if (!w.out) {
    pst_tool_say("cannot write %s: %m", output);
    return -1;
  }
  w.slices = pst_tool_grow(NULL, threads, sizeof *w.slices);
  memset(w.slices, 0, threads * sizeof *w.slices);
  read_slices(&w, parts, threads);
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", w.out);
  begin_event(&w, "M", 0);
  fputs(",\"name\":\"process_name\",\"args\":{\"name\":\"job\"}}", w.out);
  for (unsigned t = 0; t < threads; t++) print_track(&w, &parts[t], t);
  for (unsigned t = 0; t < threads; t++)
    if (!parts[t].missing) part_walk(&w, &parts[t], print_event);
  fputs("\n]}\n", w.out);
  for (unsigned t = 0; t < threads; t++) free(w.slices[t].at);
  free(w.slices);
  free(w.open);
  const int bad = ferror(w.out);
  if (fclose(w.out) == 0 && !bad) return 0;
  pst_tool_say("cannot write %s: %m", output);
  return -1;
}
