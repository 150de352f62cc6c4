/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A tool of XMPT that is linked with the program: each construct raises its events once, in order, with the
 * right arguments; data pointers live from begin to end, and nest; inquiries answer within callbacks;
 * constructs that end by a return of the function have their ends. */
#include <string.h>

#include "common.h"
#include <xmpt.h>

/* ---- the tool: a log of words, and a stack of the instances under way ---- */

static char events[2000];
static int depth, instances, started;
static int stack[16];

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
  const size_t at = strlen(events);
  va_list args;
  va_start(args, format);
  vsnprintf(events + at, sizeof events - at, format, args);
  va_end(args);
}

static void instance_begin(xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(data && !*data, "a construct begins with data");
  CHECK(codeptr, "a begin without an address");
  stack[depth++] = ++instances;
  *data = &stack[0] + instances;
}

static void instance_end(xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(codeptr, "an end without an address");
  REQUIRE(depth > 0, "an end without a begin");
  CHECK(data && *data == &stack[0] + stack[depth - 1], "an end has not its begin's data");
  depth--;
}

static const char *desc_text(xmp_desc_t d)
{
  static char text[8][40];
  static int next;
  char *const t = text[next++ % 8];
  int kind = 0, dims = 0, n = 0;
  if (!d) return "null";
  xmp_desc_kind(d, &kind);
  if (kind == XMP_DESC_NODES) xmp_nodes_ndims(d, &dims), xmp_nodes_size(d, 1, &n);
  if (kind == XMP_DESC_TEMPLATE) xmp_template_ndims(d, &dims), n = xmp_template_gsize(d, 1);
  if (kind == XMP_DESC_ARRAY) xmp_array_ndims(d, &dims), n = xmp_array_gsize(d, 1);
  snprintf(t, sizeof text[0], "%s%d[%d]",
      kind == XMP_DESC_NODES          ? "nodes"
          : kind == XMP_DESC_TEMPLATE ? "template"
                                      : "array",
      dims, n);
  return t;
}

static const char *subscript_text(xmpt_subscript_t s)
{
  static char text[8][80];
  static int next;
  char *const t = text[next++ % 8];
  int at = 0;
  if (s->omit) return "-";
  t[0] = '\0';
  for (int k = 0; k < s->ndims; k++)
    at += snprintf(
        t + at, sizeof text[0] - (size_t)at, "(%d:%d:%d)", s->lbound[k], s->ubound[k], s->marker[k]);
  return t;
}

static void on_end(xmpt_tool_data_t *data, const void *codeptr)
{
  instance_end(data, codeptr);
  note(".");
}
#define BEGIN(name) \
  static void on_##name(xmpt_tool_data_t *data, const void *codeptr) \
  { \
    instance_begin(data, codeptr); \
    note(" " #name); \
  }
BEGIN(tasks)
BEGIN(sync_memory)
BEGIN(sync_all)
BEGIN(sync_images_all)
#define ON(name) \
  static void on_##name(xmp_desc_t d, xmpt_subscript_t s, xmpt_tool_data_t *data, const void *codeptr) \
  { \
    instance_begin(data, codeptr); \
    note(" " #name " %s%s", desc_text(d), subscript_text(s)); \
  }
ON(loop)
ON(reflect)
ON(barrier)
ON(reduction)
#define ON_ASYNC(name) \
  static void on_##name##_async( \
      xmp_desc_t d, xmpt_subscript_t s, xmpt_async_id_t id, xmpt_tool_data_t *data, const void *codeptr) \
  { \
    instance_begin(data, codeptr); \
    note(" " #name "_async%d %s%s", id, desc_text(d), subscript_text(s)); \
  }
ON_ASYNC(reflect)
ON_ASYNC(reduction)
static void on_task(
    xmp_desc_t d, xmpt_subscript_t s, int is_active, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  if (!is_active) depth--; /* there is no end */
  note(" task%d %s%s", is_active, desc_text(d), subscript_text(s));
}
static void on_array(
    xmp_desc_t a, xmp_desc_t t, xmpt_subscript_t s, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  note(" array %s %s%s", desc_text(a), desc_text(t), subscript_text(s));
}
static void on_gmove(xmp_desc_t a, xmpt_subscript_t s, xmp_desc_t b, xmpt_subscript_t t,
    xmpt_gmove_kind_t kind, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  note(" gmove%d %s%s %s%s", (int)kind, desc_text(a), subscript_text(s), desc_text(b), subscript_text(t));
}
static void on_gmove_async(xmp_desc_t a, xmpt_subscript_t s, xmp_desc_t b, xmpt_subscript_t t,
    xmpt_gmove_kind_t kind, xmpt_async_id_t id, xmpt_tool_data_t *data, const void *codeptr)
{
  on_gmove(a, s, b, t, kind, data, codeptr);
  note(" id%d", id);
}
static void on_bcast(void *variable, int size, xmp_desc_t f, xmpt_subscript_t s, xmp_desc_t d,
    xmpt_subscript_t t, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  CHECK(variable, "no variable");
  note(" bcast%d %s%s %s%s", size, desc_text(f), subscript_text(s), desc_text(d), subscript_text(t));
}
static void on_bcast_async(void *variable, int size, xmp_desc_t f, xmpt_subscript_t s, xmp_desc_t d,
    xmpt_subscript_t t, xmpt_async_id_t id, xmpt_tool_data_t *data, const void *codeptr)
{
  on_bcast(variable, size, f, s, d, t, data, codeptr);
  note(" id%d", id);
}
static void on_wait_async(
    xmpt_async_id_t id, xmp_desc_t d, xmpt_subscript_t s, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  note(" wait_async%d %s%s", id, desc_text(d), subscript_text(s));
}
static void on_write(
    xmpt_coarray_id_t c, xmpt_subscript_t s, xmpt_subscript_t co, xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(!data && codeptr, "a write with data, or without an address");
  note(" write%d %s%s", xmpt_coarray_get_gid(c), subscript_text(s), subscript_text(co));
}
static void on_read(
    xmpt_coarray_id_t c, xmpt_subscript_t s, xmpt_subscript_t co, xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(!data && codeptr, "a read with data, or without an address");
  note(" read%d %s%s", xmpt_coarray_get_gid(c), subscript_text(s), subscript_text(co));
}
static void on_sync_image(int image, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  note(" sync_image%d", image);
}
static void on_sync_images(int num, int *images, xmpt_tool_data_t *data, const void *codeptr)
{
  instance_begin(data, codeptr);
  note(" sync_images%d:%d", num, images[0]);
}
static int kept;
static void on_desc_begin(xmp_desc_t d, xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(codeptr && data && !*data, "a descriptor begins with data");
  *data = &kept;
  note(" +%s", desc_text(d));
}
static void on_desc_end(xmp_desc_t d, xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(codeptr && data && *data == &kept, "a descriptor has lost its data");
  note(" -%s", desc_text(d));
}
static void on_fix(xmp_desc_t d, xmpt_tool_data_t *data, const void *codeptr)
{
  CHECK(codeptr && !data, "template_fix has data");
  note(" fix %s", desc_text(d));
}

static int set(xmpt_event_t event, void *callback) { return xmpt_set_callback(event, callback); }

int xmpt_initialize(void)
{
  int least = 4;
  started++;
#define SET(event, callback) \
  do { \
    const int rc = set(xmpt_event_##event, (void *)callback); \
    if (rc < least) least = rc; \
  } while (0)
#define PAIR(name) \
  SET(name##_begin, on_##name); \
  SET(name##_end, on_end)
  PAIR(task);
  PAIR(tasks);
  PAIR(loop);
  PAIR(array);
  PAIR(reflect);
  PAIR(gmove);
  PAIR(barrier);
  PAIR(reduction);
  PAIR(bcast);
  PAIR(wait_async);
  PAIR(sync_memory);
  PAIR(sync_all);
  PAIR(sync_image);
  PAIR(sync_images_all);
  PAIR(sync_images);
  SET(reflect_begin_async, on_reflect_async);
  SET(gmove_begin_async, on_gmove_async);
  SET(reduction_begin_async, on_reduction_async);
  SET(bcast_begin_async, on_bcast_async);
  SET(coarray_remote_write, on_read); /* the last one counts */
  SET(coarray_remote_write, on_write);
  SET(coarray_remote_read, on_read);
  SET(nodes_desc_begin, on_desc_begin);
  SET(nodes_desc_end, on_desc_end);
  SET(template_desc_begin, on_desc_begin);
  SET(template_desc_end, on_desc_end);
  SET(array_desc_begin, on_desc_begin);
  SET(array_desc_end, on_desc_end);
  SET(template_fix, on_fix);
  CHECK(least == 4, "an event is not always told");
  CHECK(set(xmpt_event_coarray_local_read, (void *)on_read) == 2, "local reads");
  CHECK(set(xmpt_event_coarray_local_write, (void *)on_read) == 2, "local writes");
  CHECK(set(xmpt_event_dummy, (void *)on_end) == 0, "no event");
  CHECK(set(XMPT_EVENT_ALL, (void *)on_end) == 0, "beyond the events");
  CHECK(set(xmpt_event_loop_end, NULL) == 0, "no callback");
  return 1;
}

static void __attribute__((format(printf, 2, 3))) heard(int line, const char *format, ...)
{
  char wanted[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(wanted, sizeof wanted, format, args);
  va_end(args);
  CHECK(strcmp(events, wanted) == 0, "line %d: heard \"%s\", not \"%s\"", line, events, wanted);
  CHECK(depth == 0, "line %d: %d constructs are open", line, depth);
  events[0] = '\0';
  depth = 0;
}
#define HEARD(...) heard(__LINE__, __VA_ARGS__)

/* ---- the program ---- */

#define INDICES(...) ((const pst_xmp_index_t[]){__VA_ARGS__})
#define ON_ALL(d)    (&(const struct pst_xmp_on){d, 0, NULL})
#define ON_ONE(d, i) \
  (&(const struct pst_xmp_on){d, 1, (const struct pst_xmp_subscript[]){{PST_XMP_ONE, 0, i, 0, 1}}})
#define ON_LOOP(d) \
  (&(const struct pst_xmp_on){d, 1, (const struct pst_xmp_subscript[]){{PST_XMP_LOOP, 0, 0, 0, 1}}})
enum { LENGTH = 40 };
static void *p, *t;
static pst_xmp_array_t *a;
static int object[6];
static void *coarray;

static void declare(void)
{
  const struct pst_xmp_format block = {.kind = PST_XMP_BLOCK};
  const struct pst_xmp_align align = {0, 0};
  const struct pst_xmp_shadow shadow = {1, 1};
  const struct pst_xmp_shape shape = {"a", sizeof(int), PST_XMP_INT, 1, INDICES(LENGTH), &align, &shadow, 0};
  p = pst_xmp_nodes(AT, "p", 1, INDICES(0), PST_XMP_NO_PARENT, NULL);
  HEARD(" +nodes1[%d]", test.nodes);
  t = pst_xmp_template(AT, "t", 1, NULL, NULL, 0);
  pst_xmp_distribute(AT, t, p, 1, &block);
  a = pst_xmp_array(AT, t, &shape);
  HEARD(" +template1[%d] +array1[%d]", XMP_FAILURE, LENGTH);
  pst_xmp_template_fix(AT, t, 0, NULL, 1, INDICES(0), INDICES(LENGTH - 1));
  HEARD(" fix template1[%d]", LENGTH);
  coarray = pst_xmp_coarray(AT, "object", object, sizeof object, sizeof object[0], 1, INDICES(2), NULL);
  HEARD("%s", "");
}

static void data_check(void)
{
  xmpt_tool_data_t data = NULL;
  CHECK(xmpt_desc_get_data(a, &data) == 0 && data == &kept, "the array's data");
  CHECK(xmpt_desc_get_data(p, &data) == 0 && data == &kept, "the nodes' data");
  CHECK(xmpt_desc_set_data(t, &test) == 0 && xmpt_desc_get_data(t, &data) == 0 && data == &test,
      "the template's data");
  CHECK(xmpt_desc_set_data(t, &kept) == 0, "the template's data");
  CHECK(xmpt_desc_set_data(NULL, NULL) == -1 && xmpt_desc_get_data(NULL, &data) == -1, "data of nothing");
  CHECK(xmpt_set_callback(xmpt_event_loop_end, (void *)on_end) == 0, "a callback is set after the start");
}

/* Left by a return, in the middle of three constructs. */
static int return_from_blocks(void)
{
  pst_xmp_task_t tasks __attribute__((cleanup(pst_xmp_tasks_leave))) = {{0}};
  pst_xmp_tasks_enter(&tasks, AT);
  {
    pst_xmp_task_t task __attribute__((cleanup(pst_xmp_task_leave))) = {{0}};
    if (pst_xmp_task_enter(&task, AT, ON_ONE(p, 0), 0)) {
      pst_xmp_loop_t l __attribute__((cleanup(pst_xmp_loop_leave)));
      pst_xmp_loop_enter(&l, AT, ON_LOOP(p), 1);
      return 1;
    }
  }
  return 0;
}

static void blocks(void)
{
  pst_xmp_loop_t l;
  const int ran = return_from_blocks();
  CHECK(ran == (test.me == 0), "the task ran");
  if (ran)
    HEARD(" tasks task1 nodes1[%d](1:1:1) loop nodes1[%d](1:%d:1)...", test.nodes, test.nodes, test.nodes);
  else HEARD(" tasks task0 nodes1[%d](1:1:1).", test.nodes);
  int sum = 1, old = 0;
  const struct pst_xmp_variable v = {&sum, 1, sizeof sum, PST_XMP_INT, "sum"};
  pst_xmp_loop_enter(&l, AT, ON_LOOP(t), 1);
  pst_xmp_loop_reduce(&l, AT, PST_XMP_SUM, &v, &old, 0, NULL, NULL);
  pst_xmp_loop_leave(&l);
  CHECK(old == test.nodes, "the clause");
  HEARD(" loop template1[%d](0:%d:1) reduction template1[%d](0:%d:1)..", LENGTH, LENGTH - 1, LENGTH,
      LENGTH - 1);
  pst_xmp_loop_open(&l, AT, ON_LOOP(t), 1);
  pst_xmp_loop_tell(&l, 1, &(const struct pst_xmp_bounds){0, 3, 12, 4});
  pst_xmp_loop_leave(&l);
  pst_xmp_loop_open(&l, AT, ON_LOOP(p), 1);
  pst_xmp_loop_tell(&l, 1, &(const struct pst_xmp_bounds){0, 5, -1, -2});
  pst_xmp_loop_leave(&l);
  HEARD(" loop template1[%d](3:11:4). loop nodes1[%d](6:2:-2).", LENGTH, test.nodes);
  pst_xmp_array_enter(&l, AT, ON_LOOP(t), 1, &(const struct pst_xmp_bounds){0, 2, 8, 2}, a);
  pst_xmp_loop_leave(&l);
  HEARD(" array array1[%d] template1[%d](2:6:2).", LENGTH, LENGTH);
}

static void communication(void)
{
  const int id = 7, other = 8;
  int x = test.me, y = 2;
  const struct pst_xmp_width width = {1, 0, 1};
  const struct pst_xmp_variable v[] = {
      {&x, 1, sizeof x, PST_XMP_INT, "x"}, {&y, 1, sizeof y, PST_XMP_INT, "y"}};
  pst_xmp_reflect(AT, a, NULL, 0, NULL);
  pst_xmp_reflect(AT, a, &width, 0, &id);
  pst_xmp_wait_async(AT, 1, &id, NULL);
  HEARD(" reflect array1[%d]-. reflect_async7 array1[%d](1:0:1). wait_async7 nodes1[%d]-.", LENGTH, LENGTH,
      test.nodes);
  pst_xmp_barrier_on(AT, NULL);
  pst_xmp_barrier_on(AT, ON_ALL(p));
  xmp_barrier();
  HEARD(" barrier nodes1[%d]-. barrier nodes1[%d](1:%d:1). barrier nodes1[%d]-.", test.nodes, test.nodes,
      test.nodes, test.nodes);
  pst_xmp_bcast(AT, 2, v, ON_ONE(p, 0), NULL, NULL);
  CHECK(x == 0, "the bcast");
  HEARD(" bcast4 nodes1[%d](1:1:1) nodes1[%d]- bcast4 nodes1[%d](1:1:1) nodes1[%d]-..", test.nodes,
      test.nodes, test.nodes, test.nodes);
  pst_xmp_reduction(AT, PST_XMP_SUM, 2, v, NULL, NULL);
  pst_xmp_reduction(AT, PST_XMP_MAX, 1, v, ON_ALL(t), &id);
  pst_xmp_bcast(AT, 1, v + 1, NULL, NULL, &other);
  pst_xmp_wait_async(AT, 2, (const int[]){id, other}, NULL);
  HEARD(" reduction nodes1[%d]-. reduction_async7 template1[%d](0:%d:1). bcast4 nodes1[%d]- nodes1[%d]- id8."
        " wait_async7 nodes1[%d]- wait_async8 nodes1[%d]-..",
      test.nodes, LENGTH, LENGTH - 1, test.nodes, test.nodes, test.nodes, test.nodes);
}

static void moves(void)
{
  const int id = 9;
  int value = 3;
  const struct pst_xmp_subscript part[] = {{PST_XMP_COUNT, 0, 2, 5, 3}},
                                 rest[] = {{PST_XMP_REST, 0, 26, 0, 3}};
  const struct pst_xmp_side
      left = {.array = a, .size = sizeof(int), .type = PST_XMP_INT, .dims = 1, .subscript = part},
      right = {.array = a, .size = sizeof(int), .type = PST_XMP_INT, .dims = 1, .subscript = rest},
      scalar = {.address = &value, .size = sizeof value, .type = PST_XMP_INT};
  pst_xmp_gmove(AT, &left, &right, PST_XMP_COLLECTIVE, NULL);
  pst_xmp_gmove(AT, &left, &scalar, PST_XMP_COLLECTIVE, &id);
  pst_xmp_wait_async(AT, 1, &id, ON_ALL(p));
  HEARD(" gmove0 array1[%d](2:14:3) array1[%d](26:38:3). gmove0 array1[%d](2:14:3) null- id9."
        " wait_async9 nodes1[%d](1:%d:1).",
      LENGTH, LENGTH, LENGTH, test.nodes, test.nodes);
}

static void images(void)
{
  const int there = (test.me + 1) % test.nodes;
  int value = 5, got = 0, set_of_1[] = {test.me};
  const struct pst_xmp_subscript part[] = {{PST_XMP_COUNT, 0, 0, 3, 2}}, one[] = {{PST_XMP_ONE, 0, 4, 0, 1}};
  const pst_xmp_index_t extent[] = {6};
  const struct pst_xmp_side to = {.address = object,
                                .size = sizeof(int),
                                .type = PST_XMP_INT,
                                .dims = 1,
                                .extent = extent,
                                .subscript = part},
                            from = {.address = object,
                                .size = sizeof(int),
                                .type = PST_XMP_INT,
                                .dims = 1,
                                .extent = extent,
                                .subscript = one};
  pst_xmp_put(AT, coarray, there, &object[1], &value, sizeof value);
  pst_xmp_get(AT, coarray, there, &object[2], &got, sizeof got);
  HEARD(" write0 (1:1:1)(%d:%d:1)(%d:%d:1) read0 (2:2:1)(%d:%d:1)(%d:%d:1)", there % 2, there % 2, there / 2,
      there / 2, there % 2, there % 2, there / 2, there / 2);
  xmp_sync_all(NULL);
  CHECK(object[1] == 5, "the put");
  xmp_sync_memory(NULL);
  pst_xmp_sync_image(AT, test.me, NULL);
  xmp_sync_images(1, set_of_1, NULL);
  xmp_sync_images_all(NULL);
  HEARD(" sync_all. sync_memory. sync_image%d. sync_images1:%d. sync_images_all.", test.me, test.me);
  pst_xmp_copy_section(AT, coarray, there, &to, NULL, -1, &from);
  pst_xmp_copy_section(AT, NULL, -1, &to, coarray, there, &from);
  HEARD(" write0 (0:4:2)(%d:%d:1)(%d:%d:1) read0 (4:4:1)(%d:%d:1)(%d:%d:1)", there % 2, there % 2, there / 2,
      there / 2, there % 2, there % 2, there / 2, there / 2);
  xmp_sync_all(NULL);
  pst_xmp_atomic_define(AT, coarray, there, &object[3], 1);
  pst_xmp_atomic_ref(AT, &got, coarray, -1, &object[3]);
  HEARD(" sync_all. write0 (3:3:1)(%d:%d:1)(%d:%d:1)", there % 2, there % 2, there / 2, there / 2);
  xmp_sync_all(NULL);
  HEARD(" sync_all.");
}

static void end(void)
{
  pst_xmp_array_free(&a);
  pst_xmp_template_free(&t);
  pst_xmp_nodes_free(&p);
  HEARD(" -array1[%d] -template1[%d] -nodes1[%d]", LENGTH, LENGTH, test.nodes);
}

int main(int argc, char **argv)
{
  test_start("tool", &argc, &argv);
  CHECK(started == 1, "xmpt_initialize was called %d times", started);
  events[0] = '\0';
  declare();
  data_check();
  blocks();
  communication();
  moves();
  images();
  end();
  return test_finish();
}
