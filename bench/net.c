/* Speed of a network conduit against a bare program on the same transport. docs/bench.md explains each row. */
#include "net.h"

#include <string.h>

static const struct bench_row *row(unsigned i) { return i < net_program.row_count ? &net_program.rows[i].row : NULL; }

int main(int argc, char **argv)
{
  const struct bench_program program = {
    .name = net_program.conduit, .help = net_program.help, .row = row, .own = net_program.option, .own_has_argument = 1};
  struct bench_options o = {.rounds = 11};
  bench_parse(argc, argv, &program, &o);
  if (o.worker && !strcmp(o.worker, NET_BARE_START)) return net_start_one();
  return o.worker ? net_worker(argc, argv, &o) : net_control(&o);
}
