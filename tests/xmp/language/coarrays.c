/* nodes: 3 */
/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Coarrays in all forms of declarations: of typedef's arrays, several in one, of blocks, with codimensions.
 */
#include "check.h"

typedef int row[4];
typedef row rows[2];
row of_type : [*], several[3] : [*];
static rows twice : [2][*], plain;
long by_directive[2], number_;
#pragma xmp coarray by_directive, number_ : [*]

#pragma xmp nodes p[3]

static int next(void) { return (xmpc_this_image() + 1) % xmp_num_images(); }
static int before(void) { return (xmpc_this_image() + xmp_num_images() - 1) % xmp_num_images(); }

static void of_types(void)
{
  row local = {1, 2, 3, 4};
  int i, to = next();
  for (i = 0; i < 4; i++) local[i] += 10 * xmpc_this_image();
  of_type[:] : [to] = local[:];
  several[1][3 :: - 1] : [to] = local[:];
  several[2] [0:2] : [to] = local [2:];
  twice[1][:] : [to % 2][to / 2] = local[:];
  twice[0][:] : [to % 2][to / 2] = 7;
  xmp_sync_all(NULL);
  plain[:][:] = twice[:][:];
  for (i = 0; i < 4; i++) {
    CHECK_EQUAL(of_type[i], 10 * before() + i + 1);
    CHECK_EQUAL(several[1][3 - i], 10 * before() + i + 1);
    CHECK_EQUAL(several[2][i], i < 2 ? 10 * before() + 3 + i : 0);
    CHECK_EQUAL(plain[1][i], 10 * before() + i + 1);
    CHECK_EQUAL(plain[0][i], 7);
  }
  local[:] = several[1][:] : [to];
  CHECK_EQUAL(local[0], 10 * xmpc_this_image() + 4);
}

/* Many, so that they follow each other in the program's list of them. */
static void of_blocks(void)
{
  static char letter : [*];
  static short small[3] : [*];
  int i, to = next();
  {
    double wide[2][2] : [2][*];
    static row short_lived : [*];
  letter:
    [to] = (char)(65 + xmpc_this_image());
    small [1:2] : [to] = (short)xmpc_this_image();
    wide[:][1] : [to % 2][to / 2] = xmpc_this_image();
    short_lived [1:3] : [to] = 5;
    xmp_sync_all(NULL);
    CHECK_EQUAL(letter, 65 + before());
    CHECK_EQUAL(small[0], 0);
    CHECK_EQUAL(small[2], before());
    for (i = 0; i < 2; i++) CHECK_EQUAL(wide[i][0] + 10 * wide[i][1], 10 * before());
    CHECK_EQUAL(short_lived[0] + short_lived[3], 5);
  }
}

/* In the statement of an image directive references count in its nodes. */
static void of_nodes(void)
{
  CHECK_EQUAL(by_directive[0], 0);
#pragma xmp barrier
#pragma xmp task on p[1 : 2]
  {
    const int me = xmpc_this_image();
    if (me == 0) by_directive[0] : [1] = 20;
#pragma xmp image(p)
    if (me == 0) {
      by_directive[0] : [0] = 4;
      by_directive[0] : [1] += 10;
    }
    if (me == 0) by_directive[0] : [0] += 1;
  }
#pragma xmp barrier
  CHECK_EQUAL(by_directive[0], xmpc_this_image() == 0 ? 4 : xmpc_this_image() == 1 ? 11 : 20);
}

int main(void)
{
  of_types();
  of_blocks();
  of_nodes();
  by_directive[1] : [next()] = 6;
number_:
  [next()] = 7;
  xmp_sync_all(NULL);
  CHECK_EQUAL(by_directive[1] + number_, 13);
  return check_end();
}
