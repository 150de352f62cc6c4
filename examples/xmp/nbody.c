/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Bodies that attract each other, in the local view. Each image has a share of them. In each step it gets the
 * others' places from their coarrays, image by image, beginning with its own, so that not all ask the same
 * one. At the end each image compares its bodies with those of a process that computes all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <xmp.h>

enum { N = 300, STEPS = 20 };
static const double dt = 1e-2;

#pragma xmp nodes p[*]

/* place[0..mine-1] are this image's bodies; there may be one image. */
double place[N][3]:[*];
double speed[N][3], others[N][3];

static double all[N][3], all_speed[N][3];

static int first(int image) { return (int)((long)N * image / xmp_num_images()); }
static int count(int image) { return first(image + 1) - first(image); }

static void body_make(int i, double *x)
{
  x[0] = cos(i) * (1 + i % 5);
  x[1] = sin(i) * (1 + i % 3);
  x[2] = sin(i * 0.7);
}

/* Adds what m bodies at `from` do to n bodies at `to`; each has the mass 1 / N. */
static void attract(int n, double (*to)[3], double (*v)[3], int m, double (*from)[3])
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      const double x = from[k][0] - to[i][0], y = from[k][1] - to[i][1], z = from[k][2] - to[i][2];
      const double r2 = x * x + y * y + z * z + 1e-2, f = dt / (N * r2 * sqrt(r2));
      v[i][0] += f * x;
      v[i][1] += f * y;
      v[i][2] += f * z;
    }
}

static void move(int n, double (*x)[3], double (*v)[3])
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) x[i][k] += dt * v[i][k];
}

static void step(int me, int images)
{
  for (int k = 0; k < images; k++) {
    const int image = (me + k) % images, m = count(image);
    others[0:m][:] = place[0:m][:]:[image];
    attract(count(me), place, speed, m, others);
  }
  xmp_sync_all(NULL); /* all have read what now changes */
  move(count(me), place, speed);
  xmp_sync_all(NULL);
}

static double largest_error(int me)
{
  double error = 0;
  for (int i = 0; i < N; i++) body_make(i, all[i]);
  for (int s = 0; s < STEPS; s++) {
    attract(N, all, all_speed, N, all);
    move(N, all, all_speed);
  }
  for (int i = 0; i < count(me); i++)
    for (int k = 0; k < 3; k++) error = fmax(error, fabs(place[i][k] - all[first(me) + i][k]));
  return error;
}

int main(void)
{
  const int me = xmpc_this_image(), images = xmp_num_images();
  for (int i = 0; i < count(me); i++) body_make(first(me) + i, place[i]);
  memset(speed, 0, sizeof speed);
  xmp_sync_all(NULL);
  for (int s = 0; s < STEPS; s++) step(me, images);
  double error = largest_error(me);
#pragma xmp reduction (max : error)
  const int right = error < 1e-12;
  if (me == 0)
    printf("nbody: %d bodies, %d steps, %d images: %s, error %.1e\n", N, STEPS, images,
        right ? "right" : "WRONG", error);
  return !right;
}
