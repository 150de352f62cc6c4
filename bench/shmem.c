/* Speed of the OpenSHMEM library against bare loops over the same memory. docs/bench.md explains each row. */
#include "shmem.h"

static const char help[] =
  "usage: shmem [options]  starts the jobs that it needs\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'fadd_*,barrier_2'\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (21)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static const struct bench_row *row(unsigned i) { return i < osh_row_count ? &osh_rows[i].row : NULL; }

int main(int argc, char **argv)
{
  static const struct bench_program program = {.name = "shmem", .help = help, .row = row};
  struct bench_options o = {.rounds = 21};
  bench_parse(argc, argv, &program, &o);
  return o.worker ? osh_worker(&o) : osh_control(&o);
}
