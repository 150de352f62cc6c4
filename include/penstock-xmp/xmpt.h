/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* XMPT, the tool interface of XcalableMP: chapter "XcalableMP Programming Model and Language", section 7,
 * with the arguments that Omni's callbacks have. See xmpt(7).
 *
 * A tool defines xmpt_initialize and sets callbacks in it. The thread that runs a construct calls them: begin
 * just before, end just after the construct. Callbacks may call inquiry functions; constructs they may not.
 */
#ifndef PENSTOCK_XMPT_H
#define PENSTOCK_XMPT_H
#include <limits.h>
#include <stdint.h>

#include "xmp.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- events ---- */

typedef enum {
  xmpt_event_dummy = 0,
  xmpt_event_task_begin = 1, /* also on nodes that skip the task: they have no task_end */
  xmpt_event_task_end,
  xmpt_event_tasks_begin,
  xmpt_event_tasks_end,
  xmpt_event_loop_begin,
  xmpt_event_loop_end,
  xmpt_event_array_begin,
  xmpt_event_array_end,
  xmpt_event_reflect_begin,
  xmpt_event_reflect_begin_async, /* an operation with an id ends, for the tool, when it is under way */
  xmpt_event_reflect_end,
  xmpt_event_gmove_begin,
  xmpt_event_gmove_begin_async,
  xmpt_event_gmove_end,
  xmpt_event_barrier_begin,
  xmpt_event_barrier_end,
  xmpt_event_reduction_begin, /* also of each variable of a loop's reduction clause, within the loop */
  xmpt_event_reduction_begin_async,
  xmpt_event_reduction_end,
  xmpt_event_bcast_begin, /* each variable has its own pair */
  xmpt_event_bcast_begin_async,
  xmpt_event_bcast_end,
  xmpt_event_wait_async_begin, /* each id has its own pair */
  xmpt_event_wait_async_end,
  xmpt_event_coarray_remote_write,
  xmpt_event_coarray_remote_read,
  xmpt_event_coarray_local_write, /* never occurs */
  xmpt_event_coarray_local_read,  /* never occurs */
  xmpt_event_sync_memory_begin,
  xmpt_event_sync_memory_end,
  xmpt_event_sync_all_begin,
  xmpt_event_sync_all_end,
  xmpt_event_sync_image_begin,
  xmpt_event_sync_image_end,
  xmpt_event_sync_images_all_begin,
  xmpt_event_sync_images_all_end,
  xmpt_event_sync_images_begin,
  xmpt_event_sync_images_end,
  xmpt_event_nodes_desc_begin, /* of descriptors: begin when it exists, end before it exists no more */
  xmpt_event_nodes_desc_end,
  xmpt_event_template_desc_begin,
  xmpt_event_template_desc_end,
  xmpt_event_array_desc_begin,
  xmpt_event_array_desc_end,
  xmpt_event_template_fix, /* when it is done */
  XMPT_EVENT_ALL
} xmpt_event_t;

/* ---- arguments of callbacks ---- */

/* `data` points to a pointer that lives from the begin to the end of one instance of a construct: NULL at
 * first, and the tool's from then on. Of descriptors it is that of xmpt_desc_set_data. `data` is NULL where
 * an event is not one of a pair. */
typedef void *xmpt_tool_data_t;
typedef int xmpt_async_id_t;
#define XMP_ASYNC_NONE INT_MIN
typedef uint64_t xmpt_coarray_id_t;
typedef enum { xmpt_gmove_collective = 0, xmpt_gmove_in = 1, xmpt_gmove_out = 2 } xmpt_gmove_kind_t;

/* Subscripts, in the order and the numbers of the inquiry functions: entry k is of dimension k + 1, so that
 * of nodes and templates the last square bracket comes first, and nodes count from 1; of arrays and coarrays
 * the first bracket comes first, and indices count from 0. Images and coindices count from 0.
 *
 * omit: the clause was not written, and nothing else is set. Both bounds are inclusive; marker is the step.
 * Of a `*`, and of a dimension without a loop's variable in loop_begin, bounds are -1, and marker 0. Of
 * reflect the bounds are the widths of the lower and the upper shadow, and marker is 1 where it is periodic.
 * Of a loop's bounds that are not known where its directive stands, and of array_begin, they are those of the
 * template. */
struct _xmpt_subscript_t {
  int ndims;
  int omit;
  int lbound[7];
  int ubound[7];
  int marker[7];
};
typedef struct _xmpt_subscript_t *xmpt_subscript_t;

/* ---- callbacks: codeptr_ra is an address in the program's code of the construct ---- */

/* nodes_desc_begin and the further events of descriptors, template_fix */
typedef void (*xmpt_event_desc_t)(xmp_desc_t desc, xmpt_tool_data_t *data, const void *codeptr_ra);
/* tasks_begin, sync_memory_begin, sync_all_begin, sync_images_all_begin */
typedef void (*xmpt_event_begin_t)(xmpt_tool_data_t *data, const void *codeptr_ra);
/* Every end but those of descriptors. */
typedef void (*xmpt_event_end_t)(xmpt_tool_data_t *data, const void *codeptr_ra);
/* loop_begin, reflect_begin, barrier_begin, reduction_begin. Without an on clause desc is that of a node
 * array of the executing nodes. */
typedef void (*xmpt_event_single_desc_begin_t)(
    xmp_desc_t desc, xmpt_subscript_t subsc, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_single_desc_begin_async_t)(xmp_desc_t desc, xmpt_subscript_t subsc,
    xmpt_async_id_t async_id, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_task_begin_t)(
    xmp_desc_t desc, xmpt_subscript_t subsc, int is_active, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_array_begin_t)(xmp_desc_t array_desc, xmp_desc_t template_desc,
    xmpt_subscript_t subsc, xmpt_tool_data_t *data, const void *codeptr_ra);
/* The descriptor of a side that is not global is NULL, and its subscripts are omitted. */
typedef void (*xmpt_event_gmove_begin_t)(xmp_desc_t lhs_desc, xmpt_subscript_t lhs_subsc, xmp_desc_t rhs_desc,
    xmpt_subscript_t rhs_subsc, xmpt_gmove_kind_t kind, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_gmove_begin_async_t)(xmp_desc_t lhs_desc, xmpt_subscript_t lhs_subsc,
    xmp_desc_t rhs_desc, xmpt_subscript_t rhs_subsc, xmpt_gmove_kind_t kind, xmpt_async_id_t async_id,
    xmpt_tool_data_t *data, const void *codeptr_ra);
/* size: bytes of the variable */
typedef void (*xmpt_event_bcast_begin_t)(void *variable, int size, xmp_desc_t from_desc,
    xmpt_subscript_t from_subsc, xmp_desc_t on_desc, xmpt_subscript_t on_subsc, xmpt_tool_data_t *data,
    const void *codeptr_ra);
typedef void (*xmpt_event_bcast_begin_async_t)(void *variable, int size, xmp_desc_t from_desc,
    xmpt_subscript_t from_subsc, xmp_desc_t on_desc, xmpt_subscript_t on_subsc, xmpt_async_id_t async_id,
    xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_wait_async_begin_t)(xmpt_async_id_t async_id, xmp_desc_t on_desc,
    xmpt_subscript_t on_subsc, xmpt_tool_data_t *data, const void *codeptr_ra);
/* Of an access that names no section subsc has one dimension: the elements' numbers in the whole coarray. */
typedef void (*xmpt_event_coarray_remote_t)(xmpt_coarray_id_t c, xmpt_subscript_t subsc,
    xmpt_subscript_t cosubsc, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_coarray_local_t)(
    xmpt_coarray_id_t c, xmpt_subscript_t subsc, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_sync_image_begin_t)(int image, xmpt_tool_data_t *data, const void *codeptr_ra);
typedef void (*xmpt_event_sync_images_begin_t)(
    int num, int *images, xmpt_tool_data_t *data, const void *codeptr_ra);

/* ---- what a tool defines ----
 *
 *   int xmpt_initialize(void);
 *
 * or, as the chapter has it, a function without a result: so it is not declared here. In C++ it is extern
 * "C". Every node calls it when the runtime starts, before any construct. Not 0: the tool is active; a tool
 * that has set a callback is active in any case. */

/* ---- what it may call ---- */

/* A function of one of the types above. */
typedef void *xmpt_callback_t;
/* In xmpt_initialize alone. One callback for each event: the last one that is set. Returns 4: it is always
 * called; 2: the event never occurs, and the callback is not kept; 0: the event or the callback is wrong, or
 * this is not the time. */
int xmpt_set_callback(xmpt_event_t event, xmpt_callback_t callback);

/* A pointer of the tool's for each descriptor of nodes, a template or an array. 0; -1 where desc is NULL. */
int xmpt_desc_set_data(xmp_desc_t desc, xmpt_tool_data_t data);
int xmpt_desc_get_data(xmp_desc_t desc, xmpt_tool_data_t *data);

/* The same number for the same coarray on all nodes. */
int xmpt_coarray_get_gid(xmpt_coarray_id_t c);

#ifdef __cplusplus
}

/* C++ converts no function to void *. */
template <typename... Arguments>
inline int xmpt_set_callback(xmpt_event_t event, void (*callback)(Arguments...))
{
  return xmpt_set_callback(event, reinterpret_cast<void *>(callback));
}
#endif
#endif
