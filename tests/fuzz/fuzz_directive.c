/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The reader of directives against arbitrary text: make fuzz runs it under libFuzzer,
 * tests/unit/test_xmpcc_directive.c with directives that it damages.
 *
 * Input: what follows #pragma xmp, on one line. It is read as C's and as Fortran's. Either there are
 * directives, all of whose members can be looked at, or there was one message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/directive_print.h"
#include "xmpcc/message.h"
#include "xmpcc/source.h"

static FILE *fuzz_messages;
static unsigned long fuzz_accepted, fuzz_refused;

static struct source *fuzz_source(const uint8_t *input, size_t size)
{
  static const char head[] = "#define M(x) x\n#define N 4\n#pragma xmp ";
  char *text = malloc(sizeof head + size + 1);
  if (!text) exit(1);
  memcpy(text, head, sizeof head - 1);
  for (size_t i = 0; i < size; i++) text[sizeof head - 1 + i] = (char)(input[i] == '\n' ? ' ' : input[i]);
  memcpy(text + sizeof head - 1 + size, "\n", 2);
  return source_read(text, sizeof head + size, "fuzz.c");
}

static void fuzz_directive(const struct token *t, int fortran)
{
  struct printed p = {.n = 0};
  int count;
  message_set_output(fuzz_messages); /* which counts from 0 then */
  struct directive *list = directive_read(t, fortran, &count);
  if (message_errors() != (count == 0) || (list != NULL) != (count > 0)) {
    fprintf(stderr, "fuzz_directive: %d directives, %u messages\n", count, message_errors());
    abort();
  }
  print_directives(&p, list, count);
  if (count) fuzz_accepted++;
  else fuzz_refused++;
  directive_free(list, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  if (!fuzz_messages && !(fuzz_messages = fopen("/dev/null", "w"))) exit(1);
  message_set_output(fuzz_messages);
  struct source *s = fuzz_source(input, size);
  for (size_t i = 0; i < s->count; i++) {
    if (s->token[i].kind != TOKEN_DIRECTIVE) continue;
    fuzz_directive(&s->token[i], 0);
    fuzz_directive(&s->token[i], 1);
  }
  source_free(s);
  return 0;
}
