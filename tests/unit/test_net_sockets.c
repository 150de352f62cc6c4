/* A library's sockets among others of the process: found by their addresses, slept on, and forgotten when they are closed. */
#include "conduits/net/sockets.c"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/suite.h"

enum { LONG = 300000000, MANY = 100 };

/* ---- sockets ---- */

static socklen_t length_of(const struct sockaddr_storage *a)
{
  return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static struct sockaddr_storage loopback(int family)
{
  struct sockaddr_storage a = { .ss_family = (sa_family_t)family };
  if (family == AF_INET6) ((struct sockaddr_in6 *)&a)->sin6_addr = in6addr_loopback;
  else ((struct sockaddr_in *)&a)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

/* -1: there is no such family here. */
static int listen_at(int family, struct sockaddr_storage *at)
{
  const int fd = socket(family, SOCK_STREAM, 0);
  socklen_t size = sizeof *at;
  *at = loopback(family);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)at, length_of(at)) == 0 && listen(fd, MANY) == 0 &&
      getsockname(fd, (struct sockaddr *)at, &size) == 0) return fd;
  close(fd);
  return -1;
}

static int connect_to(const struct sockaddr_storage *to)
{
  const int fd = socket(to->ss_family, SOCK_STREAM, 0);
  CU_ASSERT(connect(fd, (const struct sockaddr *)to, length_of(to)) == 0);
  return fd;
}

/* A listening socket, one that was accepted there, and the other end of that. */
struct place {
  struct sockaddr_storage at;
  int listening, accepted, connected;
};

static int open_place(struct place *p, int family)
{
  p->listening = listen_at(family, &p->at);
  if (p->listening < 0) return 0;
  p->connected = connect_to(&p->at);
  p->accepted = accept(p->listening, NULL, NULL);
  CU_ASSERT(p->accepted >= 0);
  return 1;
}

static void close_place(const struct place *p)
{
  close(p->connected);
  close(p->accepted);
  close(p->listening);
}

/* The library is at `own`, with one peer or none. */
static void begin(const struct place *own, const struct place *peer)
{
  CU_ASSERT_FATAL(pst_net_sockets_open(1) == PST_OK);
  pst_net_sockets_own(&own->at);
  if (peer) pst_net_sockets_add(&peer->at);
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- tests ---- */

static void find_in(int family)
{
  struct place own, peer, stranger;
  if (!open_place(&own, family)) {
    printf("there is no IPv%c here ... ", family == AF_INET6 ? '6' : '4');
    CU_ASSERT(family == AF_INET6);
    return;
  }
  CU_ASSERT_FATAL(open_place(&peer, family) && open_place(&stranger, family));
  begin(&own, NULL);
  CU_ASSERT(pst_net_sockets_find() == 2); /* listening and accepted; the other end is at another address, and leads to no peer */
  begin(&own, &peer);
  CU_ASSERT(pst_net_sockets_find() == 3); /* and what leads to the peer, not what the peer has */
  close(peer.connected);
  CU_ASSERT(pst_net_sockets_find() == 2);
  peer.connected = connect_to(&peer.at);
  CU_ASSERT(pst_net_sockets_find() == 3);
  close_place(&own);
  CU_ASSERT(pst_net_sockets_find() == 1);
  close_place(&peer);
  CU_ASSERT(pst_net_sockets_find() == 0);
  close_place(&stranger);
}

static void test_find(void)
{
  find_in(AF_INET);
  find_in(AF_INET6);
}

static void test_many(void)
{
  struct place own, peer[MANY];
  CU_ASSERT_FATAL(open_place(&own, AF_INET));
  CU_ASSERT_FATAL(pst_net_sockets_open(MANY) == PST_OK);
  pst_net_sockets_own(&own.at);
  for (int i = 0; i < MANY; i++) {
    CU_ASSERT_FATAL(open_place(&peer[i], AF_INET));
    pst_net_sockets_add(&peer[i].at);
  }
  CU_ASSERT(pst_net_sockets_find() == 2 + MANY);
  for (int i = 0; i < MANY; i++) close_place(&peer[i]);
  CU_ASSERT(pst_net_sockets_find() == 2);
  close_place(&own);
}

/* Each of the library's wakes; a stranger's does not, nor what was read. */
static void test_wakes(void)
{
  struct place own, peer, stranger;
  char byte = 1;
  CU_ASSERT_FATAL(open_place(&own, AF_INET) && open_place(&peer, AF_INET) && open_place(&stranger, AF_INET));
  begin(&own, &peer);
  CU_ASSERT(pst_net_sockets_find() == 3);
  CU_ASSERT(write(stranger.connected, &byte, 1) == 1 && write(own.accepted, &byte, 1) == 1);
  const double start = seconds();
  CU_ASSERT(pst_net_sockets_sleep(LONG) == PST_NET_SOCKETS_QUIET);
  CU_ASSERT(seconds() - start >= LONG * 0.9e-9);
  CU_ASSERT(write(own.connected, &byte, 1) == 1);
  CU_ASSERT(pst_net_sockets_sleep(LONG) != PST_NET_SOCKETS_QUIET);
  const uint64_t received = pst_net_sockets_received();
  CU_ASSERT(pst_net_sockets_sleep(LONG) == PST_NET_SOCKETS_AT_ONCE && pst_net_sockets_received() == received);
  CU_ASSERT(read(own.accepted, &byte, 1) == 1);
  CU_ASSERT(write(own.connected, &byte, 1) == 1);
  CU_ASSERT(pst_net_sockets_sleep(LONG) != PST_NET_SOCKETS_QUIET);
  CU_ASSERT(pst_net_sockets_received() == received + 1);
  CU_ASSERT(read(own.accepted, &byte, 1) == 1);
  CU_ASSERT(pst_net_sockets_sleep(1) == PST_NET_SOCKETS_QUIET);
  CU_ASSERT(write(peer.accepted, &byte, 1) == 1);
  CU_ASSERT(pst_net_sockets_sleep(LONG) != PST_NET_SOCKETS_QUIET);
  CU_ASSERT(read(peer.connected, &byte, 1) == 1);
  const int another = connect_to(&own.at);
  CU_ASSERT(pst_net_sockets_sleep(LONG) != PST_NET_SOCKETS_QUIET);
  close(another);
  close_place(&own);
  close_place(&peer);
  close_place(&stranger);
}

static void read_later(int fd)
{
  static char bytes[1 << 16];
  const struct timespec later = { .tv_nsec = 50000000 };
  nanosleep(&later, NULL);
  while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
  _exit(0);
}

/* Room for more wakes where the socket was full. A child makes it; where the parent was too late to sleep before, it is tried again. */
static void test_room(void)
{
  static char bytes[1 << 16];
  struct place own;
  unsigned state = PST_NET_SOCKETS_QUIET;
  CU_ASSERT_FATAL(open_place(&own, AF_INET));
  begin(&own, NULL);
  CU_ASSERT(pst_net_sockets_find() == 2);
  for (int i = 0; i < MANY && state == PST_NET_SOCKETS_QUIET; i++) {
    while (send(own.accepted, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
    CU_ASSERT(pst_net_sockets_sleep(1000000) == PST_NET_SOCKETS_QUIET);
    const pid_t reader = fork();
    if (reader == 0) read_later(own.connected);
    state = pst_net_sockets_sleep(LONG);
    CU_ASSERT(waitpid(reader, NULL, 0) == reader);
  }
  CU_ASSERT(state == PST_NET_SOCKETS_WOKE);
  close_place(&own);
}

static void test_ends(void)
{
  struct place own;
  CU_ASSERT_FATAL(open_place(&own, AF_INET));
  begin(&own, NULL);
  CU_ASSERT(pst_net_sockets_find() == 2);
  close(own.accepted);
  CU_ASSERT(pst_net_sockets_sleep(LONG) & PST_NET_SOCKETS_STALE);
  CU_ASSERT(pst_net_sockets_sleep(1) == PST_NET_SOCKETS_QUIET); /* said once */
  CU_ASSERT(pst_net_sockets_find() == 1);
  CU_ASSERT(pst_net_sockets_sleep(1) == PST_NET_SOCKETS_QUIET);
  close(own.connected);
  close(own.listening);
  CU_ASSERT(pst_net_sockets_find() == 0);
}

/* Somebody may have that port of the other protocol. */
static int open_udp_at_same_port(struct place *p)
{
  for (int i = 0; i < 20; i++) {
    const int udp = socket(AF_INET, SOCK_DGRAM, 0);
    CU_ASSERT_FATAL(open_place(p, AF_INET));
    if (bind(udp, (struct sockaddr *)&p->at, length_of(&p->at)) == 0) return udp;
    close(udp);
    close_place(p);
  }
  return -1;
}

/* What has the number of a socket that was closed, and what has its port: neither is the library's. */
static void test_others(void)
{
  struct place own;
  const int udp = open_udp_at_same_port(&own);
  CU_ASSERT_FATAL(udp >= 0);
  begin(&own, NULL);
  CU_ASSERT(pst_net_sockets_find() == 2);
  const int file = open("/dev/zero", O_RDONLY);
  CU_ASSERT(dup2(file, own.accepted) == own.accepted);
  CU_ASSERT(pst_net_sockets_sleep(LONG) == PST_NET_SOCKETS_AT_ONCE);
  CU_ASSERT(pst_net_sockets_find() == 1);
  CU_ASSERT(pst_net_sockets_sleep(1) == PST_NET_SOCKETS_QUIET);
  close(file);
  close(udp);
  close_place(&own);
}

/* To find them takes no descriptor. */
static void test_no_descriptors(void)
{
  struct place own;
  struct rlimit before, none;
  CU_ASSERT_FATAL(open_place(&own, AF_INET));
  begin(&own, NULL);
  CU_ASSERT_FATAL(getrlimit(RLIMIT_NOFILE, &before) == 0);
  none = before;
  none.rlim_cur = 0;
  CU_ASSERT_FATAL(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const unsigned found = pst_net_sockets_find();
  CU_ASSERT(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CU_ASSERT(found == 2);
  close_place(&own);
}

int main(void)
{
  static const struct unit_test tests[] = {
    {"the library's sockets among others", test_find}, {"many of them", test_many}, {"what wakes", test_wakes},
    {"room for what could not be written", test_room}, {"sockets that end", test_ends},
    {"what is not the library's", test_others}, {"no descriptor left", test_no_descriptors},
  };
  return RUN_SUITE("conduits/net/sockets", tests);
}
