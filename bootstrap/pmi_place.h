/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Who is where: ranks of a foreign launcher, which lie on hosts as it likes, and nodes, which are consecutive
 * on each host. */
#ifndef BOOTSTRAP_PMI_PLACE_H
#define BOOTSTRAP_PMI_PLACE_H
#include <stdint.h>

#include "bootstrap/start.h"

enum { PST_PMI_HOST = 128 };

/* What a process puts on the board for the others, who read it as bytes. */
struct pst_pmi_card {
  char host[PST_PMI_HOST];  /* the same text in two processes that can share memory; ends with 0 */
  unsigned char secret[16]; /* by which this one knows those who may */
  unsigned char name_size;
  char name[16]; /* of its socket */
  int32_t pid;
};

struct pst_pmi_places {
  unsigned *rank;  /* [nodes] */
  unsigned *first; /* [hosts + 1] nodes; the last is the number of nodes */
};

/* Hosts are numbered in the order of their lowest rank, nodes by host and rank. 0 or PST_ERR_*; all but `hm`
 * of *s. */
int pst_pmi_place(const struct pst_pmi_card *card, unsigned size, unsigned rank, struct pst_start *s,
    struct pst_pmi_places *places);
/* Of this process. */
void pst_pmi_host(char host[PST_PMI_HOST]);

#endif
