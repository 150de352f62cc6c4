/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the tools share. A tool is these files and one of its own, which makes the output from all parts.
 *
 * Each process writes what it measures to a part: a file in a directory that the whole job sees. At the end
 * thread 0 reads all parts, writes the output and removes the parts. docs/formats.md shows a part. */
#ifndef GASP_TOOLS_COMMON_H
#define GASP_TOOLS_COMMON_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "gasp/events.h"

/* ---- the tables' events ---- */

enum pst_event_class {
  PST_EVENT_OTHER,
  PST_EVENT_EXIT,
  PST_EVENT_BARRIER,
  PST_EVENT_PUT,
  PST_EVENT_GET,
  PST_EVENT_COPY,
  PST_EVENT_SYNC,
  PST_EVENT_ALLOC,
  PST_EVENT_LOCK,
  PST_EVENT_COLLECTIVE,
  PST_EVENT_FUNCTION,
  PST_EVENT_CACHE,
  PST_EVENT_ATOMIC,
  PST_EVENT_WAIT
};

/* arguments: a letter for each, those after the bar come with End only.
 *   n  size_t, bytes                     b  size_t, multiplies the bytes
 *   z  size_t                            d  ptrdiff_t
 *   i  int                               t  int, the other thread
 *   o  int, an atomic operation          a  three ints, an active set
 *   p  void *                            f  const char *, a function's name
 *   D  gasp_upc_PTS_t *, destination     S  source     P  something else
 *   l  lock                              h  handle */
struct pst_event_info {
  unsigned tag;
  const char *name; /* as in the headers, without GASP_ */
  enum pst_event_class class;
  const char *arguments;
  int atomic; /* comes as GASP_ATOMIC, not in pairs */
};
/* NULL: the tables lack this event. */
const struct pst_event_info *pst_event_info(unsigned tag);
/* Does the event move data, or a word, of another thread? */
int pst_event_transfers(unsigned tag);

#define PST_NOBODY UINT32_MAX

/* What an event's arguments say. */
struct pst_event {
  uint64_t bytes;
  uint64_t handle;      /* of a non-blocking transfer; 0 none */
  uint32_t peer;        /* the other thread of a transfer, or PST_NOBODY */
  uint32_t get;         /* data come from the peer */
  uint32_t op;          /* gasp_shmem_op_t of an atomic operation */
  const char *function; /* which one it is, of functions and routines that share an event; or NULL */
};
void pst_event_decode(
    unsigned tag, gasp_evttype_t type, unsigned thread, va_list args, struct pst_event *out);

/* ---- what is measured ---- */

/* A place that events come from: one for each tag, name and line. Totals are over the pairs of Start and End,
 * and the atomic events. */
struct pst_site {
  uint32_t id, tag;
  int32_t line, column;
  const char *file, *name; /* name: of a function or an event of the client's; "" where there is none */
  uint64_t count, bytes;
  uint64_t time, least, most; /* ns */
};

/* ---- parts ---- */

enum { PST_PART_SITE = 1, PST_PART_START, PST_PART_END, PST_PART_ATOMIC, PST_PART_TOTALS, PST_PART_FINAL };

struct pst_part_head {
  char magic[8];
  char tool[16], host[64]; /* end with a 0 */
  uint32_t thread, threads;
  uint64_t begin; /* ns since 1970, as all times */
};

/* A record: its kind, the number of bytes that follow, then these bytes. */
struct pst_part_record {
  uint32_t kind, size;
};
/* SITE, then the file's name and the event's, each ended by a 0. Sites are numbered as they come. */
struct pst_part_site {
  uint32_t id, tag;
  int32_t line, column;
};
/* START END ATOMIC */
struct pst_part_event {
  uint64_t time, bytes, handle;
  uint32_t site, peer, get, op;
};
/* TOTALS */
struct pst_part_totals {
  uint64_t count, bytes, time, least, most;
  uint32_t site, unused;
};
/* FINAL: the last record. */
struct pst_part_final {
  uint64_t end;
};

/* Writing: with a NULL `out` nothing is written. Errors show when the part is closed. */
FILE *pst_part_create(const char *path, const struct pst_part_head *head);
void pst_part_write(FILE *out, unsigned kind, const void *data, size_t size);
void pst_part_write_site(FILE *out, const struct pst_site *site);
/* 0, or -1 with errno. */
int pst_part_close(FILE *out);

/* Reading: the file may hold anything. */
struct pst_part {
  FILE *in;
  uint64_t at, limit; /* the size when it was opened: each reading ends there */
  struct pst_part_head head;
  struct pst_site *sites; /* those met so far */
  uint32_t count, room;
  uint64_t now; /* time of the last record that was read */
  uint64_t end; /* of the last record, once all have been read */
  int complete; /* FINAL was there */
  int missing;  /* this thread's part cannot be read */
};
union pst_part_body {
  struct pst_part_event event;
  struct pst_part_totals totals;
  struct pst_part_final final;
};
/* 0; -1: it is not a part of this tool and thread. */
int pst_part_open(
    struct pst_part *part, const char *path, const char *tool, uint32_t thread, uint32_t threads);
/* The next record's kind. A site is added to the table; any other record is in *body, and its site exists. 0:
 * the end, or no valid record follows. */
unsigned pst_part_next(struct pst_part *part, union pst_part_body *body);
/* Goes back to the beginning. The table of sites stays, and does not grow if all had been read. */
void pst_part_rewind(struct pst_part *part);
void pst_part_done(struct pst_part *part);

/* The sites of all parts; those with the same event, name and line become one. The parts own the texts. */
struct pst_join {
  struct pst_site *sites;
  uint32_t count;
  uint32_t **of; /* [thread][id in its part] */
};
/* Reads all parts to their ends, and rewinds them. */
void pst_join_make(struct pst_join *join, struct pst_part *parts, unsigned threads);
void pst_join_free(struct pst_join *join, unsigned threads);
/* The earliest and the latest time of all parts. */
void pst_parts_span(const struct pst_part *parts, unsigned threads, uint64_t *first, uint64_t *last);

/* ---- a tool ---- */

extern const struct pst_tool {
  const char *name;
  const char *output; /* by default; NULL: standard error */
  const char *inside; /* the name of the output in a directory; NULL: the output is a directory */
  int stream;         /* parts hold each event; else totals */
  /* All parts are opened, or marked as missing. Writes the output; 0, or -1 after a message. */
  int (*merge)(struct pst_part *parts, unsigned threads, const char *output);
} pst_tool;

/* Where the job's parts and its output are. */
struct pst_tool_paths {
  char *output; /* NULL: standard error */
  char *directory, *part, *unfinished;
};
void pst_tool_paths_make(struct pst_tool_paths *paths, unsigned thread);
char *pst_tool_part_path(const struct pst_tool_paths *paths, unsigned thread, int finished);
/* What ends: all threads together, one alone, or a process by exit(). */
enum pst_tool_end { PST_END_TOGETHER, PST_END_ALONE, PST_END_PROCESS };
/* Called when this process's part is complete. The merging thread waits for the other parts, the others for
 * the merge, both for a bounded time. If several end alone, one merges. */
void pst_tool_end(
    const struct pst_tool_paths *paths, unsigned thread, unsigned threads, enum pst_tool_end end);

uint64_t pst_tool_now(void);
/* The name by which an event is shown. */
const char *pst_site_name(const struct pst_site *site);
/* "penstock NAME: ..." on standard error. */
void pst_tool_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void pst_tool_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *pst_tool_grow(void *old, size_t count, size_t size);

#endif
