/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Who could start jobs here. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/hostmem.h"
#include "bootstrap/kvs.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

static void load_pmix(const void *library)
{
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  info_flag("PMIx", handle != NULL, handle ? NULL : dlerror());
  if (handle) {
    const char *(*version)(void);
    *(void **)&version = dlsym(handle, "PMIx_Get_version");
    if (version) info_fact("PMIx version", "%s", version());
  }
}

static void print_pmix(void)
{
  struct info_child child;
  const char *library = pst_pmix_library();
  if (!library) {
    info_flag("PMIx", 0, "not built (Debian: libpmix-dev)");
    return;
  }
  info_in_child(load_pmix, library, &child);
  if (child.ended) info_flag("PMIx", 0, child.ended);
}

/* The file behind the links often tells whose it is. */
static void print_program(const char *name)
{
  char path[PATH_MAX], file[PATH_MAX];
  if (!info_which(name, path, sizeof path)) info_fact(name, "none in PATH");
  else if (!realpath(path, file) || strcmp(file, path) == 0) info_fact(name, "%s", path);
  else info_fact(name, "%s, which is %s", path, file);
}

static const char *starter(void)
{
  return getenv(PST_LAUNCH_VARIABLE) ? "gasnetrun"
      : getenv("PMIX_RANK")          ? "a launcher with PMIx"
      : getenv("PMI_FD")             ? "a launcher with PMI"
      : getenv("SLURM_STEP_ID")      ? "Slurm, without PMI"
                                     : "no launcher";
}

void info_launchers(void)
{
  static const char *const programs[] = {
      "gasnetrun", "mpirun", "mpiexec", "mpiexec.hydra", "prun", "srun", "ssh"};
  info_section("launchers");
  print_pmix();
  info_fact("PMI-1, PMI-2", "yes");
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) print_program(programs[i]);
  info_fact("this was started by", "%s", starter());
}
