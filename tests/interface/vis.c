/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The calls of gasnet_vis.h and gasnetx.h, and the collectives' header of its own, beside the others and
 * included twice. */
#include <gasnet_vis.h>
#include <gasnet_coll.h>
#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>
#include <string.h>

typedef void (*any_fn)(void);
#define FORMS(name)  (any_fn) name##_bulk, (any_fn)name##_nb_bulk, (any_fn)name##_nbi_bulk
#define AND_NB(name) (any_fn) name, (any_fn)name##_nb
static const any_fn volatile calls[] = {
    FORMS(gasnet_putv),
    FORMS(gasnet_getv),
    FORMS(gasnet_puti),
    FORMS(gasnet_geti),
    FORMS(gasnet_puts),
    FORMS(gasnet_gets),
    FORMS(gasnetx_puts_any),
    FORMS(gasnetx_gets_any),
    FORMS(gasnetx_puts_reshape),
    FORMS(gasnetx_gets_reshape),
    FORMS(gasnetx_puts_2d),
    FORMS(gasnetx_gets_2d),
    FORMS(gasnetx_puts_3d),
    FORMS(gasnetx_gets_3d),
    FORMS(gasnetx_putv_multi),
    FORMS(gasnetx_getv_multi),
    FORMS(gasnetx_puti_multi),
    FORMS(gasnetx_geti_multi),
    FORMS(gasnetx_reblock),
    (any_fn)gasnetx_atomic16,
    (any_fn)gasnetx_atomic32,
    (any_fn)gasnetx_atomic64,
    (any_fn)gasnetx_atomic16_nbi,
    (any_fn)gasnetx_atomic32_nbi,
    (any_fn)gasnetx_atomic64_nbi,
    (any_fn)gasnetx_team_barrier,
    (any_fn)gasnetx_team_broadcast,
    (any_fn)gasnetx_team_collect,
    (any_fn)gasnetx_team_fcollect,
    (any_fn)gasnetx_team_reduce,
    (any_fn)gasnetx_team_allreduce,
    (any_fn)gasnetx_team_size,
    (any_fn)gasnetx_team_rank,
    (any_fn)gasnetx_team_node,
    (any_fn)gasnetx_team_rank_of,
    (any_fn)gasnetx_team_split,
    (any_fn)gasnetx_team_duplicate,
    (any_fn)gasnetx_team_stride,
    (any_fn)gasnetx_team_axis,
    (any_fn)gasnetx_team_box,
    (any_fn)gasnetx_team_create,
    (any_fn)gasnetx_team_destroy,
    (any_fn)gasnetx_coll_run,
    (any_fn)gasnetx_coll_start,
    AND_NB(gasnetx_coll_barrier),
    AND_NB(gasnetx_coll_broadcast),
    AND_NB(gasnetx_coll_scatter),
    AND_NB(gasnetx_coll_gather),
    AND_NB(gasnetx_coll_allgather),
    AND_NB(gasnetx_coll_collect),
    AND_NB(gasnetx_coll_alltoall),
    AND_NB(gasnetx_coll_reduce),
    AND_NB(gasnetx_coll_allreduce),
    AND_NB(gasnetx_coll_scan),
    AND_NB(gasnetx_coll_exscan),
    AND_NB(gasnetx_coll_scatterv),
    AND_NB(gasnetx_coll_gatherv),
    AND_NB(gasnetx_coll_allgatherv),
    AND_NB(gasnetx_coll_alltoallv),
};
static const gasnetx_reduction_t sum = {GASNETX_TYPE_DOUBLE_COMPLEX, GASNETX_OP_SUM, 0, NULL, NULL, 0};

int main(int argc, char **argv)
{
  size_t strides[1] = {16}, count[2] = {8, 2};
  void *p = argv;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (!calls[i]) return 1;
  if (argc < 1000) return 0;
  gasnet_puts_bulk(0, p, strides, p, strides, count, 1);
  gasnet_gets_bulk(p, strides, 0, p, strides, count, 1);
  gasnet_puts_nbi_bulk(0, p, strides, p, strides, count, 1);
  gasnet_gets_nbi_bulk(p, strides, 0, p, strides, count, 1);
  gasnet_handle_t h[2] = {gasnet_puts_nb_bulk(0, p, strides, p, strides, count, 1),
      gasnet_gets_nb_bulk(p, strides, 0, p, strides, count, 1)};
  gasnet_wait_syncnb_all(h, 2);
  gasnet_coll_init(0, 0, 0, 0, 0);
  gasnetx_team_t team = gasnetx_team_split(GASNET_TEAM_ALL, GASNETX_NO_COLOUR, 0);
  if (team == GASNETX_NO_TEAM || gasnetx_team_rank_of(team, 0) == GASNETX_NO_RANK) return 1;
  gasnetx_coll_allreduce(team, p, p, 1, &sum);
  gasnetx_collective_t barrier;
  memset(&barrier, 0, sizeof barrier);
  barrier.kind = GASNETX_BARRIER;
  gasnet_wait_syncnb(gasnetx_coll_start(team, &barrier));
  return 0;
}
