/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The place of this process in the job, as the front-end has told it. */
#ifndef GASP_PLACE_H
#define GASP_PLACE_H

#include "gasp/events.h" /* pst_gasp_set_place */

extern struct pst_gasp_place {
  unsigned thread, threads;
} pst_gasp_place;

#endif
