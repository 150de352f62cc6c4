/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Connections whose other side has not yet proved that it is a daemon of this job. A stranger costs a slot
 * for a few seconds, and nothing else. */
#ifndef LAUNCH_HANDSHAKE_H
#define LAUNCH_HANDSHAKE_H
#include "launch/link.h"
#include "launch/listener.h"
#include "launch/secret.h"

enum { HANDSHAKES_MOST = 64 };

struct handshakes;

struct handshake {
  struct handshakes *all;
  struct link link;
  double deadline;
  int challenged;
  uint32_t host;
  unsigned char launcher[NONCE_BYTES], daemon[NONCE_BYTES];
  struct sockaddr_storage from;
};

struct handshakes {
  struct pst_loop *loop;
  const struct secret *secret;
  unsigned hosts;
  int verbose;
  /* A daemon has proved itself. Returns 0 to refuse it all the same; else fd is the callee's. */
  int (*admit)(void *arg, unsigned host, int fd, const struct sockaddr_storage *from);
  void *arg;
  struct handshake slot[HANDSHAKES_MOST];
};

/* The caller has set the first part. */
void handshakes_open(struct handshakes *g);
/* A listening socket is ready; `arg` is the handshakes. */
int handshakes_accept(int fd, void *arg);
/* Closes connections that take too long. */
void handshakes_expire(struct handshakes *g);
void handshakes_close(struct handshakes *g);

#endif
