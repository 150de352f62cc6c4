/* This run against an earlier one. */
#ifndef BENCH_CONTROL_COMPARE_H
#define BENCH_CONTROL_COMPARE_H
#include "bench/control/report.h"

enum change {
  CHANGE_NONE,    /* not beyond the noise */
  CHANGE_FASTER,
  CHANGE_SLOWER,
  CHANGE_PLACE,   /* the bare transport has changed alike: it is not the library */
  CHANGE_NEW      /* the earlier run does not have it */
};

/* Gives each result the one it is compared with. */
void compare_find(struct report *now, const struct report *then);
enum change compare(const struct result *now, double noise);
/* How much the shown value has changed, in percent. */
double compare_percent(const struct result *now);
const char *change_name(enum change c);

struct changes {
  unsigned count[CHANGE_NEW + 1];
  unsigned missing; /* measured then, and not now though it was tried */
  unsigned gone;    /* tests that there were then, and this program does not know */
};
void compare_count(const struct report *now, double noise, struct changes *c);
#endif
