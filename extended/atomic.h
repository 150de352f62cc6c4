/* Atomic operations that the public inlines leave to the library. */
#ifndef EXTENDED_ATOMIC_H
#define EXTENDED_ATOMIC_H

/* Registers the handlers and fills pst_atomic_map. */
void pst_atomic_open(void);

#endif
