/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Assignments to, from and between images, with conversion, and with coindexed objects in expressions. */
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const char *selector_text(const struct variable *v, struct target t)
{
  const char *const index = target_text(t);
  if (v->coextent)
    return text("[1 + modulo(%s - 1, %d), 1 + (%s - 1) / %d]", index, v->coextent, index, v->coextent);
  return v->colower == 1 ? text("[%s]", index) : text("[%s + (%d)]", index, v->colower - 1);
}

/* base[image]member(section), or base(section)[image]. */
const char *reference_text(const struct reference *r)
{
  const char *const section = section_text(r->v, &r->section, r->is_remote);
  const char *const image = r->is_remote ? selector_text(r->v, r->target) : "";
  if (*r->v->member) return text("%s%s%s%s", r->v->base, image, r->v->member, section);
  return text("%s%s%s", r->v->base, section, image);
}

int reference_image(const struct reference *r, int image)
{
  return r->is_remote ? image_at(image, target_index(r->target, image)) : image;
}

/* ---- expressions: references, a number, a sum of two ---- */

struct expression {
  int references; /* 0 to 2 */
  struct reference by[2];
  int has_number, is_not;
  struct value number;
  struct type type;
};

static const char *number_text(struct type t, const struct value *v)
{
  switch (t.class) {
  case INTEGER: return text("%ld", v->re / 2);
  case REAL: return text("%ld.%d", v->re / 2, v->re % 2 ? 5 : 0);
  case COMPLEX: return text("(%ld.0, %ld.0)", v->re / 2, v->im / 2);
  case LOGICAL: return v->re ? ".true." : ".false.";
  default: return text("'%s'", v->text);
  }
}

static void number_draw(struct expression *e)
{
  const struct type t = e->type;
  struct value *const v = &e->number;
  *v = (struct value){.re = 2 * draw_from(1, 20)};
  if (t.class == REAL && chance(50)) v->re++;
  if (t.class == COMPLEX) v->im = 2 * draw_from(0, 9);
  if (t.class == LOGICAL) v->re = chance(50);
  if (t.class == CHARACTER)
    for (int i = 0; i < t.length; i++) v->text[i] = (char)('p' + draw(9));
}

/* Of the shape, or a scalar, of a type that the other one takes. */
static int source_draw(struct reference *r, struct type like, const struct shape *shape, int remote)
{
  static const struct shape scalar;
  for (int tries = 0; tries < 20; tries++) {
    *r = (struct reference){.v = variable_draw(remote), .is_remote = remote, .target = target_draw()};
    if (!r->v) return 0;
    const struct type t = r->v->type;
    if (type_is_number(like) ? !type_is_number(t) : t.class != like.class) continue;
    if (section_fit(r->v, chance(12) ? &scalar : shape, 0, &r->section)) return 1;
  }
  return 0;
}

static void expression_extend(struct expression *e, const struct shape *shape)
{
  const struct shape first = section_shape(&e->by[0].section);
  if (!type_is_number(e->type)) {
    e->is_not = e->type.class == LOGICAL;
    return;
  }
  if (chance(60) && source_draw(&e->by[1], e->type, first.rank ? shape : &first, e->by[0].v && chance(40))) {
    e->references = 2;
    const struct type t = e->by[1].v->type;
    if (t.class > e->type.class || (t.class == e->type.class && t.kind > e->type.kind)) e->type = t;
    return;
  }
  e->has_number = 1;
  number_draw(e);
  if (e->type.class == INTEGER && e->type.kind < 4) e->type.kind = 4;
}

/* 0: there is no source. */
static int expression_draw(
    struct expression *e, struct type like, const struct shape *shape, int remote, int plain)
{
  *e = (struct expression){.references = 1};
  if (!remote && chance(15)) {
    e->references = 0;
    e->type = like.class == CHARACTER ? (struct type){CHARACTER, 1, draw_from(1, LENGTH - 2)}
                                      : type_draw_like(like);
    e->has_number = 1;
    number_draw(e);
    return 1;
  }
  if (!source_draw(&e->by[0], like, shape, remote)) return 0;
  e->type = e->by[0].v->type;
  if (!plain && chance(35)) expression_extend(e, shape);
  return 1;
}

static const char *expression_text(const struct expression *e)
{
  const char *s = e->references ? reference_text(&e->by[0]) : number_text(e->type, &e->number);
  if (e->is_not) s = text(".not. %s", s);
  if (e->references == 2) s = text("%s + %s", s, reference_text(&e->by[1]));
  if (e->references && e->has_number) s = text("%s + %s", s, number_text(e->type, &e->number));
  return s;
}

static int reads(const struct reference *r, int image, int n, struct value *value)
{
  int place[ELEMENTS];
  const int from = reference_image(r, image), count = section_places(r->v, &r->section, image, place);
  for (int i = 0; i < n; i++) {
    struct cell *const c = &r->v->cell[from][place[count == 1 ? 0 : i]];
    if (!cell_may(c, image, 0)) return 0;
    cell_note(c, image, 0);
    value[i] = c->value;
  }
  return 1;
}

/* In the expression's type. 0: another image writes one of them, or a value is too large. */
static int expression_values(const struct expression *e, int image, int n, struct value *value)
{
  struct value other[ELEMENTS];
  if (e->references && !reads(&e->by[0], image, n, value)) return 0;
  if (e->references == 2 && !reads(&e->by[1], image, n, other)) return 0;
  for (int i = 0; i < n; i++) {
    if (e->references == 0) value[i] = e->number;
    else if (e->has_number) value[i] = value_add(value[i], e->number);
    if (e->references == 2) value[i] = value_add(value[i], other[i]);
    if (e->is_not) value[i].re = !value[i].re;
    const long most = value_limit(e->type);
    if (labs(value[i].re) > most || labs(value[i].im) > most) return 0;
  }
  return 1;
}

/* ---- the model ---- */

static int assign(const struct reference *to, const struct expression *e, int image)
{
  struct value value[ELEMENTS];
  int place[ELEMENTS];
  const int there = reference_image(to, image), n = section_places(to->v, &to->section, image, place);
  if (!expression_values(e, image, n, value)) return 0;
  for (int i = 0; i < n; i++) {
    struct cell *const c = &to->v->cell[there][place[i]];
    if (!value_convert(to->v->type, e->type, &value[i]) || !cell_may(c, image, 1)) return 0;
    cell_note(c, image, 1);
    c->value = value[i];
  }
  return 1;
}

static int has_vector(const struct reference *r)
{
  for (int k = 0; k < r->section.rank; k++)
    if (r->section.by[k].form == VECTOR) return 1;
  return 0;
}

/* What gfortran 12 compiles wrong, or breaks down at. */
static int is_broken(const struct reference *to, const struct expression *e)
{
  const int plain = e->references == 1 && !e->has_number && !e->is_not && !has_vector(to) &&
      memcmp(&to->v->type, &e->type, sizeof e->type) == 0;
  for (int i = 0; i < e->references; i++) {
    /* It passes the whole of such a component. */
    if (to->is_remote && e->by[i].v->is_component && has_vector(&e->by[i])) return 1;
    if (!e->by[i].is_remote) continue;
    /* It reads a section with a vector from this image, unless it is all that is assigned, to a variable of
     * the same type that needs no copy. */
    if (!plain && has_vector(&e->by[i])) return 1;
    /* A section of this image with a vector becomes a copy, which is assigned to. */
    if (!to->is_remote && has_vector(to)) return 1;
    /* Where objects with allocatable components meet other ones of another image it breaks down, or assigns
     * nothing. */
    if (to->v->is_component || (to->is_remote && e->by[i].v->is_component)) return 1;
  }
  return 0;
}

/* The images one after the other: none sees what another one does, or it is not done. */
static int assign_all(const struct reference *to, const struct expression *e, struct guard g)
{
  struct variable *const touched[] = {
      to->v, e->references > 0 ? e->by[0].v : NULL, e->references > 1 ? e->by[1].v : NULL};
  static struct cell kept[3][IMAGES][ELEMENTS];
  int all = 1;
  for (int t = 0; t < 3; t++)
    for (int i = 0; touched[t] && i < context.images; i++)
      memcpy(kept[t][i], touched[t]->cell[i], sizeof kept[t][i]);
  for (int i = 0; all && i < context.images; i++)
    if (guard_has(g, i)) all = assign(to, e, i);
  for (int t = 0; !all && t < 3; t++)
    for (int i = 0; touched[t] && i < context.images; i++)
      memcpy(touched[t]->cell[i], kept[t][i], sizeof kept[t][i]);
  return all;
}

int assignment_draw(void)
{
  for (int tries = 0; tries < 40; tries++) {
    const int kind = draw(100), put = kind < 40 || kind >= 80, get = kind >= 40 && kind < 95;
    const struct guard g = guard_draw();
    struct reference to = {.v = variable_draw(put), .is_remote = put, .target = target_draw()};
    struct expression e;
    if (!to.v) continue;
    to.section = section_draw(to.v);
    const struct shape shape = section_shape(&to.section);
    if (!expression_draw(&e, to.v->type, &shape, get, put && get && chance(60))) continue;
    if (is_broken(&to, &e) || !assign_all(&to, &e, g)) continue;
    line("%s%s = %s", guard_text(g), reference_text(&to), expression_text(&e));
    return 1;
  }
  return 0;
}
