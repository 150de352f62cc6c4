/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* PMI-1: lines of words `key=value`. The board is one for all, so that keys name their process. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap/pmi_text.h"
#include "bootstrap/pmi_wire.h"
#include "support/error.h"

enum { VALUE_LEAST = 64, NAME_MOST = 256 };

static struct pst_pmi_stream *server;
static char board[NAME_MOST];
static char why_text[200];

static const char *check(const char *answer)
{
  char command[32];
  unsigned rc;
  if (pst_pmi_field(server->text, ' ', "cmd", command, sizeof command) || strcmp(command, answer) != 0) {
    snprintf(why_text, sizeof why_text, "the launcher answered '%.80s' in place of %s", server->text, answer);
    return why_text;
  }
  if (pst_pmi_field(server->text, ' ', "rc", command, sizeof command) == PST_ERR_INVALID)
    return NULL; /* not all answers have one */
  if (pst_pmi_number(server->text, ' ', "rc", 0, 0, &rc) == PST_OK) return NULL;
  snprintf(why_text, sizeof why_text, "the launcher refuses: '%.120s'", server->text);
  return why_text;
}

static const char *ask(const char *answer, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *ask(const char *answer, double seconds, const char *format, ...)
{
  char text[PST_PMI_MESSAGE];
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof text) return "a message to the launcher is too long";
  const char *why = pst_pmi_send(server, text, (size_t)n);
  if (!why) why = pst_pmi_receive_line(server, seconds);
  return why ? why : check(answer);
}

static unsigned rank;

static const char *put(const char *key, const char *value)
{
  return ask("put_result", HUGE_VAL, "cmd=put kvsname=%s key=%s.%u value=%s\n", board, key, rank, value);
}

static const char *fence(double seconds) { return ask("barrier_out", seconds, "cmd=barrier_in\n"); }

static const char *get(unsigned from, const char *key, char *value, size_t size)
{
  const char *why = ask("get_result", HUGE_VAL, "cmd=get kvsname=%s key=%s.%u\n", board, key, from);
  if (why) return why;
  return pst_pmi_field(server->text, ' ', "value", value, size)
      ? "the launcher has no value that this process can use"
      : NULL;
}

static void end_all(int code)
{
  char text[64];
  const int n = snprintf(text, sizeof text, "cmd=abort exitcode=%d\n", code);
  pst_pmi_send(server, text, (size_t)n);
}

static void leave(void) { ask("finalize_ack", HUGE_VAL, "cmd=finalize\n"); }

static const char *ask_limits(struct pst_pmi *p)
{
  unsigned most;
  const char *why = ask("maxes", HUGE_VAL, "cmd=get_maxes\n");
  if (why) return why;
  if (pst_pmi_number(server->text, ' ', "vallen_max", VALUE_LEAST, 1 << 24, &most))
    return "the launcher takes no values of use";
  p->value_max = most;
  return NULL;
}

const char *pst_pmi1_begin(struct pst_pmi_stream *s, struct pst_pmi *p)
{
  server = s;
  rank = p->rank;
  *p = (struct pst_pmi){"PMI-1", p->rank, p->size, 0, put, fence, get, end_all, leave};
  const char *why = ask_limits(p);
  if (!why) why = ask("my_kvsname", HUGE_VAL, "cmd=get_my_kvsname\n");
  if (why) return why;
  return pst_pmi_field(s->text, ' ', "kvsname", board, sizeof board) || !*board
      ? "the launcher does not name its board"
      : NULL;
}
