/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Image control, collective subroutines, atomic subroutines, locks, allocation. */
#include <stdlib.h>
#include <string.h>

#include "random.h"

static struct variable *word, *old, *sum; /* atomic; its old value; what a lock guards */

void control_declare(void)
{
  struct variable **const list[] = {&word, &old, &sum};
  static const char *const name[] = {"word", "old", "sum_of"};
  for (int i = 0; i < 3; i++) {
    *list[i] = variable_new(name[i], "", (struct type){INTEGER, 4, 0}, 0);
    (*list[i])->declaration = text("integer :: %s%s", name[i], i == 1 ? "" : "[*]");
  }
  line("type(event_type), save :: event[*]");
  line("type(lock_type), save :: door[*]");
  line("type(team_type) :: team");
  line("integer, allocatable :: unused(:)[:]");
}

void control_begin(void)
{
  line("word = 0");
  line("old = 0");
  line("sum_of = 0");
}

void control_print(void)
{
  variable_print(word);
  variable_print(old);
  variable_print(sum);
}

/* ---- all synchronise ---- */

void sync_draw(void)
{
  switch (draw(6)) {
  case 0: line("sync images (*)"); break;
  case 1:
    line("do i = 1, n");
    line("  event post (event[1 + modulo(me + i, n)])");
    line("end do");
    line("event wait (event, until_count=n)");
    break;
  case 2: line("sync images ([(i, i = n, 1, -1)])"); break;
  case 3:
    line("sync all (stat=stat)");
    line("if (stat /= 0) error stop 'sync all'");
    break;
  default: line("sync all");
  }
  phase_end();
}

/* ---- collective subroutines ---- */

enum operation { SUM, MINIMUM, MAXIMUM, REDUCE, BROADCAST, OPERATIONS };

static int operation_is_for(enum operation op, struct type t)
{
  switch (op) {
  case SUM: return type_is_number(t);
  case MINIMUM:
  case MAXIMUM: return t.class == INTEGER || t.class == REAL || t.class == CHARACTER;
  case REDUCE: return (t.class == INTEGER && t.kind == 4) || (t.class == REAL && t.kind == 8);
  default: return 1;
  }
}

static int order(struct type t, const struct value *a, const struct value *b)
{
  return t.class == CHARACTER ? strcmp(a->text, b->text) : a->re < b->re ? -1 : a->re > b->re;
}

/* The program's functions for co_reduce are the larger one, of the absolute values. */
static void combine(enum operation op, struct type t, struct value *a, const struct value *b)
{
  if (op == SUM) *a = value_add(*a, *b);
  else if (op == REDUCE) a->re = labs(a->re) > labs(b->re) ? labs(a->re) : labs(b->re);
  else if (op == MINIMUM ? order(t, b, a) < 0 : order(t, b, a) > 0) *a = *b;
}

/* Of the image's team; k of the places. root: an index. */
static struct value combined(const struct variable *v, enum operation op, int image, int place, int root)
{
  struct value r = v->cell[image_at(image, op == BROADCAST ? root : 1)][place].value;
  for (int i = 2; op != BROADCAST && i <= context.n[image]; i++)
    combine(op, v->type, &r, &v->cell[image_at(image, i)][place].value);
  return r;
}

static int section_is_plain(const struct section *s)
{
  for (int k = 0; k < s->rank; k++)
    if (s->by[k].form == VECTOR || s->by[k].form == OWN) return 0;
  return 1;
}

/* All images have the result, or the one with the index `at`; then the others set their variables. */
static int collective(struct variable *v, struct section *s, enum operation op, int at, int root)
{
  static struct value result[IMAGES][ELEMENTS];
  int place[ELEMENTS];
  const int n = section_places(v, s, 0, place);
  const long most = value_limit(v->type);
  for (int i = 0; i < context.images; i++)
    for (int k = 0; k < n; k++) {
      if (!cell_may(&v->cell[i][place[k]], i, 1)) return 0;
      result[i][k] = combined(v, op, i, place[k], 1 + root % context.n[i]);
      if (labs(result[i][k].re) > most || labs(result[i][k].im) > most) return 0;
      if (at >= 0 && context.me[i] != 1 + at % context.n[i]) result[i][k] = (struct value){0, 0, ""};
    }
  for (int i = 0; i < context.images; i++)
    for (int k = 0; k < n; k++) {
      struct cell *const c = &v->cell[i][place[k]];
      cell_note(c, i, 1);
      c->value = result[i][k];
    }
  return 1;
}

int collective_draw(void)
{
  static const char *const name[] = {"co_sum", "co_min", "co_max", "co_reduce", "co_broadcast"};
  for (int tries = 0; tries < 40; tries++) {
    struct variable *const v = variable_draw(0);
    const enum operation op = (enum operation)draw(OPERATIONS);
    const int root = draw(context.images), at = op != BROADCAST
    &&chance(30) ? draw(context.images) : -1;
    if (!v || !operation_is_for(op, v->type) || (at >= 0 && !type_is_number(v->type))) continue;
    struct section s = section_draw(v);
    if (!section_is_plain(&s) || !collective(v, &s, op, at, root)) continue;
    const char *const what = reference_text(&(struct reference){.v = v, .section = s});
    const char *more = "";
    if (op == REDUCE) more = v->type.class == INTEGER ? ", larger_integer" : ", larger_real";
    if (op == BROADCAST) more = text(", 1 + modulo(%d, n)", root);
    if (at >= 0) more = text("%s, result_image=1 + modulo(%d, n)", more, at);
    line("call %s(%s%s%s)", name[op], what, more, chance(20) ? ", stat=stat" : "");
    if (at >= 0) line("if (me /= 1 + modulo(%d, n)) %s = 0", at, what);
    return 1;
  }
  return 0;
}

/* ---- atomic subroutines ---- */

static long apply(int op, long a, long b)
{
  return op == 0 ? a + b : op == 1 ? (a & b) : op == 2 ? (a | b) : (a ^ b);
}

/* All images of a team on one, or each on another one, which then sees the old value. */
int atomic_draw(void)
{
  static const char *const name[] = {"add", "and", "or", "xor"};
  const int op = draw(4), fetches = chance(50);
  struct target t = target_draw();
  long before[IMAGES];
  if (fetches) t.is_fixed = 0;
  sync_draw();
  line("call atomic_%s%s(word[%s], me0 + 5%s)", fetches ? "fetch_" : "", name[op], target_text(t),
      fetches ? ", old" : "");
  for (int i = 0; i < context.images; i++) before[i] = word->cell[i][0].value.re / 2;
  for (int i = 0; i < context.images; i++) {
    const int there = image_at(i, target_index(t, i));
    struct value *const v = &word->cell[there][0].value;
    if (fetches) old->cell[i][0].value.re = 2 * before[there];
    v->re = 2 * apply(op, v->re / 2, i + 1 + 5);
  }
  sync_draw();
  if (chance(50)) return 1;
  /* Where the next image's word is as the own one was. */
  line("old = word");
  sync_draw();
  line("call atomic_cas(word[1 + modulo(me, n)], stat, old, me0)");
  line("old = stat");
  for (int i = 0; i < context.images; i++) before[i] = word->cell[i][0].value.re;
  for (int i = 0; i < context.images; i++) {
    const int there = image_at(i, 1 + context.me[i] % context.n[i]);
    old->cell[i][0].value.re = before[there];
    if (before[there] == before[i]) word->cell[there][0].value.re = 2 * (i + 1);
  }
  sync_draw();
  return 1;
}

/* ---- locks ---- */

int lock_draw(void)
{
  const struct target t = {.is_fixed = 1, .k = draw(context.images)};
  const char *const at = target_text(t);
  const int critical = chance(40);
  sync_draw();
  line("%s", critical ? "critical" : text("lock (door[%s])", at));
  line("  sum_of[%s] = sum_of[%s] + me0", at, at);
  line("%s", critical ? "end critical" : text("unlock (door[%s])", at));
  sync_draw();
  for (int i = 0; i < context.images; i++)
    sum->cell[image_at(i, target_index(t, i))][0].value.re += 2 * (i + 1);
  return 1;
}

/* ---- allocation ---- */

static int is_alike(const struct variable *a, const struct variable *b)
{
  return a != b && a->is_allocatable && a->rank == b->rank &&
      memcmp(&a->type, &b->type, sizeof a->type) == 0 && a->coextent == b->coextent &&
      a->colower == b->colower;
}

static int move_draw(struct variable *from)
{
  for (struct variable *to = variable; to < variable + variables; to++) {
    if (!is_alike(to, from)) continue;
    line("call move_alloc(%s, %s)", from->base, to->base);
    line("sync all");
    phase_end();
    for (int i = 0; i < context.images; i++) {
      struct cell *const kept = to->cell[i];
      to->cell[i] = from->cell[i];
      from->cell[i] = kept;
    }
    memcpy(to->lower, from->lower, sizeof to->lower);
    memcpy(to->extent, from->extent, sizeof to->extent);
    to->size = from->size;
    to->exists = PRESENT;
    from->exists = ABSENT;
    return 1;
  }
  return 0;
}

int allocation_draw(void)
{
  for (int tries = 0; tries < 20; tries++) {
    struct variable *const v = &variable[draw(variables)];
    if (!v->is_allocatable || (v->exists && context.in_team)) continue;
    if (v->exists && chance(40) && move_draw(v)) return 1;
    if (v->exists) line("deallocate (%s%s)", v->base, chance(30) ? ", stat=stat" : "");
    variable_allocate(v);
    if (context.in_team) v->exists = OF_TEAM;
    phase_end();
    variable_fill(v);
    return 1;
  }
  return 0;
}

/* ---- teams ---- */

static void index_write(void)
{
  line("me = this_image()");
  line("n = num_images()");
}

/* Different teams allocate differently. */
void team_begin(int teams)
{
  line("sync all");
  line("form team (1 + modulo(me0, %d), team)", teams);
  line("change team (team)");
  indent(1);
  index_write();
  images_divide(teams);
  context.in_team = 1;
  phase_end();
  if (chance(50)) line("allocate (unused(100 * team_number() + 1)[*])");
}

void team_end(void)
{
  indent(-1);
  line("end team");
  images_divide(1);
  context.in_team = 0;
  index_write();
  line("sync all");
  phase_end();
  for (struct variable *v = variable; v < variable + variables; v++)
    if (v->exists == OF_TEAM) v->exists = ABSENT;
}
