/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Requests of the reference put, get and memset as other nodes send them: their addresses must be in this
 * node's memory. */
#include "extended/reference.c"

#include "core/amcheck.h"
#include "core/token.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

enum { SIZE = 4096 };
static char memory[3 * SIZE];
static char *const segment = memory + SIZE;

static unsigned replies; /* requests count, too */
static int send_reply(struct pst_message *m) { return replies++, (void)m, PST_OK; }
static int send_short_reply(gasnet_node_t dest, unsigned reply, gasnet_handler_t handler, unsigned nargs,
    const gasnet_handlerarg_t *args)
{
  return replies++, (void)dest, (void)reply, (void)handler, (void)nargs, (void)args, PST_OK;
}
static int poll_nothing(void) { return 0; }
static const struct pst_conduit conduit = {
    .name = "test", .am = send_reply, .am_short = send_short_reply, .poll = poll_nothing};

static void join(void)
{
  static gasnet_seginfo_t info;
  info = (gasnet_seginfo_t){segment, SIZE};
  pst_regions.count = 1;
  pst_regions.own[0] = info;
  pst_regions.info[0] = &info;
  pst_job.conduit = &conduit;
  pst_job.phase = PST_PHASE_ATTACHED;
  pst_job.limits.max_medium = SIZE;
  pst_nodes = 1;
  pst_reference_open();
  replies = 0;
}

struct range {
  char *at;
  size_t nbytes;
};

static void get(void *arg)
{
  const struct range *r = arg;
  const gasnet_handlerarg_t a[] = {PST_SPLIT(r->at), PST_SPLIT(r->nbytes)};
  struct pst_token t = {.handler = PST_HANDLER_GET};
  pst_amcheck_enter(&t);
  handle_get(&t, 0, 0, 0, 0, a[0], a[1], a[2], a[3], 0);
  pst_amcheck_leave(&t);
}

static void fill(void *arg)
{
  const struct range *r = arg;
  const gasnet_handlerarg_t a[] = {PST_SPLIT(r->at), PST_SPLIT(r->nbytes)};
  struct pst_token t = {.handler = PST_HANDLER_MEMSET};
  pst_amcheck_enter(&t);
  handle_memset(&t, 0, 0, a[0], a[1], a[2], a[3], 7);
  pst_amcheck_leave(&t);
}

static void test_own_memory(void)
{
  join();
  get(&(struct range){segment, SIZE});
  get(&(struct range){segment + SIZE - 1, 1});
  fill(&(struct range){segment + 1, SIZE - 2});
  CU_ASSERT_EQUAL(replies, 3);
  CU_ASSERT_EQUAL(segment[0], 0);
  CU_ASSERT_EQUAL(segment[1], 7);
  CU_ASSERT_EQUAL(segment[SIZE - 2], 7);
  CU_ASSERT_EQUAL(segment[SIZE - 1], 0);
}

static void test_other_memory(void)
{
  const struct range wrong[] = {
      {segment - 1, 2},
      {segment + SIZE - 1, 2},
      {memory, 1},
      {segment + SIZE, 1},
      {segment, (size_t)-1},
      {NULL, 8},
  };
  join();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    struct range r = wrong[i];
    CU_ASSERT(ended_with(in_child(get, &r), 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "malformed get"));
    CU_ASSERT(ended_with(in_child(fill, &r), 1));
    CU_ASSERT_PTR_NOT_NULL(strstr(child_said, "malformed memset"));
  }
}

/* A handler fills a bounded number of bytes; each piece is waited for. */
static void test_memset_in_pieces(void)
{
  struct pst_completion completion = {0};
  join();
  pst_reference_memset(0, segment, 7, ((size_t)3 << 20) + 1, &completion);
  CU_ASSERT_EQUAL(replies, 4);
  CU_ASSERT_EQUAL(completion.puts, 4);
  CU_ASSERT_EQUAL(completion.gets, 0);
  CU_ASSERT_EQUAL(completion.local, 0);
}

int main(void)
{
  static const struct unit_test tests[] = {{"own memory", test_own_memory},
      {"other memory", test_other_memory}, {"memset in pieces", test_memset_in_pieces}};
  return RUN_SUITE("reference", tests);
}
