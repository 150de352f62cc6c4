/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The host's memory, handed from the process that has made it to the others of its host, over a socket
 * without a file. */
#ifndef BOOTSTRAP_PMI_SHARE_H
#define BOOTSTRAP_PMI_SHARE_H
#include "bootstrap/pmi_place.h"

struct pst_pmi_door {
  int fd;
};

/* Makes a socket and a secret, and writes both to the card. Calls return NULL, or what failed: static text.
 */
const char *pst_pmi_door_open(struct pst_pmi_door *d, struct pst_pmi_card *card);
void pst_pmi_door_close(struct pst_pmi_door *d);
/* In the host's first process: hands the files to the local - 1 others, each of whom knows the secret and
 * comes once, within `seconds`. Whoever else knocks is sent away. */
const char *pst_pmi_share(const struct pst_pmi_door *d, const struct pst_pmi_card *card,
    const struct pst_hostmem *hm, unsigned local, double seconds);
/* In another, which is process `index` of its host: comes to the first one, whose card that is. */
const char *pst_pmi_fetch(
    const struct pst_pmi_card *card, unsigned index, unsigned local, double seconds, struct pst_hostmem *hm);

#endif
