#include "launch/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "launch/options.h"

enum {
  READ_SIZE = 64 * 1024,   /* what a pipe holds */
  LINE_MOST = 1024 * 1024, /* a longer line is broken */
  WRITE_SIZE = 4096,       /* what a pipe that poll calls writable takes without blocking */
  WAIT_MS = 50             /* for a slow reader, before signals are looked at again */
};

struct text {
  char *data;
  size_t size, room;
};

/* Where lines go: standard output or error. */
struct sink {
  int fd;
  int dead;            /* nobody reads any more */
  struct text pending; /* whole lines with their tags; at most what one read and one line bring */
  size_t done;         /* of pending */
};

struct stream {
  struct sink *sink;
  struct text line;    /* the beginning of a line whose end has not come */
  int child_end;
  int own_end;
  char tag[16];
};

struct output {
  struct sink sink[2];
  unsigned nodes;
  struct rlimit files; /* to give back to the children */
  struct stream stream[]; /* [2 * nodes]: output and error of node 0, of node 1, ... */
};

static void append(struct text *t, const char *data, size_t n)
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

/* Descriptors of two pipes a node are many: take what the hard limit gives, for gasnetrun only. */
static void raise_files(struct rlimit *old)
{
  if (getrlimit(RLIMIT_NOFILE, old) != 0) return;
  struct rlimit most = {old->rlim_max, old->rlim_max};
  setrlimit(RLIMIT_NOFILE, &most);
}

static void open_stream(struct stream *s, struct sink *sink, unsigned node, unsigned nodes)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail(1, "cannot make the pipes for the output of %u processes: %s%s", nodes, strerror(errno),
         errno == EMFILE ? "; raise the limit of open files (ulimit -n)" : "");
  s->sink = sink;
  s->own_end = ends[0];
  s->child_end = ends[1];
  snprintf(s->tag, sizeof s->tag, "[%u] ", node);
}

struct output *output_open(unsigned nodes)
{
  struct output *o = calloc(1, sizeof *o + 2 * (size_t)nodes * sizeof o->stream[0]);
  if (!o) fail(1, "out of memory");
  o->nodes = nodes;
  o->sink[0].fd = STDOUT_FILENO;
  o->sink[1].fd = STDERR_FILENO;
  raise_files(&o->files);
  for (unsigned i = 0; i < 2 * nodes; i++) open_stream(&o->stream[i], &o->sink[i % 2], i / 2, nodes);
  return o;
}

void output_child(struct output *o, unsigned node)
{
  if (dup2(o->stream[2 * node].child_end, STDOUT_FILENO) < 0 || dup2(o->stream[2 * node + 1].child_end, STDERR_FILENO) < 0)
    _exit(1);
  setrlimit(RLIMIT_NOFILE, &o->files);
}

/* Writes pending lines, `wait_ms` at most for each piece (-1: as long as it takes). Returns 0 when some are left. */
static int flush_sink(struct sink *k, int wait_ms)
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
      if (k->fd == STDOUT_FILENO) dprintf(STDERR_FILENO, "gasnetrun: cannot write the output: %s\n", strerror(errno));
    }
  }
  k->pending.size = k->done = 0;
  return 1;
}

static void emit(struct stream *s, const char *data, size_t n, int with_end)
{
  if (s->sink->dead) return;
  append(&s->sink->pending, s->tag, strlen(s->tag));
  append(&s->sink->pending, s->line.data ? s->line.data : "", s->line.size);
  append(&s->sink->pending, data, n);
  if (!with_end) append(&s->sink->pending, "\n", 1);
  s->line.size = 0;
}

/* Lines go out whole: two processes' halves on one line would be nobody's. */
static void take(struct stream *s, const char *data, size_t n)
{
  for (const char *end; n && (end = memchr(data, '\n', n)) != NULL;) {
    size_t part = (size_t)(end - data) + 1;
    emit(s, data, part, 1);
    data += part;
    n -= part;
  }
  if (s->line.size + n > LINE_MOST)
    emit(s, data, n, 0);
  else if (n)
    append(&s->line, data, n);
}

/* Reads no more while the reader of our own output has not taken what was read before. */
static int readable(int fd, void *arg)
{
  static char buffer[READ_SIZE];
  struct stream *s = arg;
  if (!flush_sink(s->sink, WAIT_MS)) return 1;
  ssize_t n = read(fd, buffer, sizeof buffer);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n > 0) {
    take(s, buffer, (size_t)n);
    flush_sink(s->sink, 0);
    return 1;
  }
  if (s->line.size) emit(s, "", 0, 0);
  close(fd);
  s->own_end = -1;
  return 0;
}

void output_watch(struct output *o, struct pst_loop_fd *watch)
{
  for (unsigned i = 0; i < 2 * o->nodes; i++) {
    struct stream *s = &o->stream[i];
    close(s->child_end);
    fcntl(s->own_end, F_SETFL, O_NONBLOCK);
    watch[i] = (struct pst_loop_fd){s->own_end, readable, s, POLLIN};
  }
}

void output_close(struct output *o)
{
  for (unsigned i = 0; i < 2 * o->nodes; i++) {
    if (o->stream[i].line.size) emit(&o->stream[i], "", 0, 0);
    free(o->stream[i].line.data);
    if (o->stream[i].own_end >= 0) close(o->stream[i].own_end);
  }
  for (unsigned k = 0; k < 2; k++) {
    flush_sink(&o->sink[k], -1);
    free(o->sink[k].pending.data);
  }
  free(o);
}
