/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/share.h"

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

struct request {
  unsigned char secret[sizeof((struct pst_contact *)0)->secret];
  uint32_t index;
};
union passed {
  char bytes[CMSG_SPACE(FILES * sizeof(int))];
  struct cmsghdr align;
};

/* ---- the socket ---- */

/* The kernel chooses a name, for which there is no file. */
static const char *socket_name(int fd, struct pst_contact *contact)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  socklen_t size = sizeof a;
  if (bind(fd, (struct sockaddr *)&a, sizeof a.sun_family) != 0) return pst_why("cannot name a socket: %m");
  if (getsockname(fd, (struct sockaddr *)&a, &size) != 0) return pst_why("cannot name a socket: %m");
  const size_t n = size - offsetof(struct sockaddr_un, sun_path);
  if (n < 1 || n > sizeof contact->name) return "a socket got an impossible name";
  contact->name_size = (unsigned char)n;
  memcpy(contact->name, a.sun_path, n);
  return NULL;
}

const char *pst_share_open(int *listener, struct pst_contact *contact)
{
  if (getrandom(contact->secret, sizeof contact->secret, 0) != (ssize_t)sizeof contact->secret)
    return pst_why("cannot make a secret: %m");
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return pst_why("cannot open a socket: %m");
  const char *why = socket_name(fd, contact);
  if (!why && listen(fd, QUEUE) != 0) why = pst_why("cannot listen on a socket: %m");
  if (why) close(fd);
  else *listener = fd;
  return why;
}

static int peer_is_same_user(int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

static void socket_limit_time(int fd, double seconds)
{
  if (seconds > 3600) seconds = 3600; /* a time of 0 would set no limit */
  const struct timeval t = {(time_t)seconds, (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) + 1};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* ---- giving ---- */

static int secret_is_same(const unsigned char *a, const unsigned char *b, size_t n)
{
  unsigned difference = 0;
  for (size_t i = 0; i < n; i++) difference |= a[i] ^ b[i];
  return difference == 0;
}

static int files_send(int fd, const struct pst_hostmem *hm)
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

/* Returns the index of the process that was served, or 0 for a stranger: 0 is this process itself. */
static unsigned request_serve(int fd, const struct pst_contact *contact, const struct pst_hostmem *hm,
    unsigned local, const unsigned char *served)
{
  struct request request;
  socket_limit_time(fd, 5);
  if (!peer_is_same_user(fd) || recv(fd, &request, sizeof request, 0) != (ssize_t)sizeof request) return 0;
  if (!secret_is_same(request.secret, contact->secret, sizeof request.secret)) return 0;
  if (request.index < 1 || request.index >= local || served[request.index]) return 0;
  return files_send(fd, hm) ? request.index : 0;
}

static int connection_await(int fd, double until)
{
  for (;;) {
    struct pollfd p = {.fd = fd, .events = POLLIN};
    const int rest = pst_loop_milliseconds(until);
    if (rest == 0) return 0;
    if (poll(&p, 1, rest) > 0) return 1;
  }
}

static const char *name_missing(unsigned local, const unsigned char *served)
{
  unsigned i = 1;
  while (i + 1 < local && served[i]) i++;
  return pst_why("process %u of the %u on this host has not come for the shared memory in time", i, local);
}

const char *pst_share_give(int listener, const struct pst_contact *contact, const struct pst_hostmem *hm,
    unsigned local, double seconds)
{
  const double until = pst_loop_now() + seconds;
  unsigned char served[PST_MAX_LOCAL] = {0};
  for (unsigned left = local - 1; left;) {
    if (!connection_await(listener, until)) return name_missing(local, served);
    const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (fd < 0) return pst_why("cannot take a connection from another process of this host: %m");
    const unsigned index = request_serve(fd, contact, hm, local, served);
    close(fd);
    if (!index) continue;
    served[index] = 1;
    left--;
  }
  return NULL;
}

/* ---- fetching ---- */

static const char *first_connect(const struct pst_contact *contact, int fd)
{
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  memcpy(a.sun_path, contact->name, contact->name_size);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + contact->name_size);
  if (connect(fd, (struct sockaddr *)&a, size) != 0)
    return pst_why("cannot reach the first process of this host: %m");
  return peer_is_same_user(fd) ? NULL : "another user answers in place of the first process of this host";
}

/* Files that came are closed whatever else is wrong. Descriptors 0 to 2 are left free: they are the standard
 * streams, even in a process where those are closed. */
static unsigned files_take(struct msghdr *m, int file[FILES])
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

static const char *files_receive(int fd, int file[FILES])
{
  union passed passed;
  char byte;
  struct iovec iov = {&byte, 1};
  struct msghdr m = {
      .msg_iov = &iov, .msg_iovlen = 1, .msg_control = passed.bytes, .msg_controllen = sizeof passed.bytes};
  const ssize_t got = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
  if (got < 0) return pst_why("the first process of this host has not handed out the shared memory: %m");
  if (got == 0) return "the first process of this host has refused this one";
  const unsigned n = files_take(&m, file);
  return n >= 2 && !(m.msg_flags & MSG_CTRUNC)
      ? NULL
      : "the first process of this host has not handed out all files; see ulimit -n";
}

static const char *files_ask(int fd, const struct pst_contact *contact, unsigned index, int file[FILES])
{
  struct request request = {.index = index};
  const char *why = first_connect(contact, fd);
  if (why) return why;
  memcpy(request.secret, contact->secret, sizeof request.secret);
  if (send(fd, &request, sizeof request, MSG_NOSIGNAL) != (ssize_t)sizeof request)
    return pst_why("cannot ask the first process of this host: %m");
  return files_receive(fd, file);
}

const char *pst_share_fetch(
    const struct pst_contact *contact, unsigned index, unsigned local, double seconds, struct pst_hostmem *hm)
{
  int file[FILES] = {-1, -1, -1};
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return pst_why("cannot open a socket: %m");
  socket_limit_time(fd, seconds);
  const char *why = files_ask(fd, contact, index, file);
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
