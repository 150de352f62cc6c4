/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Regions of several threads: loop directives of all of them at once, directives that communicate of one of
 * them, and coarrays. */
#include <omp.h>

#include "check.h"

enum { N = 60, M = 7, THREADS = 4, ROUNDS = 30 };
#pragma xmp nodes p[*]
#pragma xmp nodes g[3]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
static int a[N], b[N], f[THREADS][N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
#pragma xmp align f[*][i] with t[i]
#pragma xmp shadow a[1]
static int box[THREADS] : [*];

/* A function with a parameter and objects of its own, which all threads are in. */
static int sum_of(int v[N], int by)
{
#pragma xmp align v[i] with t[i]
#pragma xmp shadow v[1]
#pragma xmp nodes q[3]
#pragma xmp template u[N]
#pragma xmp distribute u[block] onto q
  int i, sum = 0;
#pragma xmp loop on u[i]
  for (i = 0; i < N; i += by) sum += v[i];
  return sum;
}

static int part_sum(int by)
{
  int i, sum = 0;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i += by) sum += i;
  return sum;
}

/* OpenMP shares the node's iterations: in the loop directive, and a directive between two of them. */
static void shared_loops(int round)
{
  int i;
#pragma omp parallel num_threads(THREADS) private(i)
  {
#pragma xmp loop on t[i]
#pragma omp for
    for (i = 0; i < N; i++) a[i] = i + round;
#pragma xmp loop on c[i]
#pragma omp for schedule(dynamic, 1)
    for (i = 0; i < N; i++) b[i] = 2 * i + round;
#pragma omp single
    {
#pragma xmp reflect(a)
    }
#pragma omp for
#pragma xmp loop on t[i]
    for (i = 1; i < N - 1; i++) f[0][i] = a[i - 1] + a[i + 1];
  }
#pragma xmp loop on t[i]
  for (i = 1; i < N - 1; i++) CHECK_EQUAL(f[0][i], 2 * (i + round));
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) CHECK_EQUAL(b[i], 2 * i + round);
}

/* Each thread runs all iterations of the node; the executing nodes are those of its own constructs. */
static void own_loops(void)
{
  int i, bad = 0;
#pragma omp parallel num_threads(THREADS) private(i) reduction(+ : bad)
  {
    const int me = omp_get_thread_num();
    int turn;
    for (turn = 0; turn < 20; turn++) {
#pragma xmp loop on t[i]
      for (i = 0; i < N; i++) {
        f[me][i] = 1000 * me + i;
        if (i % 5 == me) bad += xmp_num_nodes() != 1 || xmpc_node_num() != 0;
      }
#pragma xmp task on p[1 : 2]
      {
        bad += xmp_num_nodes() != 2 || xmpc_node_num() != xmpc_all_node_num() - 1;
#pragma xmp task on g[me % 2 + 1]
        bad += xmp_num_nodes() != 1;
      }
      bad += xmp_num_nodes() != 3;
      bad += sum_of(a, me + 1) != sum_of(a, me + 1) || part_sum(2) + part_sum(2) != 2 * part_sum(2);
    }
  }
  CHECK_EQUAL(bad, 0);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    int k;
    for (k = 0; k < THREADS; k++) CHECK_EQUAL(f[k][i], 1000 * k + i);
  }
}

/* Around a region, and in it by a thread at a time. */
static void one_at_a_time(int round)
{
  int i, sum = 0, all = 0, count = 0, bad = 0, from = -1;
#pragma xmp loop on t[i] reduction(+ : sum)
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
  for (i = 0; i < N; i++) sum += i;
  CHECK_EQUAL(sum, N * (N - 1) / 2);
#pragma omp parallel num_threads(THREADS) private(i) reduction(+ : bad)
  {
    int own = 0, turn;
#pragma xmp loop on t[i]
#pragma omp for
    for (i = 0; i < N; i++) own += i;
#pragma omp atomic
    all += own;
#pragma omp barrier
#pragma omp master
    {
#pragma xmp reduction(+ : all)
    }
    for (turn = 0; turn < 10; turn++) bad += part_sum(1) < 0;
#pragma omp barrier
    bad += all != N * (N - 1) / 2;
#pragma omp critical
    {
#pragma xmp barrier
      count++;
    }
#pragma omp barrier
#pragma omp single
    {
      from = xmpc_node_num() == 2 ? round : -1;
#pragma xmp bcast(from) from p[2]
    }
    bad += from != round;
    if (omp_get_thread_num() == 0) {
#pragma xmp barrier
    }
#pragma omp barrier
#pragma omp single
    {
#pragma xmp task on p[0 : 2]
      {
        int two = 1;
#pragma xmp reduction(+ : two)
        bad += two != 2 || xmp_num_nodes() != 2;
      }
    }
  }
  CHECK_EQUAL(count, THREADS);
  CHECK_EQUAL(bad, 0);
}

/* A region in a task, whose executing nodes its threads have: they are found out by several at once. */
static void in_task(void)
{
  int i, bad = 0;
#pragma xmp task on p[1 : 2]
  {
#pragma omp parallel num_threads(THREADS) private(i) reduction(+ : bad)
    {
      bad += xmp_num_nodes() != 2;
#pragma omp single
      {
        int two = 1;
#pragma xmp reduction(+ : two)
        bad += two != 2;
      }
    }
  }
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
#pragma omp parallel num_threads(THREADS) reduction(+ : bad)
    bad += xmp_num_nodes() != 1 || xmpc_node_num() != 0;
  }
  CHECK_EQUAL(bad, 0);
}

/* All threads put and get, of images that their constructs count. */
static void coarrays(int round)
{
  const int me = xmpc_node_num();
  int bad = 0;
  xmp_sync_all(NULL);
#pragma omp parallel num_threads(THREADS) reduction(+ : bad)
  {
    const int k = omp_get_thread_num();
    box[k] : [(me + 1) % 3] = 100 * round + 10 * me + k;
#pragma omp barrier
#pragma omp single
    {
      int status;
      xmp_sync_all(&status);
    }
    bad += box[k] != 100 * round + 10 * ((me + 2) % 3) + k;
    bad += box[k] : [(me + 1) % 3] != 100 * round + 10 * me + k;
#pragma xmp task on p[1 : 2]
    bad += box[k] : [0] != 100 * round + k || box[k] : [1] != 100 * round + 10 + k;
  }
  CHECK_EQUAL(bad, 0);
  xmp_sync_all(NULL);
}

int main(int argc, char **argv)
{
  int round;
  (void)argv;
  for (round = 0; round < (argc > 3 ? 10 : 1) * ROUNDS; round++) {
    shared_loops(round);
    own_loops();
    one_at_a_time(round);
    in_task();
    coarrays(round);
  }
  return check_end();
}
