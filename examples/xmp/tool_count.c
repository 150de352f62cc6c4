/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A tool of XMPT: counts a program's constructs on each node, and how long they took.
 *
 *   cc -shared -fPIC $(pkg-config --cflags penstock-xmp) tool_count.c -o tool_count.so
 *   XMP_TOOL_LIBRARIES=./tool_count.so xmprun -np 4 ./laplace
 *
 * It writes its report when a node ends. TOOL_COUNT_NODE=N in the environment: for node N alone. */
#include <stdio.h>
#include <stdlib.h>
#include <xmpt.h>

enum kind { LOOP, TASK, REFLECT, GMOVE, BARRIER, REDUCTION, BCAST, SYNC, WRITE, READ, KINDS };
static const char *const names[KINDS] = {"loop", "task", "reflect", "gmove", "barrier", "reduction", "bcast",
    "sync_all", "coarray write", "coarray read"};
static struct total {
  long count;
  double seconds;
} totals[KINDS];

/* ---- begin and end: *data, which is the instance's own, keeps when it began ---- */

static void construct_begin(xmpt_tool_data_t *data)
{
  double *const began = malloc(sizeof *began);
  *data = began;
  if (began) *began = xmp_wtime();
}

static void construct_end(enum kind kind, const xmpt_tool_data_t *data)
{
  double *const began = *data;
  totals[kind].count++;
  if (began) totals[kind].seconds += xmp_wtime() - *began;
  free(began);
}

/* Of events with a descriptor and subscripts. */
static void on_begin(xmp_desc_t desc, xmpt_subscript_t subscripts, xmpt_tool_data_t *data, const void *code)
{
  (void)desc, (void)subscripts, (void)code;
  construct_begin(data);
}

/* A node that skips a task hears of no end. */
static void on_task(
    xmp_desc_t desc, xmpt_subscript_t subscripts, int is_active, xmpt_tool_data_t *data, const void *code)
{
  (void)desc, (void)subscripts, (void)code;
  if (is_active) construct_begin(data);
}

static void on_gmove(xmp_desc_t left, xmpt_subscript_t left_subscripts, xmp_desc_t right,
    xmpt_subscript_t right_subscripts, xmpt_gmove_kind_t kind, xmpt_tool_data_t *data, const void *code)
{
  (void)left, (void)left_subscripts, (void)right, (void)right_subscripts, (void)kind, (void)code;
  construct_begin(data);
}

static void on_bcast(void *variable, int size, xmp_desc_t from, xmpt_subscript_t from_subscripts,
    xmp_desc_t on, xmpt_subscript_t on_subscripts, xmpt_tool_data_t *data, const void *code)
{
  (void)variable, (void)size, (void)from, (void)from_subscripts, (void)on, (void)on_subscripts, (void)code;
  construct_begin(data);
}

static void on_sync(xmpt_tool_data_t *data, const void *code)
{
  (void)code;
  construct_begin(data);
}

#define END(kind, name) \
  static void on_##name##_end(xmpt_tool_data_t *data, const void *code) \
  { \
    (void)code; \
    construct_end(kind, data); \
  }
END(LOOP, loop)
END(TASK, task)
END(REFLECT, reflect)
END(GMOVE, gmove)
END(BARRIER, barrier)
END(REDUCTION, reduction)
END(BCAST, bcast)
END(SYNC, sync)

/* ---- accesses to other images: no pairs, and so no time ---- */

static void on_write(xmpt_coarray_id_t coarray, xmpt_subscript_t subscripts, xmpt_subscript_t coindices,
    xmpt_tool_data_t *data, const void *code)
{
  (void)coarray, (void)subscripts, (void)coindices, (void)data, (void)code;
  totals[WRITE].count++;
}

static void on_read(xmpt_coarray_id_t coarray, xmpt_subscript_t subscripts, xmpt_subscript_t coindices,
    xmpt_tool_data_t *data, const void *code)
{
  (void)coarray, (void)subscripts, (void)coindices, (void)data, (void)code;
  totals[READ].count++;
}

/* ---- the report ---- */

static int node;

static void report(void)
{
  const char *const only = getenv("TOOL_COUNT_NODE");
  char text[1000] = "";
  size_t at = 0;
  if (only && atoi(only) != node) return;
  for (int i = 0; i < KINDS; i++)
    if (totals[i].count)
      at += (size_t)snprintf(text + at, sizeof text - at, "node %d: %-13s %8ld times, %10.6f s\n", node,
          names[i], totals[i].count, totals[i].seconds);
  fputs(text, stderr);
}

int xmpt_initialize(void)
{
  node = xmpc_all_node_num();
  xmpt_set_callback(xmpt_event_loop_begin, on_begin);
  xmpt_set_callback(xmpt_event_loop_end, on_loop_end);
  xmpt_set_callback(xmpt_event_task_begin, on_task);
  xmpt_set_callback(xmpt_event_task_end, on_task_end);
  xmpt_set_callback(xmpt_event_reflect_begin, on_begin);
  xmpt_set_callback(xmpt_event_reflect_end, on_reflect_end);
  xmpt_set_callback(xmpt_event_gmove_begin, on_gmove);
  xmpt_set_callback(xmpt_event_gmove_end, on_gmove_end);
  xmpt_set_callback(xmpt_event_barrier_begin, on_begin);
  xmpt_set_callback(xmpt_event_barrier_end, on_barrier_end);
  xmpt_set_callback(xmpt_event_reduction_begin, on_begin);
  xmpt_set_callback(xmpt_event_reduction_end, on_reduction_end);
  xmpt_set_callback(xmpt_event_bcast_begin, on_bcast);
  xmpt_set_callback(xmpt_event_bcast_end, on_bcast_end);
  xmpt_set_callback(xmpt_event_sync_all_begin, on_sync);
  xmpt_set_callback(xmpt_event_sync_all_end, on_sync_end);
  xmpt_set_callback(xmpt_event_coarray_remote_write, on_write);
  xmpt_set_callback(xmpt_event_coarray_remote_read, on_read);
  atexit(report);
  return 1;
}
