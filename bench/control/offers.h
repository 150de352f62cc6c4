#ifndef BENCH_CONTROL_OFFERS_H
#define BENCH_CONTROL_OFFERS_H
#include "bench/control/report.h"
#include "bench/control/settings.h"

/* --check without --transport: the transports that the bounds are for, those that are here, in place of the library's choice. */
void offers_expand(struct settings *s, struct report *r);
#endif
