/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What arrives in packed messages, in a job of one process that sends them to itself: a malformed one ends
 * the job with a message that names its sender and its fault, and a notification waits for all parts of its
 * transfer, in any order. */
#include "vis/packed.h"

#include "core/handler.h"
#include "core/job.h"
#include "core/segment.h"
#include "tests/unit/in_child.h"
#include "tests/unit/suite.h"

enum { SEGMENT = 16 * GASNET_PAGESIZE, WORD = 4096 };

static void join(void)
{
  int argc = 0;
  char **argv = NULL;
  setenv("GASNET_AM_ONLY", "1", 1);
  CHILD_CHECK(pst_client_init(&argc, &argv,
                  PST_CLIENT_ABI | PST_CLIENT_SEQ | (PST_DEBUG ? PST_CLIENT_DEBUG : 0)) == GASNET_OK);
  CHILD_CHECK(gasnet_attach(NULL, 0, SEGMENT, 0) == GASNET_OK);
}

static char *segment(void) { return pst_segments.info[0].addr; }

/* A message that the client's interface does not make. */
struct sent {
  gasnet_handler_t handler;
  const char *payload;
  size_t nbytes;
  unsigned nargs;
  gasnet_handlerarg_t args[11];
};

static void receive(const struct sent *s)
{
  pst_am_request_medium(0, s->handler, s->payload, s->nbytes, s->nargs, s->args);
  pst_poll();
}

static void send_bad(void *arg)
{
  join();
  receive(arg);
}

static int refused(const struct sent *s, const char *text)
{
  const int status = in_child(send_bad, (void *)(uintptr_t)s);
  const int right = ended_with(status, 1) && strstr(child_said, text);
  if (!right) printf("\nexpected \"%s\": status %x, \"%s\"\n", text, (unsigned)status, child_said);
  return right;
}

/* Arguments: the address where the reply counts (2), bytes. */
static void test_bad_puts(void)
{
  static const struct {
    struct sent s;
    const char *text;
  } bad[] = {
      {{PST_HANDLER_VIS_PUT, "12345678\x01\x01\x08", 11, 3, {0, 0, 8}},
          "put of 8 bytes from node 0 is malformed: an entry reaches out"},
      {{PST_HANDLER_VIS_PUT, "12345678", 8, 3, {0, 0, 9}}, "malformed: it is shorter than its data"},
      {{PST_HANDLER_VIS_PUT, "12345678", 8, 3, {0, 0, -1}}, "malformed: it is shorter than its data"},
      {{PST_HANDLER_VIS_PUT, "12345678", 8, 3, {0, 0, 8}}, "malformed: it is empty"},
      {{PST_HANDLER_VIS_PUT, "12345678\x07", 9, 3, {0, 0, 8}}, "malformed: its form is unknown"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(refused(&bad[i].s, bad[i].text));
}

/* Request (64 bits), bytes, length of the description, the description padded to 8 bytes. */
static void test_bad_gets(void)
{
#define ASK(nbytes, length, description) "\0\0\0\0\0\0\0\0" nbytes length description
#define NONE                             ASK("\0\0\0\0", "\1\0\0\0", "\x01\0\0\0\0\0\0\0")
/* clang-format off */
#define BAD(payload, text) {{PST_HANDLER_VIS_GET, payload, sizeof payload - 1, 0, {0}}, text}
  /* clang-format on */
  static const struct {
    struct sent s;
    const char *text;
  } bad[] = {
      BAD(ASK("\x08\0\0\0", "\3\0\0\0", "\x01\x00\x09\0\0\0\0\0"),
          "get of 8 bytes for node 0 is malformed: it has other bytes"),
      BAD(ASK("\xff\xff\xff\x7f", "\3\0\0\0", "\x01\x00\x08\0\0\0\0\0"),
          "malformed: it asks for more than a message holds"),
      BAD(ASK("\x08\0\0\0", "\5\0\0\0", "\x00\x00\x00\x08\x01\0\0\0"), "malformed: it has fewer bytes"),
      BAD(ASK("\x08\0\0\0", "\x09\0\0\0", "\x01\x00\x08\0\0\0\0\0"),
          "malformed: it is shorter than its description"),
      BAD(ASK("\x08\0\0\0", "\xff\xff\xff\xff", "\x01\x00\x08\0\0\0\0\0"),
          "malformed: it is shorter than its description"),
      BAD(ASK("\x08\0\0\0", "\3\0\0", ""), "malformed: it is shorter than its head"),
      BAD("", "malformed: it is shorter than its head"),
      BAD(NONE NONE NONE NONE NONE, "malformed: it asks for too many"),
  };
#undef BAD
#undef NONE
#undef ASK
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(refused(&bad[i].s, bad[i].text));
}

/* Arguments after the put's: id, total(2), kind, word(2), value(2). */
static void test_bad_notifications(void)
{
  static const struct {
    struct sent s;
    const char *text;
  } bad[] = {
      {{PST_HANDLER_VIS_PUT_NOTIFY, "\x01", 1, 11, {0, 0, 0, 1, 0, 0, 77, 0, 0, 0, 0}},
          "a notification of kind 77"},
      {{PST_HANDLER_VIS_PUT_NOTIFY, "\x01", 1, 11, {0, 0, 0, 1, 0, 0, GASNETX_NOTIFY_ADD, 0, 64, 0, 0}},
          "word 0x40"},
      {{PST_HANDLER_VIS_PUT_NOTIFY, "\x01", 1, 11,
           {0, 0, 0, 1, 0, 0, GASNETX_NOTIFY_HANDLER | 7 << 8, 0, 0, 0, 0}},
          "handler 7 cannot"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(refused(&bad[i].s, bad[i].text));
}

/* ---- parts of a transfer of 16 bytes to the beginning of the segment ---- */

static struct pst_completion completion;

static struct sent part(const char *payload, uint32_t id, uint32_t total)
{
  const gasnet_handlerarg_t where[] = {PST_SPLIT(&completion)}, word[] = {PST_SPLIT(segment() + WORD)};
  const struct sent s = {PST_HANDLER_VIS_PUT_NOTIFY, payload, 11, 11,
      {where[0], where[1], 8, (gasnet_handlerarg_t)id, 0, (gasnet_handlerarg_t)total, GASNETX_NOTIFY_ADD,
          word[0], word[1], 0, 5}};
  return s;
}

static const char first[] = "01234567\x01\x00\x08", second[] = "89abcdef\x01\x10\x08";

static void deliver(const char *payload, uint32_t id, uint32_t total)
{
  const struct sent s = part(payload, id, total);
  receive(&s);
}

static uint64_t word(void)
{
  uint64_t w;
  memcpy(&w, segment() + WORD, sizeof w);
  return w;
}

/* The arguments without a notification are the first 6. */
static void deliver_plain(const char *payload, uint32_t id, uint32_t total)
{
  struct sent s = part(payload, id, total);
  s.handler = PST_HANDLER_VIS_PUT_PART;
  s.nargs = 6;
  receive(&s);
}

static uint32_t outstanding(void) { return atomic_load(&completion.puts); }

/* One reply for a transfer, to its last message. */
static void plain_parts(void *arg)
{
  (void)arg;
  join();
  for (int i = 0; i < 2; i++) pst_completion_add(&completion, PST_PUTS);
  deliver_plain(second, 1, 16);
  deliver_plain(first, 2, 16);
  CHILD_CHECK(outstanding() == 2);
  deliver_plain(first, 1, 16);
  CHILD_CHECK(memcmp(segment(), "0123456789abcdef", 16) == 0);
  deliver_plain(second, 2, 16);
  pst_completion_wait(&completion, PST_PUTS);
  CHILD_CHECK(word() == 0);
  _exit(0);
}

/* The second part comes before the first, and another transfer's between them. */
static void parts_in_any_order(void *arg)
{
  (void)arg;
  join();
  for (int i = 0; i < 3; i++) pst_completion_add(&completion, PST_PUTS);
  deliver(second, 1, 16);
  CHILD_CHECK(word() == 0);
  deliver(second, 2, 16);
  CHILD_CHECK(word() == 0);
  deliver(first, 1, 16);
  CHILD_CHECK(word() == 5 && memcmp(segment(), "0123456789abcdef", 16) == 0);
  deliver(first, 2, 16);
  CHILD_CHECK(word() == 10);
  deliver(first, 2, 8);
  CHILD_CHECK(word() == 15);
  pst_completion_wait(&completion, PST_PUTS);
  _exit(0);
}

static void other_total(void *arg)
{
  (void)arg;
  join();
  deliver(second, 1, 16);
  deliver(first, 1, 24);
}

static void too_much(void *arg)
{
  (void)arg;
  join();
  deliver(second, 1, 12);
  deliver(first, 1, 12);
}

static void test_parts(void)
{
  CU_ASSERT(ended_with(in_child(plain_parts, NULL), 0));
  CU_ASSERT(ended_with(in_child(parts_in_any_order, NULL), 0));
  CU_ASSERT(ended_with(in_child(other_total, NULL), 1) &&
      strstr(child_said, "node 0 is malformed: part of a put of 16 bytes"));
  CU_ASSERT(ended_with(in_child(too_much, NULL), 1) &&
      strstr(child_said, "of which 8 have come, it brings 8 of 12"));
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"malformed puts", test_bad_puts},
      {"malformed gets", test_bad_gets},
      {"notifications that cannot be", test_bad_notifications},
      {"parts of a transfer", test_parts},
  };
  return RUN_SUITE("vis/packed", tests);
}
