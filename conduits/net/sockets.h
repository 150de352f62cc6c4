/* A library's TCP sockets, which it tells nobody of, to sleep on. They are only polled: one that was closed since, or is somebody
 * else's by now, wakes in vain, and what is closed meanwhile is so when the sleep ends. For one thread. */
#ifndef CONDUITS_NET_SOCKETS_H
#define CONDUITS_NET_SOCKETS_H
#include <stdint.h>
#include <sys/socket.h>

/* Room for so many peers. PST_OK, PST_ERR_NOMEM, or PST_ERR_SYSTEM where this process's open files are not listed. What was opened before is
 * forgotten. */
int pst_net_sockets_open(unsigned peers);

/* They are at the library's own address, or connected to a peer's: IPv4 or IPv6. All before the first pst_net_sockets_find(). */
void pst_net_sockets_own(const struct sockaddr_storage *own);
void pst_net_sockets_add(const struct sockaddr_storage *peer);

/* Looks for them again; how many there are. */
unsigned pst_net_sockets_find(void);

/* Until one has something to read, or takes something again where it took nothing, or so many nanoseconds have passed (below 1e9). */
enum pst_net_sockets_state {
  PST_NET_SOCKETS_QUIET = 0,
  PST_NET_SOCKETS_WOKE = 1,
  PST_NET_SOCKETS_AT_ONCE = 2, /* it was there before the sleep */
  PST_NET_SOCKETS_STALE = 4    /* with it: one has ended, and is left out until they are looked for again */
};
unsigned pst_net_sockets_sleep(long nanoseconds);

/* After a sleep that ended at once: bytes that have ever come to those which had something to read. Where it does not grow from one such sleep to
 * the next nobody sends, and the library leaves what is there. */
uint64_t pst_net_sockets_received(void);

#endif
