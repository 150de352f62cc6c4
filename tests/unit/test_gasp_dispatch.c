/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which events reach a tool, with which place and context: nested calls, the tool's own, other threads',
 * silent ones. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "gasp/dispatch.c"
#include "gasp/find.c"
#include "gasp/place.c"
#include "gasp/pupc.c"

#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

/* The events of --inst-only. */
const unsigned pst_gasp_only[] = {6, GASP_UPC_MEMPUT, GASP_UPC_FENCE, GASP_C_FUNC,
    GASP_UPC_NONCOLLECTIVE_EXIT, GASP_UPC_CACHE_HIT, GASP_SHMEM_QUIET};

gasp_context_t pst_gasp_dummy_init(gasp_model_t model, int *argc, char ***argv)
{
  (void)model, (void)argc, (void)argv;
  return NULL;
}
void pst_gasp_dummy_notify(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
  (void)c, (void)tag, (void)type, (void)file, (void)line, (void)column, (void)args;
}
int pst_gasp_dummy_control(gasp_context_t c, int on)
{
  (void)c;
  return on;
}
unsigned pst_gasp_dummy_create_event(gasp_context_t c, const char *name, const char *desc)
{
  (void)c, (void)name, (void)desc;
  return 0;
}

/* ---- the tool ---- */

struct _gasp_context_S {
  int on;
};
static struct _gasp_context_S mine;
static unsigned told, next_number = GASP_UPC_USEREVT_START;
static struct {
  unsigned tag;
  gasp_evttype_t type;
  const char *file;
  int line, column;
  size_t argument;
  gasp_context_t context;
} heard[64];

/* The tool itself calls the model. */
static void call_model(void)
{
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_CACHE_HIT, (size_t)1);
  pupc_event_atomic(GASP_UPC_USEREVT_START);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
}

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
  (void)model;
  if (!argc || !argv) abort();
  call_model();
  mine.on = 1;
  return &mine;
}

void gasp_event_notifyVA(
    gasp_context_t c, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list args)
{
  call_model();
  errno = EBADF;
  if (told == 64) abort();
  heard[told].tag = tag, heard[told].type = type, heard[told].file = file, heard[told].line = line,
  heard[told].column = column;
  heard[told].argument = tag == GASP_UPC_MEMPUT ? va_arg(args, size_t) : 0;
  heard[told++].context = c;
}

int gasp_control(gasp_context_t c, int on)
{
  const int before = c->on;
  call_model();
  c->on = on;
  return before;
}

unsigned gasp_create_event(gasp_context_t c, const char *name, const char *desc)
{
  (void)c, (void)name, (void)desc;
  call_model();
  return next_number++;
}

static int is(unsigned i, unsigned tag, gasp_evttype_t type, const char *file, int line)
{
  return i < told && heard[i].tag == tag && heard[i].type == type && heard[i].line == line &&
      heard[i].context == &mine &&
      (file ? heard[i].file && strcmp(heard[i].file, file) == 0 : !heard[i].file);
}

static void open_model(void)
{
  pst_gasp_open(GASP_MODEL_UPC, NULL, NULL);
  told = 0;
}

/* ---- tests ---- */

static void test_open(void)
{
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  open_model();
  CU_ASSERT(pst_gasp_on);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  CU_ASSERT_EQUAL(told, 0); /* it began before there was a tool */
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  CU_ASSERT_EQUAL(told, 0);
  CU_ASSERT(!pst_gasp_wants_local());
}

static void test_nesting(void)
{
  open_model();
  pst_gasp_set_site("a.c", 7, 3);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)42);
  pst_gasp_set_site("b.c", 8, 0);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_begin_at(GASP_MODEL_UPC, "c.c", 9, GASP_UPC_FENCE);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_CACHE_HIT, (size_t)1);
  pst_gasp_tell(GASP_C_FUNC, GASP_START, 0, "f");
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)43);
  CU_ASSERT_EQUAL(told, 2);
  CU_ASSERT(is(0, GASP_UPC_MEMPUT, GASP_START, "a.c", 7) && heard[0].column == 3 && heard[0].argument == 42);
  CU_ASSERT(is(1, GASP_UPC_MEMPUT, GASP_END, "a.c", 7) && heard[1].column == 3 && heard[1].argument == 43);
  pst_gasp_set_site(NULL, 0, 0);
}

static void test_place(void)
{
  open_model();
  pst_gasp_set_site("a.c", 1, 0);
  for (int i = 0; i < 2; i++) {
    pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
    pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  }
  pst_gasp_begin_at(GASP_MODEL_UPC, "c.c", 9, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  CU_ASSERT_EQUAL(told, 6);
  CU_ASSERT(is(1, GASP_UPC_FENCE, GASP_END, "a.c", 1) && is(2, GASP_UPC_FENCE, GASP_START, NULL, 0));
  CU_ASSERT(is(4, GASP_UPC_FENCE, GASP_START, "c.c", 9) && is(5, GASP_UPC_FENCE, GASP_END, "c.c", 9));
}

/* Functions called before the next call leave its place as it is. */
static void test_functions(void)
{
  open_model();
  pst_gasp_set_site("a.c", 1, 0);
  pst_gasp_tell(GASP_C_FUNC, GASP_START, 0, "f");
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_tell(GASP_C_FUNC, GASP_END, 0, "f");
  CU_ASSERT_EQUAL(told, 4);
  CU_ASSERT(is(0, GASP_C_FUNC, GASP_START, NULL, 0) && is(1, GASP_UPC_FENCE, GASP_START, "a.c", 1));
  CU_ASSERT(is(3, GASP_C_FUNC, GASP_END, NULL, 0));
}

static void test_silent(void)
{
  open_model();
  pst_gasp_set_site("a.c", -1, 0); /* #pragma pupc off */
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)1);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)1);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_MEMGET); /* not in --inst-only */
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_MEMGET);
  pst_gasp_begin(GASP_MODEL_SHMEM, GASP_UPC_FENCE); /* a model that was not opened */
  pst_gasp_finish(GASP_MODEL_SHMEM, GASP_UPC_FENCE);
  pst_gasp_set_site("a.c", -1, 0);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_CACHE_HIT, (size_t)1);
  CU_ASSERT_EQUAL(told, 0);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_CACHE_HIT, (size_t)1);
  CU_ASSERT_EQUAL(told, 1);
}

/* A block's Start and End have its place, calls within it are told, and blocks within a call are not. */
static void test_blocks(void)
{
  open_model();
  pst_gasp_block(GASP_MODEL_UPC, GASP_START, "a.c", 3, GASP_UPC_FENCE);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)1);
  pst_gasp_block(GASP_MODEL_UPC, GASP_START, "a.c", 4, GASP_UPC_FENCE);
  pst_gasp_block(GASP_MODEL_UPC, GASP_END, "a.c", 4, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_MEMPUT, (size_t)1);
  pst_gasp_block(GASP_MODEL_UPC, GASP_END, "a.c", 3, GASP_UPC_FENCE);
  pst_gasp_block(GASP_MODEL_SHMEM, GASP_START, "a.c", 5, GASP_UPC_FENCE); /* a model that was not opened */
  CU_ASSERT_EQUAL(told, 4);
  CU_ASSERT(is(0, GASP_UPC_FENCE, GASP_START, "a.c", 3));
  CU_ASSERT(is(1, GASP_UPC_MEMPUT, GASP_START, NULL, 0));
  CU_ASSERT(is(2, GASP_UPC_MEMPUT, GASP_END, NULL, 0));
  CU_ASSERT(is(3, GASP_UPC_FENCE, GASP_END, "a.c", 3));
}

static void *elsewhere(void *unused)
{
  call_model();
  return unused;
}

static void open_and_run_thread(void *(*run)(void *))
{
  pthread_t thread;
  open_model();
  CU_ASSERT_EQUAL(pthread_create(&thread, NULL, run, NULL), 0);
  pthread_join(thread, NULL);
}

static void test_threads(void)
{
  open_and_run_thread(elsewhere);
  CU_ASSERT_EQUAL(told, 0);
}

/* An event of no model goes to the model that the thread opened first; --inst-only knows SHMEM's events and
 * exits, too. */
static void *shmem_thread(void *unused)
{
  pst_gasp_open(GASP_MODEL_SHMEM, NULL, NULL);
  told = 0;
  pst_gasp_begin(GASP_MODEL_SHMEM, GASP_SHMEM_QUIET, "shmem_quiet");
  pst_gasp_finish(GASP_MODEL_SHMEM, GASP_SHMEM_QUIET, "shmem_quiet");
  pst_gasp_begin(GASP_MODEL_SHMEM, GASP_SHMEM_FENCE, "shmem_fence"); /* it is not in the list */
  pst_gasp_finish(GASP_MODEL_SHMEM, GASP_SHMEM_FENCE, "shmem_fence");
  pst_gasp_tell(GASP_C_FUNC, GASP_START, 0, "f");
  pupc_event_atomic(pupc_create_event("phase", NULL));
  pupc_control(1);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_CACHE_HIT, (size_t)1); /* not open on this thread */
  pst_gasp_atomic(GASP_MODEL_SHMEM, GASP_SHMEM_NONCOLLECTIVE_EXIT, 0, "shmem_global_exit");
  return unused;
}

static void test_shmem(void)
{
  open_and_run_thread(shmem_thread);
  CU_ASSERT_EQUAL(told, 5);
  CU_ASSERT(is(0, GASP_SHMEM_QUIET, GASP_START, NULL, 0) && is(1, GASP_SHMEM_QUIET, GASP_END, NULL, 0));
  CU_ASSERT(is(2, GASP_C_FUNC, GASP_START, NULL, 0) && heard[3].tag >= GASP_UPC_USEREVT_START);
  CU_ASSERT(is(4, GASP_SHMEM_NONCOLLECTIVE_EXIT, GASP_ATOMIC, NULL, 0));
}

static void test_control(void)
{
  open_model();
  CU_ASSERT_NOT_EQUAL(pupc_control(0), 0);
  CU_ASSERT_EQUAL(pupc_control(5), 0);
  CU_ASSERT_EQUAL(pupc_control(1), 5);
  CU_ASSERT_EQUAL(told, 0);
}

/* With --inst-only a tool still hears of the program's end. */
static void test_exits(void)
{
  open_model();
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_COLLECTIVE_EXIT, 0);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_COLLECTIVE_EXIT, 0);
  pst_gasp_atomic(GASP_MODEL_UPC, GASP_UPC_NONCOLLECTIVE_EXIT, 0);
  CU_ASSERT(is(0, GASP_UPC_COLLECTIVE_EXIT, GASP_START, NULL, 0) &&
      is(1, GASP_UPC_COLLECTIVE_EXIT, GASP_END, NULL, 0));
  CU_ASSERT(told == 3 && is(2, GASP_UPC_NONCOLLECTIVE_EXIT, GASP_ATOMIC, NULL, 0));
}

static void test_errno(void)
{
  open_model();
  errno = ENOMEM;
  pst_gasp_tell(GASP_C_FUNC, GASP_START, 0, "f");
  CU_ASSERT_EQUAL(errno, ENOMEM);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  CU_ASSERT_EQUAL(errno, ENOMEM);
  CU_ASSERT_EQUAL(told, 3);
}

static void fence(void)
{
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
}

static void test_drop(void)
{
  open_model();
  pst_gasp_set_site("a.c", 1, 0);
  pst_gasp_drop_site();
  fence();
  CU_ASSERT(is(0, GASP_UPC_FENCE, GASP_START, NULL, 0));
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_set_site("b.c", 2, 0); /* the place of the next call: the drop below leaves it */
  pst_gasp_drop_site();
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  fence();
  CU_ASSERT(is(4, GASP_UPC_FENCE, GASP_START, "b.c", 2));
}

static void test_keep(void)
{
  open_model();
  pst_gasp_keep_site(0); /* not begun */
  pst_gasp_set_site("a.c", 1, 0);
  pst_gasp_keep_site(1);
  fence();
  pst_gasp_keep_site(1); /* a nested call */
  fence();
  pst_gasp_keep_site(0);
  fence();
  pst_gasp_keep_site(0);
  fence();
  CU_ASSERT_EQUAL(told, 8);
  for (unsigned i = 0; i < 6; i += 2)
    CU_ASSERT(is(i, GASP_UPC_FENCE, GASP_START, "a.c", 1) && is(i + 1, GASP_UPC_FENCE, GASP_END, "a.c", 1));
  CU_ASSERT(is(6, GASP_UPC_FENCE, GASP_START, NULL, 0));
  told = 0;
  pst_gasp_set_site("a.c", -1, 0);
  pst_gasp_keep_site(1);
  fence();
  fence();
  pst_gasp_keep_site(0);
  CU_ASSERT_EQUAL(told, 0);
}

static void test_hush(void)
{
  open_model();
  pst_gasp_hush(1);
  fence();
  pst_gasp_tell(GASP_C_MALLOC, GASP_START, 0, (size_t)1);
  pst_gasp_hush(-1);
  CU_ASSERT_EQUAL(told, 0);
}

/* The client's own events are told in spite of --inst-only and the pragma, also around calls. */
static void test_own(void)
{
  open_model();
  const unsigned tag = pupc_create_event("phase", NULL);
  pst_gasp_set_site("a.c", -1, 0);
  pupc_event_start(tag);
  pst_gasp_begin(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_finish(GASP_MODEL_UPC, GASP_UPC_FENCE);
  pst_gasp_set_site("a.c", 4, 0);
  pupc_event_end(tag);
  CU_ASSERT_EQUAL(told, 4);
  CU_ASSERT(heard[0].tag == tag && heard[0].type == GASP_START && heard[0].line == 0);
  CU_ASSERT(is(3, tag, GASP_END, "a.c", 4));
}

static void bad_number(void *number)
{
  open_model();
  next_number = *(unsigned *)number;
  pupc_create_event("phase", NULL);
}

static void too_many(void *unused)
{
  (void)unused;
  open_model();
  for (unsigned i = 0; i <= NUMBERS; i++) {
    next_number = GASP_UPC_USEREVT_START + i % NUMBERS;
    pupc_create_event("phase", NULL);
  }
}

static void bad_event(void *unused)
{
  (void)unused;
  open_model();
  pupc_event_start(GASP_UPC_MEMPUT);
}

static void test_fatal(void)
{
  unsigned numbers[] = {0, GASP_UPC_USEREVT_START - 1, GASP_UPC_USEREVT_END + 1};
  for (unsigned i = 0; i < 3; i++)
    CU_ASSERT(ended_with(in_child(bad_number, &numbers[i]), 1) && strstr(child_said, "tool's number"));
  CU_ASSERT(ended_with(in_child(too_many, NULL), 1) && strstr(child_said, "all 65536 numbers"));
  CU_ASSERT(ended_with(in_child(bad_event, NULL), 1) && strstr(child_said, "pupc_create_event"));
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"open", test_open},
      {"nesting", test_nesting},
      {"place", test_place},
      {"functions", test_functions},
      {"silent", test_silent},
      {"blocks", test_blocks},
      {"threads", test_threads},
      {"shmem", test_shmem},
      {"control", test_control},
      {"own", test_own},
      {"exits", test_exits},
      {"errno", test_errno},
      {"drop", test_drop},
      {"keep", test_keep},
      {"hush", test_hush},
      {"fatal", test_fatal},
  };
  unsetenv("GASNET_GASP_TOOL");
  return RUN_SUITE("events to a tool", tests);
}
