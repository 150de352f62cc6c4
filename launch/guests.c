/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/guests.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE 5.0 /* seconds to prove oneself */

static struct guest *guest_of(struct link *l)
{
  return (struct guest *)(void *)((char *)l - offsetof(struct guest, link));
}

static void tell(const struct guest *g, const char *why)
{
  char name[80];
  if (g->all->verbose)
    dprintf(
        STDERR_FILENO, "penstock: refused a connection from %s: %s\n", listener_name(&g->from, name), why);
}

static void lost(struct link *l, const char *why) { tell(guest_of(l), why); }

static const char *hello(struct guest *g, const struct wire_frame *f)
{
  unsigned char answer[NONCE_BYTES + PROOF_BYTES];
  if (f->word[0] != WIRE_VERSION) return "gasnetrun on that host is of another version";
  if (f->word[1] >= g->all->hosts) return "a host that does not exist";
  g->host = f->word[1];
  memcpy(g->daemon, f->data, NONCE_BYTES);
  if (secret_nonce(g->launcher) != 0) return "there are no random numbers";
  memcpy(answer, g->launcher, NONCE_BYTES);
  secret_prove(g->all->secret, SECRET_LAUNCHER, g->host, g->launcher, g->daemon, answer + NONCE_BYTES);
  link_send(&g->link, WIRE_CHALLENGE, NULL, answer, sizeof answer);
  g->challenged = 1;
  return NULL;
}

/* The connection gets a new owner; a daemon sends nothing more before it is asked, so no byte is left behind
 * here. */
static const char *prove(struct guest *g, const struct wire_frame *f)
{
  unsigned char expected[PROOF_BYTES];
  secret_prove(g->all->secret, SECRET_DAEMON, g->host, g->launcher, g->daemon, expected);
  if (!secret_same(expected, (const unsigned char *)f->data)) return "it does not know the job's secret";
  int fd = fcntl(g->link.watch.fd, F_DUPFD_CLOEXEC, 3);
  if (fd < 0) return strerror(errno);
  if (!g->all->admit(g->all->arg, g->host, fd, &g->from)) {
    close(fd);
    return "that host is here already";
  }
  link_close(&g->link);
  return NULL;
}

static const char *frame(struct link *l, const struct wire_frame *f)
{
  struct guest *g = guest_of(l);
  if (f->type == WIRE_HELLO && !g->challenged) return hello(g, f);
  if (f->type == WIRE_PROOF && g->challenged) return prove(g, f);
  return "it does not begin as a daemon does";
}

void guests_open(struct guests *g)
{
  for (unsigned i = 0; i < GUESTS_MOST; i++)
    g->guest[i] = (struct guest){.all = g, .link = {.watch = {.fd = -1}}};
}

/* With no place free the one who has been here longest goes: a daemon needs a moment only. */
static struct guest *make_place(struct guests *all)
{
  struct guest *oldest = &all->guest[0];
  for (unsigned i = 0; i < GUESTS_MOST; i++) {
    struct guest *g = &all->guest[i];
    if (!link_is_open(&g->link)) return g;
    if (g->deadline < oldest->deadline) oldest = g;
  }
  tell(oldest, "too many others came");
  link_close(&oldest->link);
  return oldest;
}

static void let_in(struct guests *all, int fd, const struct sockaddr_storage *from)
{
  struct guest *g = make_place(all);
  *g = (struct guest){.all = all, .deadline = pst_loop_now() + PATIENCE, .from = *from};
  g->link = (struct link){.way = WIRE_TO_LAUNCHER, .most = WIRE_STRANGER, .frame = frame, .lost = lost};
  if (link_open(&g->link, all->loop, fd) != 0) {
    close(fd);
    g->link.watch.fd = -1;
  }
}

int guests_come(int fd, void *arg)
{
  enum { AT_ONCE = 16 };
  for (unsigned i = 0; i < AT_ONCE; i++) {
    struct sockaddr_storage from = {0};
    socklen_t size = sizeof from;
    int come = accept4(fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (come < 0) break;
    let_in(arg, come, &from);
  }
  return 1;
}

void guests_look(struct guests *all)
{
  const double now = pst_loop_now();
  for (unsigned i = 0; i < GUESTS_MOST; i++) {
    struct guest *g = &all->guest[i];
    if (!link_is_open(&g->link) || now < g->deadline) continue;
    tell(g, "it took too long");
    link_close(&g->link);
  }
}

void guests_close(struct guests *all)
{
  for (unsigned i = 0; i < GUESTS_MOST; i++) link_close(&all->guest[i].link);
}
