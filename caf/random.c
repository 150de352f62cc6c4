/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* random_init: the seed of libgfortran's generator. */
#include <stdlib.h>

#include "caf/internal.h"

/* libgfortran's RANDOM_SEED: of its arguments size, put and get at most one is there. */
extern void _gfortran_random_seed_i4(int *size, gfc_descriptor_t *put, gfc_descriptor_t *get)
    __attribute__((weak));

static void seed_describe(gfc_descriptor_t *d, int *words, int count)
{
  d->base = words;
  d->element = sizeof *words;
  d->rank = 1;
  d->type = PST_CAF_INTEGER;
  d->span = sizeof *words;
  d->dim[0] = (struct pst_caf_dim){1, 1, count};
}

static void seed_fix(int *words, int count, int image)
{
  for (int i = 0; i < count; i++)
    words[i] = (int)(0x9e3779b9u * (unsigned)(i + 1) + 0x85ebca6bu * (unsigned)image);
}

/* An image that fails meanwhile is no matter: each has a seed. */
static void words_broadcast(int *words, size_t nbytes)
{
  const struct pst_caf_status status = {.call = "random_init"};
  gasnetx_coll_broadcast(pst_caf_team->nodes, words, 0, words, nbytes);
  if (gasnetx_status_take() == GASNETX_ERR_NODE_LEFT) pst_caf_status_stopped(&status);
}

void _gfortran_caf_random_init(bool repeatable, bool image_distinct)
{
  int count = 0;
  pst_caf_need_open();
  if (!_gfortran_random_seed_i4) return;
  if (!repeatable && image_distinct) {
    _gfortran_random_seed_i4(NULL, NULL, NULL);
    return;
  }
  _gfortran_random_seed_i4(&count, NULL, NULL);
  int *const words = pst_caf_own_take((size_t)count * sizeof *words);
  union pst_caf_whole_descriptor seed = {.room = {0}};
  seed_describe(&seed.desc, words, count);
  if (repeatable) seed_fix(words, count, image_distinct ? pst_caf_team->image : 0);
  else {
    _gfortran_random_seed_i4(NULL, NULL, NULL);
    _gfortran_random_seed_i4(NULL, NULL, &seed.desc);
    if (!pst_caf_team_is_lost(pst_caf_team)) words_broadcast(words, (size_t)count * sizeof *words);
  }
  _gfortran_random_seed_i4(NULL, &seed.desc, NULL);
  free(words);
}
