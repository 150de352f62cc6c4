/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "teams/left.h"

#include <stdlib.h>

#include "core/am_args.h"
#include "core/am_fill.h"
#include "core/handler.h"
#include "core/job.h"
#include "core/loss.h"
#include "gasnet_tools.h"
#include "teams/step.h"

/* A thread in the engine alone touches marks. */
struct mark {
  uint64_t team;
  uint16_t call;
  /* From when a call that was under way has to end: by rank, is a member known to have the mark? */
  uint8_t *known;
  unsigned unknown;
  gasnett_tick_t told; /* when the others were told last; 0: not yet */
};
static struct {
  struct mark *of;
  size_t count, room;
} marks;

/* Is a call, or a mark, with number a later than b? Numbers have 16 bits. */
static int is_later(uint16_t a, uint16_t b) { return (int16_t)(a - b) > 0; }

static struct mark *mark_find(uint64_t team)
{
  for (size_t i = 0; i < marks.count; i++)
    if (marks.of[i].team == team) return &marks.of[i];
  return NULL;
}

static struct mark *mark_add(uint64_t team, uint16_t call)
{
  if (marks.count == marks.room) {
    marks.room = marks.room ? 2 * marks.room : 16;
    if (!(marks.of = realloc(marks.of, marks.room * sizeof *marks.of)))
      pst_fatal("out of memory for %zu teams that a member has left", marks.room);
  }
  marks.of[marks.count] = (struct mark){.team = team, .call = call};
  return &marks.of[marks.count++];
}

uint16_t pst_left_mark(uint64_t team, uint16_t call)
{
  struct mark *const m = mark_find(team);
  if (m && !is_later(m->call, call)) return m->call;
  if (!m) mark_add(team, call);
  else {
    free(m->known);
    m->known = NULL;
    m->call = call;
  }
  pst_steps.ends = 1;
  return call;
}

int pst_left_ends(uint64_t team, uint16_t number, uint16_t *call)
{
  const struct mark *const m = mark_find(team);
  if (!m || !is_later(number, m->call)) return 0;
  if (call) *call = m->call;
  return 1;
}

/* ---- who has the mark ---- */

static void known_begin(struct mark *m, const struct pst_team *t)
{
  if (!(m->known = calloc(t->size, sizeof *m->known)))
    pst_fatal("out of memory for a team of %u that a member has left", t->size);
  m->known[t->me] = 1;
  m->unknown = t->size - 1;
  m->told = 0;
}

static void known_add(struct mark *m, uint32_t rank)
{
  m->unknown -= !m->known[rank];
  m->known[rank] = 1;
}

uint16_t pst_left_heard(uint64_t team, uint16_t call, uint32_t rank)
{
  const uint16_t mine = pst_left_mark(team, call);
  struct mark *const m = mark_find(team);
  if (m->known && mine == call && rank != PST_LEFT_NOBODY) known_add(m, rank);
  return mine;
}

/* One that is not there any more needs no mark. */
static void member_tell(struct mark *m, const struct pst_team *t, unsigned rank)
{
  const gasnet_node_t node = pst_team_node(t, rank);
  const gasnet_handlerarg_t args[] = {(gasnet_handlerarg_t)(m->team >> 32), (gasnet_handlerarg_t)m->team,
      m->call, (gasnet_handlerarg_t)t->me, (gasnet_handlerarg_t)rank};
  if (pst_loss_of(node)) known_add(m, rank);
  else pst_am_request_try(node, PST_HANDLER_TEAM_LEFT, NULL, 0, 5, args);
}

int pst_left_is_known(const struct pst_team *t)
{
  enum { AGAIN = 5000 /* microseconds */ };
  struct mark *const m = mark_find(t->id);
  const gasnett_tick_t now = gasnett_ticks_now();
  if (!m->known) known_begin(m, t);
  if (!m->unknown || (m->told && gasnett_ticks_to_us(now - m->told) < AGAIN)) return !m->unknown;
  m->told = now;
  for (unsigned r = 0; r < t->size; r++)
    if (!m->known[r]) member_tell(m, t, r);
  return !m->unknown;
}

/* ---- messages ---- */

int (*pst_left_told)(uint64_t team, uint16_t *call, uint32_t rank);

static int told(
    gasnet_handlerarg_t team_high, gasnet_handlerarg_t team_low, uint16_t *call, gasnet_handlerarg_t rank)
{
  return pst_left_told && pst_left_told(PST_JOIN(team_high, team_low), call, (uint32_t)rank);
}

void pst_left_answer(gasnet_token_t token, uint64_t team, uint16_t call, uint32_t rank)
{
  const gasnet_handlerarg_t args[] = {
      (gasnet_handlerarg_t)(team >> 32), (gasnet_handlerarg_t)team, call, (gasnet_handlerarg_t)rank};
  pst_am_reply_short(token, PST_HANDLER_TEAM_LEFT_TOO, 4, args);
}

static void handle_left_too(gasnet_token_t token, gasnet_handlerarg_t team_high, gasnet_handlerarg_t team_low,
    gasnet_handlerarg_t call, gasnet_handlerarg_t rank)
{
  uint16_t number = (uint16_t)call;
  (void)token;
  told(team_high, team_low, &number, rank);
}

static void handle_left(gasnet_token_t token, void *buf, size_t nbytes, gasnet_handlerarg_t team_high,
    gasnet_handlerarg_t team_low, gasnet_handlerarg_t call, gasnet_handlerarg_t from, gasnet_handlerarg_t to)
{
  uint16_t number = (uint16_t)call;
  (void)buf;
  (void)nbytes;
  if (told(team_high, team_low, &number, from))
    pst_left_answer(token, PST_JOIN(team_high, team_low), number, (uint32_t)to);
}

void pst_left_open(void)
{
  pst_handler_set(PST_HANDLER_TEAM_LEFT, (pst_handler_fn)handle_left);
  pst_handler_set(PST_HANDLER_TEAM_LEFT_TOO, (pst_handler_fn)handle_left_too);
}
