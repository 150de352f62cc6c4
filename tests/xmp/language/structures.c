/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global arrays that are members of structures, with elements that are structures themselves. */
#include "check.h"

enum { N = 10 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
struct pair {
  double value;
  struct {
    int low, high[2];
  } more;
};
struct holder {
  char before;
  struct pair pairs[N][2];
  float numbers[N], rows[N][3], few[3];
};
#pragma xmp align holder.pairs[i][*] with t[i]
#pragma xmp align holder.numbers[i] with t[i]
#pragma xmp align holder.rows[i][*] with t[i]
#pragma xmp shadow holder.numbers[1]
static struct holder one;

struct holder many[2];

/* One declaration has several members, of which some are aligned. */
static void beside(struct holder *h)
{
  int i, sum = 0;
  h->few[2] = 3;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) {
    h->numbers[i] = 1;
    h->rows[i][2] = (float)i;
    sum += (int)(h->rows[i][2] * h->few[2] + h->numbers[i]);
  }
  CHECK_EQUAL(sum, 3 * N * (N - 1) / 2 + N);
}

static int in_brackets(struct holder *h, const float *own)
{
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) {
    one.numbers[i] = (float)i;
    sum += (int)((one).numbers[i] + (*h).numbers[i] + *((&one)->numbers + i) + (h + 0)->numbers[i]);
    (*h).pairs[i][1].more.low = 2 * i;
    CHECK_EQUAL((h)->pairs[i][1].more.low, 2 * i);
  }
  CHECK_EQUAL((*h).numbers == own, 1);
  return sum;
}

/* The structure itself is not copied, whatever stands around its address and its other members. */
static int addresses(struct holder *h)
{
  struct holder *const second = &many[1], *const first = many, **const at = &h;
  (void)one;
  one.before = 1;
  (one).before += (char)sizeof(one.before);
  (*h).before += h[0].before;
  second->before = (*at)->before;
  return second == first + 1 && &(*h) == &(one) && &*h == &h[0] && sizeof *h == sizeof one &&
      many[1].before == 4;
}

static int sum_of(struct holder *h)
{
  int i, sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (i = 0; i < N; i++) sum += (int)h->pairs[i][1].value + h->pairs[i][0].more.high[1];
  return sum;
}

int main(void)
{
  int i;
  struct holder *const h = &one;
  struct pair local[N][2], x = {5, {1, {2, 3}}};
  beside(&many[1]);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    one.pairs[i][0] = x;
    one.pairs[i][0].more.high[1] += i;
    one.pairs[i][1].value = 2 * i;
    one.pairs[i][1].more = one.pairs[i][0].more;
    h->numbers[i] = (float)h->pairs[i][1].more.high[1];
  }
  CHECK_EQUAL(sum_of(&one), 3 * N + 3 * N * (N - 1) / 2);
#pragma xmp gmove
  local[:][:] = one.pairs[:][:];
  for (i = 0; i < N; i++)
    CHECK_EQUAL(local[i][1].more.high[1] + 100 * local[i][0].value + 1000 * local[i][1].value,
        3 + i + 500 + 2000 * i);
#pragma xmp reflect(one.numbers)
#pragma xmp loop on t[i]
  for (i = 1; i < N; i++) CHECK_EQUAL(one.numbers[i - 1], 2 + i);
  CHECK_EQUAL(addresses(&one), 1);
  CHECK_EQUAL(in_brackets(&one, one.numbers), 2 * N * (N - 1));
  return check_end();
}
