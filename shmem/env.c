/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The environment. Each variable has the document's name, SMA_..., and a later one, SHMEM_..., which counts
 * where both are set. */
#include <stdio.h>
#include <string.h>

#include "shmem/internal.h"
#include "support/parse.h"

static const struct {
  const char *name, *value, *help;
} variables[] = {
    {"VERSION", "any", "print the version of the library at the start"},
    {"INFO", "any", "print this text at the start"},
    {"SYMMETRIC_SIZE", "bytes",
        "the size of the symmetric heap of a PE: a whole number, or one with a unit K, M, G or T; 256M "
        "unless set, or what memory allows"},
    {"DEBUG", "any", "look at the arguments of all calls, and print what is wrong with them"},
};
#define DEFAULT_SIZE ((uint64_t)256 << 20)

const char *pst_shmem_env(const char *name, const char **variable)
{
  static const char *const prefix[] = {"SHMEM_", "SMA_"};
  static char full[64];
  for (int i = 0; i < 2; i++) {
    const char *value;
    snprintf(full, sizeof full, "%s%s", prefix[i], name);
    *variable = full;
    value = gasnet_getenv(full);
    if (value && *value) return value;
  }
  return NULL;
}

/* All PEs have the same value. PE 0 says what is wrong with it and ends the job; the others go on to
 * gasnet_attach, which waits for PE 0 until the job has ended. */
static void heap_size_refuse(const char *variable, const char *text, size_t most)
{
  if (pst_shmem_job.me == 0)
    pst_shmem_fatal("start_pes",
        "%s is \"%s\"; it must be a number of bytes from 0 to %zu, or one with a unit K, M, G or T", variable,
        text, most);
}

size_t pst_shmem_env_heap(size_t most)
{
  const uint64_t page = GASNET_PAGESIZE;
  const char *variable, *text = pst_shmem_env("SYMMETRIC_SIZE", &variable);
  uint64_t size = DEFAULT_SIZE;
  most = most / page * page;
  if (!text) return size < most ? size : most;
  if (pst_parse_size(text, 1, &size) != 0 || size > most) {
    heap_size_refuse(variable, text, most);
    return 0;
  }
  return (size + page - 1) / page * page;
}

void pst_shmem_env_tell(void)
{
  const char *variable, *value;
  if (pst_shmem_job.me != 0) return;
  if (pst_shmem_env("VERSION", &variable))
    printf("%s %s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, PENSTOCK_VERSION, SHMEM_MAJOR_VERSION,
        SHMEM_MINOR_VERSION);
  if (!pst_shmem_env("INFO", &variable)) return;
  printf("%s: environment variables, each also as SHMEM_NAME, which counts where both are set\n",
      SHMEM_VENDOR_STRING);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    value = pst_shmem_env(variables[i].name, &variable);
    printf("  SMA_%-16s %-6s %s%s%s%s\n", variables[i].name, variables[i].value, variables[i].help,
        value ? " [now " : "", value ? value : "", value ? "]" : "");
  }
  fflush(stdout);
}
