/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Who is where: ranks of a foreign launcher, which lie on hosts as it likes, and nodes, which are consecutive
 * on each host. */
#ifndef BOOTSTRAP_PLACE_H
#define BOOTSTRAP_PLACE_H
#include <stdint.h>

#include "bootstrap/start.h"

enum { PST_PLACE_HOST = 128 };

/* What a process puts into the key-value store for the others, which get it as bytes. */
struct pst_contact {
  char host[PST_PLACE_HOST]; /* the same text in two processes that can share memory; ends with 0 */
  unsigned char secret[16];  /* it tells a process of this job from a stranger */
  unsigned char name_size;
  char name[16]; /* of the socket on which it hands out memory */
  int32_t pid;
};

struct pst_places {
  unsigned *rank;  /* [nodes] */
  unsigned *first; /* [hosts + 1] nodes; the last is the number of nodes */
};

/* Hosts are numbered in the order of their lowest rank, nodes by host and rank. 0 or PST_ERR_*; all but `hm`
 * of *s. */
int pst_place_find(const struct pst_contact *contact, unsigned size, unsigned rank, struct pst_start *s,
    struct pst_places *places);
/* Of this process. */
void pst_place_host(char host[PST_PLACE_HOST]);

#endif
