/* Libraries that libfabric brings along install handlers for deadly signals as soon as they are loaded. A process would then die of
 * a signal with their text and exit code instead of the message that names the node. They get their default back before
 * main, and again when providers have been loaded. */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

#include "conduits/ofi/ofi.h"

static int is_foreign(int signal)
{
  struct sigaction sa;
  Dl_info where;
  if (sigaction(signal, NULL, &sa) != 0 || sa.sa_handler == SIG_DFL || sa.sa_handler == SIG_IGN) return 0;
  if (!dladdr((void *)sa.sa_handler, &where) || !where.dli_fname) return 0;
  return strstr(where.dli_fname, "libpsm") || strstr(where.dli_fname, "libinfinipath");
}

__attribute__((constructor)) void pst_ofi_reset_handlers(void)
{
  static const int deadly[] = { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGTERM };
  for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
    if (is_foreign(deadly[i])) signal(deadly[i], SIG_DFL);
}
