/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/handshake.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 5.0 /* seconds for the proof */

static struct handshake *handshake_of(struct link *l)
{
  return (struct handshake *)(void *)((char *)l - offsetof(struct handshake, link));
}

static void handshake_refused(const struct handshake *h, const char *why)
{
  char name[80];
  if (h->all->verbose)
    dprintf(
        STDERR_FILENO, "penstock: refused a connection from %s: %s\n", listener_name(&h->from, name), why);
}

static void handshake_lost(struct link *l, const char *why) { handshake_refused(handshake_of(l), why); }

static const char *handshake_hello(struct handshake *h, const struct wire_frame *f)
{
  unsigned char answer[NONCE_BYTES + PROOF_BYTES];
  if (f->word[0] != WIRE_VERSION) return "gasnetrun on that host is of another version";
  if (f->word[1] >= h->all->hosts) return "a host that does not exist";
  h->host = f->word[1];
  memcpy(h->daemon, f->data, NONCE_BYTES);
  if (secret_nonce(h->launcher) != 0) return "there are no random numbers";
  memcpy(answer, h->launcher, NONCE_BYTES);
  secret_prove(h->all->secret, SECRET_LAUNCHER, h->host, h->launcher, h->daemon, answer + NONCE_BYTES);
  link_send(&h->link, WIRE_CHALLENGE, NULL, answer, sizeof answer);
  h->challenged = 1;
  return NULL;
}

/* The connection gets a new owner; a daemon sends nothing more before it is asked, so no byte is left behind
 * here. */
static const char *handshake_prove(struct handshake *h, const struct wire_frame *f)
{
  unsigned char expected[PROOF_BYTES];
  secret_prove(h->all->secret, SECRET_DAEMON, h->host, h->launcher, h->daemon, expected);
  if (!secret_same(expected, (const unsigned char *)f->data)) return "it does not know the job's secret";
  int fd = fcntl(h->link.watch.fd, F_DUPFD_CLOEXEC, 3);
  if (fd < 0) return strerror(errno);
  if (!h->all->admit(h->all->arg, h->host, fd, &h->from)) {
    close(fd);
    return "that host is here already";
  }
  link_close(&h->link);
  return NULL;
}

static const char *handshake_frame(struct link *l, const struct wire_frame *f)
{
  struct handshake *h = handshake_of(l);
  if (f->type == WIRE_HELLO && !h->challenged) return handshake_hello(h, f);
  if (f->type == WIRE_PROOF && h->challenged) return handshake_prove(h, f);
  return "it does not begin as a daemon does";
}

void handshakes_open(struct handshakes *all)
{
  for (unsigned i = 0; i < HANDSHAKES_MOST; i++)
    all->slot[i] = (struct handshake){.all = all, .link = {.watch = {.fd = -1}}};
}

/* With no slot free the oldest connection is closed: a daemon needs a moment only. */
static struct handshake *handshake_slot(struct handshakes *all)
{
  struct handshake *oldest = &all->slot[0];
  for (unsigned i = 0; i < HANDSHAKES_MOST; i++) {
    struct handshake *h = &all->slot[i];
    if (!link_is_open(&h->link)) return h;
    if (h->deadline < oldest->deadline) oldest = h;
  }
  handshake_refused(oldest, "too many others came");
  link_close(&oldest->link);
  return oldest;
}

static void handshake_begin(struct handshakes *all, int fd, const struct sockaddr_storage *from)
{
  struct handshake *h = handshake_slot(all);
  *h = (struct handshake){.all = all, .deadline = pst_loop_now() + PATIENCE, .from = *from};
  h->link = (struct link){
      .way = WIRE_TO_LAUNCHER, .most = WIRE_STRANGER, .frame = handshake_frame, .lost = handshake_lost};
  if (link_open(&h->link, all->loop, fd) != 0) {
    close(fd);
    h->link.watch.fd = -1;
  }
}

int handshakes_accept(int fd, void *arg)
{
  enum { AT_ONCE = 16 };
  for (unsigned i = 0; i < AT_ONCE; i++) {
    struct sockaddr_storage from = {0};
    socklen_t size = sizeof from;
    int come = accept4(fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (come < 0) break;
    handshake_begin(arg, come, &from);
  }
  return 1;
}

void handshakes_expire(struct handshakes *all)
{
  const double now = pst_loop_now();
  for (unsigned i = 0; i < HANDSHAKES_MOST; i++) {
    struct handshake *h = &all->slot[i];
    if (!link_is_open(&h->link) || now < h->deadline) continue;
    handshake_refused(h, "it took too long");
    link_close(&h->link);
  }
}

void handshakes_close(struct handshakes *all)
{
  for (unsigned i = 0; i < HANDSHAKES_MOST; i++) link_close(&all->slot[i].link);
}
