/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <stdio.h>
#include <string.h>

#include "random.h"

static struct type type_of(enum class c)
{
  static const int integers[] = {1, 2, 4, 8}, reals[] = {4, 8}, logicals[] = {1, 2, 4, 8};
  struct type t = {.class = c, .kind = 1};
  if (c == INTEGER) t.kind = integers[draw(4)];
  else if (c == REAL || c == COMPLEX) t.kind = reals[draw(2)];
  else if (c == LOGICAL) t.kind = logicals[draw(4)];
  else t.length = draw_from(1, LENGTH - 2);
  return t;
}

struct type type_draw(void)
{
  const int r = draw(100);
  return type_of(r < 40 ? INTEGER : r < 65 ? REAL : r < 77 ? COMPLEX : r < 86 ? LOGICAL : CHARACTER);
}

int type_is_number(struct type t) { return t.class <= COMPLEX; }

struct type type_draw_like(struct type t)
{
  return type_of(type_is_number(t) ? (enum class)draw(COMPLEX + 1) : t.class);
}

const char *type_text(struct type t)
{
  static const char *const name[] = {"integer", "real", "complex", "logical"};
  return t.class == CHARACTER ? text("character(%d)", t.length) : text("%s(%d)", name[t.class], t.kind);
}

/* In halves: what is exact in all kinds that may hold it. */
long value_limit(struct type t)
{
  if (t.class != INTEGER) return 2000000;
  return t.kind == 1 ? 254 : t.kind == 2 ? 65534 : 2000000;
}

static void text_convert(struct type to, struct type from, char *s)
{
  for (int i = from.length; i < to.length; i++) s[i] = ' ';
  s[to.length] = 0;
}

int value_convert(struct type to, struct type from, struct value *v)
{
  if (to.class == CHARACTER) text_convert(to, from, v->text);
  if (to.class == INTEGER) v->re = v->re / 2 * 2;
  if (to.class != COMPLEX) v->im = 0;
  const long most = value_limit(to);
  return v->re <= most && v->re >= -most && v->im <= most && v->im >= -most;
}

struct value value_add(struct value a, struct value b)
{
  a.re += b.re;
  a.im += b.im;
  return a;
}

/* ---- first values ---- */

static int fill_number(int seed, int image, int k) { return (image * 3 + k * 5 + seed) % 23; }

struct value value_fill(struct type t, int seed, int image, int k)
{
  const int x = fill_number(seed, image, k);
  struct value v = {0, 0, ""};
  switch (t.class) {
  case INTEGER: v.re = 2 * (x - 7); break;
  case REAL: v.re = x - 7; break;
  case COMPLEX:
    v.re = x - 7;
    v.im = 5 - x;
    break;
  case LOGICAL: v.re = x % 2; break;
  default:
    snprintf(v.text, sizeof v.text, "%c%c", 'a' + x, 'A' + x);
    text_convert(t, (struct type){CHARACTER, 1, 2}, v.text);
  }
  return v;
}

const char *fill_text(struct type t, int seed, const char *k)
{
  const char *const x = text("modulo(3 * me0 + 5 * (%s) + %d, 23)", k, seed);
  switch (t.class) {
  case INTEGER: return text("%s - 7", x);
  case REAL: return text("(%s - 7) / 2.0", x);
  case COMPLEX: return text("cmplx((%s - 7) / 2.0, (5 - %s) / 2.0)", x, x);
  case LOGICAL: return text("modulo(%s, 2) == 1", x);
  default: return text("achar(97 + %s) // achar(65 + %s)", x, x);
  }
}

unsigned long value_hash(unsigned long h, struct type t, const struct value *v)
{
  const long m = 1000003;
  if (t.class == CHARACTER) {
    for (int i = 0; i < t.length; i++) h = (h * 31 + (unsigned char)v->text[i]) % (unsigned long)m;
    return h;
  }
  h = (unsigned long)((((long)h * 31 + v->re) % m + m) % m);
  return t.class == COMPLEX ? (unsigned long)((((long)h * 31 + v->im) % m + m) % m) : h;
}
