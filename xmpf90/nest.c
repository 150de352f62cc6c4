/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "xmpf90/nest.h"

#include <stdint.h>
#include <stdlib.h>

#include "xmpf90/declare.h"

struct nest_entry {
  enum statement_kind ends;  /* what the END of it says */
  struct loop *loop;         /* of a DO */
  const struct token *label; /* of DO 10; NULL: none */
};

void nest_open(struct nest *n, struct units *all) { *n = (struct nest){.all = all}; }

void nest_close(struct nest *n)
{
  free(n->entry);
  free(n->base);
}

void nest_enter(struct nest *n)
{
  n->base = memory_grow(n->base, n->bases, &n->base_capacity, sizeof *n->base);
  n->base[n->bases++] = n->count;
}

void nest_leave(struct nest *n) { n->count = n->base[--n->bases]; }

static size_t nest_base(const struct nest *n) { return n->bases ? n->base[n->bases - 1] : 0; }

/* ---- loops ---- */

static void index_add(struct nest *n, struct loop *l, struct loop_index i)
{
  l->index = declare_grow(n->all, l->index, l->count, sizeof *l->index);
  l->index[l->count++] = i;
}

static size_t colon_find(const struct statement *s, size_t k, size_t end)
{
  while (k < end && !statement_is(s, k, ":"))
    k = statement_is(s, k, "(") || statement_is(s, k, "[") ? statement_skip(s, k) : k + 1;
  return k < end ? k : end;
}

/* i = 1, n, 2 from k on */
static void plain_read(struct nest *n, struct loop *l, const struct statement *s, size_t k)
{
  size_t part[4] = {k + 2, s->count, s->count, s->count};
  if (!statement_is(s, k + 1, "=")) return; /* a(i) = ..: the compiler refuses it */
  for (int i = 1; i < 4 && part[i - 1] < s->count; i++) {
    part[i] = declare_entry_end(s, part[i - 1]);
    if (part[i] < s->count) part[i]++;
  }
  struct loop_index made = {.variable = &s->token[k]};
  struct expression *const to[] = {&made.begin, &made.end, &made.step};
  for (int i = 0; i < 3; i++)
    *to[i] = declare_range(
        s, part[i], part[i + 1] > part[i] && part[i + 1] < s->count ? part[i + 1] - 1 : part[i + 1]);
  index_add(n, l, made);
}

/* (integer :: i = 1:n:2, j = 1:m, mask) at k */
static void concurrent_read(struct nest *n, struct loop *l, const struct statement *s, size_t k)
{
  const size_t after = statement_skip(s, k);
  l->is_concurrent = 1;
  for (size_t i = k + 1; i + 1 < after; i++)
    if (statement_is_double(s, i, ":")) {
      l->type = declare_range(s, k + 1, i);
      k = i + 1;
      break;
    }
  for (k++; k + 1 < after;) {
    const size_t end = declare_entry_end(s, k);
    if (s->token[k].kind == TOKEN_NAME && statement_is(s, k + 1, "=") && end > k + 2) {
      const size_t colon = colon_find(s, k + 2, end),
                   second = colon_find(s, colon < end ? colon + 1 : end, end);
      index_add(n, l,
          (struct loop_index){&s->token[k], declare_range(s, k + 2, colon),
              declare_range(s, colon < end ? colon + 1 : end, second),
              declare_range(s, second < end ? second + 1 : end, end)});
    } else {
      l->mask = declare_range(s, k, end);
    }
    if (!statement_is(s, end, ",")) break;
    k = end + 1;
  }
}

static struct loop *loop_read(struct nest *n, size_t k)
{
  const struct statement *const s = &n->all->l->statement[k];
  struct loop *const l = declare_take(n->all, sizeof *l);
  *l = (struct loop){.first = k, .last = SIZE_MAX};
  for (size_t i = n->count; i > nest_base(n) && !l->outer; i--) l->outer = n->entry[i - 1].loop;
  if (s->kind == STATEMENT_DO_CONCURRENT) concurrent_read(n, l, s, s->body);
  else if (s->kind == STATEMENT_DO && s->body < s->count) plain_read(n, l, s, s->body);
  return n->all->loop[k] = l;
}

/* ---- beginning and end ---- */

static enum statement_kind nest_ends(enum statement_kind kind)
{
  switch (kind) {
  case STATEMENT_IF_THEN:
  case STATEMENT_SELECT:
  case STATEMENT_WHERE_CONSTRUCT:
  case STATEMENT_FORALL_CONSTRUCT:
  case STATEMENT_ASSOCIATE:
  case STATEMENT_BLOCK:
  case STATEMENT_CRITICAL:
  case STATEMENT_CHANGE_TEAM:
  case STATEMENT_DO: return kind;
  case STATEMENT_DO_WHILE:
  case STATEMENT_DO_CONCURRENT: return STATEMENT_DO;
  default: return STATEMENT_OTHER;
  }
}

void nest_begin(struct nest *n, size_t k)
{
  const struct statement *const s = &n->all->l->statement[k];
  struct nest_entry e = {.ends = nest_ends(s->kind)};
  if (!e.ends) return;
  if (e.ends == STATEMENT_DO) {
    e.loop = loop_read(n, k);
    e.label = s->do_label ? &s->token[s->do_label] : NULL;
  }
  n->entry = memory_grow(n->entry, n->count, &n->capacity, sizeof *n->entry);
  n->entry[n->count++] = e;
}

void nest_end(struct nest *n, size_t k)
{
  const enum statement_kind ends = n->all->l->statement[k].ends;
  for (size_t i = n->count; i > nest_base(n); i--) {
    if (n->entry[i - 1].ends != ends) continue;
    if (n->entry[i - 1].loop) n->entry[i - 1].loop->last = k;
    n->count = i - 1;
    return;
  }
}

/* 010 and 10 are one label. */
static int is_same_label(const struct token *a, const struct token *b)
{
  const char *x = a->text, *y = b->text, *const xend = x + a->length, *const yend = y + b->length;
  while (x < xend && *x == '0') x++;
  while (y < yend && *y == '0') y++;
  if (xend - x != yend - y) return 0;
  while (x < xend && *x == *y) x++, y++;
  return x == xend;
}

int nest_label(struct nest *n, size_t k)
{
  const struct statement *const s = &n->all->l->statement[k];
  struct loop *inner = NULL;
  int ended = 0;
  if (!s->label.length) return 0;
  size_t i = n->count;
  while (i > nest_base(n)) {
    struct nest_entry *const e = &n->entry[i - 1];
    if (e->label && is_same_label(e->label, &s->label)) {
      e->loop->last = k;
      e->loop->is_shared = ended;
      if (ended) inner->is_shared = 1;
      inner = e->loop;
      n->count = i - 1;
      ended = 1;
    } else if (ended) {
      break;
    }
    i--;
  }
  return ended;
}
