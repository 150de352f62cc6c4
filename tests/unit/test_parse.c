/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Values parsed from text. */
#include "support/parse.h"

#include <string.h>

#include "support/error.h"
#include "tests/unit/suite.h"

static void test_bool(void)
{
  static const char *const yes[] = {"1", "y", "Y", "yes", "YES", "t", "true", "True", "on", "ON"};
  static const char *const no[] = {"0", "n", "N", "no", "No", "f", "false", "off"};
  static const char *const bad[] = {"", "2", "ye", "yess", " yes", "-1", "maybe"};
  int v;
  for (unsigned i = 0; i < sizeof yes / sizeof *yes; i++)
    CU_ASSERT((v = 7, pst_parse_bool(yes[i], &v)) == 0 && v == 1);
  for (unsigned i = 0; i < sizeof no / sizeof *no; i++)
    CU_ASSERT((v = 7, pst_parse_bool(no[i], &v)) == 0 && v == 0);
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT((v = 7, pst_parse_bool(bad[i], &v)) == PST_ERR_INVALID && v == 7);
}

static int int_is(const char *text, int64_t expected)
{
  int64_t v;
  return pst_parse_int(text, &v) == PST_OK && v == expected;
}

static int int_fails(const char *text, int err)
{
  int64_t v = 42;
  return pst_parse_int(text, &v) == err && v == 42;
}

static void test_int(void)
{
  CU_ASSERT(int_is("0", 0));
  CU_ASSERT(int_is("007", 7)); /* no octal surprises */
  CU_ASSERT(int_is(" -12 ", -12));
  CU_ASSERT(int_is("+5", 5));
  CU_ASSERT(int_is("0x1F", 31));
  CU_ASSERT(int_is("-0x10", -16));
  CU_ASSERT(int_is("9223372036854775807", INT64_MAX));
  CU_ASSERT(int_is("-9223372036854775808", INT64_MIN));
  CU_ASSERT(int_fails("9223372036854775808", PST_ERR_RANGE));
  CU_ASSERT(int_fails("-9223372036854775809", PST_ERR_RANGE));
  static const char *const bad[] = {
      "", " ", "-", "+", "--1", "- 1", "0x", "0xg", "12a", "1 2", "1.5", "abc", "1e3"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(int_fails(bad[i], PST_ERR_INVALID));
}

static int size_is(const char *text, uint64_t unit, uint64_t expected)
{
  uint64_t v;
  return pst_parse_size(text, unit, &v) == PST_OK && v == expected;
}

static int size_fails(const char *text, int err)
{
  uint64_t v = 42;
  return pst_parse_size(text, 1, &v) == err && v == 42;
}

static void test_size(void)
{
  CU_ASSERT(size_is("0", 1, 0));
  CU_ASSERT(size_is("64", 1, 64));
  CU_ASSERT(size_is("64B", 1, 64));
  CU_ASSERT(size_is("64", 1024, 65536));
  CU_ASSERT(size_is("64B", 1024, 64));
  CU_ASSERT(size_is("64M", 1, UINT64_C(64) << 20));
  CU_ASSERT(size_is("64 MB", 1, UINT64_C(64) << 20));
  CU_ASSERT(size_is("64mib ", 1, UINT64_C(64) << 20));
  CU_ASSERT(size_is("1.5G", 1, UINT64_C(3) << 29));
  CU_ASSERT(size_is(".5K", 1, 512));
  CU_ASSERT(size_is("2T", 1, UINT64_C(2) << 40));
  CU_ASSERT(size_is("2.0", 1, 2));
  CU_ASSERT(size_is("0x1000", 1, 4096));
  CU_ASSERT(size_is("18446744073709551615", 1, UINT64_MAX));
  CU_ASSERT(size_is("9007199254740993K", 1, UINT64_C(9007199254740993) << 10)); /* more than a double holds */
  CU_ASSERT(size_fails("18446744073709551616", PST_ERR_RANGE));
  CU_ASSERT(size_fails("16E", PST_ERR_RANGE));
  CU_ASSERT(size_fails("16.0E", PST_ERR_RANGE));
  static const char *const bad[] = {"", "M", "-1", "-1M", "+1", "1.5", "1.5B", "64Q", "64MM", "64M5", "0x",
      "1..5M", ".", ". M", "inf", "nan"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(size_fails(bad[i], PST_ERR_INVALID));
}

static int near(double a, double b) { return a > b - 1e-12 && a < b + 1e-12; }

static void test_real(void)
{
  double v = 0;
  CU_ASSERT(pst_parse_double("2.5", &v) == 0 && near(v, 2.5));
  CU_ASSERT(pst_parse_double("-.5e1", &v) == 0 && near(v, -5));
  CU_ASSERT(pst_parse_double("1e400", &v) == PST_ERR_RANGE);
  static const char *const bad[] = {"", "x", "1x", "0x10", "nan", "inf", "-inf", "-", ".", "1 2"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT(pst_parse_double(bad[i], &v) == PST_ERR_INVALID);
  CU_ASSERT(pst_parse_seconds("2", &v) == 0 && near(v, 2));
  CU_ASSERT(pst_parse_seconds("0.25 s", &v) == 0 && near(v, 0.25));
  CU_ASSERT(pst_parse_seconds("500ms", &v) == 0 && near(v, 0.5));
  CU_ASSERT(pst_parse_seconds("-1", &v) == PST_ERR_RANGE);
  CU_ASSERT(pst_parse_seconds("1 hour", &v) == PST_ERR_INVALID);
}

static void test_signal(void)
{
  int sig = 0;
  CU_ASSERT(pst_parse_signal("SIGUSR1", &sig) == 0 && sig == SIGUSR1);
  CU_ASSERT(pst_parse_signal("usr2", &sig) == 0 && sig == SIGUSR2);
  CU_ASSERT(pst_parse_signal("15", &sig) == 0 && sig == SIGTERM);
  CU_ASSERT(pst_parse_signal("0", &sig) == PST_ERR_RANGE);
  CU_ASSERT(pst_parse_signal("999", &sig) == PST_ERR_RANGE);
  CU_ASSERT(pst_parse_signal("SIG", &sig) == PST_ERR_INVALID);
  CU_ASSERT(pst_parse_signal("", &sig) == PST_ERR_INVALID);
  CU_ASSERT(pst_parse_signal("12x", &sig) == PST_ERR_INVALID);
}

static void test_signals(void)
{
  sigset_t set;
  CU_ASSERT(pst_parse_signals("INT, SIGTERM ,11", &set) == 0);
  CU_ASSERT(sigismember(&set, SIGINT) && sigismember(&set, SIGTERM) && sigismember(&set, SIGSEGV));
  CU_ASSERT(!sigismember(&set, SIGBUS));
  CU_ASSERT(pst_parse_signals("*", &set) == 0 && sigismember(&set, SIGBUS) == 1);
  CU_ASSERT(pst_parse_signals("1", &set) == 0 && sigismember(&set, SIGBUS) == 1);
  CU_ASSERT(pst_parse_signals("no", &set) == 0 && sigismember(&set, SIGHUP) == 0);
  static const char *const bad[] = {
      "", ",", "INT,", ",INT", "INT,,TERM", "INT TERM", "INT,NOSUCH", "AVERYLONGSIGNALNAMEINDEED"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) CU_ASSERT(pst_parse_signals(bad[i], &set) != 0);
}

static void test_fields(void)
{
  struct numbers {
    uint32_t size, cost;
  } n = {1, 2};
  static const struct pst_parse_field fields[] = {{"size", offsetof(struct numbers, size), 10, 100},
      {"cost", offsetof(struct numbers, cost), 0, UINT32_MAX}};
  CU_ASSERT(pst_parse_fields("cost=4294967295,size=100", fields, 2, &n) == 0);
  CU_ASSERT(n.size == 100 && n.cost == UINT32_MAX);
  CU_ASSERT(pst_parse_fields("size=0x10,size=11", fields, 2, &n) == 0 && n.size == 11);
  CU_ASSERT(pst_parse_fields("cost=5,size=9", fields, 2, &n) == PST_ERR_RANGE);
  CU_ASSERT(pst_parse_fields("cost=5,size=101", fields, 2, &n) == PST_ERR_RANGE);
  static const char *const bad[] = {"", ",", "cost", "cost=", "=5", "cost=5,", "cost=5,,size=10", "cos=5",
      "costs=5", "cost=5 size=10", "cost=00000000000000000000000000000000005"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT(pst_parse_fields(bad[i], fields, 2, &n) == PST_ERR_INVALID);
  CU_ASSERT(n.size == 11 && n.cost == UINT32_MAX);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"bool", test_bool},
      {"int", test_int},
      {"size", test_size},
      {"real", test_real},
      {"signal", test_signal},
      {"signals", test_signals},
      {"fields", test_fields},
  };
  return RUN_SUITE("parse", tests);
}
