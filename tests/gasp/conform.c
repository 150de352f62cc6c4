/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A tool that judges who calls it: is each call as GASP 1.5 says? The first that is not ends the process with
 * a text on standard error and SIGABRT. At the end of each process: a line with the number of events, on
 * standard error, or in CONFORM_OUTPUT, to which all processes append. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gasp/tools/common.h"

#define DEEPEST     1000
#define MOST_EVENTS 64

struct _gasp_context_S {
  uint32_t magic;
  gasp_model_t model;
  pthread_t owner;
  int on, asked; /* what gasp_control heard */
  int inside;    /* a call of this tool's is under way */
  int left;      /* the end was told */
  unsigned users;
  unsigned depth;
  struct {
    unsigned tag;
    const char *name, *file;
    int line;
  } open[DEEPEST];
  unsigned user_open[MOST_EVENTS];
};
enum { MAGIC = 0x600dca11 };

static struct {
  unsigned thread, threads;
} place = {0, 1};
static _Thread_local unsigned opened; /* a bit for each model */
static int reporting;
static uint64_t total; /* events */

void pst_gasp_tool_place(unsigned thread, unsigned threads);
void pst_gasp_tool_place(unsigned thread, unsigned threads)
{
  place.thread = thread;
  place.threads = threads;
}

__attribute__((format(printf, 1, 2))) static _Noreturn void violation(const char *format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  dprintf(STDERR_FILENO, "GASP violation on thread %u: %s\n", place.thread, text);
  abort();
}

static const char *name_of(unsigned tag)
{
  const struct pst_event_info *info = pst_event_info(tag);
  return info ? info->name : "an event of the client's";
}

/* ---- contexts ---- */

static void enter(gasp_context_t c, const char *call)
{
  if (!c || c->magic != MAGIC) violation("%s: this is no context of this tool's", call);
  if (!pthread_equal(c->owner, pthread_self())) violation("%s: the context is another thread's", call);
  if (c->inside++) violation("%s: called while this thread was in the tool", call);
}

static void leave(gasp_context_t c) { c->inside--; }

static void report(void)
{
  const char *path = getenv("CONFORM_OUTPUT");
  const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : STDERR_FILENO;
  char line[80];
  int n = snprintf(
      line, sizeof line, "conform: thread %u: %llu events\n", place.thread, (unsigned long long)total);
  if (fd < 0 || write(fd, line, (size_t)n) != n) violation("cannot write %s: %m", path ? path : "the report");
}

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
  if ((unsigned)model > GASP_MODEL_XMP) violation("gasp_init: there is no model %d", (int)model);
  if (opened & 1u << model) violation("gasp_init: a second time for model %d on one thread", (int)model);
  opened |= 1u << model;
  if (!argc || !argv) violation("gasp_init: no arguments of the program");
  gasp_context_t c = calloc(1, sizeof *c);
  if (!c) violation("out of memory");
  c->magic = MAGIC;
  c->model = model;
  c->owner = pthread_self();
  c->on = 1;
  if (!__atomic_exchange_n(&reporting, 1, __ATOMIC_RELAXED)) atexit(report);
  return c;
}

/* ---- arguments ---- */

static void check_pointer(unsigned tag, const void *ptr)
{
  struct {
    uint64_t address;
    uint32_t thread, phase;
  } p;
  if (!ptr) violation("%s: a pointer-to-shared without its memory", name_of(tag));
  memcpy(&p, ptr, sizeof p);
  if (p.thread >= place.threads)
    violation("%s: a pointer to thread %u of %u", name_of(tag), p.thread, place.threads);
  if (p.address >> 56)
    violation("%s: the address %#llx is none", name_of(tag), (unsigned long long)p.address);
}

static void check_size(unsigned tag, size_t n)
{
  if (n >> 48) violation("%s: a size of %zu bytes", name_of(tag), n);
}

static void check_flag(unsigned tag, const char *what, int value)
{
  if (value < -1 || value > 255) violation("%s: %s is %d", name_of(tag), what, value);
}

static void check_name(unsigned tag, const char *name)
{
  if (name && (!*name || strlen(name) > 10000)) violation("%s: a strange name", name_of(tag));
}

static void check_set(unsigned tag, va_list *args)
{
  const int start = va_arg(*args, int), log_stride = va_arg(*args, int), size = va_arg(*args, int);
  if (start < 0 || log_stride < 0 || log_stride > 31 || size < 1 ||
      start + (((uint64_t)size - 1) << log_stride) >= place.threads)
    violation("%s: %d, %d, %d is no active set of %u threads", name_of(tag), start, log_stride, size,
        place.threads);
  if (place.thread < (unsigned)start || (place.thread - (unsigned)start) % (1u << log_stride) ||
      (place.thread - (unsigned)start) >> log_stride >= (unsigned)size)
    violation("%s: this thread is not in its active set", name_of(tag));
}

/* What each letter stands for is in gasp/tools/common.h. */
static void check_argument(const struct pst_event_info *info, char letter, int first, va_list *args)
{
  const unsigned tag = info->tag;
  switch (letter) {
  case 'n':
  case 'b':
  case 'z': {
    const size_t n = va_arg(*args, size_t);
    if (info->class != PST_EVENT_ALLOC) check_size(tag, n); /* one may ask for more than there is */
    break;
  }
  case 'd': {
    const ptrdiff_t d = va_arg(*args, ptrdiff_t);
    check_size(tag, (size_t)(d < 0 ? -d : d));
    break;
  }
  case 'o': {
    const int op = va_arg(*args, int);
    if (op < GASP_SHMEM_OP_SWAP || op > GASP_SHMEM_OP_ADD)
      violation("%s: there is no operation %d", info->name, op);
    break;
  }
  case 'a': check_set(tag, args); break;
  case 't': {
    const int t = va_arg(*args, int);
    if (t < -1 || (t >= 0 && (unsigned)t >= place.threads))
      violation("%s: thread %d of %u", info->name, t, place.threads);
    break;
  }
  case 'i': {
    const int v = va_arg(*args, int);
    if (first && (info->class == PST_EVENT_BARRIER || strchr(info->arguments, 'p')))
      check_flag(tag, "a flag", v);
    break;
  }
  case 'D':
  case 'S':
  case 'P': check_pointer(tag, va_arg(*args, const void *)); break;
  case 'l':
    if (!va_arg(*args, void *)) violation("%s: a lock that is NULL", info->name);
    break;
  case 'f': {
    const char *name = va_arg(*args, const char *);
    check_name(tag, name);
    if (!name && tag != GASP_C_FUNC) violation("%s: no routine", info->name);
    break;
  }
  default: (void)va_arg(*args, void *); break;
  }
}

static void check_arguments(unsigned tag, gasp_evttype_t type, va_list from)
{
  const struct pst_event_info *info = pst_event_info(tag);
  va_list args;
  if (!info) return;
  va_copy(args, from);
  for (const char *c = info->arguments; *c; c++) {
    if (*c == '|' && type == GASP_START) break;
    if (*c != '|') check_argument(info, *c, c == info->arguments, &args);
  }
  va_end(args);
}

static void check_kind(gasp_context_t c, unsigned tag, gasp_evttype_t type)
{
  const struct pst_event_info *info = pst_event_info(tag);
  if (type != GASP_START && type != GASP_END && type != GASP_ATOMIC)
    violation("%#x: an event of type %d", tag, (int)type);
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END) {
    if (tag - GASP_UPC_USEREVT_START >= c->users)
      violation("event %#x of the client's was not created on this thread", tag);
    return;
  }
  if (!info) violation("there is no event %#x", tag);
  if (info->atomic != (type == GASP_ATOMIC)) violation("%s: has the wrong type %d", info->name, (int)type);
}

static void check_place(unsigned tag, const char *file, int line, int column)
{
  if (line < 0 || column < 0) violation("%s: line %d, column %d", name_of(tag), line, column);
  if (!file && (line || column)) violation("%s: line %d of no file", name_of(tag), line);
  if (file && (!*file || strlen(file) > 4096)) violation("%s: a strange file name", name_of(tag));
}

/* ---- pairs ---- */

static int may_contain(unsigned tag)
{
  return tag == GASP_C_FUNC || tag == GASP_UPC_FORALL || (tag >= GASP_XMP_TASK && tag <= GASP_XMP_ARRAY);
}

static void check_user(gasp_context_t c, unsigned tag, gasp_evttype_t type)
{
  const unsigned i = tag - GASP_UPC_USEREVT_START;
  if (i >= MOST_EVENTS) return;
  if (type == GASP_START) c->user_open[i]++;
  if (type == GASP_END && !c->user_open[i]--)
    violation("event %#x of the client's ends without having begun", tag);
}

static void push(gasp_context_t c, unsigned tag, const char *file, int line, const char *function)
{
  if (c->depth && !may_contain(c->open[c->depth - 1].tag))
    violation("%s begins within %s", name_of(tag), name_of(c->open[c->depth - 1].tag));
  if (c->depth == DEEPEST) violation("%u calls have begun and not ended", c->depth);
  c->open[c->depth].tag = tag;
  c->open[c->depth].name = function;
  c->open[c->depth].file = file;
  c->open[c->depth++].line = line;
}

static void pop(gasp_context_t c, unsigned tag, const char *file, int line, const char *function)
{
  if (c->depth == 0) violation("%s ends without having begun", name_of(tag));
  c->depth--;
  if (c->open[c->depth].tag != tag)
    violation("%s ends, but %s is under way", name_of(tag), name_of(c->open[c->depth].tag));
  if (c->open[c->depth].name != function) violation("%s: another function ends than began", name_of(tag));
  if (c->open[c->depth].file != file || c->open[c->depth].line != line)
    violation("%s begins at %s:%d and ends at %s:%d", name_of(tag),
        c->open[c->depth].file ? c->open[c->depth].file : "-", c->open[c->depth].line, file ? file : "-",
        line);
}

static void check_pair(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, va_list args)
{
  struct pst_event e;
  pst_event_decode(tag, type, place.thread, args, &e);
  if (type == GASP_START) push(c, tag, file, line, e.function);
  else if (type == GASP_END) pop(c, tag, file, line, e.function);
  else if (c->depth && !may_contain(c->open[c->depth - 1].tag))
    violation("%s within %s", name_of(tag), name_of(c->open[c->depth - 1].tag));
}

static void check_end(gasp_context_t c, unsigned tag, gasp_evttype_t type)
{
  const struct pst_event_info *info = pst_event_info(tag);
  if (c->left && tag >= 0x200 && tag < GASP_UPC_USEREVT_START)
    violation("%s comes after the end was told", name_of(tag));
  if (info && info->class == PST_EVENT_EXIT && type != GASP_START) c->left = 1;
}

/* Functions, memory and the client's own are any model's. */
static gasp_model_t model_of(gasp_context_t c, unsigned tag)
{
  if (tag < GASP_UPC_COLLECTIVE_EXIT || tag >= PST_GASP_TAGS) return c->model;
  if (tag >= GASP_CAF_INIT) return GASP_MODEL_CAF;
  if (tag >= GASP_XMP_INIT) return GASP_MODEL_XMP;
  return tag >= GASP_SHMEM_INIT ? GASP_MODEL_SHMEM : GASP_MODEL_UPC;
}

void gasp_event_notifyVA(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
  enter(c, "gasp_event_notify");
  if (c->model != model_of(c, tag)) violation("%s with another model's context", name_of(tag));
  check_kind(c, tag, type);
  check_place(tag, file, line, column);
  check_arguments(tag, type, args);
  check_end(c, tag, type);
  if (tag >= GASP_UPC_USEREVT_START) check_user(c, tag, type);
  else check_pair(c, tag, type, file, line, args);
  __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
  leave(c);
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
  enter(c, "gasp_control");
  const int before = c->asked ? c->on : 1;
  c->asked = 1;
  c->on = on;
  leave(c);
  return before;
}

unsigned gasp_create_event(gasp_context_t c, const char *name, const char *desc)
{
  enter(c, "gasp_create_event");
  if (!name || !*name) violation("gasp_create_event: no name");
  if (desc && strlen(desc) > 10000) violation("gasp_create_event: a strange description");
  const char *wrong = getenv("CONFORM_WRONG_NUMBER"); /* for tests of the caller */
  const unsigned number = wrong ? (unsigned)strtoul(wrong, NULL, 0) : GASP_UPC_USEREVT_START + c->users++;
  leave(c);
  return number;
}
