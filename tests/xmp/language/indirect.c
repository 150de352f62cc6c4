/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Elements that are written with * and +, and with the index before the array. */
#include "check.h"
enum { N = 12 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic] onto p
static int a[N], c[N], m[N][N], mc[N][5];
struct pair {
  int x, y[2];
};
static struct pair pc[N], pb[N];
static int *pointers[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i] with tc[i]
#pragma xmp align pointers[i] with tc[i]
#pragma xmp align pc[i] with tc[i]
#pragma xmp align pb[i] with t[i]
#pragma xmp align m[i][*] with t[i]
#pragma xmp align mc[i][*] with tc[i]
#pragma xmp shadow a[1]
#pragma xmp shadow pb[1]

static int w[N], zero;

static void blocks(void)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    unsigned one = 1;
    a[i] = 100 + i;
    pb[i].x = 50 + i;
    pb[i].y[1] = 60 + i;
    for (j = 0; j < N; j++) m[i][j] = 100 * i + j;
    CHECK_EQUAL(*(a + i), 100 + i);
    CHECK_EQUAL(*(i + a), 100 + i);
    CHECK_EQUAL(i[a], 100 + i);
    CHECK_EQUAL((w[i] + zero)[a], 100 + i);
    CHECK_EQUAL(*(a - -i), 100 + i);
    CHECK_EQUAL(*(*(m + i) + 3), 100 * i + 3);
    CHECK_EQUAL(*(m[i] + 3), 100 * i + 3);
    CHECK_EQUAL((*(m + i))[3], 100 * i + 3);
    CHECK_EQUAL(3 [m[i]], 100 * i + 3);
    CHECK_EQUAL((a)[i], 100 + i);
    CHECK_EQUAL(*&a[i], 100 + i);
    CHECK_EQUAL((a + i)[0], 100 + i);
    CHECK_EQUAL((a + i - 1)[zero + 1], 100 + i);
    CHECK_EQUAL(*(a + one + i - one), 100 + i);
    CHECK_EQUAL(*((a + i)), 100 + i);
    CHECK_EQUAL(*(w + *(a + i) - 100), i);
    CHECK_EQUAL((pb + i)->x, 50 + i);
    CHECK_EQUAL((pb + i)->y[1], 60 + i);
    CHECK_EQUAL((*(pb + i)).x, 50 + i);
    CHECK_EQUAL(((m)[i])[2], 100 * i + 2);
    CHECK_EQUAL((m[i])[2], 100 * i + 2);
    CHECK_EQUAL(((m[i]))[2], 100 * i + 2);
    CHECK_EQUAL(*(m + i)[0], 100 * i);
    CHECK_EQUAL((m + i)[0][4], 100 * i + 4);
    *(a + i) += 1;
    i[a]--;
    (*(i + a))++;
    --*(a + i);
    if (i >= 0) (a + i)[0] += 7;
    else *(a + i) = 0;
    CHECK_EQUAL(a[i], 107 + i);
    CHECK_EQUAL(*&*(a + i), 107 + i);
    CHECK_EQUAL((int)(a + i)[0], 107 + i);
    CHECK_EQUAL(2 * *(a + i), 214 + 2 * i);
    CHECK_EQUAL(sizeof(*(a + i)), sizeof(int));
  }
}

static void cyclic(void)
{
  int i, j;
  struct {
    int k;
  } s;
#pragma xmp loop on tc[i]
  for (i = 0; i < N; i++) {
    s.k = i;
    c[i] = 200 + i;
    pc[i].x = 70 + i;
    pointers[i] = w;
    for (j = 0; j < 5; j++) mc[i][j] = 10 * i + j;
    CHECK_EQUAL(*(c + i), 200 + i);
    CHECK_EQUAL(*(i + c), 200 + i);
    CHECK_EQUAL(i[c], 200 + i);
    CHECK_EQUAL(*(c - -i), 200 + i);
    CHECK_EQUAL(*(*(mc + i) + 3), 10 * i + 3);
    CHECK_EQUAL(*(mc[i] + 3), 10 * i + 3);
    CHECK_EQUAL((*(mc + i))[3], 10 * i + 3);
    CHECK_EQUAL(3 [mc[i]], 10 * i + 3);
    CHECK_EQUAL((c)[i], 200 + i);
    CHECK_EQUAL(**(mc + i), 10 * i);
    CHECK_EQUAL((pc + i)->x, 70 + i);
    CHECK_EQUAL((c + i - 1)[zero + 1], 200 + i);
    CHECK_EQUAL((*(pointers + i))[3], 3);
    CHECK_EQUAL(*(*(pointers + i) + 3), 3);
    CHECK_EQUAL((pointers + i)[0][3], 3);
    CHECK_EQUAL(*(c + s.k), 200 + i);
    CHECK_EQUAL((i)[c], 200 + i);
  }
}

#pragma xmp template l[ : ]
#pragma xmp distribute l[cyclic] onto p
struct st {
  int m[N], z;
};
#pragma xmp align st.m[i] with tc[i]
struct st v;
int late[N];
#pragma xmp align late[i] with l[i]
int *memory;
#pragma xmp align memory[i] with tc[i]
static int by_pointer(struct st *q, int i) { return *(q->m + i) + i[q->m] + (q->m)[i]; }

static void others(void)
{
  int i;
  memory = xmp_malloc(xmp_desc_of(memory), N);
#pragma xmp template_fix l[N]
#pragma xmp loop on tc[i]
  for (i = 0; i < N; i++) {
    v.m[i] = 10 + i;
    late[i] = 20 + i;
    memory[i] = 30 + i;
    CHECK_EQUAL(*(v.m + i), 10 + i);
    CHECK_EQUAL(i[v.m], 10 + i);
    CHECK_EQUAL(by_pointer(&v, i), 3 * (10 + i));
    CHECK_EQUAL(*(late + i), 20 + i);
    CHECK_EQUAL(i[late], 20 + i);
    CHECK_EQUAL(*(memory + i), 30 + i);
    CHECK_EQUAL(i[memory], 30 + i);
  }
}

int main(void)
{
  int i;
  for (i = 0; i < N; i++) w[i] = i;
  blocks();
  cyclic();
  others();
  return check_end();
}
