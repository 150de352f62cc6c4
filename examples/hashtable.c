/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A hash table that is spread over all nodes. A key's hash says which node has it, and the others talk to
 * that node by active messages. Only handlers touch a node's part, one at a time, so that it needs no lock.
 * Entries travel in batches; questions travel alone, but many are under way at once. */
#define GASNET_SEQ 1
#include "job.h"

enum { ADD = 128, ADDED, ASK, ANSWER }; /* handlers */
enum { BATCH = 32 };                    /* 512 bytes: a medium of so many is legal everywhere */

struct entry {
  uint64_t key, value; /* key 0: nothing is here */
};
struct batch {
  size_t entries;
  struct entry entry[BATCH];
};

static long keys = 20000;
static struct entry *table;                 /* my part */
static size_t places;                       /* of my part; a power of two */
static struct batch *batch;                 /* [nodes] what waits to be sent there */
static uint64_t *answer;                    /* [2 * keys] by number of the question */
static long sent;                           /* batches */
static volatile long added, full, answered; /* changed by handlers */

/* ---- my part ---- */

/* The key's entry, or the empty one where it belongs; NULL where there is no room. */
static struct entry *find(uint64_t key)
{
  size_t first = mix(key) & (places - 1);
  for (size_t i = 0; i < places; i++) {
    struct entry *e = &table[(first + i) & (places - 1)];
    if (e->key == key || e->key == 0) return e;
  }
  return NULL;
}

/* ---- handlers: arguments have 32 bits, so that a word takes two ---- */

static gasnet_handlerarg_t high(uint64_t x) { return (gasnet_handlerarg_t)(x >> 32); }
static gasnet_handlerarg_t low(uint64_t x) { return (gasnet_handlerarg_t)x; }
static uint64_t word(gasnet_handlerarg_t h, gasnet_handlerarg_t l)
{
  return (uint64_t)(uint32_t)h << 32 | (uint32_t)l;
}

/* Adds to the key's value, which is 0 at first. */
static void add_handler(gasnet_token_t token, void *data, size_t bytes)
{
  const struct entry *in = data; /* aligned to 8 bytes; gone when the handler returns */
  gasnet_handlerarg_t refused = 0;
  for (size_t i = 0; i < bytes / sizeof *in; i++) {
    struct entry *e = find(in[i].key);
    if (e) e->key = in[i].key, e->value += in[i].value;
    else refused++;
  }
  gasnet_AMReplyShort1(token, ADDED, refused);
}

static void added_handler(gasnet_token_t token, gasnet_handlerarg_t refused)
{
  (void)token;
  full += refused;
  added++;
}

static void ask_handler(
    gasnet_token_t token, gasnet_handlerarg_t h, gasnet_handlerarg_t l, gasnet_handlerarg_t question)
{
  const struct entry *e = find(word(h, l));
  uint64_t value = e ? e->value : 0;
  gasnet_AMReplyShort3(token, ANSWER, high(value), low(value), question);
}

static void answer_handler(
    gasnet_token_t token, gasnet_handlerarg_t h, gasnet_handlerarg_t l, gasnet_handlerarg_t question)
{
  (void)token;
  answer[question] = word(h, l);
  answered++;
}

/* ---- everybody's table ---- */

static gasnet_node_t home(uint64_t key) { return (gasnet_node_t)((mix(key) >> 32) % nodes); }

static void send_batch(gasnet_node_t to)
{
  struct batch *b = &batch[to];
  if (b->entries == 0) return;
  gasnet_AMRequestMedium0(
      to, ADD, b->entry, b->entries * sizeof *b->entry); /* b may be filled again on return */
  b->entries = 0;
  sent++;
}

static void add(uint64_t key, uint64_t value)
{
  struct batch *b = &batch[home(key)];
  b->entry[b->entries++] = (struct entry){key, value};
  if (b->entries == BATCH) send_batch(home(key));
}

static void finish_adding(void)
{
  for (gasnet_node_t i = 0; i < nodes; i++) send_batch((me + i) % nodes); /* not all to node 0 first */
  GASNET_BLOCKUNTIL(added == sent);
  if (full) fail("%ld entries found no room", full);
}

static void ask(uint64_t key, long question)
{
  gasnet_AMRequestShort3(home(key), ASK, high(key), low(key), (gasnet_handlerarg_t)question);
}

/* ---- the work: key number i, from 1, of all; its value is i ---- */

static uint64_t key_of(long i) { return mix((uint64_t)i); }

/* My keys, and once more those of the next node. */
static double add_all(void)
{
  double start = now();
  for (int which = 0; which < 2; which++) {
    long first = (long)((me + (unsigned)which) % nodes) * keys + 1;
    for (long i = first; i < first + keys; i++) add(key_of(i), (uint64_t)i);
  }
  finish_adding();
  barrier(); /* all have added */
  return now() - start;
}

/* Keys that other nodes have added, and as many that nobody has. */
static double ask_all(long first, long absent)
{
  double start = now();
  for (long i = 0; i < keys; i++) {
    ask(key_of(first + i), i);
    ask(key_of(absent + i), keys + i);
  }
  GASNET_BLOCKUNTIL(answered == 2 * keys);
  barrier(); /* nobody leaves before all have their answers */
  return now() - start;
}

static void check(long first)
{
  long used = 0;
  for (long i = 0; i < keys; i++) {
    if (answer[i] != 2 * (uint64_t)(first + i)) fail("a value is wrong");
    if (answer[keys + i] != 0) fail("a key is there that nobody has added");
  }
  for (size_t i = 0; i < places; i++) used += table[i].key != 0;
  if (total(used) != keys * (long)nodes) fail("all parts together have too many entries, or too few");
}

int main(int argc, char **argv)
{
  static const struct option options[] = {
      {"keys", &keys, 1, 10000000, "keys for each node"}, {NULL, NULL, 0, 0, NULL}};
  gasnet_handlerentry_t handlers[] = {{ADD, (void (*)())add_handler}, {ADDED, (void (*)())added_handler},
      {ASK, (void (*)())ask_handler}, {ANSWER, (void (*)())answer_handler}};
  join(argc, argv,
      "Adds to the values of keys in a hash table over all nodes, looks them up, and checks each.", options);
  for (places = 64; places < 2 * (size_t)keys + 64;)
    places *= 2; /* by chance a node has more keys than others */
  table = room(places, sizeof *table);
  batch = room(nodes, sizeof *batch);
  answer = room(2 * (size_t)keys, sizeof *answer);
  attach(handlers, 4, 0); /* messages may come from now on */

  double adding = add_all();
  const long first = (long)((me + 1) % nodes) * keys + 1, absent = ((long)nodes + me) * keys + 1;
  double asking = ask_all(first, absent);
  check(first);
  barrier(); /* no node has failed */
  const double all = 2e-6 * (double)keys * nodes;
  if (me == 0) printf("%ld keys on %d nodes: right\n", keys * (long)nodes, (int)nodes);
  if (me == 0)
    printf(
        "%.3f million entries added a second, %.3f million questions answered\n", all / adding, all / asking);
  gasnet_exit(0);
}
