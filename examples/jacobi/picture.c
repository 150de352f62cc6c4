/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A slice through the middle of the grid, across z, as a PPM image: cold cells dark, hot cells bright. */
#include "jacobi3d.h"
#include <errno.h>

enum { LEAST_SIDE = 512 }; /* pixels; small grids are magnified */

struct slice {
  long nx, ny;
  double *value;
};

FILE *picture_open(const char *path)
{
  FILE *f = fopen(path, "wb");
  if (!f) stop_here(EXIT_FILE, "cannot write picture '%s': %s", path, strerror(errno));
  return f;
}

/* The part of the slice that lies in one process's block: rows of its grid become rows of the slice. */
static void fetch(const struct job *job, long node, long k, struct slice *s)
{
  struct block b;
  block_of(&job->split, node, &b);
  if (k < b.lo[Z] || k >= b.lo[Z] + b.n[Z]) return;
  double *from = job_field(job, node, (int)(job->opt.steps % 2)) + cell(&b, 0, 0, k - b.lo[Z]);
  const size_t there[1] = {(size_t)b.pitch * 8}, here[1] = {(size_t)s->nx * 8};
  const size_t count[2] = {(size_t)b.n[X] * 8, (size_t)b.n[Y]};
  gasnet_gets_bulk(s->value + b.lo[Y] * s->nx + b.lo[X], here, (gasnet_node_t)node, from, there, count, 1);
}

static void range(const struct slice *s, double *least, double *most)
{
  *least = *most = s->value[0];
  for (long i = 1; i < s->nx * s->ny; i++) {
    if (s->value[i] < *least) *least = s->value[i];
    if (s->value[i] > *most) *most = s->value[i];
  }
}

/* From black over purple, red and orange to pale yellow; t from 0 to 1. */
static void colour(double t, unsigned char rgb[3])
{
  static const double stop[][3] = {{0, 0, 4}, {40, 11, 84}, {101, 21, 110}, {159, 42, 99}, {212, 72, 66},
      {245, 125, 21}, {250, 193, 39}, {252, 255, 164}};
  enum { LAST = sizeof stop / sizeof *stop - 1 };
  double at = t > 0 ? t * LAST : 0; /* a NaN is black */
  int i = at < LAST ? (int)at : LAST - 1;
  for (int c = 0; c < 3; c++) {
    double v = stop[i][c] + (at - i) * (stop[i + 1][c] - stop[i][c]);
    rgb[c] = (unsigned char)(v > 255 ? 255 : v + 0.5);
  }
}

static void draw(const struct slice *s, double least, double most, FILE *out, unsigned char *line)
{
  long longest = s->nx > s->ny ? s->nx : s->ny, zoom = (LEAST_SIDE + longest - 1) / longest;
  double scale = most > least ? 1 / (most - least) : 0;
  fprintf(out, "P6\n%ld %ld\n255\n", s->nx * zoom, s->ny * zoom);
  for (long j = s->ny - 1; j >= 0; j--) { /* y upwards */
    for (long i = 0; i < s->nx * zoom; i++)
      colour((s->value[j * s->nx + i / zoom] - least) * scale, line + 3 * i);
    for (long again = 0; again < zoom; again++) fwrite(line, 3, (size_t)(s->nx * zoom), out);
  }
}

void picture_write(const struct job *job)
{
  struct slice s = {.nx = job->opt.grid[X], .ny = job->opt.grid[Y]};
  s.value = malloc((size_t)s.nx * (size_t)s.ny * sizeof *s.value);
  unsigned char *line = malloc(3 * (size_t)(s.nx + LEAST_SIDE) * 2);
  if (!s.value || !line) stop_here(EXIT_MEMORY, "no memory for the picture");
  for (long node = 0; node < (long)gasnet_nodes(); node++) fetch(job, node, job->opt.grid[Z] / 2, &s);
  double least, most;
  range(&s, &least, &most);
  draw(&s, least, most, job->picture, line);
  bool failed = ferror(job->picture);
  if (fclose(job->picture) || failed)
    stop_here(EXIT_FILE, "cannot write picture '%s': %s", job->opt.picture, strerror(errno));
  printf("picture      %s: temperatures from %.3g to %.3g\n", job->opt.picture, least, most);
  fflush(stdout);
  free(line);
  free(s.value);
}
