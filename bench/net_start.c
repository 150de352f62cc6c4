/* What starting costs with nothing around it: as many processes at once, each of which opens the bare program's endpoint and ends. */
#include "net.h"
#include "raw.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int net_start_one(void)
{
  static char target[1 << 12], local[1 << 12];
  const struct raw_memory m = {target, local, sizeof target};
  const char *transport = getenv(net_program.variable);
  struct raw_card mine = {0};
  raw_open(transport ? transport : "", &m, &mine);
  raw_close();
  return 0;
}

int net_start_bare(const char *self, unsigned processes, double *seconds)
{
  const double start = bench_now_ns();
  int failed = 0, status;
  for (unsigned i = 0; i < processes; i++) {
    const pid_t pid = fork();
    if (pid < 0) failed = 1;
    if (pid != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* libraries of libfabric's providers catch the others, and may then wait for ever in exit */
    execl(self, self, "--worker", NET_BARE_START, (char *)NULL);
    _exit(127);
  }
  while (wait(&status) > 0) failed |= status != 0;
  *seconds = (bench_now_ns() - start) / 1e9;
  return failed;
}
