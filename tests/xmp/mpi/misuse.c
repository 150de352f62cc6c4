/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls in the wrong order or place, one a run: misuse CASE. tests/check_xmp_mpi.sh knows the messages. */
#include <stdio.h>
#include <string.h>
#include <xmp.h>

#pragma xmp nodes p[*]

static void case_early(void) { xmp_get_mpi_comm(); }
static void case_finalize_early(void) { xmp_finalize_mpi(); }

static void case_in_task(void)
{
#pragma xmp task on p[0]
  xmp_init_mpi(NULL, NULL);
#pragma xmp barrier
}

static void case_late(void)
{
  xmp_init_mpi(NULL, NULL);
  xmp_finalize_mpi();
  xmp_get_mpi_comm();
}

static void case_init_late(void)
{
  MPI_Init(NULL, NULL);
  MPI_Finalize();
  xmp_init_mpi(NULL, NULL);
}

static void case_no_mpi(void) { xmp_init(MPI_COMM_WORLD); }

static void case_no_nodes(void)
{
  void *comm;
  xmp_init_mpi(NULL, NULL);
  xmp_nodes_comm(NULL, &comm);
}

static void case_self(void)
{
  MPI_Init(NULL, NULL);
  xmp_init(MPI_COMM_SELF);
}

static void case_order(void)
{
  MPI_Comm reversed;
  MPI_Init(NULL, NULL);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -xmpc_all_node_num(), &reversed);
  xmp_init(reversed);
}

static void case_ended(void)
{
  MPI_Init(NULL, NULL);
  xmp_init(MPI_COMM_WORLD);
  xmp_finalize();
  xmp_barrier();
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"early", case_early}, {"finalize_early", case_finalize_early}, {"in_task", case_in_task},
    {"late", case_late}, {"init_late", case_init_late}, {"no_mpi", case_no_mpi}, {"no_nodes", case_no_nodes},
    {"self", case_self}, {"order", case_order}, {"ended", case_ended}};

int main(int argc, char **argv)
{
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (strcmp(cases[i].name, argv[1]) == 0) cases[i].run();
  printf("FAIL: nothing was refused\n");
  return 2;
}
