/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

enum {
  LINE_MOST = 1024 * 1024, /* a longer line is broken */
  WRITE_SIZE = 4096        /* what a pipe that poll calls writable takes without blocking */
};

struct text {
  char *data;
  size_t size, room;
};

/* Where lines go: standard output or error. */
struct sink {
  int fd;
  int dead;   /* nobody reads any more, or it cannot be written */
  int failed; /* the latter */
  struct text
      pending; /* at most what one read and one line bring, or what may be under way from other hosts */
  size_t done; /* of pending */
};

struct stream {
  struct sink *sink;
  struct text line; /* the beginning of a line whose end has not come */
  char tag[16];
};

struct output {
  struct sink sink[2];
  unsigned nodes;
  int tagged;
  struct stream stream[]; /* [2 * nodes]: output and error of node 0, of node 1, ... */
};

static void text_append(struct text *t, const char *data, size_t n)
{
  if (t->room < t->size + n) {
    size_t room = 2 * (t->size + n);
    char *grown = realloc(t->data, room);
    if (!grown) fail(1, "out of memory for the output of the processes");
    t->data = grown;
    t->room = room;
  }
  memcpy(t->data + t->size, data, n);
  t->size += n;
}

struct output *output_open(unsigned nodes, int tagged)
{
  struct output *o = calloc(1, sizeof *o + 2 * (size_t)nodes * sizeof o->stream[0]);
  if (!o) fail(1, "out of memory");
  o->nodes = nodes;
  o->tagged = tagged;
  o->sink[0].fd = STDOUT_FILENO;
  o->sink[1].fd = STDERR_FILENO;
  for (unsigned i = 0; i < 2 * nodes; i++) {
    o->stream[i].sink = &o->sink[i % 2];
    snprintf(o->stream[i].tag, sizeof o->stream[i].tag, "[%u] ", i / 2);
  }
  return o;
}

static int sink_flush(struct sink *k, int wait_ms)
{
  while (!k->dead && k->done < k->pending.size) {
    size_t left = k->pending.size - k->done;
    struct pollfd p = {.fd = k->fd, .events = POLLOUT};
    int ready = poll(&p, 1, wait_ms);
    if (ready == 0) return 0;
    ssize_t n = write(k->fd, k->pending.data + k->done, left < WRITE_SIZE ? left : WRITE_SIZE);
    if (n > 0) k->done += (size_t)n;
    if (n < 0 && errno != EINTR && errno != EAGAIN) {
      k->dead = 1;
      k->failed = errno != EPIPE;
      if (k->fd == STDOUT_FILENO)
        dprintf(STDERR_FILENO, "gasnetrun: cannot write the output: %s\n", strerror(errno));
    }
  }
  k->pending.size = k->done = 0;
  return 1;
}

static void stream_emit(struct stream *s, const char *data, size_t n, int with_end)
{
  if (s->sink->dead) return;
  text_append(&s->sink->pending, s->tag, strlen(s->tag));
  text_append(&s->sink->pending, s->line.data ? s->line.data : "", s->line.size);
  text_append(&s->sink->pending, data, n);
  if (!with_end) text_append(&s->sink->pending, "\n", 1);
  s->line.size = 0;
}

/* Lines are written whole: halves of two processes on one line would be useless. */
static void stream_take_lines(struct stream *s, const char *data, size_t n)
{
  for (const char *end; n && (end = memchr(data, '\n', n)) != NULL;) {
    size_t part = (size_t)(end - data) + 1;
    stream_emit(s, data, part, 1);
    data += part;
    n -= part;
  }
  if (s->line.size + n > LINE_MOST) stream_emit(s, data, n, 0);
  else if (n) text_append(&s->line, data, n);
}

void output_take(struct output *o, unsigned node, unsigned which, const char *data, size_t n)
{
  struct stream *s = &o->stream[2 * node + which];
  if (o->tagged) stream_take_lines(s, data, n);
  else if (!s->sink->dead) text_append(&s->sink->pending, data, n);
}

void output_end(struct output *o, unsigned node, unsigned which)
{
  struct stream *s = &o->stream[2 * node + which];
  if (s->line.size) stream_emit(s, "", 0, 0);
}

int output_flush(struct output *o, unsigned which, int wait_ms)
{
  return sink_flush(&o->sink[which], wait_ms);
}

int output_close(struct output *o)
{
  int failed = 0;
  for (unsigned i = 0; i < 2 * o->nodes; i++) {
    output_end(o, i / 2, i % 2);
    free(o->stream[i].line.data);
  }
  for (unsigned k = 0; k < 2; k++) {
    sink_flush(&o->sink[k], -1);
    failed |= o->sink[k].failed;
    free(o->sink[k].pending.data);
  }
  free(o);
  return failed ? -1 : 0;
}
