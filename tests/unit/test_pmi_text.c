/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What a launcher says on PMI's wire: fields, numbers, counts; and 200,000 damaged messages, none of which
 * may be read beyond its end. PST_SEED repeats a run. */
#include "bootstrap/kvs.c"
#include "bootstrap/pmi.c"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static int is(const char *text, char separator, const char *key, const char *expected)
{
  char value[16];
  return message_field(text, separator, key, value, sizeof value) == PST_OK && strcmp(value, expected) == 0;
}

static void test_fields(void)
{
  char value[4] = "old";
  const char *line = "cmd=get_result rc=0  msg=success value=(a,b=c)";
  CU_ASSERT(
      is(line, ' ', "cmd", "get_result") && is(line, ' ', "rc", "0") && is(line, ' ', "value", "(a,b=c)"));
  CU_ASSERT(message_field(line, ' ', "val", value, sizeof value) == PST_ERR_INVALID);
  CU_ASSERT(message_field(line, ' ', "c", value, sizeof value) == PST_ERR_INVALID);
  CU_ASSERT(message_field("", ' ', "cmd", value, sizeof value) == PST_ERR_INVALID);
  CU_ASSERT(message_field("cmd", ' ', "cmd", value, sizeof value) == PST_ERR_INVALID);
  CU_ASSERT(message_field("cmd=four", ' ', "cmd", value, sizeof value) == PST_ERR_RANGE &&
      strcmp(value, "fou") == 0);
  CU_ASSERT(is("cmd=x;a=b;;c;rc=0;", ';', "a", "b;c") && is("cmd=x;a=b;;c;rc=0;", ';', "rc", "0") &&
      is("a=;b=1", ';', "a", ""));
}

static void test_numbers(void)
{
  unsigned n = 77;
  size_t count = 77;
  CU_ASSERT(message_number("rc=12 x=1", ' ', "rc", 0, 12, &n) == PST_OK && n == 12);
  CU_ASSERT(message_number("rc=-1", ' ', "rc", 0, 12, &n) == PST_ERR_INVALID && n == 12);
  CU_ASSERT(
      decimal_parse("13", 0, 12, &n) == PST_ERR_RANGE && decimal_parse("1", 2, 12, &n) == PST_ERR_RANGE);
  CU_ASSERT(decimal_parse("", 0, 12, &n) && decimal_parse("1 ", 0, 12, &n) &&
      decimal_parse("99999999999999999999", 0, ~0u, &n));
  CU_ASSERT(message_count("    42", 100, &count) == PST_OK && count == 42);
  CU_ASSERT(message_count("43    ", 100, &count) == PST_OK && count == 43);
  CU_ASSERT(message_count("000044", 100, &count) == PST_OK && count == 44);
  CU_ASSERT(message_count("   101", 100, &count) && message_count("      ", 100, &count) &&
      message_count("  -1  ", 100, &count));
  CU_ASSERT(message_count(" 1 2  ", 100, &count) != PST_OK && count == 44);
}

static void test_hex(void)
{
  unsigned char bytes[256], back[256];
  char text[513];
  for (unsigned i = 0; i < 256; i++) bytes[i] = (unsigned char)i;
  hex_write(bytes, sizeof bytes, text);
  CU_ASSERT(hex_read(text, back, sizeof back) == PST_OK && memcmp(bytes, back, sizeof bytes) == 0);
  CU_ASSERT(hex_read(text, back, 255) && hex_read("0g", back, 1) && hex_read("0", back, 1) &&
      !hex_read("", back, 0));
}

static void test_damaged(void)
{
  static const char *const right[] = {"cmd=get_result rc=0 msg=success value=0123456789abcdef",
      "cmd=kvs-get-response;rc=0;found=TRUE;value=a;;b;"};
  static const char odd[8] = {'=', ' ', ';', 0, 'a', '\xff', '9', 'v'};
  unsigned found = 0, refused = 0;
  for (unsigned round = 0; round < 200000; round++) {
    const char *from = right[round % 2];
    const size_t n = strlen(from);
    char *text = malloc(n + 1), value[9];
    memcpy(text, from, n + 1);
    for (unsigned k = 0; k < 1 + round % 5; k++) {
      const size_t at = below(n);
      text[at] = odd[below(8)];
    }
    memset(value, 'x', sizeof value);
    const int err = message_field(text, round % 2 ? ';' : ' ', "value", value, sizeof value - 1);
    found += err == PST_OK;
    refused += err != PST_OK;
    CU_ASSERT_FATAL(err != PST_OK || memchr(value, 0, sizeof value - 1) != NULL);
    CU_ASSERT_FATAL(value[8] == 'x');
    free(text);
  }
  CU_ASSERT(found > 1000 && refused > 1000);
}

int main(void)
{
  const struct unit_test tests[] = {{"fields", test_fields}, {"numbers and counts", test_numbers},
      {"hexadecimal", test_hex}, {"damaged messages", test_damaged}};
  random_begin();
  return RUN_SUITE("PMI's messages", tests);
}
