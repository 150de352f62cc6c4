/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Connections that have not proved yet to be a daemon of this job. Strangers cost a slot for a few seconds,
 * and nothing else. */
#ifndef LAUNCH_GUESTS_H
#define LAUNCH_GUESTS_H
#include "launch/link.h"
#include "launch/listener.h"
#include "launch/secret.h"

enum { GUESTS_MOST = 64 };

struct guests;

struct guest {
  struct guests *all;
  struct link link;
  double deadline;
  int challenged;
  uint32_t host;
  unsigned char launcher[NONCE_BYTES], daemon[NONCE_BYTES];
  struct sockaddr_storage from;
};

struct guests {
  struct pst_loop *loop;
  const struct secret *secret;
  unsigned hosts;
  int verbose;
  /* A daemon has proved itself. Returns 0 to refuse it all the same; else fd is the callee's. */
  int (*admit)(void *arg, unsigned host, int fd, const struct sockaddr_storage *from);
  void *arg;
  struct guest guest[GUESTS_MOST];
};

/* The caller has set the first part. */
void guests_open(struct guests *g);
/* A listening socket is ready: `arg` is the guests. */
int guests_come(int fd, void *arg);
/* Sends away who takes too long. */
void guests_look(struct guests *g);
void guests_close(struct guests *g);

#endif
