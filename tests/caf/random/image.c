/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "random.h"

struct context context;

void images_begin(int n)
{
  context.images = n;
  images_divide(1);
}

/* As form team (1 + modulo(me0, teams)) does, me0 being the image's index in the initial team. */
void images_divide(int teams)
{
  context.teams = teams;
  for (int i = 0; i < context.images; i++) {
    context.me[i] = context.n[i] = 0;
    for (int j = 0; j < context.images; j++) {
      const int same = (j + 1) % teams == (i + 1) % teams;
      context.n[i] += same;
      context.me[i] += same && j <= i;
    }
  }
}

int image_at(int image, int index)
{
  for (int j = 0; j < context.images; j++)
    if ((j + 1) % context.teams == (image + 1) % context.teams && context.me[j] == index) return j;
  return -1;
}

/* ---- targets ---- */

struct target target_draw(void)
{
  return (struct target){.is_fixed = chance(25), .k = draw(2 * context.images)};
}

int target_index(struct target t, int image)
{
  return 1 + (t.is_fixed ? t.k : context.me[image] - 1 + t.k) % context.n[image];
}

const char *target_text(struct target t)
{
  if (t.is_fixed) return text("1 + modulo(%d, n)", t.k);
  return chance(50) ? text("1 + modulo(me + %d, n)", t.k - 1) : text("shifted(%d)", t.k);
}

/* ---- guards ---- */

struct guard guard_draw(void)
{
  if (chance(70)) return (struct guard){ALL, 0};
  return (struct guard){chance(50) ? ONE : SOME, draw(context.images)};
}

int guard_has(struct guard g, int image)
{
  switch (g.who) {
  case ALL: return 1;
  case ONE: return context.me[image] == 1 + g.k % context.n[image];
  default: return (context.me[image] + g.k) % 2 == 0;
  }
}

const char *guard_text(struct guard g)
{
  return g.who == ALL ? ""
      : g.who == ONE  ? text("if (me == 1 + modulo(%d, n)) ", g.k)
                      : text("if (modulo(me + %d, 2) == 0) ", g.k);
}
