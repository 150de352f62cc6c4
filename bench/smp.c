/* Speed of the smp conduit against bare loops over the same memory. docs/bench.md explains each row. */
#include "smp.h"

#include <stdlib.h>

static const char help[] =
  "usage: smp [options]                 all rows; starts the jobs it needs\n"
  "       gasnetrun -n 2 smp [options]  only the rows for that many processes\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put*', 'am_*,barrier_2'\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (7)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --unpinned            leave jobs of more than two processes to the kernel's placement on the two cores\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static const struct bench_row *row(unsigned i) { return i < smp_row_count ? &smp_rows[i].row : NULL; }

/* The two ways in which a process is given its place in a job. */
static int in_a_job(void) { return getenv("PENSTOCK_LAUNCH") || getenv("GASNET_PSHM_NODES"); }

int main(int argc, char **argv)
{
  static const struct bench_program program = {.name = "smp", .help = help, .row = row, .own = "unpinned"};
  struct bench_options o = {.rounds = 7};
  bench_parse(argc, argv, &program, &o);
  return in_a_job() ? smp_worker(argc, argv, &o) : smp_control(&o);
}
