/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Network interfaces and devices. Their addresses only where names may be shown. */
#include <arpa/inet.h>
#include <glob.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"

static void tell_file(const char *name, const char *dir, const char *file)
{
  char text[128];
  if (info_read_in(dir, file, text, sizeof text) && text[0] != '-') info_fact(name, "%s", text);
}

static void tell_driver(const char *dir)
{
  char path[256], target[256];
  ssize_t n;
  snprintf(path, sizeof path, "%s/device/driver", dir);
  n = readlink(path, target, sizeof target - 1);
  if (n <= 0) return;
  target[n] = '\0';
  info_fact("driver", "%s", strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

/* ---- interfaces ---- */

static void tell_addresses(const struct ifaddrs *list, const char *name)
{
  char text[INET6_ADDRSTRLEN], all[1024] = "";
  size_t used = 0;
  for (const struct ifaddrs *a = list; a; a = a->ifa_next) {
    const void *address;
    if (!a->ifa_addr || strcmp(a->ifa_name, name) != 0) continue;
    if (a->ifa_addr->sa_family == AF_INET) address = &((const struct sockaddr_in *)a->ifa_addr)->sin_addr;
    else if (a->ifa_addr->sa_family == AF_INET6)
      address = &((const struct sockaddr_in6 *)a->ifa_addr)->sin6_addr;
    else continue;
    if (inet_ntop(a->ifa_addr->sa_family, address, text, sizeof text) && used + sizeof text + 2 < sizeof all)
      used += (size_t)sprintf(all + used, "%s%s", used ? " " : "", text);
  }
  info_fact("addresses", "%s", used ? all : "none");
}

static unsigned families(const struct ifaddrs *list, const char *name, unsigned *flags)
{
  unsigned found = 0;
  for (const struct ifaddrs *a = list; a; a = a->ifa_next) {
    if (strcmp(a->ifa_name, name) != 0) continue;
    *flags |= a->ifa_flags;
    if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET) found |= 1;
    if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET6) found |= 2;
  }
  return found;
}

static void print_interface(const struct ifaddrs *list, const char *name)
{
  static const char *const versions[] = {"none", "IPv4", "IPv6", "IPv4 and IPv6"};
  char dir[128];
  unsigned flags = 0;
  const unsigned found = families(list, name, &flags);
  snprintf(dir, sizeof dir, "/sys/class/net/%s", name);
  info_item("interface", name);
  info_fact("state", "%s%s", flags & IFF_UP ? (flags & IFF_RUNNING ? "up" : "up, no carrier") : "down",
      flags & IFF_LOOPBACK ? ", loopback" : "");
  if (info_shows_names()) tell_addresses(list, name);
  else info_fact("addresses", "%s", versions[found]);
  tell_file("bytes of a packet", dir, "mtu");
  tell_file("megabits a second", dir, "speed");
  tell_driver(dir);
}

static void print_interfaces(void)
{
  struct if_nameindex *all = if_nameindex();
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) != 0) list = NULL;
  for (size_t i = 0; all && all[i].if_name; i++) print_interface(list, all[i].if_name);
  info_item(NULL, NULL);
  if (list) freeifaddrs(list);
  if (all) if_freenameindex(all);
}

/* ---- devices of InfiniBand's class ---- */

static void print_device(const char *dir)
{
  info_item("device", strrchr(dir, '/') + 1);
  tell_file("state", dir, "ports/1/state");
  tell_file("rate", dir, "ports/1/rate");
  tell_file("link", dir, "ports/1/link_layer");
  tell_file("firmware", dir, "fw_ver");
  tell_driver(dir);
}

static void print_devices(void)
{
  glob_t g;
  if (glob("/sys/class/infiniband/*", 0, NULL, &g) != 0) {
    info_fact("InfiniBand-class devices", "none");
    return;
  }
  for (size_t i = 0; i < g.gl_pathc; i++) print_device(g.gl_pathv[i]);
  info_item(NULL, NULL);
  globfree(&g);
}

void info_network(void)
{
  info_section("network");
  print_interfaces();
  print_devices();
}
