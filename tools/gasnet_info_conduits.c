/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Conduits: what each of them finds here, and what its transfers cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/hostmem.h"
#include "core/conduit.h"
#include "core/scratch.h"
#include "core/variables.h"
#include "tools/gasnet_info.h"
#include "tools/gasnet_info_out.h"
#include "teams/cost.h"
#include "vis/cost.h"
#include "vis/variables.h"

static const char *make_memory(int *control, int *segment, int *huge)
{
  const struct pst_part part = pst_part_single(1);
  const char *why = NULL;
  struct pst_hostmem hm;
  pst_scratch_reserve();
  if (pst_hostmem_create(&part, &hm, &why) != PST_OK) return why;
  *control = hm.control_fd;
  *segment = hm.segment_fd;
  *huge = hm.huge_fd;
  return NULL;
}

/* In a process of its own. Whether it works comes first, and is known last. */
static void ask(const void *context)
{
  static const struct pst_inspector inspector = {info_fact, info_item, make_memory};
  const struct pst_conduit *c = context;
  char *facts = NULL;
  const char *why;
  size_t size;
  FILE *f = open_memstream(&facts, &size), *to;
  if (!f) _Exit(1);
  to = info_divert(f, 1);
  why = c->inspect(&inspector);
  info_item(NULL, NULL);
  fclose(f);
  info_divert(to, 0);
  info_flag("works here", why == NULL, why);
  fputs(facts, to);
}

static void print_said(char *said)
{
  char *rest = NULL;
  for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    info_item("said", line);
  info_item(NULL, NULL);
}

/* A variable that is not valid ends who asks for its value, with one line: the reason. */
static void print_failure(struct info_child *child)
{
  char *end = strchr(child->said, '\n');
  if (end) *end = '\0';
  info_flag("works here", 0, end ? child->said : child->ended);
  if (!end) return;
  info_fact("ended", "%s", child->ended);
  print_said(end + 1);
}

static void print_most(const char *name, uint64_t bytes)
{
  if (bytes > UINT64_C(1) << 60) info_fact(name, "limited by the segment alone");
  else info_size(name, bytes);
}

static void print_limits(const struct pst_conduit *c)
{
  struct pst_conduit_limits limits;
  c->limits(&limits);
  info_size("medium message, least", limits.max_medium); /* a job may have more: gasnet_AMMaxMedium() */
  print_most("long request", limits.max_long_request);
  print_most("long reply", limits.max_long_reply);
}

static void print_conduit(const struct pst_conduit *c)
{
  struct info_child child;
  info_group(c->name);
  info_in_child(ask, c, &child);
  if (child.ended) print_failure(&child);
  else print_said(child.said);
  print_limits(c);
  info_group_end();
}

void info_conduits(void)
{
  const char *const *name = pst_core_env.conduit.words;
  info_section("conduits");
  for (; *name; name++) {
    const struct pst_conduit *c = pst_conduit_find(*name);
    if (c) print_conduit(c);
    else if (strcmp(*name, "template") == 0)
      info_fact(*name, "not built: an example for who writes a conduit, with ./configure --with-template");
    else if (strcmp(*name, "auto") != 0)
      info_fact(*name, "not built: configure did not find its library, or was told to do without");
  }
}

/* ---- constants of non-contiguous transfers ---- */

static const char *const meanings[PST_VISCOST_FIELDS] = {
    "ns: a native put or get, beside its bytes",
    "ns: a message and its reply, beside their bytes",
    "ns: to pack, describe and unpack a piece, beside its bytes",
    "ns: 1024 bytes that go natively",
    "ns: 1024 bytes that are packed, sent and unpacked",
    "bytes that a packed message holds at most",
};

static void print_constant(const struct pst_parse_field *f, void *constants, const char *meaning)
{
  printf("  %-12s %7u  %s\n", f->name, *pst_parse_number(f, constants), meaning);
}

static void print_cost_row(const char *when, size_t row)
{
  if (row == SIZE_MAX) printf("  pieces go by themselves%s: never\n", when);
  else if (row <= 1) printf("  pieces go by themselves%s: always\n", when);
  else printf("  pieces go by themselves%s: from %zu bytes on\n", when, row);
}

static void print_cost(const struct pst_conduit *c)
{
  struct pst_viscost used;
  pst_cost_constants(c, &used);
  printf("%s\n", c->name);
  for (unsigned i = 0; i < PST_VISCOST_FIELDS; i++)
    print_constant(&pst_viscost_fields[i], &used, meanings[i]);
  print_cost_row("", pst_cost_row(&used, used.transfer));
  print_cost_row(
      " under GASNET_AM_ONLY, and as parts of puts with notification", pst_cost_row(&used, used.message));
}

void info_vis_cost(void)
{
  const char *changed = pst_env_string(&pst_vis_env.cost);
  const struct pst_conduit *c;
  for (unsigned i = 0; (c = pst_conduit_at(i)) != NULL; i++) print_cost(c);
  if (changed) printf("changed by GASNET_VIS_COST=%s\n", changed);
}

/* ---- constants of collectives ---- */

static const char *const coll_meanings[PST_COLLCOST_FIELDS] = {
    "ns: a message between groups, until the receiver has it",
    "ns: one more message between groups, to its sender and its receiver",
    "ns: 1024 bytes between groups",
    "ns: a message within a group",
    "ns: 1024 bytes copied within a process or a group",
};

static int choice_each_to_each(const struct pst_collcost *k, unsigned groups, size_t n)
{
  return !pst_collcost_alltoall_by_heads(k, &(struct pst_shape_of_team){groups, groups, 1}, n);
}
static int choice_each_to_root(const struct pst_collcost *k, unsigned groups, size_t n)
{
  enum { MEMBERS = 8 };
  return !pst_collcost_gather_by_heads(k, &(struct pst_shape_of_team){groups * MEMBERS, groups, MEMBERS}, n);
}
static int choice_halves(const struct pst_collcost *k, unsigned groups, size_t n)
{
  unsigned rounds = 0;
  while (groups >> rounds > 1) rounds++;
  return pst_collcost_halves(k, rounds, n);
}

static const struct {
  const char *text;
  int (*is_taken)(const struct pst_collcost *k, unsigned groups, size_t n);
} choices[] = {
    {"all-to-all: each to each, not by heads in rounds", choice_each_to_each},
    {"all-reduction: exchanges of halves, not of all", choice_halves},
    {"gather, scatter, of groups of 8: the root and each, not by heads", choice_each_to_root},
};

/* The least power of two from which on a choice is taken. */
static void print_choice(const struct pst_collcost *k, unsigned choice)
{
  static const unsigned groups[] = {2, 4, 8, 64, 1024};
  printf("  %s, from\n   ", choices[choice].text);
  for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
    size_t n = (size_t)1 << 30;
    while (n > 1 && choices[choice].is_taken(k, groups[i], n / 2)) n /= 2;
    if (!choices[choice].is_taken(k, groups[i], n)) printf("  %u groups: never", groups[i]);
    else if (n == 1) printf("  %u groups: always", groups[i]);
    else printf("  %u groups: %zu bytes", groups[i], n);
    if (i + 1 < sizeof groups / sizeof *groups) putchar(',');
  }
  putchar('\n');
}

static void print_coll_cost(int network)
{
  struct pst_collcost k;
  pst_collcost_constants(network, &k);
  printf("%s\n", network ? "over a network" : "over active messages in shared memory");
  for (unsigned i = 0; i < PST_COLLCOST_FIELDS; i++)
    print_constant(&pst_collcost_fields[i], &k, coll_meanings[i]);
  for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++) print_choice(&k, i);
}

void info_coll_cost(void)
{
  const char *changed = pst_env_string(&pst_teams_env.cost);
  print_coll_cost(1);
  print_coll_cost(0);
  if (changed) printf("changed by GASNET_COLLECTIVE_COST=%s\n", changed);
}
