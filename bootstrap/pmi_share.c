/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/pmi_share.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "bootstrap/loop.h"
#include "support/error.h"

enum { FILES = 3, QUEUE = 1024 };

struct knock {
  unsigned char secret[sizeof((struct pst_pmi_card *)0)->secret];
  uint32_t index;
};
union passed {
  char bytes[CMSG_SPACE(FILES * sizeof(int))];
  struct cmsghdr align;
};

static char why_text[200];

static const char *failed(const char *what)
{
  snprintf(why_text, sizeof why_text, "%s: %s", what, strerror(errno));
  return why_text;
}

/* ---- the door ---- */

/* The kernel chooses a name that no file bears. */
static const char *name_socket(int fd, struct pst_pmi_card *card)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  socklen_t size = sizeof a;
  if (bind(fd, (struct sockaddr *)&a, sizeof a.sun_family) != 0) return failed("cannot name a socket");
  if (getsockname(fd, (struct sockaddr *)&a, &size) != 0) return failed("cannot name a socket");
  const size_t n = size - offsetof(struct sockaddr_un, sun_path);
  if (n < 1 || n > sizeof card->name) return "a socket got an impossible name";
  card->name_size = (unsigned char)n;
  memcpy(card->name, a.sun_path, n);
  return NULL;
}

const char *pst_pmi_door_open(struct pst_pmi_door *d, struct pst_pmi_card *card)
{
  if (getrandom(card->secret, sizeof card->secret, 0) != (ssize_t)sizeof card->secret)
    return failed("cannot make a secret");
  d->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (d->fd < 0) return failed("cannot open a socket");
  const char *why = name_socket(d->fd, card);
  if (!why && listen(d->fd, QUEUE) != 0) why = failed("cannot listen on a socket");
  if (why) pst_pmi_door_close(d);
  return why;
}

void pst_pmi_door_close(struct pst_pmi_door *d)
{
  if (d->fd >= 0) close(d->fd);
  d->fd = -1;
}

static int is_same_user(int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static void limit_waiting(int fd, double seconds)
{
  if (seconds > 3600) seconds = 3600; /* none would be 0 */
  const struct timeval t = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) + 1};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* ---- handing out ---- */

static int is_same_secret(const unsigned char *a, const unsigned char *b, size_t n)
{
  unsigned difference = 0;
  for (size_t i = 0; i < n; i++) difference |= a[i] ^ b[i];
  return difference == 0;
}

static int send_files(int fd, const struct pst_hostmem *hm)
{
  const int file[FILES] = {hm->control_fd, hm->segment_fd, hm->huge_fd};
  const size_t size = (hm->huge_fd >= 0 ? 3 : 2) * sizeof *file;
  union passed passed = {{0}};
  char byte = 0;
  struct iovec iov = {&byte, 1};
  struct msghdr m = {
      .msg_iov = &iov, .msg_iovlen = 1, .msg_control = passed.bytes, .msg_controllen = CMSG_SPACE(size)};
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(size);
  memcpy(CMSG_DATA(c), file, size);
  return sendmsg(fd, &m, MSG_NOSIGNAL) == 1;
}

/* Returns who it was, or 0, which is ourselves, for a stranger. */
static unsigned serve(int fd, const struct pst_pmi_card *card, const struct pst_hostmem *hm, unsigned local,
    const unsigned char *served)
{
  struct knock k;
  limit_waiting(fd, 5);
  if (!is_same_user(fd) || recv(fd, &k, sizeof k, 0) != (ssize_t)sizeof k) return 0;
  if (!is_same_secret(k.secret, card->secret, sizeof k.secret)) return 0;
  if (k.index < 1 || k.index >= local || served[k.index]) return 0;
  return send_files(fd, hm) ? k.index : 0;
}

static int wait_for_knock(int fd, double until)
{
  for (;;) {
    const double rest = until - pst_loop_now();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (rest <= 0) return 0;
    if (poll(&p, 1, rest < 1000 ? (int)(rest * 1000) + 1 : 1000000) > 0) return 1;
  }
}

static const char *missing(unsigned local, const unsigned char *served)
{
  unsigned i = 1;
  while (i + 1 < local && served[i]) i++;
  snprintf(why_text, sizeof why_text,
      "process %u of the %u on this host has not come for the shared memory in time", i, local);
  return why_text;
}

const char *pst_pmi_share(const struct pst_pmi_door *d, const struct pst_pmi_card *card,
    const struct pst_hostmem *hm, unsigned local, double seconds)
{
  const double until = pst_loop_now() + seconds;
  unsigned char served[PST_MAX_LOCAL] = {0};
  for (unsigned left = local - 1; left;) {
    if (!wait_for_knock(d->fd, until)) return missing(local, served);
    const int fd = accept4(d->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0) return failed("cannot take a connection from another process of this host");
    const unsigned index = serve(fd, card, hm, local, served);
    close(fd);
    if (!index) continue;
    served[index] = 1;
    left--;
  }
  return NULL;
}

/* ---- fetching ---- */

static const char *go_to(const struct pst_pmi_card *card, int fd)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  memcpy(a.sun_path, card->name, card->name_size);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + card->name_size);
  if (connect(fd, (struct sockaddr *)&a, size) != 0)
    return failed("cannot reach the first process of this host");
  return is_same_user(fd) ? NULL : "another user answers in place of the first process of this host";
}

/* Files that came are closed whatever else is wrong. 0 to 2 are the standard streams, even where they were
 * closed. */
static unsigned take_files(struct msghdr *m, int file[FILES])
{
  unsigned n = 0;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const unsigned came = (unsigned)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (unsigned i = 0; i < came; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      if (n < FILES) file[n++] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
      close(fd);
    }
  }
  return n;
}

static const char *receive_files(int fd, int file[FILES])
{
  union passed passed;
  char byte;
  struct iovec iov = {&byte, 1};
  struct msghdr m = {
      .msg_iov = &iov, .msg_iovlen = 1, .msg_control = passed.bytes, .msg_controllen = sizeof passed.bytes};
  const ssize_t got = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
  if (got < 0) return failed("the first process of this host has not handed out the shared memory");
  if (got == 0) return "the first process of this host has refused this one";
  const unsigned n = take_files(&m, file);
  return n >= 2 && !(m.msg_flags & MSG_CTRUNC)
      ? NULL
      : "the first process of this host has not handed out all files; see ulimit -n";
}

static const char *ask(int fd, const struct pst_pmi_card *card, unsigned index, int file[FILES])
{
  struct knock k = {.index = index};
  const char *why = go_to(card, fd);
  if (why) return why;
  memcpy(k.secret, card->secret, sizeof k.secret);
  if (send(fd, &k, sizeof k, MSG_NOSIGNAL) != (ssize_t)sizeof k)
    return failed("cannot ask the first process of this host");
  return receive_files(fd, file);
}

const char *pst_pmi_fetch(
    const struct pst_pmi_card *card, unsigned index, unsigned local, double seconds, struct pst_hostmem *hm)
{
  int file[FILES] = {-1, -1, -1};
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return failed("cannot open a socket");
  limit_waiting(fd, seconds);
  const char *why = ask(fd, card, index, file);
  close(fd);
  if (!why) {
    char text[96];
    unsigned rank;
    snprintf(text, sizeof text, "1:%u:%u:%d:%d:%d", index, local, file[0], file[1], file[2]);
    if (pst_hostmem_adopt(text, &rank, hm, &why) == PST_OK) return NULL;
  }
  for (unsigned i = 0; i < FILES; i++)
    if (file[i] >= 0) close(file[i]);
  return why;
}
