/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Descriptions of pieces of memory: each is read again as the same bytes, computed here element by element;
 * malformed ones are refused, each for its reason; 100,000 damaged ones neither read nor write elsewhere. */
#include "vis/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_wire.c"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 3000, CORPUS = 100000, MOST_BYTES = 4000, MOST_ENTRIES = 64 };

/* ---- descriptions of either form, and where each of their bytes lies ---- */

struct example {
  unsigned char description[PST_WIRE_STRIDED_MOST + PST_WIRE_ENTRY_MOST * (MOST_ENTRIES + 2)];
  size_t length, n;      /* bytes of the description, bytes that it describes */
  size_t at[MOST_BYTES]; /* in the window */
};

static char *in_window(size_t at) { return fuzz_window + at; }
static uintptr_t origin(void) { return (uintptr_t)fuzz_window; }

/* Random levels whose rows stay within the window, with few enough bytes; strides of both signs. */
static size_t make_levels(struct pst_side *s, size_t count[], ptrdiff_t stride[])
{
  ptrdiff_t low = 0, high = 0;
  size_t levels = below(12) ? below(5) : PST_SHAPE_LEVELS, row = 1 + below(below(4) ? 32 : 700), bytes = row;
  for (size_t i = 0; i < levels; i++) {
    const size_t most = MOST_BYTES / bytes;
    ptrdiff_t reach;
    count[i] = most > 1 && (levels < 8 || below(12) == 0) ? 1 + below(most < 9 ? most : 9) : 1;
    stride[i] = (ptrdiff_t)below(1500) * (below(3) ? 1 : -1);
    reach = stride[i] * (ptrdiff_t)(count[i] - 1);
    bytes *= count[i];
    *(reach < 0 ? &low : &high) += reach;
  }
  if ((size_t)(high - low) + row > FUZZ_WINDOW) return 0;
  pst_side_strided(s, in_window((size_t)-low + below(FUZZ_WINDOW - (size_t)(high - low) - row + 1)), row,
      levels, count, stride);
  return 1;
}

/* Byte i of a strided side, computed from the front. */
static size_t strided_at(const struct pst_side *s, size_t i)
{
  ptrdiff_t at = s->base - fuzz_window + (ptrdiff_t)(i % s->piece);
  i /= s->piece;
  for (size_t l = 0; l < s->n; l++) {
    at += s->stride[l] * (ptrdiff_t)(i % s->count[l]);
    i /= s->count[l];
  }
  return (size_t)at;
}

static void make_strided(struct example *e)
{
  struct pst_side s;
  size_t count[PST_SHAPE_LEVELS], offset;
  ptrdiff_t stride[PST_SHAPE_LEVELS];
  while (!make_levels(&s, count, stride)) {}
  offset = below(s.bytes);
  e->n = 1 + below(s.bytes - offset);
  e->length = pst_wire_strided(e->description, &s, offset, origin());
  for (size_t i = 0; i < e->n; i++) e->at[i] = strided_at(&s, offset + i);
}

/* Entries anywhere, some of which continue the one before. */
static void make_list(struct example *e)
{
  struct pst_wire_list l;
  size_t at = 0, entries = 1 + below(MOST_ENTRIES);
  pst_wire_list_begin(&l, e->description, origin());
  for (e->n = 0; entries--;) {
    const size_t len = 1 + below(MOST_BYTES / MOST_ENTRIES);
    if (below(4) || at + len > FUZZ_WINDOW) at = below(FUZZ_WINDOW - len + 1);
    CU_ASSERT_FATAL(pst_wire_list_most(&l) <= sizeof e->description);
    pst_wire_list_add(&l, in_window(at), len);
    for (size_t i = 0; i < len; i++) e->at[e->n++] = at++;
  }
  e->length = pst_wire_list_end(&l);
}

/* Elements at any multiples of a power of two, some so far apart that their numbers take more bytes. */
/* An index list, or the same as a list of regions of one length. */
static void make_elements(struct example *e)
{
  static void *list[MOST_ENTRIES];
  static gasnet_memvec_t regions[MOST_ENTRIES];
  struct pst_wire_elements elements;
  struct pst_side s;
  const size_t piece = below(2) ? 4u << below(2) : 1 + below(MOST_BYTES / MOST_ENTRIES),
               entries = 1 + below(MOST_ENTRIES);
  const size_t apart = (size_t)1 << below(8), first = below(entries), count = 1 + below(entries - first);
  for (size_t i = 0; i < entries; i++) list[i] = in_window(below((FUZZ_WINDOW - piece) / apart + 1) * apart);
  for (size_t i = 0; i < entries; i++) regions[i] = (gasnet_memvec_t){list[i], piece};
  if (below(2)) pst_side_indexed(&s, entries, list, piece);
  else pst_side_vector(&s, entries, regions);
  CU_ASSERT_FATAL(pst_side_has_entries(&s) && s.bytes == entries * piece);
  pst_wire_elements_begin(&elements, &s, origin());
  CU_ASSERT_FATAL(PST_WIRE_ELEMENTS_HEAD + count * elements.width <= sizeof e->description);
  e->length = pst_wire_elements(e->description, &elements, first * piece, count * piece);
  e->n = 0;
  for (size_t i = 0; i < count * piece; i++)
    e->at[e->n++] = (size_t)((char *)list[first + i / piece] - fuzz_window) + i % piece;
}

static void make(struct example *e)
{
  switch (below(3)) {
  case 0: make_strided(e); break;
  case 1: make_list(e); break;
  default: make_elements(e);
  }
}

static const char *pack(const struct example *e, char *to)
{
  const struct pst_wire_window w = {origin(), FUZZ_WINDOW, &fuzz_region, 1};
  return pst_wire_pack(&w, e->description, e->length, to, e->n);
}

static const char *unpack(const struct example *e, const char *from)
{
  const struct pst_wire_window w = {origin(), FUZZ_WINDOW, &fuzz_region, 1};
  return pst_wire_unpack(&w, e->description, e->length, from, e->n);
}

static void randomise(char *p, size_t n)
{
  for (size_t i = 0; i < n; i++) p[i] = (char)next();
}

/* ---- tests ---- */

static void test_pack(void)
{
  static struct example e;
  static char data[MOST_BYTES];
  unsigned wrong = 0;
  randomise(fuzz_window, FUZZ_WINDOW);
  for (int k = 0; k < ROUNDS; k++) {
    make(&e);
    wrong += pack(&e, data) != NULL;
    for (size_t i = 0; i < e.n; i++) wrong += data[i] != *in_window(e.at[i]);
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

/* A description may address a byte twice; then the last value stays. */
static void test_unpack(void)
{
  static struct example e;
  static char data[MOST_BYTES], expected[FUZZ_WINDOW];
  unsigned wrong = 0;
  for (int k = 0; k < ROUNDS / 10; k++) {
    make(&e);
    randomise(data, e.n);
    memset(fuzz_window, k, FUZZ_WINDOW);
    memset(expected, k, FUZZ_WINDOW);
    for (size_t i = 0; i < e.n; i++) data[i] = (char)(e.at[i] * 7 + e.at[i] / 251);
    for (size_t i = 0; i < e.n; i++) expected[e.at[i]] = data[i];
    wrong += unpack(&e, data) != NULL;
    wrong += memcmp(expected, fuzz_window, FUZZ_WINDOW) != 0;
  }
  CU_ASSERT_EQUAL(wrong, 0);
}

/* Neighbours take one entry; other elements two or three bytes each. */
static void test_compact(void)
{
  struct pst_wire_list l;
  unsigned char buffer[4096];
  pst_wire_list_begin(&l, buffer, origin());
  for (size_t i = 0; i < 1000; i++) pst_wire_list_add(&l, in_window(i * 8), 8);
  CU_ASSERT(pst_wire_list_end(&l) <= 5);
  pst_wire_list_begin(&l, buffer, origin());
  for (size_t i = 0; i < 1000; i++) pst_wire_list_add(&l, in_window(i * 64), 8);
  CU_ASSERT(pst_wire_list_end(&l) <= 2002);
}

/* The whole address space is a window, too. */
static void test_everything(void)
{
  const struct pst_wire_window everything = {0, SIZE_MAX, NULL, 0};
  const size_t count[] = {3, 2};
  const ptrdiff_t stride[] = {-16, 64};
  unsigned char description[PST_WIRE_STRIDED_MOST];
  char data[48] = "", here[256];
  struct pst_side s;
  randomise(here, sizeof here);
  pst_side_strided(&s, here + 100, 8, 2, count, stride);
  const size_t length = pst_wire_strided(description, &s, 8, 0);
  CU_ASSERT_PTR_NULL(pst_wire_pack(&everything, description, length, data, 40));
  CU_ASSERT(memcmp(data, here + 84, 8) == 0 && memcmp(data + 8, here + 68, 8) == 0 &&
      memcmp(data + 16, here + 164, 8) == 0);
}

/* Elements farther apart take wider numbers; a larger common factor makes these narrower. */
static void test_widths(void)
{
  const struct pst_wire_window everything = {0, SIZE_MAX, NULL, 0};
  static char far[1 << 20] __attribute__((aligned(64)));
  char near[64], data[3];
  static const struct {
    size_t second;
    int stack;
    unsigned width;
  } cases[] = {{0, 0, 2}, {65535, 0, 2}, {65536 + 1, 0, 4}, {65536 + 2, 0, 2}, {1 << 19, 0, 2}, {3, 1, 8}};
  randomise(far, sizeof far);
  randomise(near, sizeof near);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    void *list[] = {far, far + cases[i].second, cases[i].stack ? near + 1 : far};
    unsigned char description[PST_WIRE_ELEMENTS_HEAD + 3 * 8];
    struct pst_wire_elements e;
    struct pst_side s;
    pst_side_indexed(&s, 3, list, 1);
    pst_wire_elements_begin(&e, &s, 0);
    CU_ASSERT_EQUAL(e.width, cases[i].width);
    CU_ASSERT_PTR_NULL(
        pst_wire_pack(&everything, description, pst_wire_elements(description, &e, 0, 3), data, 3));
    for (int k = 0; k < 3; k++) CU_ASSERT(data[k] == *(char *)list[k]);
  }
}

static void test_refused(void)
{
  static const struct {
    const char *text;
    size_t length, n;
    const char *why;
  } bad[] = {
      {"", 0, 1, "empty"},
      {"\x03", 1, 0, "form"},
      {"\xff\xff", 2, 8, "form"},
      {"\x01", 1, 1, "fewer"},
      {"\x01\x00", 2, 1, "within an entry"},
      {"\x01\x00\x80", 3, 1, "within an entry"},
      {"\x01\x00\x00", 3, 1, "other bytes"},
      {"\x01\x00\x02", 3, 1, "other bytes"},
      {"\x01\x00\x01\x00\x01", 5, 1, "other bytes"},
      {"\x01\x01\x01", 3, 1, "segment"},         /* one before the window */
      {"\x01\x80\x80\x08\x01", 5, 1, "segment"}, /* one behind it */
      {"\x01\xfe\xff\x07\x02", 5, 2, "segment"}, /* past its end */
      {"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, 1, "segment"},
      {"\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 12, 1, "within an entry"}, /* more than 64 bits */
      {"\x01\x00\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 13, 1, "within an entry"},
      {"\x02\x02", 2, 0, "before its elements"},
      {"\x02\x02\x00\x00", 4, 0, "before its elements"},
      {"\x02\x03\x00\x00\x08", 5, 0, "no known form"},
      {"\x02\x02\x40\x00\x08", 5, 0, "no known form"},
      {"\x02\x02\x00\x00\x00", 5, 0, "empty"},
      {"\x02\x02\x00\x00\x08\x00\x00", 7, 7, "other bytes"},
      {"\x02\x02\x00\x00\x08\x00\x00", 7, 16, "other bytes"},
      {"\x02\x02\x00\x00\x08\x00\x00\x00", 8, 8, "other bytes"},
      {"\x02\x02\x00\x00\x08", 5, 8, "other bytes"},
      {"\x02\x02\x00\xf9\xff\x03\x08\x00\x00", 9, 8, "segment"}, /* the lowest is past the end */
      {"\x02\x02\x00\xf8\xff\x03\x08\x01\x00", 9, 8, "segment"}, /* an element is */
      {"\x02\x02\x3f\x00\x08\x01\x00", 7, 8, "segment"},
      {"\x02\x08\x01\x00\x08\x00\x00\x00\x00\x00\x00\x00\x80", 13, 8, "segment"}, /* twice that is 0 */
      {"\x00", 1, 1, "before its levels"},
      {"\x00\x41\x00\x01", 4, 1, "too many levels"},
      {"\x00\x00\x00\x00\x00", 5, 1, "empty"},
      {"\x00\x01\x00\x01\x02", 5, 1, "within a level"},
      {"\x00\x01\x00\x01\x00\x02\x00", 7, 1, "count 0"},
      {"\x00\x00\x00\x08", 4, 8, "length"},
      {"\x00\x00\x00\x08\x00\x00", 6, 8, "length"},
      {"\x00\x00\x00\x08\x00", 5, 9, "fewer"},
      {"\x00\x00\x00\x08\x04", 5, 5, "fewer"},
      {"\x00\x00\x00\x08\x09", 5, 0, "fewer"},
      {"\x00\x00\xf9\xff\x03\x08\x00", 7, 8, "segment"},
      {"\x00\x01\x00\x08\x02\x01\x00", 7, 8, "segment"},         /* stride -1 */
      {"\x00\x01\x00\x08\x02\xf2\xff\x07\x00", 9, 8, "segment"}, /* the second row is past the end */
      {"\x00\x01\x00\x08\x03\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 16, 8, "extent"},
      {"\x00\x01\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00", 16, 8, "extent"},
      {"\x00\x02\x00\x08\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00\x80\x80\x80\x80\x80\x80\x80\x80\x01\x00\x00",
          24, 8, "size"},
  };
  const struct pst_wire_window w = {origin(), FUZZ_WINDOW, &fuzz_region, 1};
  char data[64] = "";
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *wrong = pst_wire_unpack(&w, bad[i].text, bad[i].length, data, bad[i].n);
    const int as_expected = wrong && strstr(wrong, bad[i].why);
    if (!as_expected)
      printf("\nrefused %zu: \"%s\", not for \"%s\"\n", i, wrong ? wrong : "(taken)", bad[i].why);
    CU_ASSERT(as_expected);
  }
}

/* Right at the edges nothing is refused. */
static void test_accepted(void)
{
  static const struct {
    const char *text;
    size_t length, n;
  } good[] = {
      {"", 0, 0}, {"\x01", 1, 0}, {"\x01\xfe\xff\x07\x01", 5, 1}, {"\x02\x02\x00\xf8\xff\x03\x08", 7, 0},
      {"\x02\x02\x3f\xf8\xff\x03\x08\x00\x00", 9, 8}, {"\x00\x00\xf8\xff\x03\x08\x00", 7, 8},
      {"\x00\x01\x00\x08\x02\xf0\xff\x07\x00", 9, 16},
      {"\x00\x01\xf8\xff\x03\x08\x02\xef\xff\x07\x00", 11, 16},
      {"\x00\x01\x00\x08\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 16,
          8}, /* this level has one element: its stride does not count */
  };
  const struct pst_wire_window w = {origin(), FUZZ_WINDOW, &fuzz_region, 1};
  char data[64] = "";
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CU_ASSERT_PTR_NULL(pst_wire_unpack(&w, good[i].text, good[i].length, data, good[i].n));
}

/* Whether a piece of 8 bytes at `at` is accepted as a list's entry, as an element (the second; the first is
 * in the window), or as a row. */
static int taken(char *at, int form)
{
  const struct pst_wire_window w = {origin(), FUZZ_WINDOW, &fuzz_region, 1};
  void *list[] = {fuzz_window, at};
  char data[16] = "", back[16] = "";
  unsigned char buffer[256];
  struct pst_wire_elements elements;
  struct pst_wire_list l;
  struct pst_side s;
  size_t length, n = form == 2 ? 8 : 16;
  if (form == 0) {
    pst_wire_list_begin(&l, buffer, origin());
    for (int i = 0; i < 2; i++) pst_wire_list_add(&l, list[i], 8);
    length = pst_wire_list_end(&l);
  } else if (form == 1) {
    pst_side_indexed(&s, 2, list, 8);
    pst_wire_elements_begin(&elements, &s, origin());
    length = pst_wire_elements(buffer, &elements, 0, 16);
  } else {
    pst_side_strided(&s, at, 8, 0, NULL, NULL);
    length = pst_wire_strided(buffer, &s, 0, origin());
  }
  randomise(data, n);
  if (pst_wire_unpack(&w, buffer, length, data, n) != NULL) return 0;
  CU_ASSERT_PTR_NULL(pst_wire_pack(&w, buffer, length, back, n));
  CU_ASSERT(memcmp(data, back, n) == 0);
  return 1;
}

static void test_region(void)
{
  char *const begin = fuzz_region.addr;
  for (int form = 0; form < 3; form++) {
    CU_ASSERT(taken(begin, form));
    CU_ASSERT(taken(begin + FUZZ_REGION - 8, form));
    CU_ASSERT(!taken(begin - 1, form));
    CU_ASSERT(!taken(begin + FUZZ_REGION - 7, form));
    CU_ASSERT(!taken(begin + FUZZ_REGION, form));
  }
}

/* ---- the corpus ---- */

static size_t damage(unsigned char *input, size_t size, size_t room)
{
  static const unsigned char extremes[] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  const size_t at = below(size), n = 1 + below(8);
  switch (below(6)) {
  case 0: input[at] ^= (unsigned char)(1 << below(8)); return size;
  case 1: input[at] = extremes[below(sizeof extremes)]; return size;
  case 2: input[at] = (unsigned char)next(); return size;
  case 3: return at < 2 ? 2 : at;
  case 4:
    if (at + n > size) return size;
    memmove(input + at, input + at + n, size - at - n);
    return size - n;
  default:
    if (size + n > room) return size;
    memmove(input + at + n, input + at, size - at);
    memset(input + at, extremes[below(sizeof extremes)], n);
    return size + n;
  }
}

static void test_corpus(void)
{
  static struct example e;
  static unsigned char input[2 + sizeof e.description];
  fuzz_accepted = fuzz_refused = 0;
  for (int k = 0; k < CORPUS; k++) {
    if (k % 8 == 0) make(&e);
    size_t size = 2 + e.length;
    input[0] = (unsigned char)e.n;
    input[1] = (unsigned char)(e.n >> 8);
    memcpy(input + 2, e.description, e.length);
    for (size_t times = below(4); times--;)
      if (size) size = damage(input, size, sizeof input);
    LLVMFuzzerTestOneInput(input, size);
  }
  printf("%u taken, %u refused ... ", fuzz_accepted, fuzz_refused);
  CU_ASSERT(fuzz_accepted > CORPUS / 10 && fuzz_refused > CORPUS / 10);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"described bytes are read", test_pack},
      {"described bytes are written, no others", test_unpack},
      {"lists are compact", test_compact},
      {"all memory as a window", test_everything},
      {"widths of elements", test_widths},
      {"malformed descriptions", test_refused},
      {"the edges of the window", test_accepted},
      {"another region", test_region},
      {"damaged descriptions", test_corpus},
  };
  random_begin();
  fuzz_open();
  return RUN_SUITE("vis/wire", tests);
}
