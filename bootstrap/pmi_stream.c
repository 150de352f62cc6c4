/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/pmi_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "bootstrap/loop.h"
#include "bootstrap/pmi.h"
#include "bootstrap/pmi_text.h"

static const char
    gone[] = "the launcher has closed its connection to this process (a program can run once in a job)";
static const char long_message[] = "the launcher has sent a message that is too long";

static char why_text[160];

static const char *failed(const char *what)
{
  snprintf(why_text, sizeof why_text, "%s: %s", what, strerror(errno));
  return why_text;
}

const char *pst_pmi_send(struct pst_pmi_stream *s, const char *bytes, size_t n)
{
  while (n) {
    const ssize_t done = send(s->fd, bytes, n, MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno == EPIPE ? gone : failed("cannot speak to the launcher");
    bytes += done;
    n -= (size_t)done;
  }
  return NULL;
}

static const char *wait_until(int fd, double until)
{
  for (;;) {
    const double rest = until - pst_loop_now();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    const int n = poll(&p, 1, rest <= 0 ? 0 : rest < 1000 ? (int)(rest * 1000) + 1 : 1000000);
    if (n > 0) return NULL;
    if (n < 0 && errno != EINTR) return failed("cannot wait for the launcher");
    if (rest <= 0) return pst_pmi_late;
  }
}

static const char *receive_some(struct pst_pmi_stream *s, double until)
{
  if (s->have == sizeof s->in) return long_message;
  const char *why = wait_until(s->fd, until);
  if (why) return why;
  const ssize_t n = recv(s->fd, s->in + s->have, sizeof s->in - s->have, 0);
  if (n < 0 && errno == EINTR) return NULL;
  if (n < 0 && errno != ECONNRESET) return failed("cannot hear the launcher");
  if (n <= 0) return gone;
  s->have += (size_t)n;
  return NULL;
}

/* The message lies at `begin`; `used` bytes of the input end with it. */
static const char *take(struct pst_pmi_stream *s, size_t begin, size_t size, size_t used)
{
  if (memchr(s->in + begin, 0, size)) return "the launcher has sent a message that is no text";
  memcpy(s->text, s->in + begin, size);
  s->text[size] = '\0';
  s->have -= used;
  memmove(s->in, s->in + used, s->have);
  return NULL;
}

const char *pst_pmi_receive_line(struct pst_pmi_stream *s, double seconds)
{
  const double until = pst_loop_now() + seconds;
  for (;;) {
    const char *end = memchr(s->in, '\n', s->have);
    if (end) return take(s, 0, (size_t)(end - s->in), (size_t)(end - s->in) + 1);
    const char *why = receive_some(s, until);
    if (why) return why;
  }
}

const char *pst_pmi_receive_counted(struct pst_pmi_stream *s, double seconds)
{
  const double until = pst_loop_now() + seconds;
  for (;;) {
    size_t size = 0;
    if (s->have >= PST_PMI_COUNT && pst_pmi_count(s->in, sizeof s->in - PST_PMI_COUNT, &size) != 0)
      return "the launcher has sent a message of no possible length";
    if (s->have >= PST_PMI_COUNT && s->have - PST_PMI_COUNT >= size)
      return take(s, PST_PMI_COUNT, size, PST_PMI_COUNT + size);
    const char *why = receive_some(s, until);
    if (why) return why;
  }
}
