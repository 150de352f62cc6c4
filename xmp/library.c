/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The executing nodes, and time. */
#include <time.h>

#include "xmp/context.h"

static const struct pst_xmp_group *executing(const char *call)
{
  pst_xmp_need_open(call);
  return pst_xmp_executing();
}

int xmp_num_nodes(void) { return executing("xmp_num_nodes")->size; }
int xmp_node_num(void) { return executing("xmp_node_num")->rank + 1; }
int xmpc_node_num(void) { return executing("xmpc_node_num")->rank; }
int xmp_num_images(void) { return executing("xmp_num_images")->size; }
int xmpc_this_image(void) { return executing("xmpc_this_image")->rank; }

int xmp_all_num_nodes(void) { return pst_xmp_need_open("xmp_all_num_nodes"), pst_xmp_job.nodes; }
int xmp_all_node_num(void) { return pst_xmp_need_open("xmp_all_node_num"), pst_xmp_job.me + 1; }
int xmpc_all_node_num(void) { return pst_xmp_need_open("xmpc_all_node_num"), pst_xmp_job.me; }

static double seconds(const struct timespec *t) { return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec; }

double xmp_wtime(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return seconds(&now);
}

double xmp_wtick(void)
{
  struct timespec resolution;
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return seconds(&resolution);
}
