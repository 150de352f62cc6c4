/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The functions of xmp_mpi.h. */
#include <stdlib.h>
#include <string.h>
#include <xmp_mpi.h>

#include "xmp/mpi/communicator.h"

#if defined(OPEN_MPI)
enum { FOR_OPEN_MPI = 1 };
#else
enum { FOR_OPEN_MPI = 0 };
#endif

static int is_ours; /* xmp_init_mpi has initialised MPI */

/* ---- the state of MPI ---- */

enum { LIBRARY_TEXT = 65536 }; /* beyond what any of them says; their own limits differ */

/* The types of Open MPI are not those of MPICH and its relatives. A program that is linked with libraries of
 * both finds the functions of one of them. */
static void library_compare(const char *call)
{
  static char text[LIBRARY_TEXT];
  int length;
  MPI_Get_library_version(text, &length);
  if (FOR_OPEN_MPI == (strstr(text, "Open MPI") != NULL)) return;
  text[strcspn(text, "\r\n")] = '\0';
  pst_xmp_beside_fatal(call,
      "libpenstock-xmp-mpi was built for %s, and this program is linked with another MPI, %s",
      FOR_OPEN_MPI ? "Open MPI" : "MPICH", text);
}

/* srun answers one library of a process by PMI, which Penstock is by now, and would let MPI wait for ever.
 * MPICH's own launcher, which sets this variable, answers both, also where Slurm has started it. */
static void launcher_need(const char *call)
{
  if (FOR_OPEN_MPI || !getenv("PMI_FD") || !getenv("SLURM_STEP_ID") || getenv("MPI_LOCALNRANKS")) return;
  pst_xmp_beside_fatal(call,
      "srun --mpi=pmi2 serves one library of a process, which Penstock is; start the program with "
      "MPICH's mpiexec, or use an MPI that srun --mpi=pmix starts");
}

static int is_initialised(void)
{
  int is;
  return MPI_Initialized(&is) == MPI_SUCCESS && is;
}

static int is_finalised(void)
{
  int was;
  return MPI_Finalized(&was) == MPI_SUCCESS && was;
}

static void need_unfinalised(const char *call)
{
  if (is_finalised()) pst_xmp_beside_fatal(call, "MPI has been finalised");
}

static void need_all_nodes(const char *call)
{
  if (pst_xmp_beside_size(pst_xmp_beside_executing(call)) != xmp_all_num_nodes())
    pst_xmp_beside_fatal(call, "all nodes have to call it, outside of tasks and loops");
}

static void need_communicators(const char *call)
{
  need_unfinalised(call);
  if (!pst_xmp_comms_are_open()) pst_xmp_beside_fatal(call, "xmp_init_mpi has to come first");
}

/* ---- MPI in a program of XcalableMP ---- */

/* Other threads of the process make no calls of MPI. */
void xmp_init_mpi(int *argc, char ***argv)
{
  const char call[] = "xmp_init_mpi";
  int provided;
  need_all_nodes(call);
  library_compare(call);
  need_unfinalised(call);
  if (pst_xmp_comms_are_open()) return;
  if (!is_initialised()) {
    launcher_need(call);
    pst_xmp_mpi_must(call, MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided));
    is_ours = 1;
  }
  pst_xmp_comms_open(call, MPI_COMM_WORLD, 0);
}

void xmp_finalize_mpi(void)
{
  const char call[] = "xmp_finalize_mpi";
  if (is_finalised()) return;
  need_all_nodes(call);
  need_communicators(call);
  pst_xmp_comms_close();
  if (is_ours) pst_xmp_mpi_must(call, MPI_Finalize());
}

MPI_Comm xmp_get_mpi_comm(void)
{
  const char call[] = "xmp_get_mpi_comm";
  const struct pst_xmp_set *executing = pst_xmp_beside_executing(call);
  need_communicators(call);
  return *pst_xmp_comm_of(call, executing);
}

int xmp_nodes_comm(xmp_desc_t d, void **comm)
{
  const char call[] = "xmp_nodes_comm";
  const struct pst_xmp_set *nodes = pst_xmp_beside_nodes(call, d);
  need_communicators(call);
  if (!nodes) return XMP_FAILURE;
  *comm = pst_xmp_comm_of(call, nodes);
  return XMP_SUCCESS;
}

/* ---- XcalableMP in a program of MPI ---- */

void xmp_init(MPI_Comm comm)
{
  const char call[] = "xmp_init";
  library_compare(call);
  need_unfinalised(call);
  if (!is_initialised()) pst_xmp_beside_fatal(call, "MPI_Init has to come first");
  pst_xmp_beside_begin();
  need_all_nodes(call);
  if (!pst_xmp_comms_are_open()) pst_xmp_comms_open(call, comm, 1);
}

void xmp_finalize(void)
{
  const char call[] = "xmp_finalize";
  need_all_nodes(call);
  if (!is_finalised()) pst_xmp_comms_close();
  pst_xmp_beside_end(call);
}
