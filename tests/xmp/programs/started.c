/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A program that the tests of launchers and of several hosts start: each kind of communication once or a few
 * times, checked by value on each node. Node 0 prints "N nodes: SUM EDGES MOVED PUT GOT", all of which follow
 * from N alone. started [TURNS] */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

#define N 60
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(3)] onto p
static long a[N][N], b[N], deal[N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp align deal[i] with c[i]
#pragma xmp shadow a[1][0]
static long box[N] : [*], got[4];
static int posted : [*];
static int wrong;

static void expect(int line, long value, long expected)
{
  if (value == expected || wrong++ > 5) return;
  fprintf(stderr, "started.c:%d: node %d: %ld, not %ld\n", line, xmpc_all_node_num(), value, expected);
}
#define EXPECT(value, expected) expect(__LINE__, value, expected)

static void fill(int turn)
{
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = turn + N * i + j;
#pragma xmp loop on c[i]
  for (int i = 0; i < N; i++) deal[i] = turn + i;
}

/* The sum of the neighbours' rows, which come by a reflect. */
static long edges(int turn)
{
  long sum = 0;
#pragma xmp reflect(a)
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 1; i < N - 1; i++) {
    EXPECT(a[i - 1][1], turn + N * (i - 1) + 1);
    EXPECT(a[i + 1][N - 1], turn + N * (i + 1) + N - 1);
    sum += a[i + 1][0] - a[i - 1][0];
  }
  return sum;
}

static long moved(int turn)
{
  long sum = 0, row[N];
#pragma xmp gmove
  b[:] = deal[:];
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += b[i] - turn;
#pragma xmp gmove
  row[:] = a[7][:];
  for (int j = 0; j < N; j++) EXPECT(row[j], turn + N * 7 + j);
  return sum;
}

/* To the next image, from the previous one. */
static void boxes(int turn)
{
  const int me = xmpc_this_image(), images = xmp_num_images(), next = (me + 1) % images;
  const int previous = (me + images - 1) % images;
  long mine[N];
  for (int j = 0; j < N; j++) mine[j] = turn + 100 * me + j;
  box [0:N] : [next] = mine [0:N];
  xmp_sync_all(NULL);
  for (int j = 0; j < N; j++) EXPECT(box[j], turn + 100 * previous + j);
  got [0:4] = box [4:4] : [next];
  for (int j = 0; j < 4; j++) EXPECT(got[j], turn + 100 * me + 4 + j);
  xmp_sync_all(NULL);
}

/* Each node tells the next one. */
static void posts(int turn)
{
  const int me = xmpc_all_node_num(), nodes = xmp_all_num_nodes();
posted:
  [(me + 1) % nodes] = turn + me;
#pragma xmp post(p[(me + 1) % nodes], turn % 5)
#pragma xmp wait(p[(me + nodes - 1) % nodes], turn % 5)
  EXPECT(posted, turn + (me + nodes - 1) % nodes);
#pragma xmp barrier
}

int main(int argc, char **argv)
{
  const int turns = argc > 1 ? atoi(argv[1]) : 3;
  long sum = 0, edge = 0, all = 0;
  int first = xmpc_all_node_num();
  for (int turn = 1; turn <= turns; turn++) {
    fill(turn);
    edge = edges(turn);
    all = moved(turn);
    boxes(turn);
    posts(turn);
  }
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i][0] - turns;
#pragma xmp bcast(first) from p[0]
  EXPECT(first, 0);
#pragma xmp reduction(+ : wrong)
#pragma xmp task on p[0]
  printf("%d nodes: %ld %ld %ld %ld %ld\n", xmp_all_num_nodes(), sum, edge, all,
      box[5] - turns - 100 * (xmp_all_num_nodes() - 1), got[3] - turns);
  return wrong != 0;
}
