/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Random access: numbers are combined with words anywhere in a table that is spread over all images, in the
 * local view. Each image sorts its numbers by the image that has their word, and puts each share into that
 * image's coarray; then each updates its own words. In the end each image works out, from everybody's
 * numbers, what its part must be, and compares. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <xmp.h>

enum {
  WORDS = 1 << 12, /* of an image */
  BATCH = 1024,    /* numbers of an image in a round */
  ROUNDS = 16,
  IMAGES = 64 /* at most */
};

#pragma xmp nodes p[*]

static uint64_t table[WORDS];
/* What image i has sent is inbox[i], and how much of it there is inboxes[i]. */
static uint64_t inbox[IMAGES][BATCH]:[*];
static int inboxes[IMAGES]:[*];
static uint64_t out[IMAGES][BATCH];
static int outs[IMAGES];

/* xorshift64*: each image has its own sequence. */
static uint64_t first_random(int image) { return 0x9e3779b97f4a7c15u * ((uint64_t)image + 1); }
static uint64_t next_random(uint64_t *state)
{
  uint64_t x = *state;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  *state = x;
  return x * 0x2545f4914f6cdd1du;
}

static int image_of(uint64_t number, int images) { return (int)(number / WORDS % (uint64_t)images); }

static void sort(uint64_t *state, int images)
{
  for (int i = 0; i < images; i++) outs[i] = 0;
  for (int k = 0; k < BATCH; k++) {
    const uint64_t number = next_random(state);
    const int to = image_of(number, images);
    out[to][outs[to]++] = number;
  }
}

static void send(int me, int images)
{
  for (int k = 0; k < images; k++) {
    const int to = (me + k) % images, n = outs[to];
    if (n > 0) inbox[me][0:n]:[to] = out[to][0:n];
    inboxes[me]:[to] = n;
  }
}

static void update(int images)
{
  for (int i = 0; i < images; i++)
    for (int k = 0; k < inboxes[i]; k++) table[inbox[i][k] % WORDS] ^= inbox[i][k];
}

/* How many words of this image are not as they must be. */
static long check(int me, int images)
{
  static uint64_t expected[WORDS];
  long wrong = 0;
  for (int image = 0; image < images; image++) {
    uint64_t state = first_random(image);
    for (long k = 0; k < (long)BATCH * ROUNDS; k++) {
      const uint64_t number = next_random(&state);
      if (image_of(number, images) == me) expected[number % WORDS] ^= number;
    }
  }
  for (int i = 0; i < WORDS; i++) wrong += table[i] != expected[i];
  return wrong;
}

int main(void)
{
  const int me = xmpc_this_image(), images = xmp_num_images();
  uint64_t state = first_random(me);
  if (images > IMAGES) {
    if (me == 0) fprintf(stderr, "random: at most %d images\n", IMAGES);
    return 2;
  }
  for (int round = 0; round < ROUNDS; round++) {
    sort(&state, images);
    send(me, images);
    xmp_sync_all(NULL); /* all numbers have come */
    update(images);
    xmp_sync_all(NULL); /* all inboxes may be filled again */
  }
  long wrong = check(me, images);
#pragma xmp reduction (+ : wrong)
  if (me == 0)
    printf("random: %d updates of %d words, %d images: %s\n", BATCH * ROUNDS * images, WORDS * images, images,
        wrong ? "WRONG" : "right");
  return wrong != 0;
}
