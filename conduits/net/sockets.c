/* Sockets are known by their addresses: at the library's own one it listens, and accepts; those it connects itself lead to a peer's. */
#include "conduits/net/sockets.h"

#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/error.h"

struct address { uint16_t family, port; unsigned char host[16]; }; /* compared by its bytes: it has no gaps */

static struct {
  DIR *files; /* open all the time: the client may count on which descriptor is free, or may have none left. Empty when the main thread has ended */
  struct address own, *peer;
  unsigned peers, peers_room;
  int in_order;
  struct pollfd *socket;
  unsigned count, room;
} s;

/* ---- addresses ---- */

static struct address address_of(const struct sockaddr_storage *from)
{
  struct address a = { .family = from->ss_family };
  if (a.family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)from;
    a.port = in->sin_port;
    memcpy(a.host, &in->sin_addr, sizeof in->sin_addr);
  } else if (a.family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)from;
    a.port = in->sin6_port;
    memcpy(a.host, &in->sin6_addr, sizeof in->sin6_addr);
  }
  return a;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(struct address)); }

int pst_net_sockets_open(unsigned peers)
{
  if (s.files) closedir(s.files);
  free(s.peer);
  free(s.socket);
  memset(&s, 0, sizeof s);
  s.files = opendir("/proc/self/fd");
  if (!s.files) return PST_ERR_SYSTEM;
  s.peer = calloc(peers ? peers : 1, sizeof *s.peer);
  if (!s.peer) return PST_ERR_NOMEM;
  s.peers_room = peers;
  return PST_OK;
}

void pst_net_sockets_own(const struct sockaddr_storage *own) { s.own = address_of(own); }

void pst_net_sockets_add(const struct sockaddr_storage *peer)
{
  if (s.peers < s.peers_room) s.peer[s.peers++] = address_of(peer);
}

/* ---- which they are ---- */

typedef int name_fn(int fd, struct sockaddr *name, socklen_t *size);

static struct address name_of(int fd, name_fn *name)
{
  struct sockaddr_storage from = { 0 };
  socklen_t size = sizeof from;
  if (name(fd, (struct sockaddr *)&from, &size) != 0) from.ss_family = AF_UNSPEC;
  return address_of(&from);
}

static int is_tcp(int fd)
{
  int protocol;
  socklen_t size = sizeof protocol;
  return getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_TCP;
}

/* What listens may do so at any address of the host: the port says it. */
static int is_theirs(int fd)
{
  const struct address here = is_tcp(fd) ? name_of(fd, getsockname) : (struct address){ 0 };
  struct address there;
  if (here.port == 0 || here.family != s.own.family) return 0;
  if (here.port == s.own.port) return 1;
  there = name_of(fd, getpeername);
  return there.port != 0 && bsearch(&there, s.peer, s.peers, sizeof *s.peer, by_bytes) != NULL;
}

/* 0: no room. */
static int keep(int fd)
{
  if (s.count == s.room) {
    const unsigned room = s.room ? 2 * s.room : 16;
    struct pollfd *more = realloc(s.socket, room * sizeof *more);
    if (!more) return 0;
    s.socket = more;
    s.room = room;
  }
  s.socket[s.count++] = (struct pollfd){ .fd = fd };
  return 1;
}

unsigned pst_net_sockets_find(void)
{
  if (!s.in_order) qsort(s.peer, s.peers, sizeof *s.peer, by_bytes);
  s.in_order = 1;
  s.count = 0;
  rewinddir(s.files);
  for (const struct dirent *e; (e = readdir(s.files));) {
    const int fd = e->d_name[0] == '.' ? -1 : atoi(e->d_name);
    if (fd >= 0 && is_theirs(fd) && !keep(fd)) break;
  }
  return s.count;
}

/* ---- sleeping ---- */

static unsigned look_at(struct pollfd *p)
{
  const int now = p->revents;
  p->events = now & POLLOUT ? POLLIN : POLLIN | POLLOUT;
  if (!(now & (POLLERR | POLLHUP | POLLNVAL))) return now & POLLIN ? PST_NET_SOCKETS_AT_ONCE : PST_NET_SOCKETS_QUIET;
  p->fd = -1; /* it would end each sleep until the library closes it */
  return PST_NET_SOCKETS_AT_ONCE | PST_NET_SOCKETS_STALE;
}

/* Those that take nothing now are to be waited for. */
static unsigned look(void)
{
  unsigned state = PST_NET_SOCKETS_QUIET;
  for (unsigned i = 0; i < s.count; i++) s.socket[i].events = POLLIN | POLLOUT;
  if (poll(s.socket, s.count, 0) < 0) return PST_NET_SOCKETS_AT_ONCE; /* a signal; or they are more than may be open by now */
  for (unsigned i = 0; i < s.count; i++)
    if (s.socket[i].fd >= 0) state |= look_at(&s.socket[i]);
  return state;
}

unsigned pst_net_sockets_sleep(long nanoseconds)
{
  const struct timespec most = { .tv_nsec = nanoseconds };
  const unsigned state = look();
  if (state != PST_NET_SOCKETS_QUIET) return state;
  return ppoll(s.socket, s.count, &most, NULL) != 0 ? PST_NET_SOCKETS_WOKE : PST_NET_SOCKETS_QUIET;
}

/* 0 where it listens, or the kernel is older than that field. */
static uint64_t received_by(int fd)
{
  struct tcp_info info;
  socklen_t size = sizeof info;
  const socklen_t needed = offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received;
  return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && size >= needed ? info.tcpi_bytes_received : 0;
}

uint64_t pst_net_sockets_received(void)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < s.count; i++)
    if (s.socket[i].fd >= 0 && s.socket[i].revents & POLLIN) sum += received_by(s.socket[i].fd);
  return sum;
}
