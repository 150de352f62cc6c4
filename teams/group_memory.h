/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Memory that the members of a group share: a file without a name. The head makes it, and tells the others
 * its process and the file's descriptor, by which they open it. */
#ifndef TEAMS_GROUP_MEMORY_H
#define TEAMS_GROUP_MEMORY_H
#include "teams/team.h"

struct pst_group_memory {
  const char *name; /* of the file, as /proc shows it */
  size_t size;
  /* At the head: writes the new file, and seals it. 1, or 0 where that fails. */
  int (*fill)(int fd, struct pst_team *t, size_t size);
  int protection; /* of the mapping, as for mmap */
};

/* Collective on a team that is complete: its members count their calls alike. Returns the mapping, or NULL
 * where this member cannot open the file. Of *flags those bits remain that all members of the group have
 * passed; PST_GROUP_MAPPED is one of them where all have a mapping. `who` is the calling function. */
enum { PST_GROUP_MAPPED = 1 };
void *pst_group_map(
    const char *who, struct pst_team *t, const struct pst_group_memory *memory, uint32_t *flags);

#endif
