/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* PMI's two wire protocols: the dialogue that begins both, and what each makes of the board. */
#ifndef BOOTSTRAP_PMI_WIRE_H
#define BOOTSTRAP_PMI_WIRE_H
#include "bootstrap/pmi.h"
#include "bootstrap/pmi_stream.h"

/* Continue after "init" was answered for their version; *p holds rank and size. NULL, or what failed. */
const char *pst_pmi1_begin(struct pst_pmi_stream *s, struct pst_pmi *p);
const char *pst_pmi2_begin(struct pst_pmi_stream *s, struct pst_pmi *p);

#endif
