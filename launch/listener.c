/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

static socklen_t length_of(const struct sockaddr_storage *a)
{
  return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static in_port_t *port_of(struct sockaddr_storage *a)
{
  return a->ss_family == AF_INET6 ? &((struct sockaddr_in6 *)a)->sin6_port
                                  : &((struct sockaddr_in *)a)->sin_port;
}

static int same_address(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
  if (a->ss_family != b->ss_family) return 0;
  if (a->ss_family == AF_INET)
    return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
        ((const struct sockaddr_in *)b)->sin_addr.s_addr;
  return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr,
             sizeof(struct in6_addr)) == 0;
}

/* Takes a copy of an IPv4 or IPv6 address, without its port, once. */
static void listener_add(struct listener *l, const struct sockaddr *a)
{
  struct sockaddr_storage copy = {0};
  if (a->sa_family != AF_INET && a->sa_family != AF_INET6) return;
  copy.ss_family = a->sa_family;
  memcpy(&copy, a, length_of(&copy));
  *port_of(&copy) = 0;
  for (unsigned i = 0; i < l->count; i++)
    if (same_address(&l->place[i].address, &copy)) return;
  if (l->count < LISTENER_MOST)
    l->place[l->count++] = (struct listener_place){.address = copy, .watch = {.fd = -1}};
}

/* A datagram socket that is connected sends nothing, and knows by which address it would. */
static int listener_add_source(struct listener *l, const struct addrinfo *to)
{
  struct sockaddr_storage from;
  socklen_t size = sizeof from;
  int fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int found = fd >= 0 && connect(fd, to->ai_addr, to->ai_addrlen) == 0 &&
      getsockname(fd, (struct sockaddr *)&from, &size) == 0;
  if (found) listener_add(l, (struct sockaddr *)&from);
  if (fd >= 0) close(fd);
  return found;
}

int listener_add_towards(struct listener *l, const char *host)
{
  const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_ADDRCONFIG};
  struct addrinfo *list;
  const char *at = strrchr(host, '@');
  int found = 0;
  if (getaddrinfo(at ? at + 1 : host, "9", &hints, &list) != 0) return 0;
  for (const struct addrinfo *a = list; a; a = a->ai_next) found |= listener_add_source(l, a);
  freeaddrinfo(list);
  return found;
}

static struct ifaddrs *interfaces(void)
{
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) fail(1, "cannot list the network addresses of this host: %s", strerror(errno));
  return list;
}

static int reaches_others(const struct ifaddrs *i)
{
  if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || i->ifa_flags & IFF_LOOPBACK) return 0;
  return i->ifa_addr->sa_family != AF_INET6 ||
      !IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)(void *)i->ifa_addr)->sin6_addr);
}

void listener_add_all(struct listener *l)
{
  struct ifaddrs *list = interfaces();
  const unsigned before = l->count;
  for (const struct ifaddrs *i = list; i; i = i->ifa_next)
    if (reaches_others(i)) listener_add(l, i->ifa_addr);
  freeifaddrs(list);
  if (l->count == before) listener_add_loopback(l);
}

void listener_add_loopback(struct listener *l)
{
  const struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  listener_add(l, (const struct sockaddr *)&a);
}

static int is_named(const struct ifaddrs *i, const char *name, size_t n)
{
  char text[NI_MAXHOST];
  if (!i->ifa_addr || (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6)) return 0;
  if (strlen(i->ifa_name) == n && memcmp(i->ifa_name, name, n) == 0) return 1;
  if (getnameinfo(i->ifa_addr, length_of((struct sockaddr_storage *)(void *)i->ifa_addr), text, sizeof text,
          NULL, 0, NI_NUMERICHOST) != 0)
    return 0;
  return strlen(text) == n && memcmp(text, name, n) == 0;
}

void listener_add_named(struct listener *l, const char *names)
{
  struct ifaddrs *list = interfaces();
  for (const char *at = names;; at++) {
    const size_t n = strcspn(at, ",");
    int found = 0;
    for (const struct ifaddrs *i = list; i; i = i->ifa_next)
      if (is_named(i, at, n)) {
        listener_add(l, i->ifa_addr);
        found = 1;
      }
    if (!found) fail(EXIT_MISUSE, "this host has no network interface or address '%.*s'", (int)n, at);
    at += n;
    if (!*at) break;
  }
  freeifaddrs(list);
}

static int place_open(struct listener_place *p)
{
  const int on = 1, fd = socket(p->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t size = sizeof p->address;
  if (fd < 0) return 0;
  if (p->address.ss_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&p->address, length_of(&p->address)) != 0 || listen(fd, SOMAXCONN) != 0 ||
      getsockname(fd, (struct sockaddr *)&p->address, &size) != 0) {
    int cause = errno;
    close(fd);
    errno = cause;
    return 0;
  }
  p->watch.fd = fd;
  return 1;
}

void listener_open(struct listener *l, struct pst_loop *loop, int (*ready)(int fd, void *arg), void *arg)
{
  unsigned n = 0;
  int cause = 0;
  for (unsigned i = 0; i < l->count; i++) {
    if (place_open(&l->place[i])) l->place[n++] = l->place[i];
    else cause = errno;
  }
  l->count = n;
  if (!n) fail(1, "cannot listen for the hosts on any address of this one: %s", strerror(cause));
  for (unsigned i = 0; i < n; i++) {
    l->place[i].watch = (struct pst_loop_fd){l->place[i].watch.fd, ready, arg, POLLIN};
    if (pst_loop_watch(loop, &l->place[i].watch) != 0) fail(1, "out of memory");
  }
}

static void address_split(const struct sockaddr_storage *a, char host[NI_MAXHOST], char port[16])
{
  if (getnameinfo((const struct sockaddr *)a, length_of(a), host, NI_MAXHOST, port, 16,
          NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    snprintf(host, NI_MAXHOST, "unknown"), snprintf(port, 16, "0");
}

const char *listener_name(const struct sockaddr_storage *address, char text[80])
{
  char host[NI_MAXHOST], port[16];
  address_split(address, host, port);
  snprintf(text, 80, "%.60s port %.8s", host, port);
  return text;
}

void listener_write(const struct listener *l, char text[LISTENER_TEXT])
{
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < l->count; i++) {
    char host[NI_MAXHOST], port[16];
    address_split(&l->place[i].address, host, port);
    n += (size_t)snprintf(text + n, LISTENER_TEXT - n, "%s%.50s,%.8s", i ? " " : "", host, port);
  }
}

void listener_close(struct listener *l, struct pst_loop *loop)
{
  for (unsigned i = 0; i < l->count; i++) {
    if (l->place[i].watch.fd < 0) continue;
    pst_loop_forget(loop, &l->place[i].watch);
    close(l->place[i].watch.fd);
  }
  l->count = 0;
}
