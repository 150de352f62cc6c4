/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The hosts of a job, as the user lists them, and how many processes each gets. */
#ifndef LAUNCH_HOSTS_H
#define LAUNCH_HOSTS_H
#include "bootstrap/jobstate.h"

struct host {
  char *name;     /* as the remote shell takes it, "user@host" perhaps */
  unsigned slots; /* 0: none was said */
  unsigned first, local;
};

struct hosts {
  struct host *host;
  unsigned count;
};

/* "a:4,b,[fe80::1]:2": adds to *h. Ends the process when the text is malformed; `where` is what to
 * name then. */
void hosts_take_list(struct hosts *h, const char *where, const char *text);
/* A line a host: "a", "a:4" or "a slots=4"; # begins a comment. */
void hosts_take_file(struct hosts *h, const char *path);
/* Gives each host its processes: `nodes` in all (0: as many as there are slots), on the first `most` hosts
 * (0: on as many as it takes). Hosts without any are dropped. Returns how many processes; ends the process
 * when there are too few slots. */
unsigned hosts_share(struct hosts *h, unsigned nodes, unsigned most);
void hosts_free(struct hosts *h);

#endif
