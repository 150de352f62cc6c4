/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The translation of any text: it says errors or edits the source, and both outputs can be written. make fuzz
 * runs it under libFuzzer; the programs of tests/xmp/language are seeds to begin with. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xmpcc/message.h"
#include "xmpcc/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  static FILE *nowhere;
  if (!nowhere) nowhere = fopen("/dev/null", "w");
  char *const text = malloc(size + 1);
  if (!text || !nowhere) exit(1);
  memcpy(text, bytes, size);
  message_set_output(nowhere);
  message_set_most(UINT_MAX);
  struct source *const s = source_read(text, size, "fuzz.c");
  struct edits *const e = edits_open(s);
  if (translate(s, e) == 0 && (edits_write(e, nowhere, 0) || edits_write(e, nowhere, 1))) abort();
  edits_free(e);
  source_free(s);
  return 0;
}
