/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Lines and counts of events. A line is one write to a file opened for appending, so the nodes may share
 * one; counts live in a table of fixed size that is filled without locks, so any thread and any signal
 * handler may report an event.
 *
 * Invariant of the table: a slot's name goes from NULL to its final value once, by compare-and-swap;
 * whoever sees it may add to the numbers. Relaxed order suffices: the names are constants of the program,
 * and the numbers are read once, at the end, where an event under way in another thread may or may not be
 * included. */
#include "core/trace.h"

#include "core/conduit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/variables.h"
#include "support/env.h"
#include "support/error.h"

enum { LETTERS = 26, SLOTS = 64, LINE = 1024 };

struct count {
  _Atomic(const char *) name;
  _Atomic uint64_t events, total, most;
  _Atomic uint64_t least_not; /* ~least: so that zero is "none yet" */
};

PST_HOT_DATA uint32_t pst_trace_on;

static struct {
  _Atomic int trace_fd, stats_fd; /* -1: none */
  _Atomic uint32_t trace_mask, stats_mask;
  _Atomic int open;
  unsigned node, nodes;
  atomic_uint threads;
} tr = {.trace_fd = -1, .stats_fd = -1};

static struct count counts[LETTERS][SLOTS];
static _Thread_local unsigned my_thread; /* 1.., given at a thread's first line; 0 before */

static unsigned thread_number(void)
{
  if (!my_thread) my_thread = 1 + atomic_fetch_add_explicit(&tr.threads, 1, memory_order_relaxed);
  return my_thread - 1;
}

/* Off for good, said once: a full disk must not turn into a message for each event. */
static void give_up_tracing(void)
{
  uint32_t was = atomic_exchange(&tr.trace_mask, 0);
  if (!was) return;
  __atomic_store_n(&pst_trace_on, atomic_load(&tr.stats_mask), __ATOMIC_RELAXED);
  pst_warn("cannot write the trace: %s; tracing ends here", strerror(errno));
}

static int write_line(int fd, const char *text, size_t n)
{
  while (n) {
    ssize_t done = write(fd, text, n);
    if (done < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (done <= 0) return -1;
    text += done;
    n -= (size_t)done;
  }
  return 0;
}

/* CLOCK_MONOTONIC itself, not the time since the start: the nodes of a host can be compared. */
static int line_head(char *line, size_t size, char letter)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return snprintf(
      line, size, "%lld.%09ld %u %u %c ", (long long)t.tv_sec, t.tv_nsec, tr.node, thread_number(), letter);
}

static void write_trace(const char *line, size_t n)
{
  int fd = atomic_load_explicit(&tr.trace_fd, memory_order_relaxed);
  if (fd < 0) return;
  int saved = errno; /* an event may be reported between a call and the caller's look at errno */
  if (write_line(fd, line, n) != 0) give_up_tracing();
  errno = saved;
}

/* Off for good where the file takes no more, as tracing. */
static int write_stats(const char *line, size_t n)
{
  int fd = atomic_load_explicit(&tr.stats_fd, memory_order_relaxed);
  int saved = errno, failed = fd >= 0 && write_line(fd, line, n) != 0;
  if (failed && atomic_exchange(&tr.stats_mask, 0)) {
    __atomic_store_n(&pst_trace_on, atomic_load(&tr.trace_mask), __ATOMIC_RELAXED);
    pst_warn("cannot write the statistics: %s", strerror(errno));
  }
  errno = saved;
  return failed;
}

static struct count *count_find(char letter, const char *name)
{
  struct count *row = counts[letter - 'A'];
  unsigned h = (unsigned)(((uintptr_t)name * 0x9e3779b97f4a7c15ull) >> 58);
  for (unsigned k = 0; k < SLOTS; k++) {
    struct count *c = &row[(h + k) % SLOTS];
    const char *there = NULL;
    if (atomic_load_explicit(&c->name, memory_order_relaxed) == name) return c;
    if (atomic_compare_exchange_strong_explicit(
            &c->name, &there, name, memory_order_relaxed, memory_order_relaxed) ||
        there == name)
      return c;
  }
  return NULL;
}

static void raise_to(_Atomic uint64_t *most, uint64_t v)
{
  uint64_t old = atomic_load_explicit(most, memory_order_relaxed);
  while (old < v &&
      !atomic_compare_exchange_weak_explicit(most, &old, v, memory_order_relaxed, memory_order_relaxed)) {}
}

static void count_event(char letter, const char *name, size_t bytes)
{
  struct count *c = count_find(letter, name);
  if (!c) return; /* 64 names of one letter are more than the library has */
  raise_to(&c->most, bytes);
  raise_to(&c->least_not, ~(uint64_t)bytes);
  atomic_fetch_add_explicit(&c->total, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&c->events, 1, memory_order_relaxed);
}

static uint32_t letter_bit(char letter) { return letter >= 'A' && letter <= 'Z' ? 1u << (letter - 'A') : 0; }

void pst_trace_event(char letter, const char *name, int peer, size_t bytes)
{
  if (atomic_load_explicit(&tr.stats_mask, memory_order_relaxed) & letter_bit(letter))
    count_event(letter, name, bytes);
  if (!(atomic_load_explicit(&tr.trace_mask, memory_order_relaxed) & letter_bit(letter))) return;
  char line[256];
  int n = line_head(line, sizeof line, letter);
  n += snprintf(line + n, sizeof line - (size_t)n, "%.120s %d %zu\n", name, peer, bytes);
  write_trace(line, (size_t)n);
}

/* One event is one line: newlines in the client's text become blanks. `line` has room for LINE bytes; its
 * first `head` bytes are there already. Returns its length, or 0 where the format is wrong. */
static size_t format_body(char *line, size_t head, const char *fmt, va_list args)
{
  int body = vsnprintf(line + head, LINE - head - 1, fmt, args);
  if (body < 0) return 0;
  size_t n = head + (size_t)body;
  if (n > LINE - 2) n = LINE
  -2;
  if (n > head && line[n - 1] == '\n') n--;
  for (size_t i = head; i < n; i++)
    if (line[i] == '\n' || line[i] == '\r') line[i] = ' ';
  line[n] = '\n';
  return n + 1;
}

void pst_trace_printf(char letter, const char *fmt, ...)
{
  if (!(atomic_load_explicit(&tr.trace_mask, memory_order_relaxed) & letter_bit(letter))) return;
  char line[LINE];
  va_list args;
  va_start(args, fmt);
  size_t n = format_body(line, (size_t)line_head(line, sizeof line, letter), fmt, args);
  va_end(args);
  if (n) write_trace(line, n);
}

void pst_stats_printf(int force, const char *fmt, ...)
{
  const uint32_t mask = atomic_load_explicit(&tr.stats_mask, memory_order_relaxed);
  if (!(force ? mask : mask & letter_bit('H'))) return;
  char line[LINE];
  va_list args;
  va_start(args, fmt);
  size_t n = format_body(line, (size_t)snprintf(line, sizeof line, "node %u H ", tr.node), fmt, args);
  va_end(args);
  if (n) write_stats(line, n);
}

/* Every % becomes the node's number. Returns 1 when there was one: then the file is this node's alone. */
static int expand_name(const char *pattern, unsigned node, char *name, size_t size)
{
  size_t n = 0;
  int own = 0;
  for (; *pattern && n < size - 1; pattern++) {
    if (*pattern != '%') {
      name[n++] = *pattern;
      continue;
    }
    int digits = snprintf(name + n, size - n, "%u", node);
    n = n + (size_t)digits < size ? n + (size_t)digits : size - 1;
    own = 1;
  }
  name[n] = '\0';
  return own;
}

/* A file that the nodes share is appended to: a node that emptied it would destroy what others have
 * written. */
static int open_file(const struct pst_variable *variable, const char *what)
{
  char name[4096];
  const char *pattern = pst_env_string(variable);
  if (!pattern || !*pattern) return -1;
  if (strcmp(pattern, "-") == 0 || strcmp(pattern, "stderr") == 0) return STDERR_FILENO;
  if (strcmp(pattern, "stdout") == 0) return STDOUT_FILENO;
  int own = expand_name(pattern, tr.node, name, sizeof name) || tr.nodes == 1;
  int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (own ? O_TRUNC : 0), 0666);
  if (fd >= 0 && fd <= 2) fd = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* a closed standard stream stays closed */
  if (fd < 0) pst_fatal("cannot make the %s '%s': %m", what, name);
  return fd;
}

static uint32_t parse_mask(const struct pst_variable *variable)
{
  const char *text = pst_env_string(variable); /* bad letters are fatal there */
  uint32_t mask = 0;
  if (!text || !*text) return (1u << LETTERS) - 1;
  for (; *text; text++) mask |= letter_bit(*text);
  return mask;
}

/* Closes the file of an earlier pst_trace_open in this process. Files stay open after pst_trace_close:
 * another thread may be about to write, and the descriptor must not be another file's by then. */
static void file_release(_Atomic int *fd)
{
  int old = atomic_exchange(fd, -1);
  if (old > 2) close(old);
}

void pst_trace_open(unsigned node, unsigned nodes)
{
  uint32_t trace = parse_mask(&pst_core_env.tracemask), stats = parse_mask(&pst_core_env.statsmask);
  file_release(&tr.trace_fd);
  file_release(&tr.stats_fd);
  tr.node = node;
  tr.nodes = nodes;
  memset(counts, 0, sizeof counts);
  tr.trace_fd = open_file(&pst_core_env.tracefile, "trace file of GASNET_TRACEFILE");
  tr.stats_fd = open_file(&pst_core_env.statsfile, "statistics file of GASNET_STATSFILE");
  tr.trace_mask = tr.trace_fd < 0 ? 0 : trace;
  tr.stats_mask = tr.stats_fd < 0 ? 0 : stats;
  tr.open = 1;
  __atomic_store_n(&pst_trace_on, tr.trace_mask | tr.stats_mask, __ATOMIC_RELAXED);
  pst_trace_printf('I', "node %u of %u, process %ld, started", node, nodes, (long)getpid());
}

/* The same text may have several addresses, one an object file: they are one event. Numbers are moved, so
 * that other threads may go on counting meanwhile. */
static void row_merge(struct count *row)
{
  for (unsigned i = 0; i < SLOTS; i++)
    for (unsigned j = i + 1; row[i].name && j < SLOTS; j++) {
      if (!row[j].name || !row[j].events || strcmp(row[i].name, row[j].name) != 0) continue;
      raise_to(&row[i].most, atomic_exchange(&row[j].most, 0));
      raise_to(&row[i].least_not, atomic_exchange(&row[j].least_not, 0));
      row[i].total += atomic_exchange(&row[j].total, 0);
      row[i].events += atomic_exchange(&row[j].events, 0);
    }
}

static int write_count(char letter, const struct count *c)
{
  char line[256];
  uint64_t events = c->events, total = c->total;
  if (!events) return 0;
  int n = snprintf(line, sizeof line,
      "node %u %c %.100s: count %llu bytes total %llu min %llu max %llu avg %.1f\n", tr.node, letter, c->name,
      (unsigned long long)events, (unsigned long long)total, (unsigned long long)~c->least_not,
      (unsigned long long)c->most, (double)total / (double)events);
  return write_stats(line, (size_t)n);
}

static void write_statistics(void)
{
  char line[96];
  struct rusage use;
  for (unsigned l = 0; l < LETTERS; l++) {
    row_merge(counts[l]);
    for (unsigned i = 0; i < SLOTS; i++)
      if (write_count((char)('A' + l), &counts[l][i]) != 0) return;
  }
  getrusage(RUSAGE_SELF, &use);
  int n = snprintf(line, sizeof line, "node %u peak memory: %ld KiB\n", tr.node, use.ru_maxrss);
  write_stats(line, (size_t)n);
}

static void count_from_zero(struct count *c)
{
  c->events = 0;
  c->total = 0;
  c->most = 0;
  c->least_not = 0;
}

void pst_stats_dump(int reset)
{
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  if (!atomic_load(&tr.stats_mask)) return;
  pthread_mutex_lock(&one_at_a_time);
  write_statistics();
  for (unsigned i = 0; reset && i < LETTERS * SLOTS; i++) count_from_zero(&counts[i / SLOTS][i % SLOTS]);
  pthread_mutex_unlock(&one_at_a_time);
}

void pst_trace_close(void)
{
  if (!atomic_exchange(&tr.open, 0)) return;
  __atomic_store_n(&pst_trace_on, 0, __ATOMIC_RELAXED);
  pst_trace_printf('I', "node %u ends", tr.node);
  tr.trace_mask = 0;
  if (tr.stats_fd >= 0) write_statistics();
  tr.stats_mask = 0;
}
