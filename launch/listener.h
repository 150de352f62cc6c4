/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The sockets on which the launcher listens while its daemons connect. */
#ifndef LAUNCH_LISTENER_H
#define LAUNCH_LISTENER_H
#include <netinet/in.h>
#include <sys/socket.h>
#include "bootstrap/loop.h"

enum { LISTENER_MOST = 16, LISTENER_TEXT = LISTENER_MOST * 64 };

struct listener {
  unsigned count;
  struct listener_place {
    struct sockaddr_storage address; /* with the port */
    struct pst_loop_fd watch;
  } place[LISTENER_MOST];
};

/* Addresses of this host through which it would reach that one, where its name can be looked up. Returns
 * whether. */
int listener_add_towards(struct listener *l, const char *host);
/* Those of interfaces or addresses in a list separated by commas; ends the process where there are none. */
void listener_add_named(struct listener *l, const char *list);
/* All that other hosts may reach; where there is none, the loopback. */
void listener_add_all(struct listener *l);
void listener_add_loopback(struct listener *l);
/* Listens on all of them; `ready` of each socket gets `arg`. Ends the process when none can be used. */
void listener_open(struct listener *l, struct pst_loop *loop, int (*ready)(int fd, void *arg), void *arg);
/* "address,port address,port ...": what the daemons are told. */
void listener_write(const struct listener *l, char text[LISTENER_TEXT]);
void listener_close(struct listener *l, struct pst_loop *loop);
/* "10.0.0.1 port 4711" */
const char *listener_name(const struct sockaddr_storage *address, char text[80]);

#endif
