/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The lists that GASNET_OFI_MR and GASNET_OFI_WITHOUT take: every name, combinations, and what is refused
 * with nothing changed. */
#ifndef PST_FAULT_INJECTION
#include <stdio.h>
int main(void)
{
  fprintf(stderr, "skip: this build injects no faults (configure --enable-fault-injection)\n");
  return 77;
}
#else
#include "conduits/ofi/variables.h"
#include "support/namelist.h"

#include <string.h>

#include "support/error.h"
#include "tests/unit/suite.h"

static int mr_is(const char *text, struct pst_ofi_mr expected)
{
  struct pst_ofi_mr modes;
  memset(&modes, 0x5a, sizeof modes);
  return pst_ofi_mr_parse(text, &modes) == PST_OK && memcmp(&modes, &expected, sizeof modes) == 0 &&
      pst_ofi_mr_parse(text, NULL) == PST_OK;
}

static int mr_refused(const char *text)
{
  struct pst_ofi_mr modes, untouched;
  memset(&modes, 0x5a, sizeof modes);
  untouched = modes;
  return pst_ofi_mr_parse(text, &modes) == PST_ERR_INVALID && memcmp(&modes, &untouched, sizeof modes) == 0 &&
      pst_ofi_mr_parse(text, NULL) == PST_ERR_INVALID;
}

static void test_modes(void)
{
  CU_ASSERT(mr_is(NULL, (struct pst_ofi_mr){0}));
  CU_ASSERT(mr_is("local", (struct pst_ofi_mr){.local = 1}));
  CU_ASSERT(mr_is("virt_addr", (struct pst_ofi_mr){.virt_addr = 1}));
  CU_ASSERT(mr_is("allocated", (struct pst_ofi_mr){.allocated = 1}));
  CU_ASSERT(mr_is("prov_key", (struct pst_ofi_mr){.prov_key = 1}));
  CU_ASSERT(mr_is("endpoint", (struct pst_ofi_mr){.endpoint = 1}));
  CU_ASSERT(mr_is("raw", (struct pst_ofi_mr){.raw = 1}));
  CU_ASSERT(mr_is("raw,local,raw", (struct pst_ofi_mr){.raw = 1, .local = 1}));
  CU_ASSERT(mr_is("local,virt_addr,allocated,prov_key,endpoint,raw", (struct pst_ofi_mr){1, 1, 1, 1, 1, 1}));
}

static void test_modes_refused(void)
{
  static const char *const bad[] = {"", ",", "local,", ",local", "local,,raw", "loca", "locals", "LOCAL",
      " local", "local raw", "local:1", "local:", ":", "room:3", "all", "multi_recv"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) CU_ASSERT(mr_refused(bad[i]));
}

static int without_is(const char *text, struct pst_ofi_without expected)
{
  struct pst_ofi_without w;
  memset(&w, 0x5a, sizeof w);
  return pst_ofi_without_parse(text, &w) == PST_OK && memcmp(&w, &expected, sizeof w) == 0 &&
      pst_ofi_without_parse(text, NULL) == PST_OK;
}

static int without_refused(const char *text, int err)
{
  struct pst_ofi_without w, untouched;
  memset(&w, 0x5a, sizeof w);
  untouched = w;
  return pst_ofi_without_parse(text, &w) == err && memcmp(&w, &untouched, sizeof w) == 0 &&
      pst_ofi_without_parse(text, NULL) == err;
}

static void test_without(void)
{
  CU_ASSERT(without_is(NULL, (struct pst_ofi_without){0}));
  CU_ASSERT(without_is("multi_recv", (struct pst_ofi_without){.multi_recv = 1}));
  CU_ASSERT(without_is("delivery_complete", (struct pst_ofi_without){.delivery_complete = 1}));
  CU_ASSERT(without_is("inject", (struct pst_ofi_without){.inject = 1}));
  CU_ASSERT(without_is("auto_progress", (struct pst_ofi_without){.auto_progress = 1}));
  CU_ASSERT(without_is("resource_mgmt", (struct pst_ofi_without){.resource_mgmt = 1}));
  CU_ASSERT(without_is("room:2", (struct pst_ofi_without){.room = 2}));
  CU_ASSERT(without_is("size:64", (struct pst_ofi_without){.size = 64}));
  CU_ASSERT(without_is("queue:64", (struct pst_ofi_without){.queue = 64}));
  CU_ASSERT(without_is("queue:1073741824", (struct pst_ofi_without){.queue = PST_NAMELIST_MOST}));
  CU_ASSERT(without_is("room:3,inject,size:1000,room:7",
      (struct pst_ofi_without){.inject = 1, .room = 7, .size = 1000})); /* the last counts */
}

static void test_without_refused(void)
{
  static const char *const bad[] = {"", ",", "room", "room:", "room:x", "room:3x", "room: ", "room:3:4",
      "inject:1", "injec", "injects", "inject,", ",inject", "inject,,room:3", "room:3;size:64", "ROOM:3",
      "local", "room:1111111111111111111111111111", "size:99999999999999999"};
  static const char *const range[] = {
      "room:1", "room:0", "room:-3", "size:63", "queue:63", "queue:1073741825", "inject,room:1"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) CU_ASSERT(without_refused(bad[i], PST_ERR_INVALID));
  for (size_t i = 0; i < sizeof range / sizeof range[0]; i++)
    CU_ASSERT(without_refused(range[i], PST_ERR_RANGE));
}

/* Each text of up to five pieces of a list is taken or refused, and a refusal changes nothing. */
static void test_pieces(void)
{
  static const char *const piece[] = {"room", ":", "7", ",", "inject", "size", "1000000000000", "-", "\x80"};
  enum { PIECES = sizeof piece / sizeof piece[0], MOST = 5 };
  unsigned taken = 0;
  for (unsigned long k = 0; k < 59049; k++) { /* 9 to the 5th */
    char text[MOST * 16] = "";
    struct pst_ofi_without w, untouched;
    unsigned long rest = k;
    for (int i = 0; i < MOST; i++, rest /= PIECES) strcat(text, piece[rest % PIECES]);
    memset(&w, 0x5a, sizeof w);
    untouched = w;
    if (pst_ofi_without_parse(text, &w) == PST_OK) taken++;
    else CU_ASSERT(memcmp(&w, &untouched, sizeof w) == 0);
  }
  CU_ASSERT(taken > 0);
}

int main(void)
{
  static const struct unit_test tests[] = {
      {"GASNET_OFI_MR", test_modes},
      {"GASNET_OFI_MR, refused", test_modes_refused},
      {"GASNET_OFI_WITHOUT", test_without},
      {"GASNET_OFI_WITHOUT, refused", test_without_refused},
      {"all lists of five pieces", test_pieces},
  };
  return RUN_SUITE("GASNET_OFI_ lists", tests);
}
#endif
