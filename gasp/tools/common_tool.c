/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASP's functions: from events to totals and parts. */
#include <errno.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gasp/tools/common.h"

/* A pair that has begun. */
struct open {
  struct pst_site *site; /* NULL: it is not measured */
  unsigned tag;
  const char *name;
  uint64_t start;
};

struct _gasp_context_S {
  int on;
  struct pst_site **bucket; /* a hash table that is at most half full */
  uint32_t buckets, sites;
  struct pst_site **order; /* by their ids */
  struct open *open;
  uint32_t depth, room;
  char **user; /* names of the client's own events */
  uint32_t users;
  FILE *part;
  uint64_t last; /* of the times in the part */
  struct pst_tool_paths paths;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct _gasp_context_S *context; /* one a process: its threads share it */
static struct {
  unsigned thread, threads;
} place = {0, 1};
static int64_t epoch; /* added to the steady clock: the time of day */

void pst_gasp_tool_place(unsigned thread, unsigned threads);
void pst_gasp_tool_place(unsigned thread, unsigned threads)
{
  place.thread = thread;
  place.threads = threads ? threads : 1;
}

/* ---- small things ---- */

/* In one write, so that the messages of several threads do not mix. */
static void message_write(const char *format, va_list args)
{
  char what[1024];
  vsnprintf(what, sizeof what, format, args);
  dprintf(STDERR_FILENO, "penstock %s: %s\n", pst_tool.name, what);
}

void pst_tool_say(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  message_write(format, args);
  va_end(args);
}

void pst_tool_fatal(const char *format, ...)
{
  const int cause = errno; /* the format may have %m */
  va_list args;
  fflush(stdout);
  errno = cause;
  va_start(args, format);
  message_write(format, args);
  va_end(args);
  _exit(1);
}

void *pst_tool_grow(void *old, size_t count, size_t size)
{
  void *grown = reallocarray(old, count, size);
  if (!grown && count) pst_tool_fatal("out of memory");
  return grown;
}

static int64_t clock_ns(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t pst_tool_now(void) { return (uint64_t)(clock_ns(CLOCK_MONOTONIC) + epoch); }

/* Reads the two clocks at the same moment: of several tries the shortest counts. */
static void set_epoch(void)
{
  int64_t least = INT64_MAX;
  for (int i = 0; i < 20; i++) {
    const int64_t before = clock_ns(CLOCK_MONOTONIC), day = clock_ns(CLOCK_REALTIME),
                  after = clock_ns(CLOCK_MONOTONIC);
    if (after - before >= least) continue;
    least = after - before;
    epoch = day - before - least / 2;
  }
}

const char *pst_site_name(const struct pst_site *site)
{
  const struct pst_event_info *info = pst_event_info(site->tag);
  if (site->name && *site->name) return site->name;
  return info ? info->name : "event";
}

/* ---- sites ---- */

static uint32_t hash_of(unsigned tag, const char *file, int line, int column, const char *name)
{
  uint64_t h = tag;
  h = (h ^ (uintptr_t)file) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 29) ^ (uintptr_t)name) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (h >> 29) ^ ((uint64_t)(uint32_t)line << 20) ^ (uint32_t)column) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> 32);
}

static uint32_t find(
    const struct _gasp_context_S *c, unsigned tag, const char *file, int line, int column, const char *name)
{
  uint32_t i = hash_of(tag, file, line, column, name) & (c->buckets - 1);
  for (; c->bucket[i]; i = (i + 1) & (c->buckets - 1)) {
    const struct pst_site *s = c->bucket[i];
    if (s->tag == tag && s->file == file && s->name == name && s->line == line && s->column == column) break;
  }
  return i;
}

static void grow_table(struct _gasp_context_S *c)
{
  c->buckets = c->buckets ? 2 * c->buckets : 256;
  free(c->bucket);
  c->bucket = calloc(c->buckets, sizeof(struct pst_site *));
  if (!c->bucket) pst_tool_fatal("out of memory");
  c->order = pst_tool_grow(c->order, c->buckets / 2, sizeof *c->order);
  for (uint32_t i = 0; i < c->sites; i++) {
    const struct pst_site *s = c->order[i];
    c->bucket[find(c, s->tag, s->file, s->line, s->column, s->name)] = c->order[i];
  }
}

/* Sites are told apart by pointers to texts, which stay valid for ever. Two pointers to one text make two
 * sites, which the merge joins. */
static struct pst_site *site_of(
    struct _gasp_context_S *c, unsigned tag, const char *file, int line, int column, const char *name)
{
  uint32_t i = find(c, tag, file, line, column, name);
  if (c->bucket[i]) return c->bucket[i];
  if (2 * (c->sites + 1) > c->buckets) {
    grow_table(c);
    i = find(c, tag, file, line, column, name);
  }
  struct pst_site *s = calloc(1, sizeof *s);
  if (!s) pst_tool_fatal("out of memory");
  *s = (struct pst_site){.id = c->sites,
      .tag = tag,
      .line = line,
      .column = column,
      .file = file,
      .name = name,
      .least = UINT64_MAX};
  c->bucket[i] = c->order[c->sites++] = s;
  pst_part_write_site(c->part, s);
  return s;
}

static const char *name_of(const struct _gasp_context_S *c, unsigned tag, const struct pst_event *e)
{
  if (e->function) return e->function;
  if (tag < GASP_UPC_USEREVT_START || tag - GASP_UPC_USEREVT_START >= c->users) return NULL;
  return c->user[tag - GASP_UPC_USEREVT_START];
}

/* ---- events ---- */

static void site_count(struct pst_site *site, uint64_t bytes, uint64_t time)
{
  site->count++;
  site->bytes += bytes;
  site->time += time;
  if (time < site->least) site->least = time;
  if (time > site->most) site->most = time;
}

/* Events may be timed in another order than they are written. */
static void event_record(struct _gasp_context_S *c, unsigned kind, const struct pst_site *site,
    const struct pst_event *e, uint64_t time)
{
  if (time < c->last) time = c->last;
  c->last = time;
  if (!pst_tool.stream) return;
  const struct pst_part_event event = {.time = time,
      .bytes = e->bytes,
      .handle = e->handle,
      .site = site->id,
      .peer = e->peer,
      .get = e->get,
      .op = e->op};
  pst_part_write(c->part, kind, &event, sizeof event);
}

static struct open *open_push(
    struct _gasp_context_S *c, struct pst_site *site, unsigned tag, const char *name)
{
  if (c->depth == c->room) {
    c->room = c->room ? 2 * c->room : 32;
    c->open = pst_tool_grow(c->open, c->room, sizeof *c->open);
  }
  struct open *open = &c->open[c->depth++];
  *open = (struct open){.site = site, .tag = tag, .name = name};
  return open;
}

static void event_start(struct _gasp_context_S *c, struct pst_site *site, const struct pst_event *e)
{
  struct open *open = open_push(c, site, site->tag, site->name);
  open->start = pst_tool_now(); /* read last, so that the tool's own time is not in it */
  event_record(c, PST_PART_START, site, e, open->start);
}

/* The client's own events need not nest, so the one that ends is not always the last. If its Start was not
 * measured, neither is its End, which must not end an outer call of the same function. */
static void event_end(
    struct _gasp_context_S *c, unsigned tag, const char *name, const struct pst_event *e, uint64_t now)
{
  uint32_t i = c->depth;
  while (i > 0 && (c->open[i - 1].tag != tag || c->open[i - 1].name != name)) i--;
  if (i == 0) return;
  struct open open = c->open[i - 1];
  memmove(c->open + i - 1, c->open + i, (c->depth - i) * sizeof open);
  c->depth--;
  if (!open.site) return;
  site_count(open.site, e->bytes, now > open.start ? now - open.start : 0);
  event_record(c, PST_PART_END, open.site, e, now);
}

/* ---- the end ---- */

static void write_totals(struct _gasp_context_S *c)
{
  for (uint32_t i = 0; i < c->sites; i++) {
    const struct pst_site *s = c->order[i];
    const struct pst_part_totals t = {
        s->count, s->bytes, s->time, s->count ? s->least : 0, s->most, s->id, 0};
    if (s->count) pst_part_write(c->part, PST_PART_TOTALS, &t, sizeof t);
  }
}

static void part_finish(struct _gasp_context_S *c, enum pst_tool_end how)
{
  const uint64_t now = pst_tool_now();
  const struct pst_part_final final = {now > c->last ? now : c->last};
  if (!c->part) return;
  if (!pst_tool.stream) write_totals(c);
  pst_part_write(c->part, PST_PART_FINAL, &final, sizeof final);
  if (pst_part_close(c->part) != 0) pst_tool_say("cannot write %s: %m", c->paths.unfinished);
  else if (rename(c->paths.unfinished, c->paths.part) != 0 &&
      errno != ENOENT) /* merged and removed: another thread has ended the job */
    pst_tool_say("cannot rename %s: %m", c->paths.unfinished);
  c->part = NULL;
  pst_tool_end(&c->paths, place.thread, place.threads, how);
}

/* A forked process does not belong to the job: the part is its parent's, which will write what is in the
 * buffer. */
static void in_child(void)
{
  pthread_mutex_init(&lock, NULL); /* another thread may have held it */
  if (!context || !context->part) return;
  __fpurge(context->part);
  context->part = NULL;
}

/* For programs that end without the model's knowledge. */
static void at_exit(void)
{
  if (pthread_mutex_trylock(&lock) != 0) return; /* exit() from within an event: nothing can be saved */
  part_finish(context, PST_END_PROCESS);
  pthread_mutex_unlock(&lock);
}

/* ---- GASP ---- */

static void open_part(struct _gasp_context_S *c)
{
  struct pst_part_head head;
  memset(&head, 0, sizeof head);
  set_epoch();
  pst_tool_paths_make(&c->paths, place.thread);
  snprintf(head.tool, sizeof head.tool, "%s", pst_tool.name);
  gethostname(head.host, sizeof head.host - 1);
  head.thread = place.thread;
  head.threads = place.threads;
  head.begin = c->last = pst_tool_now();
  c->part = pst_part_create(c->paths.unfinished, &head);
  if (!c->part) pst_tool_fatal("cannot write %s: %m", c->paths.unfinished);
}

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
  (void)model, (void)argc, (void)argv;
  pthread_mutex_lock(&lock);
  if (!context) {
    context = pst_tool_grow(NULL, 1, sizeof *context);
    memset(context, 0, sizeof *context);
    context->on = 1;
    grow_table(context);
    open_part(context);
    atexit(at_exit);
    pthread_atfork(NULL, NULL, in_child);
  }
  pthread_mutex_unlock(&lock);
  return context;
}

static void event_take(struct _gasp_context_S *c, unsigned tag, gasp_evttype_t type, const char *file,
    int line, int column, const struct pst_event *e, uint64_t now)
{
  const char *name = name_of(c, tag, e);
  if (type == GASP_END) {
    event_end(c, tag, name, e, now);
    return;
  }
  if (!c->on) {
    if (type == GASP_START) open_push(c, NULL, tag, name);
    return;
  }
  struct pst_site *site = site_of(c, tag, file, line, column, name);
  if (type == GASP_START) event_start(c, site, e);
  else {
    site_count(site, e->bytes, 0);
    event_record(c, PST_PART_ATOMIC, site, e, now);
  }
}

void gasp_event_notifyVA(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
  const struct pst_event_info *info = pst_event_info(tag);
  const uint64_t now = type == GASP_START
      ? 0
      : pst_tool_now(); /* a Start reads the clock when all else is done */
  struct pst_event e;
  pst_event_decode(tag, type, place.thread, args, &e);
  pthread_mutex_lock(&lock);
  if (c->part) event_take(c, tag, type, file, line, column, &e, now);
  if (info && info->class == PST_EVENT_EXIT && type != GASP_START)
    part_finish(c, info->atomic ? PST_END_ALONE : PST_END_TOGETHER);
  pthread_mutex_unlock(&lock);
}

void gasp_event_notify(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
  va_list args;
  va_start(args, column);
  gasp_event_notifyVA(c, tag, type, file, line, column, args);
  va_end(args);
}

int gasp_control(gasp_context_t c, int on)
{
  pthread_mutex_lock(&lock);
  const int before = c->on;
  c->on = on;
  pthread_mutex_unlock(&lock);
  return before;
}

static void name_add(struct _gasp_context_S *c, const char *name)
{
  if ((c->users & (c->users - 1)) == 0)
    c->user = pst_tool_grow(c->user, c->users ? 2 * (size_t)c->users : 1, sizeof *c->user);
  if (!(c->user[c->users] = strdup(name))) pst_tool_fatal("out of memory");
  c->users++;
}

/* A number after the last that there may be has no name: the caller says that there are too many. */
unsigned gasp_create_event(gasp_context_t c, const char *name, const char *desc)
{
  (void)desc;
  pthread_mutex_lock(&lock);
  const unsigned number = GASP_UPC_USEREVT_START + c->users;
  if (number <= GASP_UPC_USEREVT_END) name_add(c, name ? name : "event");
  pthread_mutex_unlock(&lock);
  return number;
}
