/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The end of a process: flushing, closing, MPI_Finalize and taking leave of the launcher each have a time of
 * their own, and none can keep the process for ever. Time is counted, not waited for: each step says how long
 * it takes, and the alarm rings in the step that reaches it. */
#include <math.h>
#include <unistd.h>

#include "bootstrap/foreign_job.h"
#include "tests/unit/in_child.h"

static unsigned alarm_set(unsigned seconds);
static int launcher_is_foreign(void);
static int launcher_leave(int code, void (*limit)(int code, double seconds), void (*finalize)(void));
#define alarm(seconds)                         alarm_set(seconds)
#define pst_foreign_is_job()                   launcher_is_foreign()
#define pst_foreign_leave(code, limit, finish) launcher_leave(code, limit, finish)
#include "core/exit.c"

#include "tests/unit/suite.h"

#define NEVER HUGE_VAL
enum { CODE = 7 };

/* How many seconds each step takes, and how the process ends. */
struct end {
  double flush, close, mpi, leave, handler;
  int foreign;         /* another launcher has started it */
  int by_exit;         /* by exit(code), not by gasnet_exit */
  int code;            /* with which it asks to end */
  const char *grace;   /* GASNET_EXITTIMEOUT */
  const char *reached; /* what it gets to */
};

static const struct end *now_ending;
static double now, rings = HUGE_VAL;

static unsigned alarm_set(unsigned seconds)
{
  rings = seconds ? now + seconds : HUGE_VAL;
  return 0;
}

static void step(const char *name, double seconds)
{
  if (now + seconds >= rings) {
    raise(SIGALRM);
    CHILD_CHECK(!"it survives its time limit");
  }
  CHILD_CHECK(seconds < HUGE_VAL); /* no limit was set */
  now += seconds;
  dprintf(STDERR_FILENO, "%s ", name);
}

static ssize_t stream_write(void *cookie, const char *text, size_t n)
{
  (void)cookie, (void)text;
  step("flush", now_ending->flush);
  return (ssize_t)n;
}

static void conduit_close(void) { step("close", now_ending->close); }
static const struct pst_conduit conduit = {.name = "slow", .close = conduit_close};

static int mpi_is(int *flag) { return *flag = 1, 0; }
static int mpi_was(int *flag) { return *flag = 0, 0; }
static int mpi_finalize(void)
{
  step("MPI", now_ending->mpi);
  return 0;
}

static int launcher_is_foreign(void) { return now_ending->foreign; }

/* As the real one, with a launcher that answers late. */
static int launcher_leave(int code, void (*limit)(int code, double seconds), void (*finalize)(void))
{
  if (!now_ending->foreign) return code;
  limit(code, 5);
  if (finalize) finalize();
  step("leave", now_ending->leave);
  return code;
}

static void handler_of_client(void) { step("handler", now_ending->handler); }

static void process_end(void *end)
{
  FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = stream_write});
  now_ending = end;
  setenv("GASNET_EXITTIMEOUT", now_ending->grace, 1);
  sigset_t all;
  sigfillset(&all); /* as in a thread of the client's that wants no signals */
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  CHILD_CHECK(stream && fputs("kept until it is flushed", stream) >= 0);
  if (now_ending->handler > 0) atexit(handler_of_client);
  pst_exit_open();
  pst_job.conduit = &conduit;
  mpi.initialized = mpi_is, mpi.finalized = mpi_was, mpi.finalize = mpi_finalize;
  if (now_ending->by_exit) exit(now_ending->code);
  gasnet_exit(now_ending->code);
}

static void end_is(struct end e)
{
  const int status = in_child(process_end, &e);
  CU_ASSERT(ended_with(status, e.code));
  CU_ASSERT_STRING_EQUAL(child_said, e.reached);
}

/* A step that takes nearly all of its time takes none of the others'. */
static void test_own_times(void)
{
  end_is((struct end){1.9, 4.9, 25, .code = CODE, .grace = "20", .reached = "flush close MPI "});
  end_is((struct end){1.9, 4.9, 5.9, .code = 0, .grace = "0", .reached = "flush close MPI "});
}

static void test_flush_hangs(void)
{
  end_is((struct end){NEVER, 0, 0, .code = CODE, .grace = "20", .reached = ""});
}

static void test_close_hangs(void)
{
  end_is((struct end){0, NEVER, 0, .code = CODE, .grace = "20", .reached = "flush "});
}

static void test_mpi_hangs(void)
{
  end_is((struct end){0, 0, NEVER, .code = CODE, .grace = "20", .reached = "flush close "});
  end_is((struct end){0, 0, NEVER, .by_exit = 1, .code = 0, .grace = "1", .reached = "close "});
}

/* An end with an error leaves MPI alone. After MPI's end the client's handlers may take their time. */
static void test_exit(void)
{
  end_is((struct end){0, 0, NEVER, .by_exit = 1, .code = CODE, .grace = "1", .reached = "close flush "});
  end_is((struct end){
      0, 0, 5, 0, 1000, .by_exit = 1, .code = 0, .grace = "1", .reached = "close MPI handler flush "});
}

static void test_foreign_launcher(void)
{
  end_is((struct end){
      1.9, 4.9, 5.9, 5.9, .foreign = 1, .code = CODE, .grace = "0", .reached = "flush close MPI leave "});
  end_is((struct end){0, 0, NEVER, 0, .foreign = 1, .code = CODE, .grace = "20", .reached = "flush close "});
  end_is(
      (struct end){0, 0, 0, NEVER, .foreign = 1, .code = CODE, .grace = "20", .reached = "flush close MPI "});
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"each step has its own time", test_own_times},
      {"a flush that hangs", test_flush_hangs},
      {"a conduit that hangs", test_close_hangs},
      {"MPI_Finalize that hangs", test_mpi_hangs},
      {"exit", test_exit},
      {"a foreign launcher", test_foreign_launcher},
  };
  return RUN_SUITE("exit", tests);
}
