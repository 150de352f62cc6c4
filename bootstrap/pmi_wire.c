/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* PMI over a socket that the launcher leaves open for the process: MPICH's mpiexec, srun --mpi=pmi2. */
#include "bootstrap/pmi_wire.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bootstrap/jobstate.h"
#include "bootstrap/pmi_text.h"
#include "support/error.h"

static struct pst_pmi_stream launcher;
static struct pst_pmi wire;

static int variable(const char *name, unsigned least, unsigned most, unsigned *value)
{
  const char *text = getenv(name);
  return text && pst_pmi_decimal(text, least, most, value) == PST_OK;
}

/* A program that a node has started finds the variables, but not the socket. */
static int find_socket(void)
{
  unsigned fd;
  struct stat st;
  if (!variable("PMI_FD", 0, 1 << 20, &fd) || fstat((int)fd, &st) != 0 || !S_ISSOCK(st.st_mode)) return -1;
  return (int)fd;
}

/* 1: the launcher speaks that version. */
static const char *offer(unsigned version, unsigned subversion, int *spoken)
{
  char text[64];
  unsigned answer, rc = 1;
  const int n = snprintf(
      text, sizeof text, "cmd=init pmi_version=%u pmi_subversion=%u\n", version, subversion);
  const char *why = pst_pmi_send(&launcher, text, (size_t)n);
  if (!why) why = pst_pmi_receive_line(&launcher, HUGE_VAL);
  if (why) return why;
  if (pst_pmi_field(launcher.text, ' ', "cmd", text, sizeof text) || strcmp(text, "response_to_init") != 0)
    return "the launcher does not answer as PMI does";
  *spoken = !pst_pmi_number(launcher.text, ' ', "rc", 0, 0, &rc) &&
      !pst_pmi_number(launcher.text, ' ', "pmi_version", version, version, &answer);
  return NULL;
}

/* The first version tells the launcher a job's exit code, the second does not. */
static const char *begin(void)
{
  int spoken = 0;
  const char *why = offer(1, 1, &spoken);
  if (why || spoken) return why ? why : pst_pmi1_begin(&launcher, &wire);
  why = offer(2, 0, &spoken);
  if (why) return why;
  return spoken ? pst_pmi2_begin(&launcher, &wire) : "the launcher speaks neither version 1 nor 2 of PMI";
}

const struct pst_pmi *pst_pmi_wire_open(void)
{
  const int fd = find_socket();
  if (fd < 0) return NULL;
  if (!variable("PMI_SIZE", 1, PST_MAX_LOCAL * PST_MAX_HOSTS, &wire.size) ||
      !variable("PMI_RANK", 0, wire.size - 1, &wire.rank))
    pst_fatal("PMI_FD is open, and PMI_RANK and PMI_SIZE do not say who this process is; GASNET_PSHM_NODES=1 "
              "makes it a job of its own");
  launcher.fd = fd;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  const char *why = begin();
  if (why) pst_fatal("cannot join the job of the launcher (PMI): %s", why);
  return &wire;
}
