/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* From the runtime's functions to the callbacks of a tool, and to GASP's events. */
#include <stdlib.h>
#include <string.h>

#include "front/threads.h"
#include "xmp/coarray.h"
#include "xmp/tool.h"

typedef struct _xmpt_subscript_t subscript_t;

/* Calls the callback of an event where there is one. The type has to be written: XMPT has one for each list
 * of arguments. */
#define CALL(event, type, ...) \
  do { \
    type const callback_ = (type)pst_xmp_tool_callback(event); \
    if (callback_) callback_(__VA_ARGS__); \
  } while (0)

static int wants_xmpt(void) { return (pst_xmp_tools & PST_XMP_TOOL_XMPT) != 0; }
static int wants_gasp(void) { return (pst_xmp_tools & PST_XMP_TOOL_GASP) != 0; }

/* ---- places for GASP: the files' names stay ---- */

struct place {
  struct place *next;
  const char *where, *file; /* file NULL: it names no file */
  int line;
};
enum { BUCKETS = 256 };

static const char *file_keep(const char *text, size_t length)
{
  static struct file {
    struct file *next;
    char name[];
  } * files;
  struct file *f = files;
  while (f && (strncmp(f->name, text, length) != 0 || f->name[length])) f = f->next;
  if (f) return f->name;
  f = pst_xmp_own_take("the tool", sizeof *f + length + 1);
  memcpy(f->name, text, length);
  f->name[length] = '\0';
  f->next = files;
  files = f;
  return f->name;
}

static void place_read(struct place *p, const char *where)
{
  const char *const colon = strrchr(where, ':');
  *p = (struct place){.where = where};
  if (!colon || !(p->line = atoi(colon + 1))) return;
  p->file = file_keep(where, (size_t)(colon - where));
}

static const struct place *place_find(const char *where)
{
  static struct place *buckets[BUCKETS];
  struct place **const bucket = &buckets[((uintptr_t)where >> 3 ^ (uintptr_t)where >> 11) % BUCKETS], *p;
  for (p = *bucket; p; p = p->next)
    if (p->where == where) return p;
  p = pst_xmp_own_take("the tool", sizeof *p);
  place_read(p, where);
  p->next = *bucket;
  return *bucket = p;
}

/* Of a text that lives as long as the program. */
static const struct place *place_of(const char *where)
{
  pst_front_shared_enter();
  const struct place *const p = place_find(where);
  pst_front_shared_leave();
  return p;
}

/* ---- begin and end ---- */

/* After the callbacks of XMPT, so that what they do is not measured. */
static void gasp_begin(const struct pst_xmp_told *t)
{
  if (!wants_gasp() || !t->tag) return;
  const struct place *const p = place_of(t->where);
  if (t->block)
    pst_gasp_block(GASP_MODEL_XMP, GASP_START, p->file, p->line, t->tag, t->bytes, t->node, t->name);
  else pst_gasp_begin_at(GASP_MODEL_XMP, p->file, p->line, t->tag, t->bytes, t->node, t->name);
}

static void gasp_end(const struct pst_xmp_told *t)
{
  if (!wants_gasp() || !t->tag) return;
  const struct place *const p = place_of(t->where);
  if (t->block)
    pst_gasp_block(GASP_MODEL_XMP, GASP_END, p->file, p->line, t->tag, t->bytes, t->node, t->name);
  else pst_gasp_finish(GASP_MODEL_XMP, t->tag, t->bytes, t->node, t->name);
}

static xmpt_tool_data_t *data_at(struct pst_xmp_told *t, int i)
{
  return i == 0 ? &t->data : &t->more[i - 1];
}

void pst_xmp_told_end(struct pst_xmp_told *t, const void *codeptr)
{
  gasp_end(t);
  if (wants_xmpt() && t->end != xmpt_event_dummy)
    for (int i = t->pairs - 1; i >= 0; i--) CALL(t->end, xmpt_event_end_t, data_at(t, i), codeptr);
  free(t->more);
}

void pst_xmp_told_block_end(struct pst_xmp_told *t, const void *codeptr)
{
  pst_xmp_told_end(t, codeptr);
  free(t);
}

static void told_set(struct pst_xmp_told *t, xmpt_event_t end, unsigned tag, const char *name)
{
  t->end = end;
  t->pairs = 1;
  t->tag = tag;
  t->name = name;
}

static void told_set_pairs(struct pst_xmp_told *t, int n)
{
  t->pairs = n;
  if (n > 1) t->more = pst_xmp_own_take_clear(t->where, (size_t)n - 1, sizeof *t->more);
}

static const char *on_name(const struct pst_xmp_on *on)
{
  return on && on->desc ? ((const struct pst_xmp_object *)on->desc)->name : NULL;
}

/* ---- blocks ---- */

static struct pst_xmp_told *block_new(
    const char *where, const void *codeptr, xmpt_event_t end, unsigned tag, const char *name)
{
  struct pst_xmp_told *const t = pst_xmp_own_take_clear(where, 1, sizeof *t);
  *t = (struct pst_xmp_told){.where = where, .codeptr = codeptr, .block = 1, .node = -1};
  told_set(t, end, tag, name);
  return t;
}

struct pst_xmp_told *pst_xmp_told_task(
    const char *where, const void *codeptr, const struct pst_xmp_on *on, int active)
{
  struct pst_xmp_told *const t = block_new(where, codeptr, xmpt_event_task_end, GASP_XMP_TASK, on_name(on));
  if (wants_xmpt()) {
    subscript_t s;
    xmp_desc_t desc;
    pst_xmp_tool_on(where, on, 0, &desc, &s);
    CALL(xmpt_event_task_begin, xmpt_event_task_begin_t, desc, &s, active, &t->data, codeptr);
  }
  if (active) {
    gasp_begin(t);
    return t;
  }
  free(t);
  return NULL;
}

struct pst_xmp_told *pst_xmp_told_tasks(const char *where, const void *codeptr)
{
  struct pst_xmp_told *const t = block_new(where, codeptr, xmpt_event_tasks_end, GASP_XMP_TASKS, NULL);
  if (wants_xmpt()) CALL(xmpt_event_tasks_begin, xmpt_event_begin_t, &t->data, codeptr);
  gasp_begin(t);
  return t;
}

struct pst_xmp_told *pst_xmp_told_loop_open(
    const char *where, const void *codeptr, const struct pst_xmp_on *on)
{
  struct pst_xmp_told *const t = block_new(where, codeptr, xmpt_event_loop_end, GASP_XMP_LOOP, on_name(on));
  if (wants_xmpt()) pst_xmp_tool_on(where, on, 1, &t->desc, &t->subscript);
  return t;
}

void pst_xmp_told_loop_begin(struct pst_xmp_told *t, const void *codeptr)
{
  if (wants_xmpt())
    CALL(xmpt_event_loop_begin, xmpt_event_single_desc_begin_t, t->desc, &t->subscript, &t->data, codeptr);
  gasp_begin(t);
}

struct pst_xmp_told *pst_xmp_told_loop(const char *where, const void *codeptr, const struct pst_xmp_on *on)
{
  struct pst_xmp_told *const t = pst_xmp_told_loop_open(where, codeptr, on);
  pst_xmp_told_loop_begin(t, codeptr);
  return t;
}

/* The last index that the loop has; one that is not run has a last index before its first. */
void pst_xmp_told_bounds(
    struct pst_xmp_told *t, int dims, int k, pst_xmp_index_t shift, const struct pst_xmp_bounds *b)
{
  const pst_xmp_index_t count = b->step > 0 ? (b->end - b->lower + b->step - 1) / b->step
                                            : (b->lower - b->end - b->step - 1) / -b->step;
  const int at = dims - 1 - k;
  t->subscript.lbound[at] = (int)(b->lower + shift);
  t->subscript.ubound[at] = (int)(b->lower + ((count > 0 ? count : 0) - 1) * b->step + shift);
  t->subscript.marker[at] = (int)b->step;
}

struct pst_xmp_told *pst_xmp_told_array(const char *where, const void *codeptr, const struct pst_xmp_on *on,
    const struct pst_xmp_bounds section[], const struct pst_xmp_array_full *a)
{
  struct pst_xmp_told *const t = block_new(
      where, codeptr, xmpt_event_array_end, GASP_XMP_ARRAY, a ? a->name : NULL);
  if (wants_xmpt()) {
    pst_xmp_tool_on(where, on, 1, &t->desc, &t->subscript);
    for (int k = 0; k < on->n; k++)
      if (on->subscript[k].span == PST_XMP_LOOP)
        pst_xmp_told_bounds(t, on->n, k, 0, &section[on->subscript[k].variable]);
    CALL(xmpt_event_array_begin, xmpt_event_array_begin_t, (xmp_desc_t)(uintptr_t)a, t->desc, &t->subscript,
        &t->data, codeptr);
  }
  gasp_begin(t);
  return t;
}

/* ---- directives ---- */

void pst_xmp_told_reflect(
    struct pst_xmp_told *t, pst_xmp_array_t *array, const struct pst_xmp_width width[], const int *async)
{
  const struct pst_xmp_array_full *const a = pst_xmp_array_need(t->where, array);
  told_set(t, xmpt_event_reflect_end, GASP_XMP_REFLECT, a->name);
  if (wants_xmpt()) {
    subscript_t s = {.ndims = width ? a->dims : 0, .omit = !width};
    for (int k = 0; k < s.ndims; k++) {
      s.lbound[k] = (int)width[k].lower;
      s.ubound[k] = (int)width[k].upper;
      s.marker[k] = width[k].flag != 0;
    }
    if (async)
      CALL(xmpt_event_reflect_begin_async, xmpt_event_single_desc_begin_async_t, array, &s, *async, &t->data,
          t->codeptr);
    else CALL(xmpt_event_reflect_begin, xmpt_event_single_desc_begin_t, array, &s, &t->data, t->codeptr);
  }
  gasp_begin(t);
}

/* The modes have the kinds' numbers. */
_Static_assert(PST_XMP_COLLECTIVE == (int)xmpt_gmove_collective && PST_XMP_IN == (int)xmpt_gmove_in &&
        PST_XMP_OUT == (int)xmpt_gmove_out,
    "kinds of gmove");

void pst_xmp_told_gmove(struct pst_xmp_told *t, const struct pst_xmp_side *left,
    const struct pst_xmp_side *right, enum pst_xmp_gmove_mode mode, const int *async)
{
  pst_xmp_array_t *const array = left->array ? left->array : right->array;
  told_set(t, xmpt_event_gmove_end, GASP_XMP_GMOVE, array ? pst_xmp_array_of(array)->name : NULL);
  if (wants_xmpt()) {
    const xmpt_gmove_kind_t kind = (xmpt_gmove_kind_t)mode;
    subscript_t to, from;
    xmp_desc_t to_desc, from_desc;
    pst_xmp_tool_side(left, &to_desc, &to);
    pst_xmp_tool_side(right, &from_desc, &from);
    if (async)
      CALL(xmpt_event_gmove_begin_async, xmpt_event_gmove_begin_async_t, to_desc, &to, from_desc, &from, kind,
          *async, &t->data, t->codeptr);
    else
      CALL(xmpt_event_gmove_begin, xmpt_event_gmove_begin_t, to_desc, &to, from_desc, &from, kind, &t->data,
          t->codeptr);
  }
  gasp_begin(t);
}

void pst_xmp_told_barrier(struct pst_xmp_told *t, const struct pst_xmp_on *on)
{
  told_set(t, xmpt_event_barrier_end, GASP_XMP_BARRIER, on_name(on));
  if (wants_xmpt()) {
    pst_xmp_tool_on(t->where, on, 0, &t->desc, &t->subscript);
    CALL(xmpt_event_barrier_begin, xmpt_event_single_desc_begin_t, t->desc, &t->subscript, &t->data,
        t->codeptr);
  }
  gasp_begin(t);
}

static size_t variables_bytes(int n, const struct pst_xmp_variable v[])
{
  size_t bytes = 0;
  for (int i = 0; i < n; i++) bytes += v[i].count * v[i].size;
  return bytes;
}

static void reduction_begin(struct pst_xmp_told *t, const int *async)
{
  if (async)
    CALL(xmpt_event_reduction_begin_async, xmpt_event_single_desc_begin_async_t, t->desc, &t->subscript,
        *async, &t->data, t->codeptr);
  else
    CALL(xmpt_event_reduction_begin, xmpt_event_single_desc_begin_t, t->desc, &t->subscript, &t->data,
        t->codeptr);
}

void pst_xmp_told_reduction(struct pst_xmp_told *t, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *on, const int *async)
{
  told_set(t, xmpt_event_reduction_end, GASP_XMP_REDUCTION, n > 0 ? v[0].name : NULL);
  t->bytes = variables_bytes(n, v);
  if (wants_xmpt()) {
    pst_xmp_tool_on(t->where, on, 0, &t->desc, &t->subscript);
    reduction_begin(t, async);
  }
  gasp_begin(t);
}

void pst_xmp_told_clause(
    struct pst_xmp_told *t, const struct pst_xmp_told *loop, const struct pst_xmp_variable *v)
{
  told_set(t, loop ? xmpt_event_reduction_end : xmpt_event_dummy, GASP_XMP_REDUCTION, v->name);
  t->bytes = variables_bytes(1, v);
  if (wants_xmpt() && loop) {
    t->desc = loop->desc;
    t->subscript = loop->subscript;
    reduction_begin(t, NULL);
  }
  gasp_begin(t);
}

static void bcast_begin(struct pst_xmp_told *t, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *from, const struct pst_xmp_on *on, const int *async)
{
  subscript_t f;
  xmp_desc_t from_desc;
  pst_xmp_tool_on(t->where, from, 0, &from_desc, &f);
  pst_xmp_tool_on(t->where, on, 0, &t->desc, &t->subscript);
  for (int i = 0; i < n; i++) {
    const int size = (int)variables_bytes(1, &v[i]);
    if (async)
      CALL(xmpt_event_bcast_begin_async, xmpt_event_bcast_begin_async_t, v[i].address, size, from_desc, &f,
          t->desc, &t->subscript, *async, data_at(t, i), t->codeptr);
    else
      CALL(xmpt_event_bcast_begin, xmpt_event_bcast_begin_t, v[i].address, size, from_desc, &f, t->desc,
          &t->subscript, data_at(t, i), t->codeptr);
  }
}

void pst_xmp_told_bcast(struct pst_xmp_told *t, int n, const struct pst_xmp_variable v[],
    const struct pst_xmp_on *from, const struct pst_xmp_on *on, const int *async)
{
  told_set(t, xmpt_event_bcast_end, GASP_XMP_BCAST, n > 0 ? v[0].name : NULL);
  told_set_pairs(t, n);
  t->bytes = variables_bytes(n, v);
  if (wants_xmpt()) bcast_begin(t, n, v, from, on, async);
  gasp_begin(t);
}

void pst_xmp_told_wait_async(struct pst_xmp_told *t, int n, const int id[], const struct pst_xmp_on *on)
{
  told_set(t, xmpt_event_wait_async_end, GASP_XMP_WAIT_ASYNC, NULL);
  told_set_pairs(t, n);
  if (wants_xmpt()) {
    pst_xmp_tool_on(t->where, on, 0, &t->desc, &t->subscript);
    for (int i = 0; i < n; i++)
      CALL(xmpt_event_wait_async_begin, xmpt_event_wait_async_begin_t, id[i], t->desc, &t->subscript,
          data_at(t, i), t->codeptr);
  }
  gasp_begin(t);
}

/* ---- synchronisation ---- */

/* An event's end has the next number. */
void pst_xmp_told_plain(struct pst_xmp_told *t, xmpt_event_t begin, unsigned tag, const char *name)
{
  told_set(t, begin == xmpt_event_dummy ? begin : begin + 1, tag, name);
  if (wants_xmpt() && begin != xmpt_event_dummy) CALL(begin, xmpt_event_begin_t, &t->data, t->codeptr);
  gasp_begin(t);
}

void pst_xmp_told_sync_image(struct pst_xmp_told *t, int image)
{
  told_set(t, xmpt_event_sync_image_end, GASP_XMP_SYNC_IMAGE, NULL);
  if (wants_xmpt())
    CALL(xmpt_event_sync_image_begin, xmpt_event_sync_image_begin_t, image, &t->data, t->codeptr);
  gasp_begin(t);
}

void pst_xmp_told_sync_images(struct pst_xmp_told *t, int n, int *images)
{
  told_set(t, xmpt_event_sync_images_end, GASP_XMP_SYNC_IMAGES, NULL);
  if (wants_xmpt())
    CALL(xmpt_event_sync_images_begin, xmpt_event_sync_images_begin_t, n, images, &t->data, t->codeptr);
  gasp_begin(t);
}

/* ---- coarrays ---- */

/* Coindex 0 counts fastest. */
static void cosubscript_read(subscript_t *s, const struct pst_xmp_coarray_full *c, int image)
{
  *s = (subscript_t){.ndims = c->codims};
  for (int i = 0; i < c->codims; i++) {
    const int at = i < c->codims - 1 ? image % (int)c->codim[i] : image;
    s->lbound[i] = s->ubound[i] = at;
    s->marker[i] = 1;
    if (i < c->codims - 1) image /= (int)c->codim[i];
  }
}

static int tag_writes(unsigned tag) { return tag == GASP_XMP_PUT || tag == GASP_XMP_ATOMIC_DEFINE; }

/* Image -1 is this one, by a name without coindices: a local access. */
static void access_tell(
    struct pst_xmp_told *t, const struct pst_xmp_coarray_full *c, int image, subscript_t *s)
{
  const xmpt_event_t event = tag_writes(t->tag) ? xmpt_event_coarray_remote_write
                                                : xmpt_event_coarray_remote_read;
  subscript_t co;
  if (image >= 0 && wants_xmpt()) {
    cosubscript_read(&co, c, image);
    CALL(event, xmpt_event_coarray_remote_t, (uintptr_t)c, s, &co, NULL, t->codeptr);
  }
  gasp_begin(t);
}

static void access_set(struct pst_xmp_told *t, unsigned tag, const struct pst_xmp_coarray_full *c, int image)
{
  told_set(t, xmpt_event_dummy, tag, c->name);
  t->node = (int)pst_xmp_coarray_node(t->where, c, image);
}

void pst_xmp_told_access(
    struct pst_xmp_told *t, unsigned tag, void *coarray, int image, const void *at, size_t nbytes)
{
  const struct pst_xmp_coarray_full *const c = pst_xmp_coarray_need(t->where, coarray);
  const size_t first = (size_t)((const char *)at - c->object) / c->element;
  subscript_t s = {.ndims = 1, .marker = {1}};
  s.lbound[0] = (int)first;
  s.ubound[0] = (int)(first + (nbytes ? (nbytes - 1) / c->element : 0));
  access_set(t, tag, c, image);
  t->bytes = nbytes;
  access_tell(t, c, image, &s);
}

static size_t subscripts_elements(const subscript_t *s)
{
  size_t n = 1;
  for (int k = 0; k < s->ndims; k++) {
    const int step = s->marker[k] ? s->marker[k] : 1, count = (s->ubound[k] - s->lbound[k]) / step + 1;
    n *= count > 0 ? (size_t)count : 0;
  }
  return n;
}

void pst_xmp_told_section(
    struct pst_xmp_told *t, unsigned tag, void *coarray, int image, const struct pst_xmp_side *side)
{
  const struct pst_xmp_coarray_full *const c = pst_xmp_coarray_need(t->where, coarray);
  subscript_t s;
  pst_xmp_tool_section(side, &s);
  access_set(t, tag, c, image);
  t->bytes = subscripts_elements(&s) * side->size;
  access_tell(t, c, image, &s);
}

/* ---- descriptors ---- */

void pst_xmp_told_desc(xmpt_event_t event, void *desc, xmpt_tool_data_t *data, const void *codeptr)
{
  if (wants_xmpt()) CALL(event, xmpt_event_desc_t, desc, data, codeptr);
}

/* ---- the job ---- */

void pst_xmp_tools_open(void)
{
  unsigned tools = 0;
  if (pst_xmp_tools_find_xmpt()) tools |= PST_XMP_TOOL_XMPT;
  pst_front_tools_open(GASP_MODEL_XMP, NULL, NULL);
  if (pst_gasp_on) tools |= PST_XMP_TOOL_GASP;
  if (pst_gasp_on || pst_xmp_tool_callback(xmpt_event_coarray_remote_write) ||
      pst_xmp_tool_callback(xmpt_event_coarray_remote_read))
    tools |= PST_XMP_TOOL_REMOTE;
  pst_xmp_tools = tools;
  GASP_ATOMICALLY(XMP, GASP_XMP_INIT, pst_xmp_job.nodes);
}

void pst_xmp_told_exit(int begins, int status, int alone)
{
  if (alone) GASP_ATOMICALLY(XMP, GASP_XMP_NONCOLLECTIVE_EXIT, status);
  else if (begins) GASP_BEGIN(XMP, GASP_XMP_COLLECTIVE_EXIT, status);
  else GASP_FINISH(XMP, GASP_XMP_COLLECTIVE_EXIT, status);
}
