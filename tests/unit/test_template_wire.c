/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the template's connections carry: a greeting proves one side of one pair of one job and nothing else,
 * and none of 200,000 damaged frames and pieces is read beyond its end. */
#include "conduits/template/wire.c"
#include "support/sha256.c"

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static const struct pst_template_secret ours = {{1, 2, 3}}, theirs = {{1, 2, 4}};

static struct pst_template_greeting greeting(
    enum pst_template_side side, gasnet_node_t src, gasnet_node_t dest)
{
  struct pst_template_greeting g;
  pst_template_greet(&ours, side, src, dest, &g);
  return g;
}

static void test_proof(void)
{
  const struct pst_template_greeting g = greeting(PST_TEMPLATE_CONNECTS, 3, 5);
  CU_ASSERT(pst_template_is_proved(&ours, PST_TEMPLATE_CONNECTS, 5, &g));
  CU_ASSERT_FALSE(pst_template_is_proved(&theirs, PST_TEMPLATE_CONNECTS, 5, &g));
  CU_ASSERT_FALSE(pst_template_is_proved(&ours, PST_TEMPLATE_ANSWERS, 5, &g));
  CU_ASSERT_FALSE(pst_template_is_proved(&ours, PST_TEMPLATE_CONNECTS, 6, &g));
}

/* Each bit counts: of the magic number, of the node that it names, of the proof. */
static void test_damaged_proof(void)
{
  for (size_t bit = 0; bit < 8 * sizeof(struct pst_template_greeting); bit++) {
    struct pst_template_greeting g = greeting(PST_TEMPLATE_ANSWERS, 3, 5);
    ((unsigned char *)&g)[bit / 8] ^= (unsigned char)(1 << bit % 8);
    CU_ASSERT_FALSE(pst_template_is_proved(&ours, PST_TEMPLATE_ANSWERS, 5, &g));
  }
}

static long frame(uint32_t nbytes, uint32_t kind, size_t have)
{
  static char bytes[sizeof(struct pst_template_frame) + PST_TEMPLATE_MESSAGE];
  const struct pst_template_frame f = {nbytes, kind};
  memcpy(bytes, &f, sizeof f);
  return pst_template_frame(bytes, have);
}

static void test_frame(void)
{
  enum {
    HEAD = sizeof(struct pst_template_frame),
    LEAST = sizeof(struct pst_net_head),
    MOST = PST_TEMPLATE_MESSAGE
  };
  CU_ASSERT_EQUAL(frame(LEAST, 0, HEAD + LEAST), HEAD + LEAST);
  CU_ASSERT_EQUAL(frame(MOST, 0, HEAD + MOST), HEAD + MOST);
  CU_ASSERT_EQUAL(frame(LEAST, 0, HEAD - 1), 0);
  CU_ASSERT_EQUAL(frame(LEAST, 0, HEAD + LEAST - 1), 0);
  CU_ASSERT_EQUAL(frame(LEAST, 0, HEAD + MOST), HEAD + LEAST);
  CU_ASSERT_EQUAL(frame(LEAST - 8, 0, HEAD + MOST), -1);
  CU_ASSERT_EQUAL(frame(LEAST + 4, 0, HEAD + MOST), -1);
  CU_ASSERT_EQUAL(frame(MOST + 8, 0, HEAD), -1);
  CU_ASSERT_EQUAL(frame(UINT32_MAX - 7, 0, HEAD), -1);
  CU_ASSERT_EQUAL(frame(LEAST, PST_TEMPLATE_DATA, HEAD + LEAST), HEAD + LEAST);
  CU_ASSERT_EQUAL(frame(LEAST, PST_TEMPLATE_KINDS, HEAD + LEAST), -1);
}

static const gasnet_seginfo_t region = {(void *)0x8000, 4096};
static const struct pst_net_receiver here = {1, 4, {(void *)0x10000000, 65536}, &region, 1};

static int piece(unsigned kind, uint64_t addr, uint64_t nbytes, size_t data)
{
  static char body[sizeof(struct pst_template_piece) + 4096];
  const struct pst_template_piece p = {.addr = addr, .nbytes = nbytes};
  struct pst_template_piece read;
  memcpy(body, &p, sizeof p);
  return pst_template_read_piece(&here, kind, body, sizeof p + data, &read);
}

static void test_piece(void)
{
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x10000000, 13, 16), PST_OK);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x8000 + 4096 - 16, 16, 16), PST_OK);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x8000 + 4096 - 8, 16, 16), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x10000000 - 1, 13, 16), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x10000000, 17, 16), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x10000000, 8, 16), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_PUT, 0x10000000, UINT64_MAX, 0), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_GET, 0x10000000, 65536, 0), PST_OK);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_GET, 0x10000000, 65537, 0), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_GET, 0x10000001, UINT64_MAX, 0), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_GET, 0x10000000, 0, 0), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_GET, 0x10000000, 8, 8), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_DATA, 0, 100, 104), PST_OK);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_DATA, 0, 105, 104), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_DONE, 0, 0, 0), PST_OK);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_DONE, 0, 1, 0), PST_ERR_INVALID);
  CU_ASSERT_EQUAL(piece(PST_TEMPLATE_KINDS, 0, 0, 0), PST_ERR_INVALID);
}

/* A decoded piece has its data within the body, and an address only in memory that others may reach. */
static void check_piece(unsigned kind, const char *body, size_t n)
{
  struct pst_template_piece p;
  if (pst_template_read_piece(&here, kind, body, n, &p) != PST_OK) return;
  if ((kind == PST_TEMPLATE_PUT || kind == PST_TEMPLATE_DATA) && p.nbytes > n - sizeof p)
    CU_FAIL_FATAL("data beyond the body");
  if ((kind == PST_TEMPLATE_PUT || kind == PST_TEMPLATE_GET) && !pst_net_reachable(&here, p.addr, p.nbytes))
    CU_FAIL_FATAL("an address elsewhere");
}

static void test_corpus(void)
{
  char bytes[64];
  for (int i = 0; i < 200000; i++) {
    const size_t n = below(sizeof bytes + 1);
    long length;
    for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = below(3) ? 0 : (char)next();
    length = pst_template_frame(bytes, n);
    check_piece((unsigned)below(PST_TEMPLATE_KINDS + 1), bytes, n);
    if (length < -1 || length > (long)n || length == (long)sizeof(struct pst_template_frame))
      CU_FAIL_FATAL("a frame that is not there");
  }
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"a greeting proves what it says", test_proof},
      {"no bit of it may be another", test_damaged_proof},
      {"frames", test_frame},
      {"pieces of transfers", test_piece},
      {"damaged frames", test_corpus},
  };
  random_begin();
  return RUN_SUITE("template_wire", tests);
}
