/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The first program: each node greets the next one with an active message and waits for its own greeting. */
#define GASNET_SEQ 1 /* one thread in each process */
#include <gasnet.h>

enum { GREET = 128 }; /* clients have the handler numbers 128..255 */
static volatile int greeter = -1;

static void greet(gasnet_token_t token, gasnet_handlerarg_t from)
{
  (void)token; /* it would say where to send a reply */
  printf("node %d of %d: greetings from node %d\n", (int)gasnet_mynode(), (int)gasnet_nodes(), (int)from);
  greeter = (int)from;
}

static void help(const char *option)
{
  int wanted = strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0;
  if (gasnet_mynode() == 0)
    fprintf(wanted ? stdout : stderr, "usage: gasnetrun -n N hello (without options)\n");
  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* nobody ends the job before */
  gasnet_exit(wanted ? 0 : 2);
}

int main(int argc, char **argv)
{
  gasnet_handlerentry_t table[] = {{GREET, (void (*)())greet}};
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(table, 1, GASNET_PAGESIZE, 0) != GASNET_OK) gasnet_exit(1);
  if (argc > 1) help(argv[1]);

  gasnet_AMRequestShort1((gasnet_mynode() + 1) % gasnet_nodes(), GREET, (gasnet_handlerarg_t)gasnet_mynode());
  GASNET_BLOCKUNTIL(greeter >= 0); /* handlers run inside */
  if ((gasnet_node_t)(greeter + 1) % gasnet_nodes() != gasnet_mynode()) {
    fprintf(stderr, "hello: node %d was greeted by the wrong node\n", (int)gasnet_mynode());
    gasnet_exit(1);
  }

  gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS); /* nobody leaves before all were greeted */
  gasnet_exit(0);
}
