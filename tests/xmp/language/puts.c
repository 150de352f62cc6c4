/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Puts wherever an expression may stand, of members too, and gets within subscripts and images. */
#include <string.h>

#include "check.h"

struct point {
  int x, y[3];
  unsigned small : 3;
  char name[8];
  struct {
    double z;
  } in[2];
};
static struct point one : [*], some[4] : [*];
static int s : [*], v[10] : [*], grid[4][3] : [*];

static int next(void) { return (xmpc_this_image() + 1) % xmp_num_images(); }
static int length_of(const char *text) { return (int)strlen(text); }

static void members(void)
{
  const int to = next();
  int k = 0, copy[3];
  one.small = 5;
  strcpy(one.name, "hello");
  xmp_sync_all(NULL);
one:
  [to].y[1] = 77;
one:
  [to].x = 3;
one:
  [to].x++;
  ++one : [to].y[0];
one:
  [to].y[2] += 5;
  some[k++] : [to].in[1].z = 4;
  CHECK_EQUAL(k, 1);
  xmp_sync_all(NULL);
  CHECK_EQUAL(one.y[1], 77);
  CHECK_EQUAL(one.x, 4);
  CHECK_EQUAL(one.y[0] * 10 + one.y[2], 15);
  CHECK_EQUAL(some[0].in[1].z, 4);
  CHECK_EQUAL(one : [to].small, 5);
  CHECK_EQUAL(one : [to].y[k], 77);
  CHECK_EQUAL(length_of(one : [to].name), 5);
  memcpy(copy, one : [to].y, sizeof copy);
  CHECK_EQUAL(copy[1] + copy[2], 82);
}

static void subscripts(void)
{
  const int many = xmp_num_images() > 1;
  int i, w[3] = {4, 5, 6};
  s = many;
  for (i = 0; i < 10; i++) v[i] = i;
  xmp_sync_all(NULL);
  CHECK_EQUAL(v[1] : [s:[0]], 1);
  CHECK_EQUAL(v [s:[0]] : [next()], many);
  CHECK_EQUAL(w [v[2]:[0]], 6);
  i = w [s:[0]];
  CHECK_EQUAL(i, 4 + many);
  w [s:[0]] = 7;
  CHECK_EQUAL(w[many], 7);
  CHECK_EQUAL(i ? v[2] : [0] : 4, 2);
  CHECK_EQUAL(sizeof(s : [0]) + sizeof v : [0], 11 * sizeof(int));
  xmp_sync_all(NULL);
}

/* The first image alone. */
static void expressions(void)
{
  const int o = xmp_num_images() - 1;
  int i, k = 0, x = 0;
  (void)x, s : [o] = 5;
  CHECK_EQUAL(s : [o], 5);
  for (i = 0; i < 3; s : [o] = i) i++;
  CHECK_EQUAL(s : [o], 3);
  if (i && (s : [o] = 4)) x = s : [o];
  CHECK_EQUAL(x, 4);
  i = s : [o] = v[3] : [o] = 9;
  CHECK_EQUAL(i + s : [o] + v[3] : [o], 27);
  (s : [o]) = 6;
  CHECK_EQUAL(s : [o], 6);
  v[1] : [o]++;
  CHECK_EQUAL(v[1] : [o], 2);
  i = v[1] : [o]-- + --v[2] : [o];
  CHECK_EQUAL(i * 100 + v[1] : [o] * 10 + v[2] : [o], 311);
  i = k ? 3 : s : [o] = 8;
  if (s : [o]) ++i;
  CHECK_EQUAL(i, 9);
  v[k++] : [o] += 2;
  CHECK_EQUAL(k * 10 + v[0] : [o], 12);
}

/* Sections that are computed. */
static void sections(void)
{
  const int o = xmp_num_images() - 1;
  int w[10], k = 0, i;
  for (i = 0; i < 10; i++) w[i] = i;
  v [0:3] : [o] = w [0:3] * 2;
  v [3:3] : [o] = -w [0:3];
  v [k++ + 6:3] : [o] = (w [3:3]);
  w [0:10] = v[:] : [o];
  CHECK_EQUAL(k, 1);
  for (i = 0; i < 9; i++) CHECK_EQUAL(w[i], i < 3 ? 2 * i : i < 6 ? 3 - i : i - 3);
  s = 2;
  grid [1:3][1] : [o] = s : [0] + w [0:3];
  for (i = 0; i < 3; i++) CHECK_EQUAL(grid[i + 1][1] : [o], 2 + 2 * i);
}

int main(void)
{
  members();
  subscripts();
  if (xmpc_this_image() == 0) {
    expressions();
    sections();
  }
  xmp_sync_all(NULL);
  return check_end();
}
