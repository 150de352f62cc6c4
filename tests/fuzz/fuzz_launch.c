/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What launcher and daemon read of each other, against arbitrary bytes: decoded, checked for their order, and
 * applied as far as memory is concerned. tests/unit/test_launch_fuzz.c runs it on mutated sessions; with
 * clang it can also be linked with libFuzzer: clang -fsanitize=fuzzer,address -D_GNU_SOURCE -DPST_INTERNAL
 * -I. -Iinclude tests/fuzz/fuzz_launch.c bootstrap/jobsignals.c
 *
 * Input: which side listens (lowest bit), then the stream. Three of a job's five processes are on this host.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/order.c"
#include "launch/wire.c"

enum { FUZZ_LOCAL = 3, FUZZ_NODES = 5, FUZZ_FIRST = 1 };

static unsigned long fuzz_accepted, fuzz_refused, fuzz_waiting; /* frames; streams that end within a frame */

static void fuzz_fail(const char *text)
{
  fprintf(stderr, "fuzz_launch: %s\n", text);
  abort();
}

/* Places a piece as launcher and daemon do, in memory of exactly the size. */
static void place(const struct order_collective *c, size_t total, const struct wire_frame *f)
{
  char *memory = malloc(total ? total : 1);
  if (!memory) fuzz_fail("out of memory");
  if (c->have > total || f->size > c->have) fuzz_fail("a piece outside its collective");
  if (f->size) memcpy(memory + (c->have - f->size), f->data, f->size);
  free(memory);
}

static const char *daemon_says(struct order_daemon *o, const struct wire_frame *f)
{
  const char *why = order_from_daemon(o, f);
  if (why) return why;
  if (o->started > FUZZ_LOCAL || o->ended > o->started || o->output_room > WIRE_WINDOW ||
      o->input_sent > WIRE_WINDOW)
    fuzz_fail("counts that cannot be");
  switch (f->type) {
  case WIRE_STARTED:
  case WIRE_LEAVES:
  case WIRE_ENDED:
  case WIRE_OUTPUT:
    if (f->word[0] >= FUZZ_LOCAL) fuzz_fail("a process that does not exist");
    break;
  case WIRE_GATHER:
    place(&o->gather, (size_t)FUZZ_LOCAL * o->gather.size, f);
    if (o->gather.have == (size_t)FUZZ_LOCAL * o->gather.size) o->scattered++;
    break;
  default: break;
  }
  return NULL;
}

static const char *launcher_says(struct order_launcher *o, const struct wire_frame *f)
{
  const char *why = order_from_launcher(o, f);
  if (why) return why;
  if (o->input_room > WIRE_WINDOW || o->output_sent > WIRE_WINDOW) fuzz_fail("counts that cannot be");
  if (o->job &&
      (o->part.local < 1 || o->part.local > PST_MAX_LOCAL || o->part.first + o->part.local > o->part.nodes))
    fuzz_fail("a job that cannot be");
  if (f->type == WIRE_START) {
    o->asked = 1; /* the processes ask at once, and again after each answer */
    o->asked_size = 1000;
    o->output_sent = WIRE_WINDOW;
  }
  if (f->type == WIRE_SIGNAL && (f->word[0] < 1 || f->word[0] > 64))
    fuzz_fail("a signal that does not exist");
  if (f->type == WIRE_LOST && f->word[0] >= o->part.nodes) fuzz_fail("a node that does not exist");
  if (f->type == WIRE_SCATTER) {
    const size_t total = (size_t)o->part.nodes * o->asked_size;
    place(&o->scatter, total, f);
    if (o->scatter.have == total) o->asked++;
  }
  return NULL;
}

static void listen_to(enum wire_way way, const char *bytes, size_t n)
{
  uint8_t node[FUZZ_LOCAL] = {0};
  struct order_daemon from_daemon = {
      .local = FUZZ_LOCAL, .asked = 1, .node = node, .output_room = WIRE_WINDOW, .input_sent = 1000};
  struct order_launcher from_launcher = {.input_room = WIRE_WINDOW};
  struct wire_frame f;
  const char *why = NULL;
  for (long taken; !why; bytes += taken, n -= (size_t)taken) {
    taken = wire_decode(bytes, n, way, WIRE_STRING, &f, &why);
    if (taken == 0) {
      fuzz_waiting += n > 0;
      return;
    }
    if (taken < 0) break;
    if ((size_t)taken > n || f.data < bytes || f.data + f.size != bytes + taken)
      fuzz_fail("a frame outside the stream");
    why = way == WIRE_TO_LAUNCHER ? daemon_says(&from_daemon, &f) : launcher_says(&from_launcher, &f);
    fuzz_accepted += why == NULL;
  }
  if (!why || !*why) fuzz_fail("refused without a word");
  fuzz_refused++;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
  if (size < 1) return 0;
  char *exact = malloc(size); /* ends where the stream does, for the address sanitizer */
  if (!exact) return 0;
  memcpy(exact, input + 1, size - 1);
  listen_to(input[0] & 1 ? WIRE_TO_LAUNCHER : WIRE_TO_DAEMON, exact, size - 1);
  free(exact);
  return 0;
}
