/* PMI's two wire protocols: the dialogue that begins both, and what each makes of the board. */
#ifndef CORE_BOOTSTRAP_PMI_WIRE_H
#define CORE_BOOTSTRAP_PMI_WIRE_H
#include "core/bootstrap/pmi.h"
#include "core/bootstrap/pmi_stream.h"

/* Continue after "init" was answered for their version; *p holds rank and size. NULL, or what failed. */
const char *pst_pmi1_begin(struct pst_pmi_stream *s, struct pst_pmi *p);
const char *pst_pmi2_begin(struct pst_pmi_stream *s, struct pst_pmi *p);

#endif
