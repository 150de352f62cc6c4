/* What starting costs with nothing around it: as many processes at once, each of which opens the bare program's endpoint and ends. */
#include "ofi.h"
#include "raw_ofi.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int ofi_start_one(void)
{
  static char target[1 << 12], local[1 << 12];
  const struct raw_ofi_memory m = {target, local, sizeof target};
  const char *provider = getenv("GASNET_OFI_PROVIDER");
  struct raw_ofi_card mine = {0};
  raw_ofi_open(provider ? provider : "", &m, &mine);
  raw_ofi_close();
  return 0;
}

int ofi_start_bare(const char *self, unsigned processes, double *seconds)
{
  const double start = bench_now_ns();
  int failed = 0, status;
  for (unsigned i = 0; i < processes; i++) {
    const pid_t pid = fork();
    if (pid < 0) failed = 1;
    if (pid != 0) continue;
    execl(self, self, "--worker", OFI_BARE_START, (char *)NULL);
    _exit(127);
  }
  while (wait(&status) > 0) failed |= status != 0;
  *seconds = (bench_now_ns() - start) / 1e9;
  return failed;
}
