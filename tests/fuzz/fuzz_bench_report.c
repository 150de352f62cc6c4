/* The reader of gasnetbench's reports against arbitrary bytes: make fuzz runs it under libFuzzer, tests/unit/test_bench_report.c on
 * reports that were damaged. What is accepted must be written and read again without a change. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/control/data.h"
#include "bench/control/plan.h"
#include "launch/options.h"

static unsigned long fuzz_accepted, fuzz_refused;

/* What the reader's neighbours are linked with elsewhere. */
void fail(int code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  exit(code);
}

const struct bench_bound *bound_of(const char *test, const char *point, const char *conduit, const char *transport, unsigned *from)
{
  (void)test, (void)point, (void)conduit, (void)transport, (void)from;
  return NULL;
}

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

static void fuzz_again(const struct report *r)
{
  struct report again;
  char error[ERROR_MOST];
  size_t n, m;
  char *text = fuzz_write(r, &n);
  if (report_read(text, n, &again, error) != 0) {
    fprintf(stderr, "%s\n%s", error, text);
    fuzz_fail("what was written cannot be read");
  }
  char *twice = fuzz_write(&again, &m);
  if (n != m || memcmp(text, twice, n) != 0) fuzz_fail("what was read is not what was written");
  report_free(&again);
  free(twice);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  struct report r;
  char error[ERROR_MOST] = "";
  /* A copy that ends where its memory ends, for the address sanitizer. */
  char *text = malloc(size ? size : 1);
  if (!text) return 0;
  memcpy(text, input, size);
  if (report_read(text, size, &r, error) == 0) {
    fuzz_accepted++;
    fuzz_again(&r);
    report_free(&r);
  } else {
    fuzz_refused++;
    if (!*error || r.count || r.result) fuzz_fail("refused without a reason, or not left empty");
  }
  free(text);
  return 0;
}
