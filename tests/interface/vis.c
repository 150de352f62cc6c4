/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The calls of gasnet_vis.h and gasnetx.h, and the collectives' header of its own, beside the others and
 * included twice. */
#include <gasnet_vis.h>
#include <gasnet_coll.h>
#include <gasnet.h>
#include <gasnet_vis.h>
#include <gasnetx.h>

typedef void (*any_fn)(void);
#define FORMS(name) (any_fn) name##_bulk, (any_fn)name##_nb_bulk, (any_fn)name##_nbi_bulk
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
};

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
  return 0;
}
