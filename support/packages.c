/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/packages.h"

#include <stdio.h>
#include <string.h>

/* The names are those that ID and ID_LIKE of os-release have. */
static const struct {
  const char *distribution, *network;
} known[] = {
    {"debian", "libfabric-dev or libucx-dev (Debian's and Ubuntu's names)"},
    {"ubuntu", "libfabric-dev or libucx-dev (Debian's and Ubuntu's names)"},
    {"fedora", "libfabric-devel or ucx-devel (Fedora's names)"},
    {"rhel", "libfabric-devel or ucx-devel (Fedora's names)"},
    {"suse", "libfabric-devel or libucp-devel (openSUSE's names)"},
    {"opensuse", "libfabric-devel or libucp-devel (openSUSE's names)"},
    {"arch", "libfabric or openucx (Arch's names)"},
};

/* `distribution` is a word of ID or ID_LIKE; NULL: it is unknown. */
static const char *network_of(const char *distribution)
{
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].distribution, distribution) == 0) return known[i].network;
  return NULL;
}

/* ID is the distribution; ID_LIKE are those that it was made from, the nearest first. Their lines come in any
 * order. */
const char *pst_packages_of_network(const char *os_release)
{
  const char *own = NULL, *like = NULL;
  char line[512], *rest;
  FILE *f = fopen(os_release, "re");
  while (f && fgets(line, sizeof line, f)) {
    const char *const name = strtok_r(line, "=", &rest);
    const char **found = name && strcmp(name, "ID") == 0 ? &own
        : name && strcmp(name, "ID_LIKE") == 0           ? &like
                                                         : NULL;
    for (char *word; found && !*found && (word = strtok_r(NULL, "\"' \n", &rest)) != NULL;)
      *found = network_of(word);
  }
  if (f) fclose(f);
  return own ? own : like ? like : "the development files of libfabric or UCX";
}
