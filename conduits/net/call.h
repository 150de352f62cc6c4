/* Calls of the library that move data.
 *
 * At the end of a process its endpoint is closed, while other threads may be about to call, and while this one may have been
 * interrupted in a call by the signal that ends it. So calls are counted, and none begins once they are stopped. A call that
 * does not begin finds no room, like one that tests let fail (pst_net.refused). */
#ifndef CONDUITS_NET_CALL_H
#define CONDUITS_NET_CALL_H
#include "conduits/net/net.h"

/* 1: the library may be called, and pst_net_call_end must follow. */
int pst_net_call_begin(void);
void pst_net_call_end(void);

/* The same for calls that may find no room. */
int pst_net_call_try(void);

/* From now on no call begins. 1: none is under way either, within `seconds`; 0: somebody is still in one, or was interrupted in it
 * by the caller. */
int pst_net_call_stop(double seconds);

/* 1: this thread is inside a call, which is to say that a signal handler asks. */
int pst_net_call_interrupted(void);

/* In a signal handler, likewise: 1, and end(sig) is called as soon as the call has ended. */
int pst_net_call_defer(void (*end)(int sig), int sig);
int pst_net_call_deferred(void); /* 1: some end was */

#endif
