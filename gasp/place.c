/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "gasp/place.h"

struct pst_gasp_place pst_gasp_place = {0, 1};

void pst_gasp_set_place(unsigned thread, unsigned threads)
{
  pst_gasp_place = (struct pst_gasp_place){thread, threads};
}
