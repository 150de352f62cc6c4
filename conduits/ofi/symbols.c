/* libfabric's verbs reads all of the kernel's symbols, twice, to find out whether drivers register devices' memory, which the conduit never asks for:
 * 0.1 s of a core in each process, before it looks at any setting, whatever provider is wanted. 64 processes on two cores take 3.7 s to start
 * with it and 0.5 without (docs/bench.md). So while libfabric begins there is no such file for it. A verbs that
 * libfabric loads from a file of its own is not reached. */
#include "conduits/ofi/symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/env.h"
#include "support/redirect.h"

typedef FILE *open_fn(const char *path, const char *mode);
static open_fn *open_any; /* fopen, where this file's own calls of it may be among those that are redirected */
static struct { const char *name; struct pst_redirect redirect; } calls[] = { { "fopen", { 0 } }, { "fopen64", { 0 } } };
enum { CALLS = sizeof calls / sizeof calls[0] };

static FILE *open_others(const char *path, const char *mode)
{
  if (strcmp(path, "/proc/kallsyms") != 0) return open_any(path, mode);
  errno = ENOENT;
  return NULL;
}

int pst_ofi_symbols_hide(void *library)
{
  int hidden = 0;
  if (pst_env_bool(PST_ENV_OFI_DEVICE_MEMORY)) return 0;
  *(void **)&open_any = dlsym(RTLD_DEFAULT, "fopen");
  for (int i = 0; open_any && i < CALLS; i++) hidden |= pst_redirect_begin(library, calls[i].name, (pst_function *)open_others, &calls[i].redirect);
  return hidden;
}

void pst_ofi_symbols_show(void)
{
  for (int i = 0; i < CALLS; i++) {
    pst_redirect_end(&calls[i].redirect);
    calls[i].redirect = (struct pst_redirect){ 0 };
  }
}
