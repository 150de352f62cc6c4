#ifndef BENCH_CONTROL_ASK_H
#define BENCH_CONTROL_ASK_H
#include "bench/control/run.h"

/* What a job's command line points to. */
struct asked {
  char *worker, *list, *raw;
  char reason[TEXT_MOST];
};

/* The command line and environment of a job with the nodes of `first`, which measures what still waits of its number in *r, or where that is
 * NULL only starts. -1: there is no such worker, and .reason says so. */
int ask(struct run *run, const struct report *r, const struct result *first, unsigned flags, double seconds, struct job *job, struct asked *asked);
void ask_free(struct asked *asked);
/* The environment alone. */
void ask_environment(const struct run *run, const struct result *result, unsigned flags, struct job *job);
/* What --raw is for the result: "none", "smp" or the path of a library; for the caller to free. */
char *ask_raw(struct run *run, const struct result *result);
#endif
