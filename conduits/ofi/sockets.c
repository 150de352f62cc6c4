/* How the progress thread sleeps over tcp;ofi_rxm: on the sockets themselves.
 *
 * A completion queue that has a descriptor costs each transfer a tenth there, whether a thread sleeps or not: libfabric has a set for
 * its sockets, where the kernel reports every packet. Without a descriptor it asks its sockets when it is called. So they are found
 * (net/sockets.h) when peers were met, and when one of them has ended.
 *
 * Only libfabric knows whether it has more to write than a socket took: one that takes nothing is waited for. One that took
 * something again before it was asked, and whatever else may be missing, is found by a look after a short time, which doubles while
 * nothing comes. */
#include <poll.h>

#include "conduits/net/sockets.h"
#include "conduits/ofi/ofi.h"
#include "core/trace.h"
#include "support/least.h"

enum {
  LEAST_NS = 50000,
  MOST_NS = 16000000,
  LEAST_EACH_NS = 100, MOST_EACH_NS = 10000, /* thousands of sockets take milliseconds to look at, and are looked at less often */
  LONGEST_NS = 500000000,
  LONG_NAP = 3200,     /* microseconds */
  SHARE = 20           /* of its time the thread spends one part at most on finding them, where thousands meet */
};
static const double ENDLESS = 1e-3, APART = 10e-3, OLD = 1; /* seconds */

static struct {
  unsigned count;      /* 0: naps instead */
  uint32_t meetings;   /* when they were found */
  int stale;
  double found, next;  /* when they were, and not again before; seconds, as all times here */
  double at_once;      /* since when sleeps have ended at once; 0: the last did not */
  uint64_t received;   /* bytes, by those that ended the last of them */
  unsigned nap;        /* microseconds, when that is long ago */
  size_t pause, least, most; /* nanoseconds */
} t;

static void find(double now, uint32_t meetings)
{
  const int met = meetings != t.meetings;
  double rest;
  t.meetings = meetings;
  t.stale = 0;
  t.count = pst_net_sockets_find();
  PST_TRACE('C', "OFI_SOCKETS", -1, t.count * sizeof(struct pollfd));
  t.found = pst_net_now();
  rest = SHARE * (t.found - now);
  t.next = t.found + (rest < OLD ? rest : OLD); /* this thread may have been stopped meanwhile */
  t.least = pst_least(LEAST_NS + (size_t)t.count * LEAST_EACH_NS, LONGEST_NS);
  t.most = pst_least(MOST_NS + (size_t)t.count * MOST_EACH_NS, LONGEST_NS);
  if (met || t.pause < t.least) t.pause = t.least; /* there is more to a connection than the first message */
}

/* A connection that breaks is made again without a meeting: so also when they were found long ago. */
static void find_again(void)
{
  const uint32_t meetings = atomic_load_explicit(&pst_ofi.meetings, memory_order_relaxed);
  const double now = pst_net_now();
  const double after = meetings != t.meetings ? 0 : t.stale ? t.found + APART : t.found + OLD;
  if (now >= after && now >= t.next) find(now, meetings);
}

static void learn_own(void)
{
  struct sockaddr_storage own = { 0 };
  size_t size = sizeof own;
  if (fi_getname(&pst_ofi.ep->fid, &own, &size) == 0) pst_net_sockets_own(&own); /* else none is found, and there are naps */
}

static void learn_peers(void)
{
  for (gasnet_node_t node = 0; node < pst_net.nodes; node++) {
    struct sockaddr_storage peer = { 0 };
    size_t size = sizeof peer;
    if (fi_av_lookup(pst_ofi.av, pst_ofi.peer[node].addr, &peer, &size) == 0) pst_net_sockets_add(&peer);
  }
}

void pst_ofi_sockets_open(void)
{
  learn_own();
  learn_peers();
  t.stale = 1;
  t.found = t.next = t.at_once = 0;
  t.nap = PST_OFI_SHORT_NAP;
  t.pause = LEAST_NS;
}

/* What answers at once for long is data that come without end; or it is not the library's any more, or what it does not look at yet: then
 * there are naps, which grow. */
static void count_answers(int at_once)
{
  const double now = pst_net_now();
  if (!at_once) {
    t.at_once = 0;
    t.nap = PST_OFI_SHORT_NAP;
  } else if (t.at_once == 0) {
    t.at_once = now;
  } else if (now - t.at_once > ENDLESS) {
    const uint64_t received = pst_net_sockets_received();
    const int data = received != t.received;
    t.received = received;
    t.stale = 1;
    if (!data) pst_net_nap(t.nap);
    t.nap = data ? PST_OFI_SHORT_NAP : t.nap < LONG_NAP ? 2 * t.nap : LONG_NAP;
  }
}

static void doze(void)
{
  const unsigned state = pst_net_sockets_sleep((long)t.pause);
  if (state & PST_NET_SOCKETS_STALE) t.stale = 1;
  t.pause = state != PST_NET_SOCKETS_QUIET ? t.least : pst_least(2 * t.pause, t.most);
  count_answers((state & PST_NET_SOCKETS_AT_ONCE) != 0);
}

void pst_ofi_sockets_wait(int milliseconds)
{
  (void)milliseconds; /* LONGEST_NS is what whoever ends the thread waits for */
  find_again();
  if (t.count == 0) pst_net_nap(PST_OFI_NAP);
  else doze();
}
