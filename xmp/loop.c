/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Which iterations of a loop this node runs, as bounds. */
#include "xmp/loop.h"

#include <stdlib.h>

#include "front/threads.h"
#include "xmp/tool.h"

typedef pst_xmp_index_t index_t;

static struct pst_xmp_loop_state *free_states;

/* The free ones are of the one thread that is outside of parallel regions. */
static struct pst_xmp_loop_state *state_take(const char *where)
{
  const int of_thread = pst_front_parallel() != 0;
  struct pst_xmp_loop_state *s = of_thread ? NULL : free_states;
  if (s) free_states = s->next;
  else s = pst_xmp_own_take(where, sizeof *s);
  s->of_thread = of_thread;
  s->where = where;
  s->context = NULL;
  s->template_ = NULL;
  return s;
}

static void state_give_back(struct pst_xmp_loop_state *s)
{
  if (__builtin_expect(s->of_thread, 0)) {
    free(s);
    return;
  }
  s->next = free_states;
  free_states = s;
}

static struct pst_xmp_loop_state *state_of(const pst_xmp_loop_t *l) { return l->state[0]; }

/* ---- this node's iterations ---- */

static const struct pst_xmp_range nothing = {.low = 1, .high = 0, .round = 1};

static struct pst_xmp_range template_range(const struct pst_xmp_template *t, int k, index_t shift)
{
  const struct pst_xmp_axis *a = &t->axis[k];
  const int mine = pst_xmp_template_mine(t, k);
  struct pst_xmp_range r = {.low = a->lower - shift, .high = a->upper - shift, .round = 1};
  if (pst_xmp_axis_is_cyclic(a)) {
    r.origin = r.low + mine * a->width;
    r.width = a->width;
    r.round = a->width * a->nodes;
    return r;
  }
  pst_xmp_axis_bounds(a, mine, &r.low, &r.high);
  r.low -= shift;
  r.high -= shift;
  return r;
}

static struct pst_xmp_range nodes_range(const struct pst_xmp_nodes *n, int k, index_t shift)
{
  return (struct pst_xmp_range){
      .low = n->coordinate[k] - shift, .high = n->coordinate[k] - shift, .round = 1};
}

/* Which dimension of `on` has which variable. */
static void variables_note(struct pst_xmp_loop_state *s, const struct pst_xmp_on *on)
{
  unsigned seen = 0;
  s->dims = on->n;
  for (int k = 0; k < on->n; k++) {
    const struct pst_xmp_subscript *u = &on->subscript[k];
    s->variable[k] = u->span == PST_XMP_LOOP ? u->variable : -1;
    s->shift[k] = u->first;
    if (s->variable[k] < 0) continue;
    if (s->variable[k] >= s->variables || seen >> s->variable[k] & 1)
      pst_xmp_fatal(
          s->where, "variable %d of the loop is in two subscripts, or not in its list", s->variable[k] + 1);
    seen |= 1u << s->variable[k];
  }
  for (int v = 0; v < s->variables; v++)
    if (!(seen >> v & 1)) pst_xmp_fatal(s->where, "variable %d of the loop is in no subscript", v + 1);
}

static void ranges_find(struct pst_xmp_loop_state *s)
{
  for (int k = 0; k < s->dims; k++) {
    if (s->variable[k] < 0) continue;
    s->own[s->variable[k]] = s->template_ ? template_range(s->template_, k, s->shift[k])
                                          : nodes_range(s->nodes, k, s->shift[k]);
  }
}

static void ranges_show(pst_xmp_loop_t *l, const struct pst_xmp_loop_state *s)
{
  for (int v = 0; v < s->variables; v++) l->range[v] = s->own[v];
}

static inline void loop_begin(
    pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables)
{
  struct pst_xmp_selection selection;
  struct pst_xmp_loop_state *s;
  pst_xmp_select(where, on, &selection);
  s = state_take(where);
  l->state[0] = s;
  s->nodes = selection.nodes;
  if (!s->nodes) pst_xmp_fatal(where, "a loop needs an on clause");
  if (variables < 0 || variables > PST_XMP_DIMENSIONS)
    pst_xmp_fatal(where, "a loop has %d variables at most, not %d", PST_XMP_DIMENSIONS, variables);
  s->variables = variables;
  if (pst_xmp_desc_kind(where, on->desc) == XMP_DESC_TEMPLATE) s->template_ = on->desc;
  variables_note(s, on);
  if (selection.member) {
    ranges_find(s);
    s->context = pst_xmp_context_push(where, &selection);
  } else {
    for (int v = 0; v < variables; v++) s->own[v] = nothing;
    pst_xmp_selection_free(&selection);
  }
  ranges_show(l, s);
}

/* state[1]: what tools have been told of the beginning. */
void pst_xmp_loop_enter(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables)
{
  l->state[1] = PST_XMP_TOOLS ? pst_xmp_told_loop(where, PST_XMP_CODEPTR, on) : NULL;
  loop_begin(l, where, on, variables);
}

void pst_xmp_loop_open(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables)
{
  l->state[1] = PST_XMP_TOOLS ? pst_xmp_told_loop_open(where, PST_XMP_CODEPTR, on) : NULL;
  loop_begin(l, where, on, variables);
}

void pst_xmp_loop_bounds(pst_xmp_loop_t *l, int n, const struct pst_xmp_bounds b[])
{
  const struct pst_xmp_loop_state *const s = state_of(l);
  const int base = s->template_ ? 0 : 1; /* tools count nodes from 1 */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < s->dims; k++)
      if (s->variable[k] == b[i].variable)
        pst_xmp_told_bounds(l->state[1], s->dims, k, s->shift[k] + base, &b[i]);
  pst_xmp_told_loop_begin(l->state[1], PST_XMP_CODEPTR);
}

void pst_xmp_array_enter(pst_xmp_loop_t *l, const char *where, const struct pst_xmp_on *on, int variables,
    const struct pst_xmp_bounds section[], pst_xmp_array_t *array)
{
  const struct pst_xmp_array_full *const a = array ? pst_xmp_array_need(where, array) : NULL;
  l->state[1] = PST_XMP_TOOLS ? pst_xmp_told_array(where, PST_XMP_CODEPTR, on, section, a) : NULL;
  loop_begin(l, where, on, variables);
}

void pst_xmp_loop_leave(pst_xmp_loop_t *l)
{
  struct pst_xmp_loop_state *s = state_of(l);
  if (!s) return;
  pst_xmp_context_pop(s->context);
  state_give_back(s);
  l->state[0] = NULL;
  if (__builtin_expect(l->state[1] != NULL, 0)) pst_xmp_told_block_end(l->state[1], PST_XMP_CODEPTR);
}

void pst_xmp_loop_step_wrong(const char *where, index_t step)
{
  pst_xmp_fatal(where, "the step of the loop is %lld: it does not go to the loop's end", step);
}

/* ---- for the reduction clause ---- */

/* The dimension of the nodes that dimension k of the on clause is about; -1: none. */
static int node_dim(const struct pst_xmp_loop_state *s, int k)
{
  return s->template_ ? s->template_->node_dim[k] : k;
}

struct pst_xmp_group *pst_xmp_loop_partners(const pst_xmp_loop_t *l)
{
  const struct pst_xmp_loop_state *s = state_of(l);
  const struct pst_xmp_nodes *n = s->nodes;
  struct pst_xmp_selection partners = {.nodes = s->nodes, .member = 1};
  if (!s->context) return NULL;
  for (int k = 0; k < n->dims; k++) partners.pick[k] = (struct pst_xmp_pick){n->coordinate[k], 1, 1, NULL};
  for (int k = 0; k < s->dims; k++)
    if (s->variable[k] >= 0 && node_dim(s, k) >= 0)
      partners.pick[node_dim(s, k)] = (struct pst_xmp_pick){0, n->size[node_dim(s, k)], 1, NULL};
  return pst_xmp_selection_open(s->where, &partners, pst_xmp_executing_before(s->context));
}

/* ---- the next iteration ---- */

static index_t steps_up(index_t distance, index_t step)
{
  return distance > 0 ? (distance + step - 1) / step : 0;
}

/* The next member of the sequence at or after v that a cyclic range has; 0: there is none. */
static int cyclic_next(const struct pst_xmp_range *r, index_t *v, index_t step)
{
  const index_t place = pst_xmp_mod(*v - r->origin, r->round);
  index_t k;
  if (place < r->width) return 1;
  if (step == 1) {
    *v += r->round - place;
    return 1;
  }
  k = pst_xmp_first_hit(place, step, r->round, 0, r->width - 1);
  *v += k * step;
  return k >= 0;
}

pst_xmp_index_t pst_xmp_loop_next(const struct pst_xmp_range *r, index_t v, index_t step, index_t end)
{
  if (step > 0) {
    v += steps_up(r->low - v, step) * step;
    if (r->width && !cyclic_next(r, &v, step)) return end;
    return v > r->high || v >= end ? end : v;
  }
  v += steps_up(v - r->high, -step) * step;
  if (r->width && !cyclic_next(r, &v, step)) return end;
  return v < r->low || v <= end ? end : v;
}

/* ---- expand, margin ---- */

struct box {
  struct pst_xmp_range of[PST_XMP_DIMENSIONS];
};

static int box_is_empty(const struct box *b, int variables)
{
  for (int v = 0; v < variables; v++)
    if (b->of[v].high < b->of[v].low) return 1;
  return 0;
}

static void bounds_of(const struct pst_xmp_loop_state *s, int k, index_t *low, index_t *high)
{
  *low = (s->template_ ? s->template_->axis[k].lower : 0) - s->shift[k];
  *high = (s->template_ ? s->template_->axis[k].upper : s->nodes->size[k] - 1) - s->shift[k];
}

static void range_expand(
    const struct pst_xmp_loop_state *s, const char *where, int k, struct pst_xmp_width w, struct box *b)
{
  struct pst_xmp_range *r = &b->of[s->variable[k]];
  index_t low, high;
  if (w.lower == 0 && w.upper == 0) return;
  if (r->width) pst_xmp_fatal(where, "dimension %d is distributed cyclically: its width must be 0", k + 1);
  if (r->high < r->low) return;
  r->low -= w.lower;
  r->high += w.upper;
  bounds_of(s, k, &low, &high);
  if (!w.flag && r->low < low) r->low = low;
  if (!w.flag && r->high > high) r->high = high;
  if (r->high < r->low) r->high = r->low - 1;
}

static struct pst_xmp_range common(struct pst_xmp_range a, struct pst_xmp_range b)
{
  if (b.low > a.low) a.low = b.low;
  if (b.high < a.high) a.high = b.high;
  return a;
}

/* What lies in a, and beyond b in variable v, below it or above, and in earlier variables in both: for all v
 * and both sides these boxes are a without b. */
static struct box box_slab(const struct box *a, const struct box *b, int v, int above)
{
  struct box s = *a;
  for (int u = 0; u < v; u++) s.of[u] = common(a->of[u], b->of[u]);
  if (above && s.of[v].low <= b->of[v].high) s.of[v].low = b->of[v].high + 1;
  if (!above && s.of[v].high >= b->of[v].low) s.of[v].high = b->of[v].low - 1;
  return s;
}

/* The part of that number of what is in one of two boxes; 0: there are fewer. */
static int margin_part(
    const struct box *wide, const struct box *own, int variables, int part, struct box *result)
{
  for (int i = 0; i < 4 * variables; i++) {
    const int v = i / 2 % variables, narrows = i >= 2 * variables;
    *result = narrows ? box_slab(own, wide, v, i & 1) : box_slab(wide, own, v, i & 1);
    if (own->of[v].width) continue; /* cyclic: no width */
    if (!box_is_empty(result, variables) && part-- == 0) return 1;
  }
  return 0;
}

int pst_xmp_loop_expand(pst_xmp_loop_t *l, const char *where, enum pst_xmp_expand form, int n,
    const struct pst_xmp_width width[], int part)
{
  const struct pst_xmp_loop_state *s = state_of(l);
  struct box own, wide, result;
  int found = part == 0;
  for (int v = 0; v < s->variables; v++) own.of[v] = s->own[v];
  wide = own;
  if (form != PST_XMP_NO_EXPAND && n != s->dims)
    pst_xmp_fatal(where, "there are %d subscripts, and %d widths", s->dims, n);
  for (int k = 0; form != PST_XMP_NO_EXPAND && k < n; k++)
    if (s->variable[k] >= 0) range_expand(s, where, k, width[k], &wide);
  result = wide;
  if (form == PST_XMP_MARGIN) found = margin_part(&wide, &own, s->variables, part, &result);
  if (form == PST_XMP_PEEL_AND_WAIT && part > 0)
    found = margin_part(&wide, &own, s->variables, part - 1, &result);
  if (!found) result = own;
  for (int v = 0; v < s->variables; v++) l->range[v] = result.of[v];
  return found;
}
