/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* PMI-2: fields `key=value;` behind a count. The board is one for all, so that keys name their process. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/pmi_text.h"
#include "bootstrap/pmi_wire.h"
#include "support/error.h"

enum { VALUE_MOST = 1024, NAME_MOST = 256 };

static struct pst_pmi_stream *server;
static unsigned rank;
static char job[NAME_MOST];
static char why_text[200];

static const char *check(const char *answer)
{
  char command[48];
  unsigned rc;
  if (pst_pmi_field(server->text, ';', "cmd", command, sizeof command) || strcmp(command, answer) != 0) {
    snprintf(why_text, sizeof why_text, "the launcher answered '%.80s' in place of %s", server->text, answer);
    return why_text;
  }
  if (pst_pmi_number(server->text, ';', "rc", 0, 0, &rc) == PST_OK) return NULL;
  snprintf(why_text, sizeof why_text, "the launcher refuses: '%.120s'", server->text);
  return why_text;
}

static const char *say(const char *format, va_list args)
{
  char text[PST_PMI_MESSAGE];
  const int n = vsnprintf(text + PST_PMI_COUNT, sizeof text - PST_PMI_COUNT, format, args);
  char count[PST_PMI_COUNT + 8];
  if (n < 0 || (size_t)n >= sizeof text - PST_PMI_COUNT) return "a message to the launcher is too long";
  snprintf(count, sizeof count, "%*d", PST_PMI_COUNT, n);
  memcpy(text, count, PST_PMI_COUNT);
  return pst_pmi_send(server, text, PST_PMI_COUNT + (size_t)n);
}

static const char *ask(const char *answer, double seconds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *ask(const char *answer, double seconds, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *why = say(format, args);
  va_end(args);
  if (why || !answer) return why;
  why = pst_pmi_receive_counted(server, seconds);
  return why ? why : check(answer);
}

static const char *put(const char *key, const char *value)
{
  return ask("kvs-put-response", HUGE_VAL, "cmd=kvs-put;key=%s.%u;value=%s;", key, rank, value);
}

static const char *fence(double seconds) { return ask("kvs-fence-response", seconds, "cmd=kvs-fence;"); }

static const char *get(unsigned from, const char *key, char *value, size_t size)
{
  const char *why = ask(
      "kvs-get-response", HUGE_VAL, "cmd=kvs-get;jobid=%s;srcid=-1;key=%s.%u;", job, key, from);
  if (why) return why;
  return pst_pmi_field(server->text, ';', "value", value, size)
      ? "the launcher has no value that this process can use"
      : NULL;
}

/* The protocol has no place for the code. */
static void end_all(int code) { ask(NULL, 0, "cmd=abort;isworld=TRUE;msg=exit code %d;", code); }

static void leave(void) { ask("finalize-response", HUGE_VAL, "cmd=finalize;"); }

const char *pst_pmi2_begin(struct pst_pmi_stream *s, struct pst_pmi *p)
{
  const char *id = getenv("PMI_JOBID");
  unsigned said;
  server = s;
  rank = p->rank;
  *p = (struct pst_pmi){"PMI-2", p->rank, p->size, VALUE_MOST, put, fence, get, end_all, leave};
  snprintf(job, sizeof job, "%s", id ? id : "");
  if (strpbrk(job, ";=\n")) return "PMI_JOBID is malformed";
  const char *why = ask(
      "fullinit-response", HUGE_VAL, "cmd=fullinit;pmijobid=%s;pmirank=%u;threaded=FALSE;", job, rank);
  if (why) return why;
  if (pst_pmi_number(s->text, ';', "rank", rank, rank, &said) ||
      pst_pmi_number(s->text, ';', "size", p->size, p->size, &said))
    return "the launcher and its variables differ in who this process is";
  return NULL;
}
