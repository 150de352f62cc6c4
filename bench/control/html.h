#ifndef BENCH_CONTROL_HTML_H
#define BENCH_CONTROL_HTML_H
#include <stdio.h>

#include "bench/control/report.h"

/* The report as one page, with its charts; it needs nothing from elsewhere. */
void html_write(FILE *out, const struct report *r);
#endif
