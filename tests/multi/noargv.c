/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* gasnet_init without arguments, and with an argv[0] of which only the first byte may be read.
 * PENSTOCK_TEST_ARGV says which: null, both (argc and argv given, no arguments), page. */
#include "common.h"
#include <sys/mman.h>

enum { H_HELLO = 128 };
static volatile unsigned hellos;
static void hello(gasnet_token_t t)
{
  (void)t;
  hellos++;
}

/* A character at the end of a page with nothing readable behind it. */
static char *last_byte(void)
{
  long page = GASNET_PAGESIZE;
  char *p = (char *)mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, (size_t)page, PROT_NONE)) {
    perror("noargv: mmap");
    exit(1);
  }
  p[page - 1] = 'x';
  return p + page - 1;
}

static int init_as(const char *kind)
{
  static char *none[] = {NULL};
  static char *one[] = {NULL, NULL};
  int argc = 0;
  char **argv = none;
  if (!strcmp(kind, "null")) return gasnet_init(NULL, NULL);
  if (!strcmp(kind, "both")) return gasnet_init(&argc, &argv);
  one[0] = last_byte();
  argc = 1;
  argv = one;
  int rc = gasnet_init(&argc, &argv);
  if (argc != 1 || argv[0] != one[0]) rc = GASNET_ERR_BAD_ARG; /* the launcher had nothing in it */
  return rc;
}

int main(void)
{
  const char *kind = getenv("PENSTOCK_TEST_ARGV");
  gasnet_handlerentry_t table[] = {{H_HELLO, (void (*)())hello}};
  int rc = init_as(kind ? kind : "null");
  if (rc != GASNET_OK) {
    fprintf(stderr, "FAIL noargv: gasnet_init returned %s\n", gasnet_ErrorName(rc));
    return 1;
  }
  test.name = "noargv";
  test.me = gasnet_mynode();
  test.nodes = gasnet_nodes();
  test.scale = 1;
  test.threads = 1;
  test.seed = 1;
  test_attach(table, 1, GASNET_PAGESIZE);
  for (gasnet_node_t i = 0; i < test.nodes; i++) REQUIRE_OK(gasnet_AMRequestShort0(i, H_HELLO));
  GASNET_BLOCKUNTIL(hellos == test.nodes);
  test_finish();
}
