/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Small implicit puts and gets that travel together. */
#ifndef VIS_COALESCE_H
#define VIS_COALESCE_H

/* Once the layers below are open. Does nothing without GASNET_COALESCE. */
void pst_coalesce_open(void);

#endif
