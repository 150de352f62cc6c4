/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tracing and statistics: what is written, by which node, and that no line is torn or lost. */
#include "core/trace.h"

#include <pthread.h>
#include <signal.h>

#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

enum { THREADS = 4, EVENTS = 2000 };

static char dir[] = "/tmp/penstock-test-XXXXXX";

static const char *path(const char *name)
{
  static char text[256];
  snprintf(text, sizeof text, "%s/%s", dir, name);
  return text;
}

/* The file's text, malloc'ed; NULL where there is none. */
static char *contents(const char *name)
{
  FILE *f = fopen(path(name), "r");
  if (!f) return NULL;
  char *text = NULL;
  size_t n = 0;
  ssize_t got = getdelim(&text, &n, '\0', f);
  fclose(f);
  if (got >= 0) return text;
  free(text);
  return strdup("");
}

static unsigned count(const char *text, const char *word)
{
  unsigned n = 0;
  for (const char *p = text; p && (p = strstr(p, word)) != NULL; p++) n++;
  return n;
}

static int run(void (*body)(void *), const char *trace, const char *trace_mask, const char *stats,
    const char *stats_mask)
{
  const char *const value[] = {trace, trace_mask, stats, stats_mask};
  static const char *const name[] = {
      "GASNET_TRACEFILE", "GASNET_TRACEMASK", "GASNET_STATSFILE", "GASNET_STATSMASK"};
  for (unsigned i = 0; i < 4; i++)
    if (!value[i]) unsetenv(name[i]);
    else setenv(name[i], i % 2 == 0 && strchr("-/", value[i][0]) == NULL ? path(value[i]) : value[i], 1);
  return in_child(body, NULL);
}

static void some_events(void *unused)
{
  (void)unused;
  pst_trace_open(3, 8);
  PST_TRACE('P', "put", 5, 100);
  PST_TRACE('P', "put", 6, 7);
  PST_TRACE('G', "get", 1, 4096);
  PST_TRACE('B', "barrier notify", -1, 0);
  pst_trace_printf('H', "client says %d\nin two lines\n", 42);
  pst_trace_close();
  pst_trace_close();
  CHILD_CHECK(pst_trace_on == 0);
  PST_TRACE('P', "put", 5, 100);
  pst_trace_event('P', "put", 5, 100);
  pst_trace_printf('H', "too late");
}

static void test_lines(void)
{
  CU_ASSERT(ended_with(run(some_events, "t.%", NULL, NULL, NULL), 0));
  char *text = contents("t.3");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT(count(text, "\n") == 7); /* five, and one each for start and end */
  CU_ASSERT(count(text, " 3 0 P put 5 100\n") == 1);
  CU_ASSERT(count(text, " 3 0 P put 6 7\n") == 1);
  CU_ASSERT(count(text, " 3 0 B barrier notify -1 0\n") == 1);
  CU_ASSERT(count(text, " 3 0 H client says 42 in two lines\n") == 1);
  CU_ASSERT(count(text, "too late") == 0);
  double first, second;
  CU_ASSERT(sscanf(text, "%lf", &first) == 1 && sscanf(strchr(text, '\n') + 1, "%lf", &second) == 1 &&
      second >= first);
  free(text);
  CU_ASSERT(child_said[0] == '\0');
}

static void test_own_file_starts_anew(void)
{
  CU_ASSERT(ended_with(run(some_events, "t.%", NULL, NULL, NULL), 0));
  char *text = contents("t.3");
  CU_ASSERT(count(text, "P put 5 100\n") == 1);
  free(text);
}

static void test_mask(void)
{
  CU_ASSERT(ended_with(run(some_events, "m", "GB", NULL, NULL), 0));
  char *text = contents("m");
  CU_ASSERT(count(text, "\n") == 2 && count(text, "G get 1 4096") == 1 && count(text, "B barrier") == 1);
  free(text);
}

static void test_stderr(void)
{
  CU_ASSERT(ended_with(run(some_events, "-", "P", NULL, NULL), 0));
  CU_ASSERT(count(child_said, "\n") == 2 && count(child_said, " 3 0 P put ") == 2);
}

static void nothing_is_on(void *unused)
{
  (void)unused;
  pst_trace_open(0, 1);
  CHILD_CHECK(pst_trace_on == 0);
  pst_trace_close();
}

static void test_mask_alone_does_nothing(void)
{
  CU_ASSERT(ended_with(run(nothing_is_on, NULL, "GP", NULL, "A"), 0));
  CU_ASSERT(ended_with(run(nothing_is_on, NULL, NULL, NULL, NULL), 0));
  CU_ASSERT(child_said[0] == '\0');
}

static void test_bad_mask(void)
{
  CU_ASSERT(ended_with(run(nothing_is_on, "x", "G!P", NULL, NULL), 1));
  CU_ASSERT(count(child_said, "GASNET_TRACEMASK") == 1 && strstr(child_said, "G!P") &&
      strstr(child_said, "ABCDGHILNPSW"));
  CU_ASSERT(ended_with(run(nothing_is_on, NULL, NULL, "x", "zz"), 1));
  CU_ASSERT(count(child_said, "GASNET_STATSMASK") == 1);
}

static void test_no_such_directory(void)
{
  CU_ASSERT(ended_with(run(nothing_is_on, "/no/such/file", NULL, NULL, NULL), 1));
  CU_ASSERT(strstr(child_said, "GASNET_TRACEFILE") && strstr(child_said, "/no/such/file") &&
      strstr(child_said, "No such file"));
  CU_ASSERT(ended_with(run(nothing_is_on, NULL, NULL, "/no/such/file", NULL), 1));
  CU_ASSERT(strstr(child_said, "GASNET_STATSFILE") != NULL);
}

static void test_full_disk(void)
{
  CU_ASSERT(ended_with(run(some_events, "/dev/full", NULL, NULL, NULL), 0));
  CU_ASSERT(count(child_said, "cannot write the trace") == 1);
  CU_ASSERT(ended_with(run(some_events, NULL, NULL, "/dev/full", NULL), 0));
  CU_ASSERT(count(child_said, "cannot write the statistics") == 1);
}

static void test_statistics(void)
{
  CU_ASSERT(ended_with(run(some_events, NULL, NULL, "s", "PB"), 0));
  char *text = contents("s");
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT(count(text, "node 3 P put: count 2 bytes total 107 min 7 max 100 avg 53.5\n") == 1);
  CU_ASSERT(count(text, "node 3 B barrier notify: count 1 bytes total 0 min 0 max 0 avg 0.0\n") == 1);
  CU_ASSERT(count(text, "get") == 0);
  char *peak = strstr(text, "node 3 peak memory: ");
  CU_ASSERT(peak && atol(peak + strlen("node 3 peak memory: ")) > 100);
  free(text);
}

/* One text in two object files has two addresses; here these are two arrays. */
static void two_addresses(void *unused)
{
  static const char one[] = "put", other[] = "put";
  (void)unused;
  pst_trace_open(0, 1);
  PST_TRACE('P', one, 0, 10);
  PST_TRACE('P', other, 0, 2);
  PST_TRACE('S', one, 0, 5);
  pst_trace_close();
}

static void test_same_words_are_one_event(void)
{
  CU_ASSERT(ended_with(run(two_addresses, NULL, NULL, "two", NULL), 0));
  char *text = contents("two");
  CU_ASSERT(count(text, "P put: count 2 bytes total 12 min 2 max 10 avg 6.0\n") == 1);
  CU_ASSERT(count(text, "S put: count 1 bytes total 5 ") == 1);
  free(text);
}

/* More names than the table holds: the first ones are counted, nothing breaks. */
static void many_names(void *unused)
{
  static char name[500][24];
  (void)unused;
  pst_trace_open(0, 1);
  for (int i = 0; i < 500; i++) {
    snprintf(name[i], sizeof name[i], "event %d", i);
    PST_TRACE('A', name[i], 0, 1);
  }
  pst_trace_close();
}

static void test_many_names(void)
{
  CU_ASSERT(ended_with(run(many_names, NULL, NULL, "many", NULL), 0));
  char *text = contents("many");
  CU_ASSERT(count(text, " A event ") == 64);
  free(text);
}

static void *thread_events(void *arg)
{
  for (int i = 0; i < EVENTS; i++) PST_TRACE('A', "request", (int)(intptr_t)arg, (size_t)i);
  return NULL;
}

static void from_threads(unsigned node, unsigned nodes)
{
  pthread_t t[THREADS];
  pst_trace_open(node, nodes);
  for (intptr_t i = 0; i < THREADS; i++)
    CHILD_CHECK(pthread_create(&t[i], NULL, thread_events, (void *)i) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  pst_trace_close();
}

/* Two nodes with four threads each write to one file. */
static void shared_file(void *unused)
{
  (void)unused;
  pid_t other = fork();
  int status = 0;
  from_threads(other ? 0 : 1, 2);
  if (!other) _exit(0);
  CHILD_CHECK(waitpid(other, &status, 0) == other && status == 0);
}

static int line_is_whole(const char *line)
{
  double t;
  unsigned node, thread;
  char letter, end;
  int peer;
  size_t bytes;
  if (sscanf(line, "%lf %u %u %c request %d %zu%c", &t, &node, &thread, &letter, &peer, &bytes, &end) != 7)
    return 0;
  return node < 2 && thread < THREADS + 1 && letter == 'A' && peer >= 0 && peer < THREADS && bytes < EVENTS &&
      end == '\n';
}

static void test_threads_and_nodes_share_a_file(void)
{
  unsigned lines = 0, whole = 0;
  CU_ASSERT(ended_with(run(shared_file, "shared", "A", "counts", "A"), 0));
  char *text = contents("shared");
  for (char *p = text; p && *p; p = strchr(p, '\n') + 1) {
    lines++;
    whole += (unsigned)line_is_whole(p);
  }
  CU_ASSERT(lines == 2 * THREADS * EVENTS);
  CU_ASSERT(whole == lines);
  free(text);
  text = contents("counts");
  CU_ASSERT(count(text, " A request: count 8000 bytes total 7996000 min 0 max 1999 avg 999.5\n") == 2);
  free(text);
}

static void long_text(void *unused)
{
  (void)unused;
  pst_trace_open(0, 1);
  pst_trace_printf('H', "%5000d", 1);
  pst_trace_close();
}

static void test_long_text(void)
{
  CU_ASSERT(ended_with(run(long_text, "long", "H", NULL, NULL), 0));
  char *text = contents("long");
  CU_ASSERT(text && strlen(text) < 1100 && count(text, "\n") == 1 && text[strlen(text) - 1] == '\n');
  free(text);
}

static const struct unit_test trace[] = {{"lines", test_lines},
    {"an own file starts anew", test_own_file_starts_anew}, {"mask", test_mask},
    {"standard error", test_stderr}, {"a mask alone does nothing", test_mask_alone_does_nothing},
    {"bad mask", test_bad_mask}, {"no such directory", test_no_such_directory}, {"full disk", test_full_disk},
    {"threads and nodes share a file", test_threads_and_nodes_share_a_file}, {"long text", test_long_text}};
static const struct unit_test statistics[] = {{"count, sum, least, most", test_statistics},
    {"the same words are one event", test_same_words_are_one_event},
    {"more names than room", test_many_names}};

int main(void)
{
  char command[64];
  if (!mkdtemp(dir)) return 1;
  int bad = RUN_SUITE("trace", trace);
  bad |= RUN_SUITE("statistics", statistics);
  snprintf(command, sizeof command, "rm -r %s", dir);
  return system(command) != 0 || bad;
}
