/* Speed of the ofi conduit against a bare libfabric program on the same provider. docs/bench.md explains each row. */
#include "ofi.h"

#include <string.h>

static const char help[] =
  "usage: ofi [options]    starts the jobs of two processes that it needs, over the network conduit\n"
  "  --rows PATTERN[,...]  rows whose names match, as in the shell: 'put_*', 'am_*,start_64'\n"
  "  --provider NAME[,...] libfabric's providers (net or tcp, tcp;ofi_rxm and shm, those that are here)\n"
  "  --rounds N            measurements of each row, 1 to 101; shown are medians (11)\n"
  "  --json                an array of objects instead of the table\n"
  "  --list                names the rows\n"
  "  --strict              exit code 3 when a row is over its bound\n"
  "  --launcher PATH|self  start jobs with this gasnetrun, or by GASNET_PSHM_NODES; else gasnetrun is looked for\n"
  "                        beside this program, in ../bin and in PATH\n"
  "Exit code 0: measured; 1: some row could not be measured; 2: usage.\n";

static const struct bench_row *row(unsigned i) { return i < ofi_row_count ? &ofi_rows[i].row : NULL; }

int main(int argc, char **argv)
{
  static const struct bench_program program = {.name = "ofi", .help = help, .row = row, .own = "provider", .own_has_argument = 1};
  struct bench_options o = {.rounds = 11};
  bench_parse(argc, argv, &program, &o);
  if (o.worker && !strcmp(o.worker, OFI_BARE_START)) return ofi_start_one();
  return o.worker ? ofi_worker(argc, argv, &o) : ofi_control(&o);
}
