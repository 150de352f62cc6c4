/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/order.h"

#include <string.h>

#include "bootstrap/exchange.h"
#include "bootstrap/jobsignals.h"

static const char *const too_early = "a frame that comes too early",
                         *const too_late = "a frame that comes too late",
                         *const no_node = "a frame about a process that does not exist",
                         *const wrong_number = "a frame with an impossible number";

/* A piece of `total` bytes for collective `turn`; pieces come in order. */
static const char *piece_take(
    struct order_collective *c, uint32_t turn, uint32_t size, const struct wire_frame *f, size_t total)
{
  const int first = f->word[2] == 0;
  if (f->word[0] != turn || f->word[1] != size) return wrong_number;
  if (first ? c->turn == turn : c->turn != turn || f->word[2] != c->have) return wrong_number;
  const size_t have = first ? 0 : c->have;
  if (f->size > total - have || (f->size == 0) != (total == 0)) return wrong_number;
  *c = (struct order_collective){turn, size, have + f->size};
  return NULL;
}

/* ---- from a daemon ---- */

static const char *daemon_mark(struct order_daemon *o, uint32_t i, unsigned before, unsigned mark)
{
  if (i >= o->local) return no_node;
  if ((o->node[i] & before) != before) return too_early;
  if (o->node[i] & mark) return too_late;
  o->node[i] |= (uint8_t)mark;
  return NULL;
}

static const char *daemon_started(struct order_daemon *o, const struct wire_frame *f)
{
  if (f->word[1] == 0 || f->word[1] > INT32_MAX) return wrong_number;
  const char *why = daemon_mark(o, f->word[0], 0, ORDER_STARTED);
  if (!why) o->started++;
  return why;
}

static const char *daemon_leaves(struct order_daemon *o, const struct wire_frame *f)
{
  const uint32_t known = PST_LEAVING | PST_LEAVING_TOLD | PST_LEAVING_LOST | 255;
  if (!(f->word[1] & PST_LEAVING) || f->word[1] & ~known) return wrong_number;
  if (f->word[0] < o->local && o->node[f->word[0]] & ORDER_ENDED) return too_late;
  return daemon_mark(o, f->word[0], ORDER_STARTED, ORDER_LEAVES);
}

/* A status as waitpid gives it: ended, by an exit code or by a signal. */
static const char *daemon_ended(struct order_daemon *o, const struct wire_frame *f)
{
  const uint32_t status = f->word[2], sig = status & 127;
  if (status > 0xffff || sig == 127 || (sig && status >> 8)) return wrong_number;
  const char *why = daemon_mark(o, f->word[0], ORDER_STARTED, ORDER_ENDED);
  if (!why) o->ended++;
  return why;
}

static const char *daemon_output(struct order_daemon *o, const struct wire_frame *f)
{
  if (f->word[0] >= o->local) return no_node;
  if (!(o->node[f->word[0]] & ORDER_STARTED)) return too_early;
  if (f->word[1] > 1) return wrong_number;
  if (f->size > o->output_room) return "more output than may be under way";
  o->output_room -= (uint32_t)f->size;
  return NULL;
}

static const char *daemon_gather(struct order_daemon *o, const struct wire_frame *f)
{
  if (o->started < o->local) return too_early;
  if (f->word[1] > PST_BOOT_MAX) return wrong_number;
  const uint32_t size = f->word[2] == 0 ? f->word[1] : o->gather.size;
  return piece_take(&o->gather, o->scattered + 1, size, f, (size_t)o->local * size);
}

static const char *daemon_input_taken(struct order_daemon *o, const struct wire_frame *f)
{
  if (f->word[0] > o->input_sent) return wrong_number;
  o->input_sent -= f->word[0];
  return NULL;
}

static const char *daemon_bye(struct order_daemon *o)
{
  if (o->ended < o->local) return too_early;
  o->over = 1;
  return NULL;
}

static const char *daemon_state(const struct wire_frame *f)
{
  for (unsigned i = 0; i < 4; i++)
    if (f->word[i] > 1) return wrong_number;
  return NULL;
}

const char *order_from_daemon(struct order_daemon *o, const struct wire_frame *f)
{
  if (o->over) return too_late;
  if (!o->asked && f->type != WIRE_SIGNALLED) return too_early;
  switch (f->type) {
  case WIRE_STARTED: return daemon_started(o, f);
  case WIRE_FAILED: o->over = 1; return f->word[0] == 0 || f->word[0] > 255 ? wrong_number : NULL;
  case WIRE_OUTPUT: return daemon_output(o, f);
  case WIRE_INPUT_TAKEN: return daemon_input_taken(o, f);
  case WIRE_INPUT_CLOSED:
    if (o->input_closed) return too_late;
    o->input_closed = 1;
    return NULL;
  case WIRE_STATE: return daemon_state(f);
  case WIRE_LEAVES: return daemon_leaves(o, f);
  case WIRE_ENDED: return daemon_ended(o, f);
  case WIRE_GATHER: return daemon_gather(o, f);
  case WIRE_SIGNALLED: return pst_jobsignals_ends((int)f->word[0]) ? NULL : wrong_number;
  case WIRE_BYE: return daemon_bye(o);
  default: return "a frame that has no place here";
  }
}

/* ---- from the launcher ---- */

static const char *launcher_job(struct order_launcher *o, const struct wire_frame *f)
{
  const struct pst_part p = {f->word[0], f->word[1], f->word[2], f->word[3], f->word[4]};
  if (o->job) return too_late;
  if (p.hosts < 1 || p.hosts > PST_MAX_HOSTS || p.host >= p.hosts || p.local < 1 || p.local > PST_MAX_LOCAL ||
      p.nodes > PST_MAX_LOCAL * p.hosts || p.local > p.nodes || p.first > p.nodes - p.local)
    return wrong_number;
  o->part = p;
  o->job = 1;
  return NULL;
}

/* Strings are without zero bytes. */
static const char *launcher_text(const struct order_launcher *o, const struct wire_frame *f)
{
  if (!o->job) return too_early;
  if (o->started) return too_late;
  return memchr(f->data, 0, f->size) ? "a text with a zero byte" : NULL;
}

static const char *launcher_directory(struct order_launcher *o, const struct wire_frame *f)
{
  if (o->directory) return too_late;
  o->directory = 1;
  return launcher_text(o, f);
}

static const char *launcher_argument(struct order_launcher *o, const struct wire_frame *f)
{
  const uint32_t most = 1 << 20;
  if (o->arguments++ >= most) return wrong_number;
  return launcher_text(o, f);
}

static const char *launcher_variable(const struct order_launcher *o, const struct wire_frame *f)
{
  const char *equals = memchr(f->data, '=', f->size);
  if (!equals || equals == f->data) return "a variable without a name";
  return launcher_text(o, f);
}

static const char *launcher_start(struct order_launcher *o)
{
  if (!o->job || !o->directory || !o->arguments) return too_early;
  if (o->started) return too_late;
  o->started = 1;
  return NULL;
}

static const char *launcher_input(struct order_launcher *o, const struct wire_frame *f)
{
  if (o->part.first > 0) return "input for a host that has none of it";
  if (o->input_ended) return too_late;
  if (f->size > o->input_room) return "more input than may be under way";
  o->input_room -= (uint32_t)f->size;
  o->input_ended = f->size == 0;
  return NULL;
}

static const char *launcher_output_taken(struct order_launcher *o, const struct wire_frame *f)
{
  if (f->word[0] > o->output_sent) return wrong_number;
  o->output_sent -= f->word[0];
  return NULL;
}

static const char *launcher_when_started(struct order_launcher *o, const struct wire_frame *f)
{
  if (!o->started) return too_early;
  switch (f->type) {
  case WIRE_INPUT: return launcher_input(o, f);
  case WIRE_OUTPUT_TAKEN: return launcher_output_taken(o, f);
  case WIRE_SIGNAL:
    return f->word[0] == SIGKILL || (f->word[0] < 65 && pst_jobsignals_known((int)f->word[0])) ? NULL
                                                                                               : wrong_number;
  case WIRE_ENDING:
  case WIRE_ASK: return NULL;
  case WIRE_LOST: return f->word[0] < o->part.nodes ? NULL : no_node;
  case WIRE_SCATTER:
    if (o->asked == 0) return too_early;
    return piece_take(&o->scatter, o->asked, o->asked_size, f, (size_t)o->part.nodes * o->asked_size);
  default: return "a frame that has no place here";
  }
}

const char *order_from_launcher(struct order_launcher *o, const struct wire_frame *f)
{
  switch (f->type) {
  case WIRE_JOB: return launcher_job(o, f);
  case WIRE_DIRECTORY: return launcher_directory(o, f);
  case WIRE_ARGUMENT: return launcher_argument(o, f);
  case WIRE_VARIABLE: return launcher_variable(o, f);
  case WIRE_START: return launcher_start(o);
  default: return launcher_when_started(o, f);
  }
}
