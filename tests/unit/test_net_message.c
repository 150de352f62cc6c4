/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Messages of the libfabric conduit: each form is read as it was written, each malformed head is refused, and
 * 200,000 damaged messages are read within bounds. */
#include <stdalign.h>

#include "tests/fuzz/fuzz_net_message.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { CORPUS = 200000, ROOM = 512 };

struct example {
  alignas(8) unsigned char bytes[ROOM];
  size_t length;
  struct pst_net_head head;
};

static void append(struct example *e, const void *p, size_t n)
{
  memcpy(e->bytes + e->length, p, n);
  e->length += n;
}

static void append_word(struct example *e, uint64_t word) { append(e, &word, sizeof word); }

/* Counts have the number of their period there. */
static uint8_t handler_of(enum pst_net_form form)
{
  return form == PST_NET_COUNT || form == PST_NET_COUNTED ? PST_NET_PERIODS - 1 : 200;
}

static void begin(struct example *e, enum pst_net_form form, unsigned nargs, uint32_t nbytes)
{
  memset(e, 0, sizeof *e);
  e->head = (struct pst_net_head){.src = FUZZ_NODES - 1,
      .nbytes = nbytes,
      .credit = {7, 9},
      .form = (uint8_t)form,
      .stream = PST_NET_REPLIES,
      .handler = handler_of(form),
      .nargs = (uint8_t)nargs};
  append(e, &e->head, sizeof e->head);
  for (uint32_t i = 0; i < nargs; i++) append(e, &(uint32_t){1000 + i}, 4);
  e->length = pst_net_round_up(e->length);
}

static void append_payload(struct example *e)
{
  for (uint32_t i = 0; i < e->head.nbytes; i++) e->bytes[e->length++] = (unsigned char)(i * 7);
  e->length = pst_net_round_up(e->length);
}

/* A valid message of the form, its payload anywhere in the segment. */
static void make(struct example *e, enum pst_net_form form, unsigned nargs, uint32_t nbytes, uint64_t at)
{
  begin(e, form, nargs, form == PST_NET_MEDIUM || form == PST_NET_LONG_INLINE ? nbytes : 0);
  if (form == PST_NET_LONG_INLINE || form == PST_NET_LONG_PLACED) append_word(e, at);
  if (form == PST_NET_LONG_PLACED) append_word(e, nbytes);
  append_payload(e);
}

static int decode(const struct example *e, struct pst_net_parts *parts)
{
  const struct pst_net_receiver here = fuzz_receiver();
  return pst_net_decode(&here, e->bytes, e->length, parts);
}

static int payload_is_right(const unsigned char *p, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (p[i] != (unsigned char)(i * 7)) return 0;
  return 1;
}

static void check_common(const struct pst_arrival *a, enum pst_net_form form, unsigned nargs)
{
  CU_ASSERT_EQUAL(a->src, FUZZ_NODES - 1);
  CU_ASSERT_EQUAL(a->reply, 1);
  CU_ASSERT_EQUAL(a->handler, handler_of(form));
  CU_ASSERT_EQUAL(a->nargs, nargs);
  for (uint32_t i = 0; i < nargs; i++) CU_ASSERT_EQUAL(a->args[i], (gasnet_handlerarg_t)(1000 + i));
}

static void check_form(enum pst_net_form form, unsigned nargs, uint32_t nbytes)
{
  struct example e;
  struct pst_net_parts p;
  const uint64_t at = FUZZ_SEGMENT_AT + 40;
  make(&e, form, nargs, nbytes, at);
  CU_ASSERT_EQUAL_FATAL(decode(&e, &p), PST_OK);
  CU_ASSERT(memcmp(&p.head, &e.head, sizeof e.head) == 0);
  check_common(&p.arrival, form, nargs);
  if (form == PST_NET_SHORT || form >= PST_NET_CREDIT) return;
  CU_ASSERT_EQUAL(p.arrival.nbytes, nbytes);
  if (form == PST_NET_MEDIUM) CU_ASSERT(payload_is_right(p.arrival.payload, nbytes));
  if (form == PST_NET_LONG_INLINE) CU_ASSERT(payload_is_right(p.data, nbytes));
  if (form != PST_NET_MEDIUM) CU_ASSERT_EQUAL((uintptr_t)p.arrival.payload, at);
  CU_ASSERT_EQUAL(p.data != NULL, form == PST_NET_LONG_INLINE);
}

static void test_forms(void)
{
  for (int form = 0; form < PST_NET_FORMS; form++)
    for (unsigned nargs = 0; nargs <= PST_NET_MAX_ARGS; nargs++)
      for (uint32_t nbytes = 0; nbytes < 20; nbytes++) check_form((enum pst_net_form)form, nargs, nbytes);
}

static int head_refused(struct pst_net_head h)
{
  struct example e;
  struct pst_net_parts p;
  make(&e, PST_NET_MEDIUM, 2, 24, FUZZ_SEGMENT_AT);
  memcpy(e.bytes, &h, sizeof h);
  return decode(&e, &p) == PST_ERR_INVALID;
}

/* A copy of the right head, in which one member has another value. */
#define CHANGED(member, value) \
  ({ \
    struct pst_net_head h = e.head; \
    h.member = (value); \
    h; \
  })

static void test_heads(void)
{
  struct example e;
  make(&e, PST_NET_MEDIUM, 2, 24, FUZZ_SEGMENT_AT);
  CU_ASSERT(!head_refused(e.head));
  CU_ASSERT(head_refused(CHANGED(src, FUZZ_NODES)));
  CU_ASSERT(head_refused(CHANGED(src, FUZZ_NODE)));
  CU_ASSERT(head_refused(CHANGED(unused, 1)));
  CU_ASSERT(head_refused(CHANGED(form, PST_NET_FORMS)));
  CU_ASSERT(head_refused(CHANGED(nargs, PST_NET_MAX_ARGS + 1)));
  CU_ASSERT(head_refused(CHANGED(nargs, 3)));
  CU_ASSERT(head_refused(CHANGED(nbytes, 25)));
  CU_ASSERT(head_refused(CHANGED(nbytes, 16)));
  CU_ASSERT(head_refused(CHANGED(nbytes, UINT32_MAX)));
}

static void test_counts(void)
{
  for (int form = PST_NET_COUNT; form <= PST_NET_COUNTED; form++) {
    struct example e;
    struct pst_net_parts p;
    make(&e, (enum pst_net_form)form, 0, 0, FUZZ_SEGMENT_AT);
    CU_ASSERT_EQUAL(decode(&e, &p), PST_OK);
    e.head.handler = PST_NET_PERIODS;
    memcpy(e.bytes, &e.head, sizeof e.head);
    CU_ASSERT_EQUAL(decode(&e, &p), PST_ERR_INVALID);
  }
}

static void test_lengths(void)
{
  for (int form = 0; form < PST_NET_FORMS; form++) {
    struct example e;
    struct pst_net_parts p;
    make(&e, (enum pst_net_form)form, 3, 16, FUZZ_SEGMENT_AT);
    const size_t right = e.length;
    for (e.length = 0; e.length < right + 64; e.length++)
      CU_ASSERT_EQUAL(decode(&e, &p), e.length == right ? PST_OK : PST_ERR_INVALID);
  }
}

static int taken_at(enum pst_net_form form, uint64_t at, uint32_t nbytes)
{
  struct example e;
  struct pst_net_parts p;
  make(&e, form, 0, nbytes, at);
  return decode(&e, &p) == PST_OK;
}

static void test_places(void)
{
  static const enum pst_net_form forms[] = {PST_NET_LONG_INLINE, PST_NET_LONG_PLACED};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    CU_ASSERT(taken_at(forms[i], FUZZ_SEGMENT_AT, 8));
    CU_ASSERT(taken_at(forms[i], FUZZ_SEGMENT_AT + FUZZ_SEGMENT - 8, 8));
    CU_ASSERT(taken_at(forms[i], FUZZ_REGION_AT, 8));
    CU_ASSERT(taken_at(forms[i], FUZZ_REGION_AT + FUZZ_REGION - 8, 8));
    CU_ASSERT(!taken_at(forms[i], FUZZ_REGION_AT - 1, 8));
    CU_ASSERT(!taken_at(forms[i], FUZZ_REGION_AT + FUZZ_REGION - 7, 8));
    CU_ASSERT(taken_at(forms[i], 0, 0));
    CU_ASSERT(!taken_at(forms[i], FUZZ_SEGMENT_AT - 1, 8));
    CU_ASSERT(!taken_at(forms[i], FUZZ_SEGMENT_AT + FUZZ_SEGMENT - 7, 8));
    CU_ASSERT(!taken_at(forms[i], FUZZ_SEGMENT_AT + FUZZ_SEGMENT, 1));
    CU_ASSERT(!taken_at(forms[i], UINT64_MAX - 3, 8));
    CU_ASSERT(!taken_at(forms[i], 0, 8));
  }
}

static size_t damage(unsigned char *bytes, size_t size)
{
  switch (below(3)) {
  case 0: bytes[below(size)] ^= (unsigned char)(1u << below(8)); return size;
  case 1: bytes[below(size < 40 ? size : 40)] = (unsigned char)next(); return size;
  default: return 1 + below(size);
  }
}

static void test_corpus(void)
{
  struct example e;
  for (unsigned k = 0; k < CORPUS; k++) {
    make(&e, (enum pst_net_form)below(PST_NET_FORMS), (unsigned)below(PST_NET_MAX_ARGS + 1),
        (uint32_t)below(256), FUZZ_SEGMENT_AT + below(FUZZ_SEGMENT));
    for (size_t times = below(3); times--;) e.length = damage(e.bytes, e.length);
    LLVMFuzzerTestOneInput(e.bytes, e.length);
  }
  printf("%u taken, %u refused ... ", fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > CORPUS / 10 && fuzz_refused > CORPUS / 10);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"each form", test_forms},
      {"heads that make no sense", test_heads},
      {"counts of periods", test_counts},
      {"lengths that do not agree", test_lengths},
      {"places in and outside the segment", test_places},
      {"damaged messages", test_corpus},
  };
  random_begin();
  return RUN_SUITE("conduits/net/message", tests);
}
