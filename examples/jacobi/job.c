/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The job: what lies where in the segments, and how to leave. */
#include "jacobi3d.h"
#include <stdarg.h>
#include <time.h>

/* A segment holds the record, then the two fields, each from a multiple of this size, then with --exchange
 * packed the buffers for faces. */
enum { RECORD_BYTES = 4096 };
_Static_assert(sizeof(struct record) <= RECORD_BYTES, "the record has its own page");

static bool attached;

static size_t field_offset(const struct block *b, int which)
{
  size_t bytes = (b->total * sizeof(double) + RECORD_BYTES - 1) / RECORD_BYTES * RECORD_BYTES;
  return RECORD_BYTES + (which ? bytes : 0);
}

static size_t largest_face(const struct block *b)
{
  const long xy = b->n[X] * b->n[Y], yz = b->n[Y] * b->n[Z], zx = b->n[Z] * b->n[X];
  const long cells = xy > yz ? (xy > zx ? xy : zx) : (yz > zx ? yz : zx);
  return ((size_t)cells * sizeof(double) + 63) / 64 * 64;
}

static size_t buffer_offset(const struct block *b, int buffer)
{
  return field_offset(b, 1) + (b->total * sizeof(double) + 63) / 64 * 64 + (size_t)buffer * largest_face(b);
}

static size_t segment_bytes(const struct options *o, const struct block *b)
{
  size_t bytes = buffer_offset(b, o->packed ? 2 * 2 * DIMS : 0);
  return (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE;
}

static double mib(size_t bytes) { return (double)bytes / (1024 * 1024); }

/* Node 0 has the largest block, so every node can see here whether all have room. */
static void check_room(const struct job *job)
{
  struct block largest;
  size_t room = gasnet_getMaxGlobalSegmentSize();
  block_of(&job->split, 0, &largest);
  if (segment_bytes(&job->opt, &largest) > room)
    stop_all(EXIT_MEMORY,
        "a block of %ldx%ldx%ld cells needs a segment of %.1f MiB, but there is room for %.1f MiB in each "
        "process: use a smaller --grid or more processes, or raise GASNET_MAX_SEGSIZE",
        largest.n[X], largest.n[Y], largest.n[Z], mib(segment_bytes(&job->opt, &largest)), mib(room));
}

void job_attach(struct job *job)
{
  gasnet_node_t nodes = gasnet_nodes();
  block_of(&job->split, gasnet_mynode(), &job->mine);
  check_room(job);
  must(gasnet_attach(NULL, 0, segment_bytes(&job->opt, &job->mine), 0), "gasnet_attach");
  attached = true;
  job->segment = calloc(nodes, sizeof *job->segment);
  if (!job->segment) stop_here(EXIT_MEMORY, "no memory for the segment table");
  must(gasnet_getSegmentInfo(job->segment, (int)nodes), "gasnet_getSegmentInfo");
  memset(job_record(job, gasnet_mynode()), 0, sizeof(struct record));
}

struct record *job_record(const struct job *job, long node) { return job->segment[node].addr; }

double *job_field(const struct job *job, long node, int which)
{
  struct block b;
  block_of(&job->split, node, &b);
  return (double *)((char *)job->segment[node].addr + field_offset(&b, which));
}

double *job_buffer(const struct job *job, long node, int side, int which)
{
  struct block b;
  block_of(&job->split, node, &b);
  return (double *)((char *)job->segment[node].addr + buffer_offset(&b, 2 * side + which));
}

void job_barrier(void) { must(gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS), "gasnet_barrier"); }

static void say(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));
static void say(const char *fmt, va_list args)
{
  char text[1024];
  vsnprintf(text, sizeof text, fmt, args);
  fprintf(stderr, "jacobi3d: %s\n", text);
}

/* The barrier keeps the others from ending the job before node 0 has spoken. */
void stop_all(int code, const char *fmt, ...)
{
  if (!attached) must(gasnet_attach(NULL, 0, 0, 0), "gasnet_attach");
  attached = true;
  if (gasnet_mynode() == 0) {
    va_list args;
    va_start(args, fmt);
    say(fmt, args);
    va_end(args);
  }
  job_barrier();
  gasnet_exit(code);
}

void stop_here(int code, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  say(fmt, args);
  va_end(args);
  gasnet_exit(code);
}

void must(int result, const char *call)
{
  if (result == GASNET_OK) return;
  stop_here(EXIT_COMM, "node %d: %s failed: %s (%s)", (int)gasnet_mynode(), call, gasnet_ErrorName(result),
      gasnet_ErrorDesc(result));
}

double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
