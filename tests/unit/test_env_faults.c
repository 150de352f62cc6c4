/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The lists that GASNET_OFI_MR, GASNET_OFI_WITHOUT and GASNET_UCX_WITHOUT take: every name, combinations, and
 * what is refused with nothing changed. */
#ifndef PST_FAULT_INJECTION
#include <stdio.h>
int main(void)
{
  fprintf(stderr, "skip: this build injects no faults (configure --enable-fault-injection)\n");
  return 77;
}
#else
#include "conduits/ofi/variables.h"
#include "conduits/ucx/variables.h"
#include "support/namelist.h"

#include <string.h>

#include "support/error.h"
#include "tests/unit/suite.h"

union lists {
  struct pst_ofi_mr modes;
  struct pst_ofi_without ofi;
  struct pst_ucx_without ucx;
};

static int mr(const char *text, union lists *to) { return pst_ofi_mr_parse(text, to ? &to->modes : NULL); }
static int ofi(const char *text, union lists *to)
{
  return pst_ofi_without_parse(text, to ? &to->ofi : NULL);
}
static int ucx(const char *text, union lists *to)
{
  return pst_ucx_without_parse(text, to ? &to->ucx : NULL);
}

/* What stands behind the list's own structure stays as it was, too. */
static int is(int parse(const char *, union lists *), const char *text, const void *expected, size_t size)
{
  union lists got, wanted;
  memset(&got, 0x5a, sizeof got);
  memset(&wanted, 0x5a, sizeof wanted);
  memcpy(&wanted, expected, size);
  return parse(text, &got) == PST_OK && memcmp(&got, &wanted, sizeof got) == 0 && parse(text, NULL) == PST_OK;
}
#define MR(...)                  &(struct pst_ofi_mr){__VA_ARGS__}, sizeof(struct pst_ofi_mr)
#define OFI(...)                 &(struct pst_ofi_without){__VA_ARGS__}, sizeof(struct pst_ofi_without)
#define UCX(...)                 &(struct pst_ucx_without){__VA_ARGS__}, sizeof(struct pst_ucx_without)

static void refuses(int parse(const char *, union lists *), int err, const char *const *bad)
{
  for (; *bad; bad++) {
    union lists got, untouched;
    memset(&got, 0x5a, sizeof got);
    untouched = got;
    CU_ASSERT(parse(*bad, &got) == err && memcmp(&got, &untouched, sizeof got) == 0);
    CU_ASSERT(parse(*bad, NULL) == err);
  }
}
#define REFUSES(parse, err, ...) refuses(parse, err, (const char *const[]){__VA_ARGS__, NULL})

static void test_modes(void)
{
  CU_ASSERT(is(mr, NULL, MR(0)));
  CU_ASSERT(is(mr, "local", MR(.local = 1)));
  CU_ASSERT(is(mr, "virt_addr", MR(.virt_addr = 1)));
  CU_ASSERT(is(mr, "allocated", MR(.allocated = 1)));
  CU_ASSERT(is(mr, "prov_key", MR(.prov_key = 1)));
  CU_ASSERT(is(mr, "endpoint", MR(.endpoint = 1)));
  CU_ASSERT(is(mr, "raw", MR(.raw = 1)));
  CU_ASSERT(is(mr, "raw,local,raw", MR(.raw = 1, .local = 1)));
  CU_ASSERT(is(mr, "local,virt_addr,allocated,prov_key,endpoint,raw", MR(1, 1, 1, 1, 1, 1)));
  REFUSES(mr, PST_ERR_INVALID, "", ",", "local,", ",local", "local,,raw", "loca", "locals", "LOCAL", " local",
      "local raw", "local:1", "local:", ":", "room:3", "all", "multi_recv");
}

static void test_ofi(void)
{
  CU_ASSERT(is(ofi, NULL, OFI(0)));
  CU_ASSERT(is(ofi, "multi_recv", OFI(.multi_recv = 1)));
  CU_ASSERT(is(ofi, "delivery_complete", OFI(.delivery_complete = 1)));
  CU_ASSERT(is(ofi, "inject", OFI(.inject = 1)));
  CU_ASSERT(is(ofi, "auto_progress", OFI(.auto_progress = 1)));
  CU_ASSERT(is(ofi, "resource_mgmt", OFI(.resource_mgmt = 1)));
  CU_ASSERT(is(ofi, "room:2", OFI(.room = 2)));
  CU_ASSERT(is(ofi, "size:64", OFI(.size = 64)));
  CU_ASSERT(is(ofi, "queue:64", OFI(.queue = 64)));
  CU_ASSERT(is(ofi, "queue:1073741824", OFI(.queue = PST_NAMELIST_MOST)));
  CU_ASSERT(is(ofi, "room:3,inject,size:1000,room:7",
      OFI(.inject = 1, .room = 7, .size = 1000))); /* the last counts */
  REFUSES(ofi, PST_ERR_INVALID, "", ",", "room", "room:", "room:x", "room:3x", "room: ", "room:3:4",
      "inject:1", "injec", "injects", "inject,", ",inject", "inject,,room:3", "room:3;size:64", "ROOM:3",
      "local", "room:1111111111111111111111111111", "size:99999999999999999");
  REFUSES(ofi, PST_ERR_RANGE, "room:1", "room:0", "room:-3", "size:63", "queue:63", "queue:1073741825",
      "inject,room:1");
}

static void test_ucx(void)
{
  CU_ASSERT(is(ucx, NULL, UCX(0)));
  CU_ASSERT(is(ucx, "direct", UCX(.direct = 1)));
  CU_ASSERT(is(ucx, "bulk", UCX(.bulk = 1)));
  CU_ASSERT(is(ucx, "rma", UCX(.rma = 1)));
  CU_ASSERT(is(ucx, "peer_errors", UCX(.peer_errors = 1)));
  CU_ASSERT(is(ucx, "room:2", UCX(.room = 2)));
  CU_ASSERT(is(ucx, "rma,room:9,direct", UCX(.direct = 1, .rma = 1, .room = 9)));
  REFUSES(ucx, PST_ERR_INVALID, "", ",", "room", "room:", "room:x", "direct:1", "direc", "rma,", ",rma",
      "rma,,bulk", "size:64", "RMA");
  REFUSES(ucx, PST_ERR_RANGE, "room:1", "rma,room:0");
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
  static const struct unit_test tests[] = {{"GASNET_OFI_MR", test_modes}, {"GASNET_OFI_WITHOUT", test_ofi},
      {"GASNET_UCX_WITHOUT", test_ucx}, {"all lists of five pieces", test_pieces}};
  return RUN_SUITE("lists of faults", tests);
}
#endif
