/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "gasnet_config.h"

/* As /proc/cpuinfo calls it; its machine's kind where that says nothing. */
static const char *processor_name(const char *machine)
{
  char line[512], name[256] = "";
  FILE *f = fopen("/proc/cpuinfo", "re");
  while (f && fgets(line, sizeof line, f) && sscanf(line, "model name : %255[^\n]", name) != 1) {}
  if (f) fclose(f);
  return text_plain(*name ? name : machine);
}

static void place_name(const struct settings *s, struct place *p)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  char date[32];
  uname(&u);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  *p = (struct place){.version = PENSTOCK_VERSION,
      .date = text_of("%s", date),
      .host = text_plain(u.nodename),
      .hosts = text_plain(s->hosts_text ? s->hosts_text : ""),
      .processor = processor_name(u.machine),
      .system = text_plain(text_of("%.60s %.60s %.60s", u.sysname, u.release, u.machine)),
      .processors = processors_here()};
  if (getloadavg(&p->load, 1) != 1) p->load = -1;
}

/* Of jobs on this host. */
static void note_crowd(struct report *r)
{
  unsigned most = 0;
  EACH_RESULT (each, r)
    if (each->nodes * each->threads > most) most = each->nodes * each->threads;
  if (most > r->place.processors)
    report_note(r,
        text_of("jobs with more nodes or threads than the %u processors here share them: such times include "
                "waiting "
                "for a turn",
            r->place.processors));
}

void place_fill(const struct settings *s, struct report *r)
{
  struct place *p = &r->place;
  place_name(s, p);
  if (p->load > 0.5 && p->load > 0.05 * p->processors)
    report_note(r,
        text_of(
            "the load average was %.1f before the run: other programs take part in these figures", p->load));
  if (!s->hosts.count) note_crowd(r);
}
