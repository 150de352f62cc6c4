/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bench/control/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/control/plan.h"
#include "gasnet_config.h"

static void copy(char to[TEXT_MOST], const char *from) { snprintf(to, TEXT_MOST, "%.255s", from); }

/* As /proc/cpuinfo calls it; its machine's kind where that says nothing. */
static void find_processor(char text[TEXT_MOST], const char *machine)
{
  char line[512];
  FILE *f = fopen("/proc/cpuinfo", "re");
  copy(text, machine);
  while (f && fgets(line, sizeof line, f)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = '\0';
    copy(text, colon + 1 + strspn(colon + 1, " \t"));
    break;
  }
  if (f) fclose(f);
}

void place_fill(const struct settings *s, struct place *p)
{
  struct utsname u = {.sysname = "?", .machine = "?"};
  const time_t now = time(NULL);
  struct tm utc;
  uname(&u);
  copy(p->version, PENSTOCK_VERSION);
  strftime(p->date, sizeof p->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  copy(p->host, u.nodename);
  snprintf(p->system, sizeof p->system, "%.60s %.60s %.60s", u.sysname, u.release, u.machine);
  find_processor(p->processor, u.machine);
  copy(p->hosts, s->hosts_text ? s->hosts_text : "");
  p->processors = processors_here();
  if (getloadavg(&p->load, 1) != 1) p->load = -1;
  report_plain(p->host);
  report_plain(p->hosts);
  report_plain(p->processor);
  report_plain(p->system);
}

/* Of jobs on this host. */
static void warn_of_crowd(struct report *r)
{
  unsigned most = 0;
  for (unsigned i = 0; i < r->count; i++) {
    const unsigned n = r->result[i].nodes * r->result[i].threads;
    if (n > most) most = n;
  }
  if (most > r->place.processors)
    report_note(r,
        "jobs with more nodes or threads than the %u processors here share them: such times include waiting "
        "for a turn",
        r->place.processors);
}

void place_warn(const struct settings *s, struct report *r)
{
  const struct place *p = &r->place;
  if (p->load > 0.5 && p->load > 0.05 * p->processors)
    report_note(
        r, "the load average was %.1f before the run: other programs take part in these figures", p->load);
  if (!s->hosts.count) warn_of_crowd(r);
}
