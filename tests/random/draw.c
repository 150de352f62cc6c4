/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "random/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long state;

void draw_begin(unsigned long seed)
{
  state = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
  for (int i = 0; i < 8; i++) draw(2);
}

unsigned long long draw_state(void) { return state; }
void draw_again(unsigned long long s) { state = s; }

int draw(int n)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return n <= 1 ? 0 : (int)((state * 0x2545f4914f6cdd1dull >> 33) % (unsigned)n);
}

int draw_from(int low, int high) { return low + draw(high - low + 1); }
int chance(int percent) { return draw(100) < percent; }

void shuffle(int *list, int n)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = draw(i + 1), kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
}

/* ---- texts ---- */

const char *text(const char *fmt, ...)
{
  char *made;
  va_list arguments;
  va_start(arguments, fmt);
  if (vasprintf(&made, fmt, arguments) < 0) exit(2);
  va_end(arguments);
  return made;
}
