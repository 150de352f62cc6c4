/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays. A serial program has an array with one more dimension, the image, and runs what stands in
 * IMAGES(n) for each image in turn. Between two synchronisations of all images no image touches what another
 * one writes, so that the order of images does not matter:
 *  - an image puts to one other image, to which nobody else puts, and may read what it put there;
 *  - or it writes its own object;
 *  - or one image alone puts to all.
 * What is read besides are coarrays that nobody writes. */
#include <stdlib.h>
#include <string.h>

#include "section.h"

/* What the images do from one synchronisation to the next. */
struct phase {
  struct coarray *written;
  const char *to; /* the image, as an expression; NULL: the image itself */
  int is_mutual;  /* the image that it puts to puts to it */
};

/* ---- declarations ---- */

static const char *extents_of(const struct coarray *c)
{
  const char *made = "";
  for (int k = 0; k < c->array.dims; k++) made = text("%s[%d]", made, c->array.extent[k]);
  return made;
}

static const char *codimensions_of(const struct coarray *c)
{
  const char *made = "";
  for (int k = 0; k < c->codims - 1; k++) /* constants, for a block's */
    made = text(chance(50) ? "%s[%d]" : "%s[K%d]", made, c->codim[k]);
  return text("%s[*]", made);
}

static struct coarray *coarray_take(int type)
{
  struct coarray *const c = calloc(1, sizeof *c);
  c->array.name = text("c%d", number_next());
  c->array.type = type;
  c->array.dims = draw_from(0, DIMS);
  for (int k = 0; k < c->array.dims; k++) c->array.extent[k] = draw_from(1, 6);
  c->codims = chance(70) ? 1 : draw_from(2, 3);
  for (int k = 0; k < c->codims; k++) c->codim[k] = draw_from(1, 3);
  scope.coarray[scope.coarrays++] = c;
  return c;
}

static const char *serial_declaration(const struct coarray *c)
{
  return text("%s %s[%d]%s;", types[c->array.type].name, c->array.name, executing, extents_of(c));
}

static const struct nodes *nodes_of_all(void)
{
  for (int i = 0; i < scope.nodes_count; i++)
    if (scope.nodes[i]->all && !scope.nodes[i]->is_set) return scope.nodes[i];
  return NULL;
}

static const char *by_directive(struct coarray *c)
{
  const struct nodes *const p = nodes_of_all();
  const char *const plain = text("%s %s%s;", types[c->array.type].name, c->array.name, extents_of(c));
  if (!p || chance(50))
    return text("%s\n#pragma xmp coarray %s : %s", plain, c->array.name, codimensions_of(c));
  c->codims = 1;
  return text("%s\n#pragma xmp coarray on %s :: %s", plain, p->name, c->array.name);
}

/* Several in one declaration, and an array that is none. */
static const char *together(const struct coarray *c, const struct coarray *other)
{
  return text("%s %s%s:%s, beside_%s[3], %s%s:%s;", types[c->array.type].name, c->array.name, extents_of(c),
      codimensions_of(c), c->array.name, other->array.name, extents_of(other), codimensions_of(other));
}

static const char *with_typedef(const struct coarray *c)
{
  line("typedef %s type_%s%s;", types[c->array.type].name, c->array.name, extents_of(c));
  return text("type_%s %s:%s;", c->array.name, c->array.name, codimensions_of(c));
}

static void both_declare(const char *storage, const char *coarray, const char *serial)
{
  line("#ifdef _XCALABLEMP");
  line("%s%s", storage, coarray);
  line("#else");
  line("%s%s", *storage || !in_block ? storage : "static ", serial);
  line("#endif");
}

void coarrays_declare(void)
{
  for (int i = draw_from(1, 3); i > 0; i--) {
    struct coarray *const c = coarray_take(type_draw()), *other = NULL;
    const int kind = draw(in_block ? 2 : 5);
    if (kind == 4) other = coarray_take(c->array.type);
    const char *const declared = kind == 2 ? by_directive(c)
        : kind == 3                        ? with_typedef(c)
        : other
        ? together(c, other)
        : text("%s %s%s:%s;", types[c->array.type].name, c->array.name, extents_of(c), codimensions_of(c));
    const char *const serial = other ? text("%s %s", serial_declaration(c), serial_declaration(other))
                                     : serial_declaration(c);
    if (in_block || !file_is_open(OTHER)) {
      both_declare(chance(50) ? "static " : "", declared, serial);
      continue;
    }
    both_declare("extern ", declared,
        text(other ? "%s extern %s" : "%s", serial_declaration(c), other ? serial_declaration(other) : ""));
    const enum file before = file_choose(chance(50) ? MAIN : OTHER);
    both_declare("", declared, serial);
    file_choose(before);
  }
}

/* ---- references ---- */

static const char *coindex(const struct coarray *c, const char *image)
{
  const char *const i = number_next() % 2 ? image : text("(%s)", image);
  const int n = c->codim[0], m = c->codims > 2 ? c->codim[1] : 1;
  if (c->codims == 1) return text(":[%s]", i);
  if (c->codims == 2) return text(":[(%s) %% %d][(%s) / %d]", image, n, image, n);
  return text(":[(%s) %% %d][(%s) / %d %% %d][(%s) / %d]", image, n, image, n, m, image, n * m);
}

/* image NULL: the own object. */
static struct section on_image(const struct coarray *c, struct section s, const char *image)
{
  const char *const name = c->array.name;
  s.serial = text("%s[%s]%s", name, image ? image : "me", s.serial);
  if (!image) s.global = text("%s%s", name, s.global);
  else if (c->codims == 1 && chance(40)) s.global = text("AT(%s, %s, %s)", name, s.global, image);
  else s.global = text("%s%s%s", name, s.global, coindex(c, image));
  return s;
}

static struct section element_of(const struct coarray *c, const char *image)
{
  const int none[DIMS] = {0};
  return on_image(c, section_of(&c->array, none, NULL), image);
}

static const char *image_draw(void)
{
  switch (draw(4)) {
  case 0: return text("(me + %d) %% images", draw(executing));
  case 1: return number(draw(executing));
  case 2: return "images - 1 - me";
  default: return text("neighbour(me, %d, images)", draw(executing));
  }
}

static struct coarray *coarray_draw(const struct coarray *other)
{
  for (int i = 0; i < 20; i++) {
    struct coarray *const c = scope.coarray[draw(scope.coarrays)];
    if (c != other) return c;
  }
  return NULL;
}

/* A number: of the image, its variables, and of coarrays that are not written now. */
static struct section value_draw(const struct phase *p)
{
  struct section v = {text("%d * me", draw_from(1, 9)), NULL};
  v.serial = v.global = chance(40) ? text("%s + %s", v.global, value_plain()) : v.global;
  for (int i = draw(3); i > 0; i--) {
    const struct coarray *const c = coarray_draw(NULL);
    const char *image = chance(30) ? NULL : image_draw();
    if (c == p->written && !p->to) continue;
    if (c == p->written) image = p->to;
    const struct section e = element_of(c, image);
    const int factor = draw_from(1, 5);
    const char *const member = types[c->array.type].member;
    v.global = text("%s + %dL * (long)%s%s", v.global, factor, e.global, member);
    v.serial = text("%s + %dL * (long)%s%s", v.serial, factor, e.serial, member);
  }
  v.global = text("mod(%s)", v.global);
  v.serial = text("mod(%s)", v.serial);
  return v;
}

/* ---- statements ---- */

static void both_write(const char *global, const char *serial)
{
  if (strcmp(global, serial) == 0) {
    line("%s", global);
    return;
  }
  line("#ifdef _XCALABLEMP");
  line("%s", global);
  line("#else");
  line("%s", serial);
  line("#endif");
}

static void element_write(const struct phase *p)
{
  static const char *const operators[] = {"=", "=", "=", "+=", "-="};
  const struct type *const t = &types[p->written->array.type];
  const struct section left = element_of(p->written, p->to), v = value_draw(p);
  if (*t->member) {
    line("value.v = %d;", draw(97));
    both_write(text("%s = value;", left.global), text("%s = value;", left.serial));
    return;
  }
  const char *const by = operators[draw(5)];
  both_write(text("%s %s %s;", left.global, by, v.global), text("%s %s %s;", left.serial, by, v.serial));
}

static int fits(const struct array *a, const int *chosen, const int *length)
{
  for (int k = 0; k < a->dims; k++)
    if (chosen[k] && *length++ > a->extent[k]) return 0;
  return 1;
}

/* Of a coarray or the block's array: a section of the shape that chosen dimensions of the array have. */
static struct section right_section(
    const struct phase *p, const struct array *own, int rank, const int *in_own, const int *length)
{
  int chosen[DIMS];
  for (int i = 0; i < 20; i++) {
    const struct coarray *const c = coarray_draw(p->written);
    if (!c || c->array.type != own->type || c->array.dims < rank || chance(40)) continue;
    dims_choose(c->array.dims, rank, chosen);
    if (!fits(&c->array, chosen, length)) continue;
    return on_image(c, section_of(&c->array, chosen, length), chance(30) ? NULL : image_draw());
  }
  const struct section s = section_of(own, in_own, length);
  return (struct section){text("%s%s", own->name, s.global), text("%s%s", own->name, s.serial)};
}

static void section_write(const struct phase *p, const struct array *own)
{
  const struct coarray *const c = p->written;
  const struct type *const t = &types[c->array.type];
  int chosen[DIMS], length[DIMS];
  if (c->array.dims == 0) return;
  const int rank = draw_from(1, c->array.dims), is_plain = !*t->member;
  dims_choose(c->array.dims, rank, chosen);
  lengths_draw(rank, &c->array, chosen, &c->array, chosen, length);
  const struct section left = on_image(c, section_of(&c->array, chosen, length), p->to);
  struct section right = is_plain && chance(30) ? value_draw(p) : right_section(p, own, rank, chosen, length);
  if (is_plain && !p->to && chance(40)) {
    const struct section more = right_section(p, own, rank, chosen, length);
    right = (struct section){
        text("%s + %s", right.global, more.global), text("%s + %s", right.serial, more.serial)};
  }
  line("#ifdef _XCALABLEMP");
  line("%s = %s;", left.global, right.global);
  line("#else");
  serial_write(t->name, rank, length, left.serial, right.serial);
  line("#endif");
}

static void statements_write(const struct phase *p)
{
  struct array own = p->written->array;
  const int arrays = scope.arrays;
  if (own.dims == 0) own.dims = 1, own.extent[0] = 3;
  const struct array *const l = local_declare(own.type, own.dims, own.extent);
  if (*types[own.type].member) line("%s value = {0};", types[own.type].name);
  for (int i = draw_from(1, 4); i > 0; i--) {
    if (chance(50)) element_write(p);
    else section_write(p, l);
  }
  scope.arrays = arrays;
}

/* ---- synchronisation ---- */

static const char *node_subscripts(const struct nodes *p, const char *image, int square)
{
  const char *list[DIMS];
  int stride = 1;
  for (int k = p->dims - 1; k >= 0; k--) {
    list[k] = text("(%s) / %d %% %d + %d", image, stride, p->size[k], !square);
    stride *= p->size[k];
  }
  return axes_text(square, p->dims, list);
}

static void post_and_wait(const struct phase *p, const char *from)
{
  const struct nodes *const q = nodes_of_all();
  const int tag = draw(4);
  if (!q) {
    line("#pragma xmp barrier");
    return;
  }
  line("IMAGES(%d) {", executing);
  line("#pragma xmp post (%s%s, %s)", q->name, node_subscripts(q, p->to, chance(60)), number(tag));
  line("#pragma xmp wait (%s%s%s)", q->name, node_subscripts(q, from, chance(60)),
      chance(60) ? text(", %s", number(tag)) : "");
  line("}");
}

static void image_construct(void)
{
  const struct nodes *const q = nodes_of_all();
  if (q) line("#pragma xmp image (%s)", q->name);
  line("xmp_sync_all(NULL);");
}

/* Only with the image that was put to, and the one that has put. */
static void neighbours_synchronise(const struct phase *p, const char *from)
{
  if (p->is_mutual && chance(50)) line("IMAGES(%d) xmp_sync_image(%s, NULL);", executing, p->to);
  else if (chance(50)) post_and_wait(p, from);
  else line("IMAGES(%d) { int set[] = {%s, %s}; xmp_sync_images(2, set, NULL); }", executing, p->to, from);
}

static void all_synchronise(void)
{
  switch (draw(5)) {
  case 0: line("#pragma xmp barrier"); break;
  case 1: line("xmp_sync_images_all(NULL);"); break;
  case 2:
    line(
        "{ int status = -1; xmp_sync_all(&status); if (status != XMP_STAT_SUCCESS) printf(\"status %%d\\n\", "
        "status); }");
    break;
  case 3: image_construct(); break;
  default: line("xmp_sync_all(NULL);");
  }
}

static void synchronise(const struct phase *p, const char *from)
{
  line("#ifdef _XCALABLEMP");
  if (from) neighbours_synchronise(p, from);
  else all_synchronise();
  line("#endif");
}

/* ---- checks ---- */

static const char *subscripts_of(int dims)
{
  static const char *const names[] = {"", "[x]", "[x][y]", "[x][y][z]"};
  return names[dims];
}

/* The image's own objects, which become small numbers again. */
static void own_check(const struct coarray *c)
{
  const struct type *const t = &types[c->array.type];
  const char *const element = text("OWN(%s)%s%s", c->array.name, subscripts_of(c->array.dims), t->member);
  line("{");
  indent(1);
  line("unsigned long total = 0;");
  line("IMAGES(%d) {", executing);
  line("unsigned long hash = 7;");
  loops_write(c->array.dims, c->array.extent);
  line("{ hash = hash_add(hash, (long)%s); %s = mod((long)%s); }", element, element, element);
  line("total += hash * (me + 1);");
  line("}");
  line("#pragma xmp reduction (+:total)");
  line("say(\"%s\", total);", c->array.name);
  indent(-1);
  line("}");
}

/* ---- phases ---- */

static void phase_end(const struct phase *p)
{
  own_check(p->written);
  line("#ifdef _XCALABLEMP");
  line("xmp_sync_all(NULL);");
  line("#endif");
}

static void put_phase(struct phase *p)
{
  const int d = draw(executing), is_reverse = chance(30);
  const char *const from = is_reverse ? "images - 1 - me" : text("(me + images - %d) %% images", d);
  p->to = is_reverse ? "images - 1 - me"
      : chance(50)   ? text("(me + %d) %% images", d)
                     : text("neighbour(me, %d, images)", d);
  p->is_mutual = is_reverse || d == 0;
  line("IMAGES(%d) {", executing);
  indent(1);
  statements_write(p);
  indent(-1);
  line("}");
  synchronise(p, chance(70) ? from : NULL);
  phase_end(p);
}

static void own_phase(struct phase *p)
{
  line("IMAGES(%d) {", executing);
  indent(1);
  statements_write(p);
  indent(-1);
  line("}");
  phase_end(p);
}

static void root_phase(struct phase *p)
{
  line("IMAGES(%d) {", executing);
  line("if (me == %s) for (int to = 0; to < images; to++) {", number(draw(executing)));
  indent(1);
  p->to = "to";
  statements_write(p);
  indent(-1);
  line("}");
  line("}");
  synchronise(p, NULL);
  phase_end(p);
}

/* Each image adds to one number. */
static void lock_phase(struct phase *p)
{
  const struct section sum_ = element_of(p->written, text("%d", draw(executing)));
  const int keeper = draw(executing);
  line("#ifdef _XCALABLEMP");
  line("{ static xmp_lock_t lock[2]:[*];");
  line("#pragma xmp lock (lock[1]:[%d])", keeper);
  line("%s = %s + 1 + xmpc_this_image();", sum_.global, sum_.global);
  line("#pragma xmp unlock (lock[1]:[%d])", keeper);
  line("xmp_sync_all(NULL); }");
  line("#else");
  line("for (int me = 0; me < %d; me++) %s += 1 + me;", executing, sum_.serial);
  line("#endif");
  phase_end(p);
}

int coarray_phase_draw(void)
{
  struct phase p = {NULL, NULL, 0};
  if (scope.coarrays < 2) return 0;
  p.written = coarray_draw(NULL);
  const int kind = draw(10), is_plain = !*types[p.written->array.type].member;
  line("{");
  indent(1);
  if (kind < 5) put_phase(&p);
  else if (kind < 8) own_phase(&p);
  else if (kind < 9 || !is_plain) root_phase(&p);
  else lock_phase(&p);
  indent(-1);
  line("}");
  return 1;
}
