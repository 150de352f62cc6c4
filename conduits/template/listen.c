/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The socket at which a node is reached. */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conduits/template/template.h"

/* The address of this node. A job on one host does not use the network; else it is the first interface's. A
 * conduit for real use lets its user choose. */
static uint32_t address_here(int one_host)
{
  struct ifaddrs *all, *i;
  uint32_t address = 0;
  if (one_host) return htonl(INADDR_LOOPBACK);
  if (getifaddrs(&all) != 0) return 0;
  for (i = all; i && !address; i = i->ifa_next)
    if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
        !(i->ifa_flags & IFF_LOOPBACK))
      address = ((struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr.s_addr;
  freeifaddrs(all);
  return address;
}

/* A host that vanishes closes no connection. These options notice its silence within some ten seconds, also
 * while nothing is sent. */
void pst_template_set_options(int fd)
{
  static const struct {
    int level, name, value;
  } option[] = {
      {IPPROTO_TCP, TCP_NODELAY, 1},
      {SOL_SOCKET, SO_KEEPALIVE, 1},
      {IPPROTO_TCP, TCP_KEEPIDLE, 5},
      {IPPROTO_TCP, TCP_KEEPINTVL, 1},
      {IPPROTO_TCP, TCP_KEEPCNT, 5},
      {IPPROTO_TCP, TCP_USER_TIMEOUT, 10000},
  };
  for (size_t i = 0; i < sizeof option / sizeof option[0]; i++)
    setsockopt(fd, option[i].level, option[i].name, &option[i].value, sizeof option[i].value);
}

int pst_template_watch(struct pst_template_socket *s, uint32_t events)
{
  struct epoll_event e = {.events = events, .data.ptr = s};
  return epoll_ctl(pst_template.epoll, EPOLL_CTL_ADD, s->fd, &e);
}

/* A bounded number at a time; the others wait in the kernel. */
static void accept_some(struct pst_template_socket *s)
{
  enum { SOME = 16 };
  for (int i = 0; i < SOME; i++) {
    const int fd = accept4(s->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) pst_template_receive_from(fd);
    else if (errno == EMFILE || errno == ENFILE)
      pst_fatal("no descriptor for another node's connection: %m; raise ulimit -n");
    else if (errno != ECONNABORTED && errno != EINTR) return;
  }
}

static int failed(const char *what)
{
  pst_warn("TCP: %s: %m", what);
  return PST_ERR_SYSTEM;
}

int pst_template_listen(int one_host, struct pst_template_contact *mine)
{
  struct pst_template_socket *s = &pst_template.listening;
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = address_here(one_host)};
  socklen_t size = sizeof a;
  if (!a.sin_addr.s_addr) {
    pst_warn("TCP: this host has no IPv4 address by which others could reach it");
    return PST_ERR_UNSUPPORTED;
  }
  s->ready = accept_some;
  s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&a, sizeof a) != 0 ||
      listen(s->fd, (int)pst_template.ins) != 0)
    return failed("cannot listen");
  if (getsockname(s->fd, (struct sockaddr *)&a, &size) != 0) return failed("cannot learn the port");
  if ((pst_template.epoll = epoll_create1(EPOLL_CLOEXEC)) < 0 || pst_template_watch(s, EPOLLIN) != 0)
    return failed("cannot wait for it");
  mine->address = a.sin_addr.s_addr;
  mine->port = a.sin_port;
  return PST_OK;
}
