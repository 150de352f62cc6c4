#include "bench/control/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result *report_add(struct report *r)
{
  if (r->count == RESULTS_MOST) return NULL;
  if (r->count == r->room) {
    const unsigned room = r->room ? 2 * r->room : 64;
    struct result *grown = realloc(r->result, room * sizeof *grown);
    if (!grown) return NULL;
    r->result = grown;
    r->room = room;
  }
  struct result *added = &r->result[r->count++];
  memset(added, 0, sizeof *added);
  return added;
}

void report_note(struct report *r, const char *format, ...)
{
  va_list args;
  if (r->notes == NOTES_MOST) return;
  va_start(args, format);
  vsnprintf(r->note[r->notes], TEXT_MOST, format, args);
  va_end(args);
  report_plain(r->note[r->notes++]);
}

void report_plain(char *text)
{
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || (unsigned char)*text > 126) *text = '?';
}

void report_free(struct report *r)
{
  free(r->result);
  r->result = NULL;
  r->count = r->room = 0;
}

int report_same(const struct result *a, const struct result *b)
{
  return a->nodes == b->nodes && a->threads == b->threads && strcmp(a->point, b->point) == 0 && strcmp(a->test, b->test) == 0 &&
         strcmp(a->conduit, b->conduit) == 0;
}
