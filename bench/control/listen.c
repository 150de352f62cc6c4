#include "bench/control/listen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/control/collect.h"
#include "bench/control/progress.h"

void listen_missing(struct report *r, unsigned number, const char *format, ...)
{
  char text[TEXT_MOST];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  report_plain(text);
  for (unsigned i = 0; i < r->count; i++) {
    struct result *each = &r->result[i];
    if (each->job != number || each->state != WAITING) continue;
    each->state = MISSING;
    memcpy(each->missing, text, sizeof text);
  }
}

unsigned listen_left(const struct report *r, unsigned number)
{
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += r->result[i].job == number && r->result[i].state == WAITING;
  return n;
}

unsigned listen_done(const struct report *r)
{
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += r->result[i].state != WAITING;
  return n;
}

void listen_complaint(void *unused, const char *line)
{
  (void)unused;
  progress_clear();
  fprintf(stderr, "%s\n", line);
}

void listen_line(void *arg, const char *line)
{
  struct listener *l = arg;
  struct result *which;
  switch (collect(l->r, l->job, line, &which)) {
    case SAID_NOTHING: listen_complaint(NULL, line); return;
    case SAID_WRONG:
      progress_clear();
      fprintf(stderr, "gasnetbench: a worker said what is not understood: %s\n", line);
      return;
    case SAID_ABOUT: return;
    case SAID_DOING:
      l->doing = which;
      progress_doing(which);
      return;
    case SAID_RESULT:
      if (l->main) progress_at(listen_done(l->r));
  }
}

void listen_end(struct report *r, unsigned number, const struct job *job, const struct job_end *end)
{
  if (end->code == JOB_INTERRUPTED) return;
  if (end->code == 0) listen_missing(r, number, "its job printed no result");
  else if (end->code == JOB_NOT_STARTED) listen_missing(r, number, "its job could not be started: no more processes or files");
  else if (end->code == JOB_LATE) listen_missing(r, number, "its job said nothing for %.0f s and was ended", job->patience);
  else listen_missing(r, number, "its job ended with code %d%s%.200s", end->code, *end->complaint ? ": " : "", end->complaint);
}

int listen_rest(struct listener *l, const struct job *job, const struct job_end *end)
{
  struct result *doing = l->doing;
  if (!l->main || !doing || doing->state != WAITING || (end->code <= 0 && end->code != JOB_LATE)) return 0;
  const unsigned number = doing->job;
  doing->job = ~0u; /* alone */
  listen_end(l->r, ~0u, job, end);
  doing->job = number;
  return listen_left(l->r, number) > 0;
}
