/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Plays the part of gfortran 16, whose accessors and statements about teams it calls as a program that such a
 * compiler has made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caf/abi.h"

/* What caf defines when it links. */
const char pst_caf_gfortran_16 = 1;

enum { LENGTH = 300000, WORD = 8 };
enum { ELEMENT = 11, SECTION, ASSIGN, LISTED, LIST, TEXT, COMPONENT, OWNER, PRESENT, FAIL_HASH };

struct object {
  int number;
  int *component;
  void *component_token;
};
/* What the statement has computed. */
struct add {
  int from, count, step;
  int list_count;
  int *list; /* allocatable: it stays at the image that executes the statement */
};

static int *row;
static char *words;
static struct object *object;
static caf_token_t row_token, words_token, object_token;
static int me, images, next, prev, failures;

static void expect(int holds, const char *title)
{
  if (holds) return;
  failures++;
  fprintf(stderr, "FAIL image %d of %d: %s\n", me, images, title);
}

/* ---- descriptors ---- */

union whole {
  gfc_descriptor_t desc;
  char room[sizeof(union pst_caf_whole_descriptor)];
};

/* A row of integers, with bounds from 0 on, as gfortran's temporary arrays have them. */
static gfc_descriptor_t *describe(union whole *d, int *base, int count)
{
  d->desc = (gfc_descriptor_t){base, 0, sizeof *base, 0, 1, PST_CAF_INTEGER, 0, sizeof *base};
  d->desc.dim[0] = (struct pst_caf_dim){1, 0, count - 1};
  return &d->desc;
}

/* As accessors do: allocates where there is nothing, or something of another shape. */
static int *shaped(gfc_descriptor_t *dst, int count)
{
  if (!dst->base || dst->dim[0].upper - dst->dim[0].lower + 1 != count) {
    dst->base = realloc(dst->base, (size_t)count * sizeof(int) + 1);
    dst->dim[0] = (struct pst_caf_dim){1, 1, count};
    dst->offset = (size_t)-1;
    dst->element = sizeof(int);
    dst->span = sizeof(int);
    dst->rank = 1;
    dst->type = PST_CAF_INTEGER;
  }
  /* Of a constant shape: it takes the lower bound to be 1. */
  return (int *)dst->base + (ptrdiff_t)dst->offset + 1;
}

/* ---- accessors ---- */

#define GETTER(name, destination, source) \
  static void name(struct add *add, const int *caller, destination, int32_t *moved, source, \
      caf_token_t token, size_t offset, size_t *length, const size_t *place_length)
#define PUTTER(name, place_type, source) \
  static void name(struct add *add, const int *caller, place_type, source, caf_token_t token, size_t offset, \
      const size_t *place_length, const size_t *length)
#define UNUSED (void)add, (void)caller, (void)token, (void)offset, (void)length, (void)place_length

GETTER(element_get, void **dst, int *place)
{
  UNUSED;
  *dst = &place[add->from];
  *moved = 0;
}

GETTER(section_get, gfc_descriptor_t *dst, int *place)
{
  UNUSED;
  void *const before = dst->base;
  int *const to = shaped(dst, add->count);
  for (int i = 0; i < add->count; i++) to[i] = place[add->from + i * add->step];
  *moved = dst->base != before;
}

PUTTER(section_put, int *place, const gfc_descriptor_t *src)
{
  UNUSED;
  const int *const from = (const int *)src->base + (ptrdiff_t)src->offset + src->dim[0].lower;
  for (int i = 0; i < add->count; i++) place[add->from + i * add->step] = from[i];
}

/* Of the image that executes the statement: the list in its `add`. */
GETTER(list_get, gfc_descriptor_t *dst, struct add *of)
{
  UNUSED;
  int *const to = shaped(dst, of->list_count);
  memcpy(to, of->list, (size_t)of->list_count * sizeof *to);
  *moved = 1;
}

GETTER(listed_get, gfc_descriptor_t *dst, int *place)
{
  UNUSED;
  union whole d;
  void *data = NULL;
  describe(&d, NULL, 0);
  _gfortran_caf_get_from_remote(token, NULL, NULL, *caller, 0, &data, NULL, &d.desc, 1,
      _gfortran_caf_get_remote_function_index(LIST), NULL, 0, NULL, NULL, NULL);
  const int n = (int)(d.desc.dim[0].upper - d.desc.dim[0].lower + 1), *const list = d.desc.base;
  int *const to = shaped(dst, n);
  for (int i = 0; i < n; i++) to[i] = place[list[i]];
  free(d.desc.base);
  *moved = 1;
}

/* A component: gfortran passes one length, the source's, and takes the first one that it gets. */
PUTTER(text_put, char *place, const char *src)
{
  UNUSED;
  const size_t n = *place_length < WORD ? *place_length : WORD;
  memset(place + add->from, ' ', WORD);
  memcpy(place + add->from, src, n);
}

PUTTER(component_put, struct object *place, const gfc_descriptor_t *src)
{
  UNUSED;
  const int n = (int)(src->dim[0].upper - src->dim[0].lower + 1);
  place->component = realloc(place->component, (size_t)n * sizeof *place->component);
  memcpy(place->component, src->base, (size_t)n * sizeof *place->component);
  place->number = (int)getpid();
}

GETTER(component_get, void **dst, struct object *place)
{
  UNUSED;
  *dst = place->component ? &place->component[add->from] : NULL;
  *moved = 0;
}

static void component_present(struct add *add, const int *caller, int32_t *result, struct object **place,
    caf_token_t token, size_t offset)
{
  (void)add, (void)caller, (void)token, (void)offset;
  *result = (*place)->component != NULL;
}

/* ---- what a file's constructor does ---- */

static void *coarray(size_t nbytes, size_t element, caf_token_t *token)
{
  union whole d = {.desc = {.element = element, .type = PST_CAF_DERIVED, .span = (ptrdiff_t)element}};
  _gfortran_caf_register(nbytes, PST_CAF_STATIC, token, &d.desc, NULL, NULL, 0);
  return d.desc.base;
}

static void constructor(void) __attribute__((constructor));
static void constructor(void)
{
  union whole d = {.desc = {.element = sizeof(int), .type = PST_CAF_INTEGER}};
#define ACCESSOR(hash, function) _gfortran_caf_register_accessor(hash, (void (*)(void))function)
  ACCESSOR(ELEMENT, element_get);
  ACCESSOR(SECTION, section_get);
  ACCESSOR(ASSIGN, section_put);
  ACCESSOR(LIST, list_get);
  ACCESSOR(LISTED, listed_get);
  ACCESSOR(TEXT, text_put);
  ACCESSOR(COMPONENT, component_get);
  ACCESSOR(OWNER, component_put);
  ACCESSOR(PRESENT, component_present);
  for (int i = 1000; i < 1200; i++) ACCESSOR(i, element_get);
  _gfortran_caf_register_accessors_finish();
  row = coarray(LENGTH * sizeof *row, sizeof *row, &row_token);
  words = coarray(4 * WORD, 1, &words_token);
  object = coarray(sizeof *object, sizeof *object, &object_token);
  _gfortran_caf_register(
      0, PST_CAF_COMPONENT_TOKEN, (caf_token_t *)&object->component_token, &d.desc, NULL, NULL, 0);
  object->component = NULL;
}

/* ---- what statements call ---- */

static int index_of(int hash) { return _gfortran_caf_get_remote_function_index(hash); }

static int element(int image, int from, caf_team_t *team, int *number)
{
  struct add add = {.from = from};
  int value = -1;
  void *data = &value;
  _gfortran_caf_get_from_remote(row_token, NULL, NULL, image, sizeof value, &data, NULL, NULL, 0,
      index_of(ELEMENT), &add, sizeof add, NULL, team, number);
  return *(int *)data;
}

static void section(int image, const struct add *a, int *to)
{
  struct add add = *a;
  union whole d;
  void *data = to;
  int stat = 1;
  describe(&d, to, add.count);
  _gfortran_caf_get_from_remote(row_token, NULL, NULL, image, 0, &data, NULL, &d.desc, 0, index_of(SECTION),
      &add, sizeof add, &stat, NULL, NULL);
  expect(stat == 0 && d.desc.base == to, "a section comes to where the statement has memory for it");
}

static void assign(int image, const struct add *a, int *from)
{
  struct add add = *a;
  union whole d;
  describe(&d, from, add.count);
  _gfortran_caf_send_to_remote(row_token, NULL, NULL, image, 0, &d.desc.base, NULL, &d.desc, index_of(ASSIGN),
      &add, sizeof add, NULL, NULL, NULL);
}

static void sync_all(void) { _gfortran_caf_sync_all(NULL, NULL, 0); }
static int value(int image, int i) { return image * 1000000 + i; }
static void fill(void)
{
  for (int i = 0; i < LENGTH; i++) row[i] = value(me, i);
  sync_all();
}

/* ---- tests ---- */

static void elements(void)
{
  expect(index_of(FAIL_HASH) == -1, "an accessor that is not there");
  expect(index_of(1150) >= 0 && index_of(1150) != index_of(1151), "many accessors");
  fill();
  for (int image = 1; image <= images; image++)
    for (int i = 0; i < LENGTH; i += 59999) expect(element(image, i, NULL, NULL) == value(image, i), "get");
  sync_all();
}

static void sections(int count)
{
  const struct add one = {.from = 3, .count = count, .step = 1},
                   two = {.from = 1, .count = count / 2, .step = 2};
  int *const to = calloc((size_t)count + 2, sizeof *to);
  int bad = 0;
  fill();
  to[0] = to[count + 1] = -5;
  section(next, &one, to + 1);
  for (int i = 0; i < count; i++) bad += to[i + 1] != value(next, 3 + i);
  expect(!bad && to[0] == -5 && to[count + 1] == -5, "get of a section");
  sync_all();
  for (int i = 0; i < count; i++) to[i + 1] = -value(me, i);
  assign(next, &two, to + 1);
  sync_all();
  for (int i = 0; i < count / 2; i++)
    bad += row[1 + 2 * i] != -value(prev, i) || row[2 + 2 * i] != value(me, 2 + 2 * i);
  expect(!bad && row[0] == value(me, 0), "put of a section");
  free(to);
  sync_all();
}

/* All elements are read before one is written. */
static void overlap(void)
{
  const struct add up = {.from = 1, .count = 1000, .step = 1};
  int bad = 0;
  fill();
  assign(me, &up, row);
  for (int i = 0; i < 1000; i++) bad += row[1 + i] != value(me, i);
  expect(!bad, "put over what is assigned");
  sync_all();
}

static void between(void)
{
  struct add src = {.from = 7, .count = 50000, .step = 3}, dst = {.from = 100, .count = 50000, .step = 1};
  int bad = 0, stat = -1;
  fill();
  _gfortran_caf_transfer_between_remotes(row_token, NULL, NULL, next, index_of(ASSIGN), &dst, sizeof dst,
      row_token, NULL, NULL, prev, index_of(SECTION), &src, sizeof src, 72, 0, &stat, NULL, NULL, NULL, NULL,
      NULL);
  sync_all();
  const int origin = (prev + images - 2) % images + 1;
  /* Behind 100 the source may have been assigned to already. */
  for (int i = 0; 7 + 3 * i < 100; i++) bad += row[100 + i] != value(origin, 7 + 3 * i);
  expect(!bad && stat == 0, "an array between images");
  sync_all();
}

/* An accessor calls back for what is allocatable in its data. */
static void lists(void)
{
  int list[] = {5, 0, 299999, 17};
  struct add add = {.list_count = 4, .list = list};
  union whole d;
  void *data = NULL;
  fill();
  describe(&d, NULL, 0);
  _gfortran_caf_get_from_remote(row_token, NULL, NULL, next, 0, &data, NULL, &d.desc, 1, index_of(LISTED),
      &add, sizeof add, NULL, NULL, NULL);
  const int *const got = d.desc.base;
  expect(d.desc.dim[0].upper - d.desc.dim[0].lower == 3, "a list's length");
  for (int i = 0; i < 4; i++) expect(got[i] == value(next, list[i]), "get by a list");
  free(d.desc.base);
  sync_all();
}

static void texts(void)
{
  struct add add = {.from = WORD};
  const size_t place_length = WORD, length = 3;
  memset(words, '-', 4 * WORD);
  sync_all();
  _gfortran_caf_send_to_remote(words_token, NULL, &place_length, next, 1, "abcdefghij", &length, NULL,
      index_of(TEXT), &add, sizeof add, NULL, NULL, NULL);
  sync_all();
  expect(memcmp(words, "--------abc     --------", 3 * WORD) == 0, "characters are padded with blanks");
  sync_all();
}

static int is_present(int image)
{
  return _gfortran_caf_is_present_on_remote(object_token, image, index_of(PRESENT), NULL, 0);
}

/* What has components is the owner's to change. */
static void components(void)
{
  struct add add = {.from = 4};
  int numbers[] = {me, 2 * me, 3 * me, 4 * me, 5 * me}, got = 0;
  union whole d;
  void *data = &got;
  expect(!is_present(next), "a component that is not allocated");
  sync_all();
  describe(&d, numbers, 5);
  _gfortran_caf_send_to_remote(object_token, NULL, NULL, next, 0, &d.desc.base, NULL, &d.desc,
      index_of(OWNER), NULL, 0, NULL, NULL, NULL);
  sync_all();
  expect(object->number == (int)getpid() && object->component && object->component[4] == 5 * prev,
      "an accessor runs at the owner");
  expect(is_present(next), "a component that is allocated");
  _gfortran_caf_get_from_remote(object_token, NULL, NULL, next, sizeof got, &data, NULL, NULL, 0,
      index_of(COMPONENT), &add, sizeof add, NULL, NULL, NULL);
  expect(*(int *)data == 5 * me, "a component's element");
  sync_all();
}

/* Teams in which the images have the opposite order. */
static void teams(void)
{
  const int half = 1 + (me & 1), count = half == 2 ? (images + 1) / 2 : images / 2;
  const int index = count - (me - 1) / 2;
  int new_index = index, stat = -1, other = 3 - half, level = 0, initial = -1;
  caf_team_t team = NULL;
  char errmsg[30];
  fill();
  _gfortran_caf_form_team(half, &team, &new_index, &stat, errmsg, sizeof errmsg);
  expect(stat == 0 && team, "form team");
  stat = -1;
  expect(_gfortran_caf_num_images(team, NULL) == count, "num_images of another team");
  expect(_gfortran_caf_this_image(team) == index, "this_image of another team");
  expect(element(count, 8, &team, NULL) == value(half == 2 ? 1 : 2, 8), "get by a team");
  _gfortran_caf_change_team(team, &stat, errmsg, sizeof errmsg);
  expect(
      stat == 0 && _gfortran_caf_this_image(NULL) == index && _gfortran_caf_num_images(NULL, NULL) == count,
      "change team");
  expect(_gfortran_caf_team_number(NULL) == half && _gfortran_caf_get_team(NULL) == team, "the current team");
  expect(_gfortran_caf_team_number(_gfortran_caf_get_team(&level)) == -1, "the initial team");
  level = 1;
  expect(_gfortran_caf_team_number(_gfortran_caf_get_team(&level)) == -1, "the team above");
  expect(element(count, 1, NULL, NULL) == value(half == 2 ? 1 : 2, 1), "get in a team");
  expect(element(images, 6, NULL, &initial) == value(images, 6), "get by the initial team's number");
  if (images > 1) {
    expect(_gfortran_caf_num_images(NULL, &other) == images - count, "num_images by a number");
    expect(element(images - count, 5, NULL, &other) == value(half == 2 ? 2 : 1, 5), "get by a number");
  }
  expect(_gfortran_caf_image_status(index, &team) == 0, "image_status");
  _gfortran_caf_sync_team(team, &stat, errmsg, sizeof errmsg);
  _gfortran_caf_end_team(&stat, errmsg, sizeof errmsg);
  expect(stat == 0 && _gfortran_caf_this_image(NULL) == me, "end team");
  new_index = 2; /* of each */
  memset(errmsg, '#', sizeof errmsg);
  _gfortran_caf_form_team(7, &team, &new_index, &stat, errmsg, sizeof errmsg);
  expect(stat == PST_CAF_STAT_NEW_INDEX && memcmp(errmsg, "the new_index= of the images o", 30) == 0,
      "a new_index that is not right");
  sync_all();
}

int main(int argc, char **argv)
{
  _gfortran_caf_init(&argc, &argv);
  me = _gfortran_caf_this_image(NULL);
  images = _gfortran_caf_num_images(NULL, NULL);
  next = me % images + 1;
  prev = (me + images - 2) % images + 1;
  elements();
  sections(10);
  sections(280000);
  overlap();
  between();
  lists();
  texts();
  components();
  teams();
  sync_all();
  _gfortran_caf_finalize();
  return failures != 0;
}
