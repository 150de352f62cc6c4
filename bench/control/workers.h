/* Where the programs lie that this one starts. */
#ifndef BENCH_CONTROL_WORKERS_H
#define BENCH_CONTROL_WORKERS_H
#include "bench/control/settings.h"

/* gasnetrun; ends the process where there is none. */
const char *launcher_path(const struct settings *s);
/* "gasnetbench-seq" and so on, for the caller to free; NULL: there is none, and *reason, which holds 256 bytes, says so. */
char *worker_path(const struct settings *s, const char *name, char *reason);
#endif
