/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What this installation is, and who could start its jobs here. The Makefile says by INFO_... how it was
 * compiled. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/hostmem.h"
#include "bootstrap/kvs.h"
#include "gasnet.h"
#include "gasnet_tools.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

#if defined(__clang__)
#define COMPILER "clang"
#else
#define COMPILER "gcc"
#endif

static void print_compiler(void)
{
  info_fact("compiler", "%s (%s %s)", INFO_CC, COMPILER, __VERSION__);
  info_fact("flags", "%s", INFO_FLAGS);
  info_fact("linked with", "%s", INFO_LINK);
  info_fact("sanitizers", "%s", INFO_SANITIZE);
}

static void print_options(void)
{
  const char *pmix = pst_pmix_library();
  info_fact("conduits built", "%s", INFO_CONDUITS);
  if (pmix) info_fact("PMIx", "loaded where a launcher has it (%s)", pmix);
  else info_flag("PMIx", 0, "configure did not find it, or was told to do without");
  if (INFO_OTF2) info_fact("OTF2", "yes (gasnetrun --otf2)");
  else info_flag("OTF2", 0, "configure did not find it, or was told to do without");
  if (INFO_LIBDW[0])
    info_fact("libdw", "loaded where a tool wants lines of coarray programs (%s)", INFO_LIBDW);
  else info_flag("libdw", 0, "configure did not find it, or was told to do without");
  if (INFO_MPI[0]) info_fact("MPI", "%s (xmpcc --mpi)", INFO_MPI);
  else info_flag("MPI", 0, "configure did not find it, or was told to do without");
  info_fact("other compilers", "%s for oshCC, %s for oshfort, %s for caf", INFO_CXX[0] ? INFO_CXX : "none",
      INFO_FC[0] ? INFO_FC : "none", INFO_CAF_FC[0] ? INFO_CAF_FC : "none");
}

void info_build(void)
{
  info_section("configuration");
  info_fact("interface", "GASNet %d.%d (release %d.%d.%d)", GASNET_SPEC_VERSION_MAJOR,
      GASNET_SPEC_VERSION_MINOR, GASNET_RELEASE_VERSION_MAJOR, GASNET_RELEASE_VERSION_MINOR,
      GASNET_RELEASE_VERSION_PATCH);
  info_fact("tools", "%s", GASNETT_CONFIG_STRING);
  info_fact("system", "%s", GASNETT_SYSTEM_TUPLE);
  info_fact("configured with", "%s", *GASNETT_CONFIGURE_ARGS ? GASNETT_CONFIGURE_ARGS : "(no options)");
#if defined(GASNET_DEBUG)
  info_fact("build", "every argument is checked (--enable-debug)");
#else
  info_fact("build", "optimised");
#endif
  print_compiler();
#if defined(PST_FAULT_INJECTION)
  info_fact("fault injection", "yes (--enable-fault-injection)");
#endif
  print_options();
  info_fact("thread modes", "GASNET_SEQ, GASNET_PARSYNC, GASNET_PAR (chosen by the client)");
  info_fact("segment", "FAST");
}

/* ---- launchers ---- */

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
