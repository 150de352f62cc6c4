/* Charts of a report. */
#ifndef BENCH_CONTROL_PLOT_H
#define BENCH_CONTROL_PLOT_H
#include "bench/control/report.h"

/* Makes the directory where there is none; ends the process where nothing can be written into it. */
void plot_prepare(const char *directory);
/* Into the directory: TEST.svg of each test, and report.html with all. Ends the process where it cannot
 * write. Returns how many charts. */
unsigned plot_write(const char *directory, const struct report *r);
#endif
