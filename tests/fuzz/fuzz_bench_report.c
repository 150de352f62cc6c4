/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The reader of gasnetbench's reports against arbitrary bytes, alone and within a report: make fuzz runs it
 * under libFuzzer, tests/unit/test_bench_report.c on damaged reports. What is read of an accepted report must
 * be fit to be shown. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/report.h"
#include "tests/fail.h"

static unsigned long fuzz_accepted, fuzz_refused;

static void fuzz_fail(const char *text)
{
  fprintf(stderr, "fuzz_bench_report: %s\n", text);
  abort();
}

static char *fuzz_write(const struct report *r, size_t *n)
{
  char *text = NULL;
  FILE *f = open_memstream(&text, n);
  if (!f) fuzz_fail("out of memory");
  json_write(f, r);
  if (fclose(f) != 0) fuzz_fail("out of memory");
  return text;
}

/* Three results: one of each kind. */
static void fuzz_add(struct report *r, const char *test, const char *point, enum bench_unit unit)
{
  struct result *made = report_add(r);
  made->test = test;
  made->group = "transfers";
  made->point = point;
  made->conduit = "ofi";
  made->transport = "tcp;ofi_rxm";
  made->nodes = 2;
  made->threads = 1;
  made->unit = unit;
  made->points = BENCH_SIZES;
  made->bytes = 64;
  made->state = MEASURED;
  made->ours = (struct bench_summary){11, 0.1 + 0.2, 0.25, 1e3, 0.3, 1.0 / 3};
}

static void fuzz_report(struct report *r)
{
  *r = (struct report){.place = {"1.2", "2026-11-22T10:00:00Z", "node \"1\"", "a \\ processor", "Linux", "",
                           "ofi: provider tcp", 2, 0.25}};
  fuzz_add(r, "put_latency", "8", BENCH_NS);
  fuzz_add(r, "put_bandwidth", "64", BENCH_GBS);
  r->result[1].raw = (struct bench_summary){11, 1e-7, 1e-9, 12345678.9, -1, 1};
  r->result[1].ratio = 1.0625;
  fuzz_add(r, "put_rate", "8", BENCH_MSGS);
  r->result[2].state = MISSING;
  r->result[2].missing = "no \"such\" memory";
}

/* NULL, or what is wrong. */
static const char *fuzz_parse(const char *text, size_t n, struct report *r)
{
  FILE *f = fmemopen((void *)(uintptr_t)text, n, "r");
  if (!f) fuzz_fail("no memory to read from");
  const char *wrong = report_read(f, r);
  fclose(f);
  return wrong;
}

/* A text that a report may hold. */
static int fuzz_is_plain(const char *text)
{
  if (strlen(text) > 255) return 0;
  for (; *text; text++)
    if (*text < ' ' || *text > '~') return 0;
  return 1;
}

static void fuzz_look(const struct report *r)
{
  if (!fuzz_is_plain(r->place.version) || !fuzz_is_plain(r->place.date)) fuzz_fail("a strange version");
  EACH_RESULT (each, r) {
    if (!fuzz_is_plain(each->test) || !fuzz_is_plain(each->point) || !fuzz_is_plain(each->conduit) ||
        !fuzz_is_plain(each->transport))
      fuzz_fail("a strange text");
    if ((unsigned)each->unit >= UNITS || !isfinite(each->ours.median) || !isfinite(each->raw.q1))
      fuzz_fail("a strange number");
  }
}

static void fuzz_read(const char *text, size_t size)
{
  struct report r;
  const char *wrong = fuzz_parse(text, size, &r);
  if (!wrong) {
    fuzz_accepted++;
    fuzz_look(&r);
    report_free(&r);
  } else {
    fuzz_refused++;
    if (!*wrong || r.count || r.result) fuzz_fail("refused without a reason, or not left empty");
  }
}

/* The input from its fourth byte on replaces bytes of a report: its first two say where, its third how many.
 * libFuzzer cannot see into the JSON library, whose parser would refuse almost all arbitrary bytes. */
static void fuzz_spliced(const uint8_t *input, size_t size)
{
  static char *whole;
  static size_t n;
  struct report r;
  if (!whole) {
    fuzz_report(&r);
    whole = fuzz_write(&r, &n);
    report_free(&r);
  }
  if (size < 3) return;
  const size_t at = (input[0] | (size_t)input[1] << 8) % n, rest = n - at,
               cut = input[2] < rest ? input[2] : rest;
  char *text = malloc(n + size);
  if (!text) return;
  memcpy(text, whole, at);
  memcpy(text + at, input + 3, size - 3);
  memcpy(text + at + size - 3, whole + at + cut, rest - cut);
  fuzz_read(text, n + size - 3 - cut);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  /* A copy that ends where its memory ends, for the address sanitizer. */
  char *text = malloc(size ? size : 1);
  if (!text) return 0;
  memcpy(text, input, size);
  fuzz_read(text, size);
  free(text);
  fuzz_spliced(input, size);
  return 0;
}
