/* nodes: 4 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Offsets in subscripts, subscripts other than the loop's variable, thin blocks, rows, reductions of all
 * kinds. */
#include <stddef.h>

#include "check.h"

enum { N = 16 };
#pragma xmp nodes p[4]
#pragma xmp nodes q[2][2]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
#pragma xmp template tt[8][6]
#pragma xmp distribute tt[block][block] onto q
static int a[N], b[N], cyclic[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp align cyclic[i] with c[i]
struct cell {
  int m;
  double v[2];
};
static struct cell table[8][6];
#pragma xmp align table[i][j] with tt[i][j]

static int first_of(const int *list) { return list[0]; }
static double second_of(const struct cell *row) { return row[1].v[1]; }
static int next(int i) { return i + 1; }

static void offsets(int me)
{
  int i, ran[N] = {0};
#pragma xmp loop on t[i + 1]
  for (i = 0; i < N - 1; i++) a[i + 1] = 100 + i, ran[i] = 1;
  for (i = 0; i < N - 1; i++) CHECK_EQUAL(ran[i], me == (i + 1) / 4);
#pragma xmp loop(i) on t(i - 2)
  for (i = 2; i < N + 2; i++) b[i - 2] = 100 + i;
#pragma xmp loop on t[i + 1]
  for (i = -1; i < N - 1; i++) CHECK_EQUAL(b[i + 1], 103 + i);
#pragma xmp loop(i) on c[i - 1]
  for (i = N; i > 0; i -= 3) cyclic[i - 1] = i;
  for (i = 0; i < N; i++)
    if (i / 2 % 4 == me && i % 3 == 0) CHECK_EQUAL(cyclic[i], i + 1);
}

/* Every way to name an element gives the same one. */
static void names(void)
{
  int i, index[N];
  for (i = 0; i < N; i++) index[i] = i;
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) {
    const int k = i;
    cyclic[k] = i;
    cyclic[index[i]] += 100;
    cyclic[next(i - 1)] += 1000;
    *&cyclic[(k)] += 10000;
    CHECK_EQUAL(cyclic[i], 11100 + i);
    CHECK_EQUAL(first_of(&cyclic[k]), 11100 + i);
    CHECK_EQUAL((&cyclic[k])[0], 11100 + i);
  }
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    int k = i;
    a[i] = i;
    a[k] *= 2;
    a[index[k]]++;
    CHECK_EQUAL(a[i], 2 * i + 1);
    CHECK_EQUAL(first_of(a + (&a[i] - a)), 2 * i + 1);
  }
#pragma xmp loop(i) on tt[i][ : ]
  for (i = 0; i < 8; i++) {
    int j;
#pragma xmp loop(j) on tt[i][j]
    for (j = 0; j < 6; j++) table[i][j].m = i, table[i][j].v[1] = 10 * i + j;
    struct cell *const row = table[i];
    CHECK_EQUAL(row[0].m, i);
    CHECK_EQUAL(second_of(table[i]), 10 * i + 1 + xmpc_all_node_num() % 2 * 3);
    CHECK_EQUAL(
        second_of(&table[i][1 + xmpc_all_node_num() % 2 * 3]), 10 * i + 2 + xmpc_all_node_num() % 2 * 3);
  }
}

/* Blocks of two, and shadows of three. */
static void thin(int me)
{
#pragma xmp template t8[8]
#pragma xmp distribute t8[block] onto p
  int s[8], f[8], i;
#pragma xmp align s[i] with t8[i]
#pragma xmp shadow s[3 : 3]
#pragma xmp align f[i] with t8[i]
#pragma xmp shadow f[*]
#pragma xmp loop on t8[i]
  for (i = 0; i < 8; i++) s[i] = f[i] = 10 + i;
#pragma xmp reflect(s, f)
  for (i = 2 * me - 3; i <= 2 * me + 4; i++)
    if (i >= 0 && i < 8) CHECK_EQUAL(s[i], 10 + i);
  for (i = 0; i < 8; i++) CHECK_EQUAL(f[i], 10 + i);
#pragma xmp reflect(s) width(/ periodic / 3)
  for (i = 2 * me - 3; i <= 2 * me + 4; i++) CHECK_EQUAL(s[i], 10 + (i + 8) % 8);
}

static void reductions(int me)
{
  unsigned x = 5, all = ~0u, some = 0, parity = 0;
  int both = 1, any = 0, least = 1000, most = -1000, minus = 50, i, count[3] = {1, 2, 3};
  long at = -1, also = -1, last = -1, best = 0, worst = 1000, late = 0;
  double _Complex z = 1;
#pragma xmp loop on t[i] reduction(* : x) reduction(& : all) reduction(| : some) reduction(^ : parity)
  for (i = 0; i < N; i++) {
    x *= 2u * (unsigned)i + 1;
    all &= ~(1u << i);
    some |= 1u << i;
    parity ^= 3u << i;
  }
  {
    unsigned y = 5, w = 0;
    for (i = 0; i < N; i++) y *= 2u * (unsigned)i + 1, w ^= 3u << i;
    CHECK_EQUAL(x, y);
    CHECK_EQUAL(all, ~0u << N);
    CHECK_EQUAL(some, 0xffff);
    CHECK_EQUAL(parity, w);
  }
#pragma xmp loop on c[i] reduction(&&:both) reduction(||:any) reduction(max:most) reduction(min:least) \
    reduction(-:minus) reduction(+:count, z)
  for (i = 0; i < N; i++) {
    both = both && i != 5;
    any = any || i == 5;
    if (most < (i ^ 6)) most = i ^ 6;
    if (least > (i ^ 6)) least = i ^ 6;
    minus -= i;
    count[i % 3]++;
    z += i;
  }
  CHECK_EQUAL(both, 0);
  CHECK_EQUAL(any, 1);
  CHECK_EQUAL(most, 15);
  CHECK_EQUAL(least, 0);
  CHECK_EQUAL(minus, 50 - 120);
  CHECK_EQUAL(count[0], 7);
  CHECK_EQUAL(count[1], 7);
  CHECK_EQUAL(count[2], 8);
  CHECK_EQUAL(__real__ z, 121);
#pragma xmp loop on c[i] reduction(firstmax \
                                   : best / at, also /) reduction(lastmin \
                                                                  : worst / last /) reduction(lastmax \
                                                                                              : late)
  for (i = 0; i < N; i++) {
    if (i % 5 > best) best = i % 5, at = i, also = me;
    if (i % 5 <= worst) worst = i % 5, last = i;
    if (i >= late) late = i;
  }
  CHECK_EQUAL(best, 4);
  CHECK_EQUAL(at, 4);
  CHECK_EQUAL(also, 2);
  CHECK_EQUAL(worst, 0);
  CHECK_EQUAL(last, 15);
  CHECK_EQUAL(late, 15);
}

/* Rows are moved; memory for two dimensions within a block. */
static void rows(int me)
{
#pragma xmp template r[8]
#pragma xmp distribute r[block] onto p
  int n = 8, i, j;
  size_t m = 5;
  double fixed[8][5], row[5], column[8];
#pragma xmp align fixed[i][*] with r[i]
  double(*dynamic)[5];
#pragma xmp align dynamic[i][*] with r[i]
  dynamic = (double(*)[5])xmp_malloc(xmp_desc_of(dynamic), n, m);
#pragma xmp loop on r[i]
  for (i = 0; i < 8; i++)
    for (j = 0; j < 5; j++) fixed[i][j] = 10 * i + j, dynamic[i][j] = -1;
#pragma xmp gmove
  dynamic[7][:] = fixed[0][:];
#pragma xmp gmove
  dynamic [1:3][:] = fixed [5:3][:];
#pragma xmp gmove
  dynamic[0] [0:3] = fixed[3] [4:3:-2];
  for (i = 2 * me; i < 2 * me + 2; i++)
    for (j = 0; j < 5; j++)
      CHECK_EQUAL(dynamic[i][j],
          i == 7                 ? j
              : i >= 1 && i <= 3 ? 10 * (i + 4) + j
              : i == 0 && j < 3  ? 34 - 2 * j
                                 : -1);
#pragma xmp gmove
  row[:] = dynamic[2][:];
#pragma xmp gmove
  column[:] = fixed[:][3];
  for (j = 0; j < 5; j++) CHECK_EQUAL(row[j], 60 + j);
  for (i = 0; i < 8; i++) CHECK_EQUAL(column[i], 10 * i + 3);
  double element;
#pragma xmp gmove
  element = fixed[7][4];
  CHECK_EQUAL(element, 74);
}

int main(void)
{
  const int me = xmpc_node_num();
  offsets(me);
  names();
  thin(me);
  reductions(me);
  rows(me);
  return check_end();
}
