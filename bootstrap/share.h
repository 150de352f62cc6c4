/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The host's memory, handed from the process that has made it to the others of its host, over a socket
 * without a file. */
#ifndef BOOTSTRAP_SHARE_H
#define BOOTSTRAP_SHARE_H
#include "bootstrap/place.h"

/* Makes a secret and a socket that listens, and writes the secret and the socket's name to `mine`. Calls
 * return NULL, or what failed: static text. */
const char *pst_share_open(int *listener, struct pst_contact *mine);
/* In the host's first process: gives the files to the local - 1 others. Each knows the secret and comes once,
 * within `seconds`. Any other process is refused. */
const char *pst_share_give(int listener, const struct pst_contact *mine, const struct pst_hostmem *hm,
    unsigned local, double seconds);
/* In another, which is process `index` of its host: fetches them from the first one. */
const char *pst_share_fetch(
    const struct pst_contact *first, unsigned index, unsigned local, double seconds, struct pst_hostmem *hm);

#endif
