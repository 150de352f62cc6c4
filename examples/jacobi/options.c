/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The command line of jacobi3d. */
#include "jacobi3d.h"
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>

enum { LONGEST_SIDE = 65536 }; /* keeps every product of sizes within 64 bits */
enum { MOST_STEPS = 1000000000 };

static const char help[] =
    "usage: jacobi3d [option]...\n"
    "Solves the heat equation on a block of cells, distributed over all processes, and checks the result.\n"
    "\n"
    "  --grid N | NXxNYxNZ   cells in each direction (default 128)\n"
    "  --steps N             time steps (default 200)\n"
    "  --procs PxQxR         process grid; default: the one with the least surface\n"
    "  --overlap on|off      compute the interior while the faces travel (default on)\n"
    "  --exchange MODE       put faces strided, from grid to grid (default), or packed: copied into a "
    "buffer,\n"
    "                        put contiguously, copied out of it\n"
    "  --plan                put all faces of a step by one prepared plan\n"
    "  --notify              neighbours tell each other what has arrived, instead of a barrier of all\n"
    "  --verify MODE         compare bitwise with a one-process run: full (all cells; node 0 repeats the\n"
    "                        whole run), sample (the corners of all blocks after the first steps), off,\n"
    "                        or auto (default): full where it takes seconds, else sample\n"
    "  --picture FILE        write a slice through the middle as a PPM image\n"
    "  --progress            report progress and time left even where stderr is no terminal\n"
    "  --spoil STEP          falsify one cell after this step, to see the checks fail\n"
    "  --help, -h            this text\n"
    "\n"
    "The number of processes is the job's: gasnetrun -n 4 jacobi3d, or GASNET_PSHM_NODES=4 jacobi3d.\n"
    "Exit code: 0 right, 1 wrong result, 2 usage, 3 not enough memory, 4 output not written,\n"
    "5 communication failed.\n";

void options_help(FILE *out) { fputs(help, out); }

double options_cells(const struct options *o)
{
  return (double)o->grid[X] * (double)o->grid[Y] * (double)o->grid[Z];
}

static int number(const char *text, char **end, long least, long most, long *value)
{
  if (*text < '0' || *text > '9') return -1; /* strtol would take a sign and spaces */
  errno = 0;
  long v = strtol(text, end, 10);
  if (errno || v < least || v > most) return -1;
  *value = v;
  return 0;
}

static int whole(const char *text, long least, long most, long *value)
{
  char *end;
  return number(text, &end, least, most, value) || *end ? -1 : 0;
}

/* "4x5x6", or where allowed "4" for all three. */
static int triple(const char *text, bool one, long most, long out[DIMS])
{
  long v[DIMS];
  char *end = NULL;
  for (int d = 0; d < DIMS; d++) {
    if (number(text, &end, 1, most, &v[d])) return -1;
    if (d == X && one && !*end) {
      v[Y] = v[Z] = v[X];
      break;
    }
    if (d < Z && *end != 'x' && *end != 'X') return -1;
    text = end + 1;
  }
  if (*end) return -1;
  memcpy(out, v, sizeof v);
  return 0;
}

static int choice(const char *text, const char *const *names, int n)
{
  for (int i = 0; i < n; i++)
    if (!strcmp(text, names[i])) return i;
  return -1;
}

static int set_overlap(struct options *o, const char *text)
{
  static const char *const names[] = {"off", "on"};
  int c = choice(text, names, 2);
  if (c < 0) return -1;
  o->overlap = c;
  return 0;
}

static int set_exchange(struct options *o, const char *text)
{
  static const char *const names[] = {"strided", "packed"};
  int c = choice(text, names, 2);
  if (c < 0) return -1;
  o->packed = c;
  return 0;
}

static int set_verify(struct options *o, const char *text)
{
  static const char *const names[] = {"auto", "full", "sample", "off"};
  int c = choice(text, names, 4);
  if (c < 0) return -1;
  o->verify = (enum verify)c;
  return 0;
}

enum { GRID = 1, STEPS, PROCS, OVERLAP, EXCHANGE, PLAN, NOTIFY, VERIFY, PICTURE, PROGRESS, SPOIL, HELP };
static const struct option known[] = {
    {"grid", required_argument, NULL, GRID},
    {"steps", required_argument, NULL, STEPS},
    {"procs", required_argument, NULL, PROCS},
    {"overlap", required_argument, NULL, OVERLAP},
    {"exchange", required_argument, NULL, EXCHANGE},
    {"plan", no_argument, NULL, PLAN},
    {"notify", no_argument, NULL, NOTIFY},
    {"verify", required_argument, NULL, VERIFY},
    {"picture", required_argument, NULL, PICTURE},
    {"progress", no_argument, NULL, PROGRESS},
    {"spoil", required_argument, NULL, SPOIL},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static const char *legal(int option)
{
  switch (option) {
  case GRID: return "N or NXxNYxNZ, each from 1 to 65536";
  case STEPS: return "a whole number from 1 to 1000000000";
  case PROCS: return "PxQxR, each from 1 to 65536";
  case OVERLAP: return "on or off";
  case EXCHANGE: return "strided or packed";
  case VERIFY: return "auto, full, sample or off";
  case SPOIL: return "a step from 1 to the last one";
  default: return "the name of a file";
  }
}

static int set(struct options *o, int option, const char *text)
{
  switch (option) {
  case GRID: return triple(text, true, LONGEST_SIDE, o->grid);
  case STEPS: return whole(text, 1, MOST_STEPS, &o->steps);
  case PROCS: return triple(text, false, LONGEST_SIDE, o->procs);
  case OVERLAP: return set_overlap(o, text);
  case EXCHANGE: return set_exchange(o, text);
  case PLAN: o->plan = true; return 0;
  case NOTIFY: o->notify = true; return 0;
  case VERIFY: return set_verify(o, text);
  case PICTURE: o->picture = text; return *text ? 0 : -1;
  case PROGRESS: o->progress = true; return 0;
  case SPOIL: return whole(text, 1, MOST_STEPS, &o->spoil);
  default: o->help = true; return 0;
  }
}

static int refuse(char *why, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static int refuse(char *why, size_t size, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(why, size, fmt, args);
  va_end(args);
  return -1;
}

int options_parse(int argc, char **argv, struct options *o, char *why, size_t size)
{
  *o = (struct options){.grid = {128, 128, 128}, .steps = 200, .overlap = true};
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, "+:h", known, NULL)) != -1;) {
    if (c == '?') return refuse(why, size, "unknown option '%s'", argv[optind - 1]);
    if (c == ':') return refuse(why, size, "%s needs a value: %s", argv[optind - 1], legal(optopt));
    if (c == 'h') c = HELP;
    if (set(o, c, optarg))
      return refuse(why, size, "bad value '%s' for --%s: it must be %s", optarg, known[c - 1].name, legal(c));
  }
  if (optind < argc) return refuse(why, size, "unexpected argument '%s'", argv[optind]);
  if (o->spoil > o->steps)
    return refuse(why, size, "--spoil %ld is after the last of %ld steps", o->spoil, o->steps);
  return 0;
}
