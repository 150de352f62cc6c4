/* Barriers: the split-phase interface and its implementation over active messages. */
#ifndef EXTENDED_BARRIER_H
#define EXTENDED_BARRIER_H
#include <stdint.h>

void pst_barrier_open(void);

/* Dissemination over active messages, for two uses that may be under way at once; values as in core/conduit.h. */
enum pst_dissemination { PST_DISSEMINATION_BARRIER, PST_DISSEMINATION_COLL, PST_DISSEMINATIONS };
void pst_dissemination_open(void);
void pst_dissemination_notify(enum pst_dissemination use, uint64_t value);
int pst_dissemination_try(enum pst_dissemination use, uint64_t *result);

#endif
