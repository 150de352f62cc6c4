/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

static void boot_id_read(char *text, size_t size)
{
  const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
  if (fd >= 0) close(fd);
  text[n > 0 ? n : 0] = '\0';
  text[strcspn(text, "\n")] = '\0';
  if (!*text && gethostname(text, size) != 0) strcpy(text, "unknown");
  text[size - 1] = '\0';
}

static unsigned long long namespace_number(const char *space)
{
  struct stat st;
  return stat(space, &st) == 0 ? (unsigned long long)st.st_ino : 0;
}

/* Sockets reach only within a namespace of networks, signals within one of processes, and files are given to
 * the same user alone. */
void pst_place_host(char host[PST_PLACE_HOST])
{
  char boot[64];
  memset(host, 0, PST_PLACE_HOST);
  boot_id_read(boot, sizeof boot);
  snprintf(host, PST_PLACE_HOST, "%s %llu %llu %u", boot, namespace_number("/proc/self/ns/net"),
      namespace_number("/proc/self/ns/pid"), geteuid());
}

static int is_same_host(const struct pst_contact *a, const struct pst_contact *b)
{
  return strcmp(a->host, b->host) == 0;
}

/* The processes of one more host, beginning with `rank`, become the next nodes. */
static void host_number(const struct pst_contact *contact, unsigned size, unsigned rank, unsigned char *taken,
    unsigned *node, struct pst_places *p)
{
  for (unsigned i = rank; i < size; i++) {
    if (taken[i] || !is_same_host(&contact[i], &contact[rank])) continue;
    taken[i] = 1;
    p->rank[(*node)++] = i;
  }
}

static unsigned nodes_number(
    const struct pst_contact *contact, unsigned size, unsigned char *taken, struct pst_places *p)
{
  unsigned hosts = 0, node = 0;
  for (unsigned i = 0; i < size; i++) {
    if (taken[i]) continue;
    p->first[hosts++] = node;
    host_number(contact, size, i, taken, &node, p);
  }
  p->first[hosts] = node;
  return hosts;
}

static void self_place(unsigned rank, const struct pst_places *p, struct pst_start *s)
{
  s->node = 0;
  while (p->rank[s->node] != rank) s->node++;
  s->host = 0;
  while (p->first[s->host + 1] <= s->node) s->host++;
  s->first = p->first[s->host];
  s->local = p->first[s->host + 1] - s->first;
}

static int contacts_are_right(const struct pst_contact *contact, unsigned size)
{
  for (unsigned i = 0; i < size; i++)
    if (!memchr(contact[i].host, 0, sizeof contact[i].host) ||
        contact[i].name_size > sizeof contact[i].name || contact[i].pid < 1)
      return 0;
  return 1;
}

int pst_place_find(const struct pst_contact *contact, unsigned size, unsigned rank, struct pst_start *s,
    struct pst_places *places)
{
  if (rank >= size || !contacts_are_right(contact, size)) return PST_ERR_INVALID;
  unsigned char *taken = calloc(size, 1);
  struct pst_places p = {calloc(size, sizeof *p.rank), calloc(size + 1, sizeof *p.first)};
  if (!taken || !p.rank || !p.first) goto fail;
  s->nodes = size;
  s->hosts = nodes_number(contact, size, taken, &p);
  self_place(rank, &p, s);
  free(taken);
  *places = p;
  return PST_OK;
fail:
  free(p.first);
  free(p.rank);
  free(taken);
  return PST_ERR_NOMEM;
}
