/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Global and local arrays: declarations, initial values, checksums. */
#include <stdlib.h>
#include <string.h>

#include "random.h"

/* The dimension of the nodes over which a dimension of the template is distributed. */
static int node_dim(const struct template_ *t, int axis)
{
  int node = 0;
  for (int k = 0; k < axis; k++) node += t->format[k] != WHOLE;
  return node;
}

int holders(const struct array *a, int k, int index)
{
  const struct template_ *const t = a->template_;
  const int axis = a->axis[k], nodes = t->nodes->size[node_dim(t, axis)];
  int count = 0, first = t->lower[axis] - a->offset[k]; /* in the array's numbers */
  if (a->lower[k] == FULL) return nodes;
  for (int c = 0; c < nodes; c++) {
    const int size = t->format[axis] == BLOCK
    ? t->width[axis] : t->map[axis][c];
    const int low = first > 0 ? first : 0;
    const int high = first + size < a->extent[k] ? first + size : a->extent[k]; /* behind the last one */
    first += size;
    count += low < high && index >= low - a->lower[k] && index < high + a->upper[k];
  }
  return count;
}

int is_distributed(const struct array *a, int k)
{
  return a->template_ && a->axis[k] >= 0 && a->template_->format[a->axis[k]] != WHOLE;
}

const char *declaration_of(const struct array *a, const char *name)
{
  const char *rows = "";
  for (int k = a->pointer ? 1 : 0; k < a->dims; k++)
    rows = text("%s[%s]", rows, in_block ? number(a->extent[k]) : text("%d", a->extent[k]));
  if (!a->pointer) return text("%s %s%s", types[a->type].name, name, rows);
  return a->dims == 1 ? text("%s *%s", types[a->type].name, name)
                      : text("%s (*%s)%s", types[a->type].name, name, rows);
}

static void alignment_draw(struct array *a, const struct template_ *t)
{
  int axes[DIMS] = {0, 1, 2}, dims[DIMS] = {0, 1, 2};
  a->dims = draw_from(1, DIMS);
  const int most = a->dims < t->dims ? a->dims : t->dims, aligned = chance(70) ? most : draw_from(1, most);
  shuffle(axes, t->dims);
  shuffle(dims, a->dims);
  if (chance(50) && a->dims == t->dims)
    for (int k = 0; k < DIMS; k++) axes[k] = dims[k];
  for (int k = 0; k < a->dims; k++) {
    a->axis[k] = -1;
    a->extent[k] = draw_from(1, 6);
  }
  for (int i = 0; i < aligned; i++) {
    const int k = dims[i], axis = axes[i], extent = t->upper[axis] - t->lower[axis] + 1;
    a->axis[k] = axis;
    a->extent[k] = chance(70) ? extent : draw_from(1, extent);
    a->offset[k] = t->lower[axis] + draw(extent - a->extent[k] + 1);
  }
}

/* Colons may stand instead of names where offsets are 0 and the order is the same. */
static int fits_colons(const struct array *a)
{
  int last = -1;
  for (int k = 0; k < a->dims; k++) {
    if (a->axis[k] < 0) continue;
    if (a->offset[k] || a->axis[k] < last) return 0;
    last = a->axis[k];
  }
  return 1;
}

static const char *align_text(const struct array *a)
{
  static const char *const names[] = {"i", "j", "k"};
  const char *source[DIMS], *with[DIMS] = {"*", "*", "*"};
  const int square = chance(60), colons = square && fits_colons(a) && chance(40);
  for (int k = 0; k < a->dims; k++) {
    source[k] = a->axis[k] < 0 ? "*" : colons ? ":" : names[k];
    if (a->axis[k] >= 0) with[a->axis[k]] = colons ? ":" : sum(names[k], a->offset[k]);
  }
  return text("%s with %s%s", axes_text(1, a->dims, source), a->template_->name,
      axes_text(square, a->template_->dims, with));
}

static const char *shadow_draw(struct array *a)
{
  const char *width[DIMS];
  for (int k = 0; k < a->dims; k++) {
    width[k] = "0";
    if (!is_distributed(a, k) || a->template_->format[a->axis[k]] == CYCLIC || chance(20)) continue;
    if (chance(10)) {
      a->lower[k] = FULL;
      width[k] = "*";
      continue;
    }
    a->lower[k] = draw(4);
    a->upper[k] = chance(50) ? a->lower[k] : draw(4);
    width[k] = a->lower[k] == a->upper[k] && chance(70)
        ? number(a->lower[k])
        : text("%s:%s", number(a->lower[k]), number(a->upper[k]));
  }
  return axes_text(1, a->dims, width);
}

static struct array *array_take(int type)
{
  struct array *const a = calloc(1, sizeof *a);
  a->name = a->as = text("a%d", number_next());
  a->type = type;
  scope.array[scope.arrays++] = a;
  return a;
}

static void directives_write(const struct array *a)
{
  const int before = a->shadow && chance(10);
  if (before) line("#pragma xmp shadow %s%s", a->as, a->shadow);
  line("#pragma xmp align %s%s", a->as, a->align);
  if (a->shadow && !before) line("#pragma xmp shadow %s%s", a->as, a->shadow);
}

/* In a header, and in one of the files that include it. */
static void shared_write(const struct array *a)
{
  line("extern %s;", declaration_of(a, a->name));
  directives_write(a);
  const enum file before = file_choose(chance(50) ? MAIN : OTHER);
  line("%s;", declaration_of(a, a->name));
  file_choose(before);
}

/* The array is a member of a structure, which a file has. */
static void member_write(struct array *a)
{
  const int id = number_next();
  a->as = text("holder%d.m%d", id, id);
  a->name = text("h%d.m%d", id, id);
  line("struct holder%d { char before; %s; int a0; };", id, declaration_of(a, text("m%d", id)));
  directives_write(a);
  if (!file_is_open(OTHER)) {
    line("%sstruct holder%d h%d;", chance(50) ? "static " : "", id, id);
  } else {
    line("extern struct holder%d h%d;", id, id);
    const enum file before = file_choose(chance(50) ? MAIN : OTHER);
    line("struct holder%d h%d;", id, id);
    file_choose(before);
  }
  if (chance(70)) return;
  line("static struct holder%d *const to%d = &h%d;", id, id, id);
  a->name = text("to%d->m%d", id, id);
}

static void declaration_write(struct array *a)
{
  if (!in_block && !a->pointer && chance(20)) member_write(a);
  else if (!in_block && file_is_open(OTHER)) shared_write(a);
  else {
    /* Those of a block are only set once, though the block may be entered again. */
    a->is_static = in_block && !a->pointer && a->template_->of_file && chance(30);
    line("%s%s;", a->is_static || (!in_block && chance(50)) ? "static " : "", declaration_of(a, a->name));
    directives_write(a);
  }
}

void array_declare(const struct template_ *t)
{
  struct array *const a = array_take(type_draw());
  a->template_ = t;
  a->pointer = chance(20);
  alignment_draw(a, t);
  a->align = align_text(a);
  if (chance(60)) a->shadow = shadow_draw(a);
  declaration_write(a);
}

/* A second array with the first one's mapping, for stencils. */
void array_repeat(const struct array *a)
{
  struct array *const b = array_take(chance(70) ? a->type : type_draw());
  const char *const name = b->name;
  const int type = b->type;
  *b = *a;
  b->name = b->as = name;
  b->type = type;
  b->shadow = NULL;
  memset(b->lower, 0, sizeof b->lower);
  memset(b->upper, 0, sizeof b->upper);
  if (chance(50)) b->shadow = shadow_draw(b);
  declaration_write(b);
}

/* An array that is replicated over one of the first one's dimensions. */
void array_rows(const struct array *a)
{
  int dropped = draw(a->dims), aligned = 0;
  for (int k = 0; k < a->dims; k++) aligned += k != dropped && a->axis[k] >= 0;
  if (!aligned || a->axis[dropped] < 0) return;
  struct array *const b = array_take(a->type);
  b->template_ = a->template_;
  for (int k = 0; k < a->dims; k++) {
    if (k == dropped) continue;
    b->axis[b->dims] = a->axis[k];
    b->offset[b->dims] = a->offset[k];
    b->extent[b->dims++] = a->extent[k];
  }
  b->align = align_text(b);
  declaration_write(b);
}

struct array *local_declare(int type, int dims, const int *extent)
{
  struct array *const a = array_take(type);
  a->name = text("l%d", number_next());
  a->dims = dims;
  memcpy(a->extent, extent, (size_t)dims * sizeof *extent);
  line("%s;", declaration_of(a, a->name));
  array_fill(a);
  return a;
}

void scalars_declare(void)
{
  const int n = draw_from(3, 6);
  for (int i = 0; i < n; i++) {
    struct scalar *const s = calloc(1, sizeof *s);
    s->name = text("s%d", number_next());
    do s->type = type_draw();
    while (*types[s->type].member);
    scope.scalar[scope.scalars++] = s;
    const char *const value = text("%s %s = %d;", types[s->type].name, s->name, draw(97));
    if (in_block || !file_is_open(OTHER)) line("%s", value);
    else {
      line("extern %s %s;", types[s->type].name, s->name);
      const enum file before = file_choose(chance(50) ? MAIN : OTHER);
      line("%s", value);
      file_choose(before);
    }
  }
}
void pointer_allocate(const struct array *a)
{
  const char *extents = "", *product = "";
  for (int k = 0; k < a->dims; k++) {
    extents = text("%s, %s", extents, number(a->extent[k]));
    product = text("%s * %d", product, a->extent[k]);
  }
  line("#ifdef _XCALABLEMP");
  line("%s = xmp_malloc(xmp_desc_of(%s)%s);", a->name, a->name, extents);
  line("#else");
  line("%s = malloc(sizeof(%s)%s);", a->name, types[a->type].name, product);
  line("#endif");
}
struct array *array_draw(void)
{
  for (int i = 0; i < 20 && scope.arrays; i++) {
    struct array *const a = scope.array[draw(scope.arrays)];
    if (a->template_) return a;
  }
  return NULL;
}

/* ---- local arrays, and values ---- */

static const char *subscripts_of(int dims)
{
  static const char *const names[] = {"[x]", "[x][y]", "[x][y][z]"};
  return names[dims - 1];
}

static void element_loops(const struct array *a)
{
  static const char *const names[] = {"x", "y", "z"};
  for (int k = 0; k < a->dims; k++)
    line("for (int %s = 0; %s < %d; %s++)", names[k], names[k], a->extent[k], names[k]);
}

/* Of a local array. */
void array_fill(const struct array *a)
{
  static const char *const values[] = {"3 * x", "3 * x + 5 * y", "3 * x + 5 * y + 7 * z"};
  element_loops(a);
  line("  %s%s%s = mod(%s + %d);", a->name, subscripts_of(a->dims), types[a->type].member,
      values[a->dims - 1], draw(97));
}

void array_check(const struct array *a)
{
  line("{");
  indent(1);
  struct array copy = {.type = a->type, .dims = a->dims};
  memcpy(copy.extent, a->extent, sizeof a->extent);
  const char *sections = "";
  for (int k = 0; k < a->dims; k++) sections = text("%s[:]", sections);
  line("%s;", declaration_of(&copy, "copy"));
  line("unsigned long hash = 7;");
  line("#ifdef _XCALABLEMP");
  line("#pragma xmp gmove");
  line("copy%s = %s%s;", sections, a->name, sections);
  line("#else");
  element_loops(a);
  line("  copy%s = %s%s;", subscripts_of(a->dims), a->name, subscripts_of(a->dims));
  line("#endif");
  element_loops(a);
  line("  hash = hash_add(hash, (long)copy%s%s);", subscripts_of(a->dims), types[a->type].member);
  line("say(\"%s\", hash);", a->name);
  indent(-1);
  line("}");
}
