/* Speed of vector, indexed and strided transfers against what a program would write itself. docs/bench.md explains each row. */
#include "vis.h"

static const char help[] =
  "usage: vis [options]    starts the jobs of two processes that it needs\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'pack_*,mean'\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (21)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static const struct bench_row *row(unsigned i) { return i < vis_row_count ? &vis_rows[i].row : NULL; }

int main(int argc, char **argv)
{
  static const struct bench_program program = {.name = "vis", .help = help, .row = row};
  struct bench_options o = {.rounds = 21};
  bench_parse(argc, argv, &program, &o);
  return o.worker ? vis_worker(argc, argv, &o) : vis_control(&o);
}
