/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Threads of a parallel region in the runtime at once: loops, tasks, inquiries, parameters, declarations and
 * images of several threads, with directives that communicate between them, of one thread at a time. The
 * threads are POSIX's, which ThreadSanitizer sees, and this program says in OpenMP's place that they are in a
 * region. */
#include "common.h"

#include <pthread.h>

typedef pst_xmp_index_t index_t;
enum { THREADS = 4, TURNS = 25, LENGTH = 60, BOX = 8 };

static int level;
int omp_get_active_level(void); /* the runtime asks for it */
int omp_get_active_level(void) { return level; }

static const index_t none = 0, length = LENGTH;
static void *p, *t;
static pst_xmp_array_t *a;
static const struct pst_xmp_align align = {0, 0};
static const struct pst_xmp_shape shape = {"a", sizeof(int), PST_XMP_INT, 1, &length, &align, NULL, 0};
static int box[THREADS][BOX], communications;
static void *box_desc;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

/* Behind the region they are counted, not in it: checks are one thread's. */
struct thread {
  pthread_t id;
  int number, wrong;
};

static void *template_make(const char *name, void *nodes)
{
  const index_t lower = 0, upper = LENGTH - 1;
  const struct pst_xmp_format block = {.kind = PST_XMP_BLOCK};
  void *const u = pst_xmp_template(AT, name, 1, &lower, &upper, 0);
  pst_xmp_distribute(AT, u, nodes, 1, &block);
  return u;
}

/* Returns the number of iterations; this node's, alone, are the executing nodes within. */
static int loop_run(void *template_, int *wrong, int asks)
{
  const struct pst_xmp_subscript of_loop = {PST_XMP_LOOP, 0, 0, 0, 1};
  const struct pst_xmp_on on = {template_, 1, &of_loop};
  pst_xmp_loop_t l;
  int n = 0;
  pst_xmp_loop_enter(&l, AT, &on, 1);
  for (index_t i = pst_xmp_loop_next(&l.range[0], 0, 1, LENGTH); i < LENGTH;
       i = pst_xmp_loop_next(&l.range[0], i + 1, 1, LENGTH))
    n++;
  if (asks && n) *wrong += xmp_num_nodes() != 1 || xmpc_node_num() != 0;
  pst_xmp_loop_leave(&l);
  return n;
}

static void task_run(struct thread *me, int turn)
{
  const int first = (me->number + turn) % test.nodes;
  const struct pst_xmp_subscript some = {PST_XMP_COUNT, 0, first, test.nodes - first, 1};
  const struct pst_xmp_on on = {p, 1, &some};
  pst_xmp_task_t task;
  if (pst_xmp_task_enter(&task, AT, &on, 0)) {
    int here = -1;
    me->wrong += xmp_num_nodes() != test.nodes - first || xmpc_node_num() != test.me - first;
    pst_xmp_get_call(AT, box_desc, test.me - first, &box[me->number][0], &here, sizeof here);
    me->wrong += here != box[me->number][0];
    loop_run(t, &me->wrong, 1);
  }
  pst_xmp_task_leave(&task);
  me->wrong += xmp_num_nodes() != test.nodes;
}

static void objects_run(struct thread *me)
{
  void *q = pst_xmp_nodes(AT, "q", 1, &none, PST_XMP_NO_PARENT, NULL), *u = template_make("u", q);
  pst_xmp_array_t *x = pst_xmp_array_parameter(AT, a->base, t, &shape);
  me->wrong += loop_run(u, &me->wrong, 0) != loop_run(t, &me->wrong, 1);
  pst_xmp_array_free(&x);
  pst_xmp_template_free(&u);
  pst_xmp_nodes_free(&q);
}

/* As in critical. All nodes have as many of them. */
static void communicate(struct thread *me)
{
  int sum = 1;
  const struct pst_xmp_variable v = {&sum, 1, sizeof sum, PST_XMP_INT, "sum"};
  pthread_mutex_lock(&critical);
  pst_xmp_reduction(AT, PST_XMP_SUM, 1, &v, NULL, NULL);
  me->wrong += sum != test.nodes;
  communications++;
  pthread_mutex_unlock(&critical);
}

/* To the next image, and from there, each thread in its own row. */
static void coarray_run(struct thread *me, int turn)
{
  const int to = (test.me + 1) % test.nodes, value = 1000 * test.me + turn;
  int *const at = &box[me->number][1 + turn % (BOX - 1)], got = -1;
  pst_xmp_put_call(AT, box_desc, to, at, &value, sizeof value);
  pst_xmp_get_call(AT, box_desc, to, at, &got, sizeof got);
  me->wrong += got != value;
}

static void *thread_main(void *of)
{
  struct thread *const me = of;
  for (int turn = 0; turn < TURNS; turn++) {
    loop_run(t, &me->wrong, turn % 3 == 0);
    task_run(me, turn);
    objects_run(me);
    coarray_run(me, turn);
    communicate(me);
  }
  return NULL;
}

static void region_run(void)
{
  struct thread thread[THREADS];
  communications = 0;
  level = 1;
  for (int i = 0; i < THREADS; i++) {
    thread[i] = (struct thread){.number = i};
    if (pthread_create(&thread[i].id, NULL, thread_main, &thread[i]) != 0)
      test_fail(__FILE__, __LINE__, "no thread can be made");
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i].id, NULL);
    CHECK(thread[i].wrong == 0, "thread %d has found %d wrong values", i, thread[i].wrong);
  }
  level = 0;
  CHECK(communications == THREADS * TURNS, "%d communications", communications);
}

/* A region in a loop, where the loop's nodes are the executing ones of all threads. */
static void *inner_main(void *of)
{
  struct thread *const me = of;
  for (int turn = 0; turn < TURNS; turn++) me->wrong += xmp_num_nodes() != 1 || xmpc_node_num() != 0;
  return NULL;
}

static void region_in_loop(void)
{
  const struct pst_xmp_subscript of_loop = {PST_XMP_LOOP, 0, 0, 0, 1};
  const struct pst_xmp_on on = {t, 1, &of_loop};
  struct thread thread[THREADS];
  pst_xmp_loop_t l;
  pst_xmp_loop_enter(&l, AT, &on, 1);
  level = 1;
  for (int i = 0; i < THREADS; i++) {
    thread[i] = (struct thread){.number = i};
    if (pthread_create(&thread[i].id, NULL, inner_main, &thread[i]) != 0)
      test_fail(__FILE__, __LINE__, "no thread can be made");
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i].id, NULL);
    CHECK(thread[i].wrong == 0, "thread %d has found %d wrong values", i, thread[i].wrong);
  }
  level = 0;
  pst_xmp_loop_leave(&l);
}

/* A put that another thread has begun before the region: who completes all puts waits for it. */
static void *sync_main(void *unused)
{
  xmp_sync_all(NULL);
  return unused;
}

static void put_before(int round)
{
  const int value = 7000 + round;
  pthread_t id;
  pst_xmp_put_call(AT, box_desc, (test.me + 1) % test.nodes, &box[0][0], &value, sizeof value);
  level = 1;
  if (pthread_create(&id, NULL, sync_main, NULL) != 0) test_fail(__FILE__, __LINE__, "no thread can be made");
  pthread_join(id, NULL);
  level = 0;
  CHECK(box[0][0] == value, "%d and not %d has been put", box[0][0], value);
  xmp_sync_all(NULL);
}

int main(int argc, char **argv)
{
  test_start("threads", &argc, &argv);
  p = pst_xmp_nodes(AT, "p", 1, &none, PST_XMP_NO_PARENT, NULL);
  t = template_make("t", p);
  a = pst_xmp_array(AT, t, &shape);
  box_desc = pst_xmp_coarray(AT, "box", box, sizeof box, sizeof(int), 0, NULL, NULL);
  xmp_sync_all(NULL);
  for (int round = 0; round < 12; round++) {
    region_run();
    region_in_loop();
    put_before(round);
  }
  return test_finish();
}
