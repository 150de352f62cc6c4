/* A transpose, from a private matrix into the neighbour's. */
#include "vis.h"

#include <gasnet.h>
#include <gasnetx.h>

enum { SIDE = 2048 };

static size_t elem;

static void loop(void)
{
  if (elem == 8) vis_loop_transpose_8((double *)vis.mapped, (const double *)vis.local, SIDE);
  else vis_loop_transpose_4((float *)vis.mapped, (const float *)vis.local, SIDE);
}

static void put(void)
{
  const size_t count[2] = {SIDE, SIDE};
  const ptrdiff_t across[2] = {(ptrdiff_t)elem * SIDE, (ptrdiff_t)elem}, along[2] = {(ptrdiff_t)elem, (ptrdiff_t)elem * SIDE};
  gasnetx_puts_any_bulk(1, vis.remote, across, vis.local, along, elem, count, 2);
}

void vis_measure_transpose(void)
{
  static const struct vis_contest doubles = {"transpose_8", {loop}, put}, floats = {"transpose_4", {loop}, put};
  elem = 8;
  vis_contest(&doubles);
  elem = 4;
  vis_contest(&floats);
}
