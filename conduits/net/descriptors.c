/* File descriptors for connections: as many as there may be, and a word when there are none left. Libraries keep it to themselves that they cannot
 * accept a connection, and whoever asked for it waits. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "conduits/net/net.h"

static int own = -1; /* to be duplicated: a new file might be given the number of a standard stream that the client is about to open again */

/* There may be a connection to each peer, and where both begin at once, two. What is usual is enough for a client's own files, and may be
 * raised. */
static void make_room(unsigned peers)
{
  enum { OWN = 256 };
  struct rlimit limit;
  const rlim_t wanted = 2 * (rlim_t)peers + OWN;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit); /* else as many as there may be */
}

void pst_net_descriptors_open(unsigned peers)
{
  make_room(peers);
  if (own < 0) own = open("/", O_PATH | O_CLOEXEC);
}

static void tell(void)
{
  struct rlimit limit = { 0 };
  getrlimit(RLIMIT_NOFILE, &limit);
  pst_warn("no file descriptor is left (ulimit -n is %llu): nodes that are yet to connect to this one wait until there is",
           (unsigned long long)limit.rlim_cur);
}

static int is_none_left(void)
{
  const int saved = errno, fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), none = fd < 0 && errno == EMFILE;
  if (fd >= 0) close(fd);
  errno = saved;
  return none;
}

/* Relaxed: two looks in a second do no harm. */
void pst_net_descriptors_look(double now)
{
  static _Atomic unsigned looked;
  static _Atomic int told;
  const unsigned second = (unsigned)now;
  if (atomic_load_explicit(&looked, memory_order_relaxed) == second || atomic_load_explicit(&told, memory_order_relaxed)) return;
  atomic_store_explicit(&looked, second, memory_order_relaxed);
  if (is_none_left() && !atomic_exchange_explicit(&told, 1, memory_order_relaxed)) tell();
}
