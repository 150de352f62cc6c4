/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* From the front-ends' events to the tool's functions. An event changes data of its own thread only. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "gasp/runtime.h"

#define MODELS (GASP_MODEL_XMP + 1)

/* Linked in by the compiler's wrapper: the count and numbers of the events that --inst-only names;
 * --inst-local. */
extern const unsigned pst_gasp_only[] __attribute__((weak));
extern const int pst_gasp_local __attribute__((weak));

struct place {
  const char *file;
  int line, column;
};

static _Thread_local struct {
  gasp_context_t context[MODELS];
  unsigned open;       /* a bit for each model, since NULL may be a tool's context */
  gasp_model_t client; /* the first open model: it gets events that are not a model's own */
  unsigned depth;      /* of calls within calls */
  unsigned told;       /* the begin of the outermost call was told, so its finish will be */
  unsigned in_tool;
  struct place next;  /* of the next call */
  struct place outer; /* of the outermost call under way */
  struct place kept;  /* of all calls, while `keep` is not 0 */
  unsigned keep;
} self;

int pst_gasp_on;
static struct pst_gasp_tool tool;
static pthread_once_t found = PTHREAD_ONCE_INIT;
static unsigned char silent[PST_GASP_TAGS];

/* Events that --inst-only does not name are silent, but for the client's own, and the end of the job, at
 * which tools write their results. */
static void filter_read(void)
{
  if (!pst_gasp_only) return;
  memset(silent, 1, sizeof silent);
  for (unsigned i = 1; i <= pst_gasp_only[0]; i++)
    if (pst_gasp_only[i] < PST_GASP_TAGS) silent[pst_gasp_only[i]] = 0;
  silent[GASP_UPC_COLLECTIVE_EXIT] = silent[GASP_UPC_NONCOLLECTIVE_EXIT] = 0;
  silent[GASP_SHMEM_COLLECTIVE_EXIT] = silent[GASP_SHMEM_NONCOLLECTIVE_EXIT] = 0;
  silent[GASP_XMP_COLLECTIVE_EXIT] = silent[GASP_XMP_NONCOLLECTIVE_EXIT] = 0;
  silent[GASP_CAF_COLLECTIVE_EXIT] = silent[GASP_CAF_NONCOLLECTIVE_EXIT] = 0;
}

static void tool_find(void)
{
  filter_read();
  if (pst_gasp_find_tool(&tool)) pst_gasp_on = 1;
}

/* While in_tool is not 0, a tool's own calls of the model are not told. */
void pst_gasp_open(gasp_model_t model, int *argc, char ***argv)
{
  static int no_argc;
  static char *no_arguments[1];
  char **none = no_arguments;
  pthread_once(&found, tool_find);
  if (!pst_gasp_on || (unsigned)model >= MODELS || (self.open & 1u << model)) return;
  self.in_tool++;
  self.context[model] = tool.init(model, argc ? argc : &no_argc, argv ? argv : &none);
  self.in_tool--;
  if (!self.open) self.client = model;
  self.open |= 1u << model;
}

int pst_gasp_wants_local(void) { return &pst_gasp_local != NULL && pst_gasp_local; }

void pst_gasp_set_site(const char *file, int line, int column)
{
  self.next = (struct place){file, line, column};
}

void pst_gasp_swap_site(struct pst_gasp_site *site)
{
  const struct place next = self.next;
  pst_gasp_set_site(site->file, site->line, site->column);
  *site = (struct pst_gasp_site){next.file, next.line, next.column};
}

void pst_gasp_hush(int by) { self.in_tool += (unsigned)by; }

static struct place place_take(void)
{
  const struct place place = self.next;
  self.next = (struct place){NULL, 0, 0};
  return self.keep ? self.kept : place;
}

/* A call within a call, or within the tool, does not own the place. */
void pst_gasp_forget_site(void)
{
  if (!self.in_tool && !self.depth) self.next = (struct place){NULL, 0, 0};
}

void pst_gasp_hold_site(int on)
{
  if (self.in_tool || self.depth) return;
  if (!on) self.keep -= self.keep > 0; /* the first call may have been before there was a tool */
  else if (self.keep++ == 0) {
    self.kept = self.next;
    self.next = (struct place){NULL, 0, 0};
  }
}

/* The program may read errno after an event. */
static void tool_notify(
    gasp_model_t model, unsigned tag, gasp_evttype_t type, const struct place *place, va_list args)
{
  const int error = errno;
  self.in_tool++;
  tool.notify(self.context[model], tag, type, place->file, place->line, place->column, args);
  self.in_tool--;
  errno = error;
}

static int model_is_open(gasp_model_t model)
{
  return (unsigned)model < MODELS && (self.open & 1u << model) != 0;
}

static int event_is_wanted(gasp_model_t model, unsigned tag, const struct place *place)
{
  return model_is_open(model) && place->line >= 0 && (tag >= PST_GASP_TAGS || !silent[tag]);
}

/* A call within a call, or within the tool, does not take the place. */
static void event_begin(gasp_model_t model, unsigned tag, const struct place *place, va_list args)
{
  if (self.in_tool || self.depth++) return;
  self.outer = place ? *place : place_take();
  self.told = event_is_wanted(model, tag, &self.outer);
  if (self.told) tool_notify(model, tag, GASP_START, &self.outer, args);
}

void pst_gasp_begin(gasp_model_t model, unsigned tag, ...)
{
  va_list args;
  va_start(args, tag);
  event_begin(model, tag, NULL, args);
  va_end(args);
}

void pst_gasp_begin_at(gasp_model_t model, const char *file, int line, unsigned tag, ...)
{
  const struct place place = {file, line, 0};
  va_list args;
  va_start(args, tag);
  event_begin(model, tag, &place, args);
  va_end(args);
}

/* The finish of the call in which the tool was found had no begin. */
void pst_gasp_finish(gasp_model_t model, unsigned tag, ...)
{
  va_list args;
  if (self.in_tool || self.depth == 0 || --self.depth > 0 || !self.told) return;
  va_start(args, tag);
  tool_notify(model, tag, GASP_END, &self.outer, args);
  va_end(args);
}

void pst_gasp_atomic(gasp_model_t model, unsigned tag, ...)
{
  va_list args;
  if (self.in_tool || self.depth) return;
  const struct place place = place_take();
  if (!event_is_wanted(model, tag, &place)) return;
  va_start(args, tag);
  tool_notify(model, tag, GASP_ATOMIC, &place, args);
  va_end(args);
}

void pst_gasp_block(gasp_model_t model, gasp_evttype_t type, const char *file, int line, unsigned tag, ...)
{
  const struct place place = {file, line, 0};
  va_list args;
  if (self.in_tool || self.depth || !event_is_wanted(model, tag, &place)) return;
  va_start(args, tag);
  tool_notify(model, tag, type, &place, args);
  va_end(args);
}

/* #pragma pupc off does not concern these events, only the model's. */
int pst_gasp_tell_va(unsigned tag, gasp_evttype_t type, int site, va_list args)
{
  struct place place = {NULL, 0, 0};
  if (self.in_tool || self.depth) return 0;
  if (site) place = place_take();
  if (place.line < 0) place.line = 0;
  if (!event_is_wanted(self.client, tag, &place)) return 0;
  tool_notify(self.client, tag, type, &place, args);
  return 1;
}

int pst_gasp_tell(unsigned tag, gasp_evttype_t type, int site, ...)
{
  va_list args;
  va_start(args, site);
  const int told = pst_gasp_tell_va(tag, type, site, args);
  va_end(args);
  return told;
}

int pst_gasp_ask_control(int on, int *answer)
{
  if (self.in_tool || !model_is_open(self.client)) return 0;
  self.in_tool++;
  *answer = tool.control(self.context[self.client], on);
  self.in_tool--;
  return 1;
}

int pst_gasp_ask_event(const char *name, const char *desc, unsigned *number)
{
  if (self.in_tool || !model_is_open(self.client)) return 0;
  self.in_tool++;
  *number = tool.create_event(self.context[self.client], name, desc);
  self.in_tool--;
  return 1;
}
