/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What accesses of compiled code tell a tool, which is in this program: kind of access, sides, length, place;
 * accesses to a thread's own memory only if a file was compiled with --inst-local (LOCAL tells the test). */
#include "compiler.h"

#include <gasp.h>

#if defined(LOCAL)
#define LOCALS 1
#else
#define LOCALS 0
#endif

/* ---- the tool: remembers the last event and counts them ---- */

static struct {
  int starts, ends, relaxed, line;
  unsigned tag;
  const char *file;
  void *dst, *src;
  upc_pts_t shared;
  size_t n;
} seen;

struct _gasp_context_S {
  int unused;
};
static struct _gasp_context_S context;

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
  (void)model, (void)argc, (void)argv;
  return &context;
}

static int is_access(unsigned tag)
{
  return tag == GASP_UPC_GET || tag == GASP_UPC_PUT || tag == GASP_PENSTOCK_COPY;
}

void gasp_event_notifyVA(gasp_context_t c, unsigned int tag, gasp_evttype_t type, const char *file, int line,
    int column, va_list args)
{
  (void)c, (void)column;
  if (type == GASP_END) seen.ends++;
  if (type != GASP_START) return;
  seen.starts++;
  seen.tag = tag;
  seen.file = file;
  seen.line = line;
  if (!is_access(tag)) return;
  seen.relaxed = va_arg(args, int);
  seen.dst = va_arg(args, void *);
  seen.src = va_arg(args, void *);
  seen.n = va_arg(args, size_t);
  seen.shared = *(upc_pts_t *)(tag == GASP_UPC_GET ? seen.src : seen.dst);
}

void gasp_event_notify(
    gasp_context_t c, unsigned int tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
  va_list args;
  va_start(args, column);
  gasp_event_notifyVA(c, tag, type, file, line, column, args);
  va_end(args);
}

int gasp_control(gasp_context_t c, int on) { return (void)c, on; }
unsigned int gasp_create_event(gasp_context_t c, const char *name, const char *desc)
{
  return (void)c, (void)name, (void)desc, GASP_UPC_USEREVT_START;
}

/* ---- */

/* What one call tells. Line numbers from 1001 on are invented. */
#define EXPECT(call, wanted_tag, wanted_relaxed, pts, length, wanted_line) \
  do { \
    memset(&seen, 0, sizeof seen); \
    call; \
    CHECK(seen.starts == 1 && seen.ends == 1 && seen.tag == (wanted_tag) && seen.line == (wanted_line)); \
    CHECK(seen.relaxed == (wanted_relaxed) && seen.n == (length) && upc_pts_equal(seen.shared, pts)); \
    CHECK((wanted_line) ? seen.file && !strcmp(seen.file, "there.upc") : !seen.file); \
  } while (0)
#define EXPECT_COUNT(call, count) \
  do { \
    memset(&seen, 0, sizeof seen); \
    call; \
    CHECK(seen.starts == (count) && seen.ends == (count)); \
  } while (0)

static void remote(upc_pts_t p)
{
  char block[40] = "";
  EXPECT(__getsi2(p), GASP_UPC_GET, 1, p, 4, 0);
  EXPECT(__getsdf2(p), GASP_UPC_GET, 0, p, 8, 0);
  EXPECT(__getghi3(p, "there.upc", 1001), GASP_UPC_GET, 1, p, 2, 1001);
  EXPECT(__getsgqi3(p, "there.upc", 1002), GASP_UPC_GET, 0, p, 1, 1002);
  EXPECT(__putsf2(p, 1), GASP_UPC_PUT, 1, p, 4, 0);
  EXPECT(__putsdi2(p, 1), GASP_UPC_PUT, 0, p, 8, 0);
  EXPECT(__putgdi4(p, 1, "there.upc", 1003), GASP_UPC_PUT, 1, p, 8, 1003);
  EXPECT(__putsgsi4(p, 1, "there.upc", 1004), GASP_UPC_PUT, 0, p, 4, 1004);
  EXPECT(__getblk3(block, p, 40), GASP_UPC_GET, 1, p, 40, 0);
  CHECK(seen.dst == block);
  EXPECT(__putsgblk5(p, block, 33, "there.upc", 1005), GASP_UPC_PUT, 0, p, 33, 1005);
  CHECK(seen.src == block);
}

/* One event, although messages and other calls may carry it out. */
static void copies(upc_pts_t p, upc_pts_t q, int count)
{
  EXPECT_COUNT(__copyblk3(p, q, 24), count);
  if (count == 0) return;
  EXPECT(__copysgblk5(p, q, 24, "there.upc", 1006), GASP_PENSTOCK_COPY, 0, p, 24, 1006);
}

static void statements(void)
{
  EXPECT_COUNT(__upc_barrierg(INT_MIN, "there.upc", 1007), 1);
  CHECK(seen.tag == GASP_UPC_BARRIER && seen.line == 1007);
  EXPECT_COUNT(__upc_notifyg(3, "there.upc", 1008), 1);
  CHECK(seen.tag == GASP_UPC_NOTIFY && seen.line == 1008);
  EXPECT_COUNT(__upc_wait(3), 1);
  CHECK(seen.tag == GASP_UPC_WAIT && seen.line == 0);
  EXPECT_COUNT(__upc_fenceg("there.upc", 1009), 1);
  CHECK(seen.tag == GASP_UPC_FENCE && seen.line == 1009);
}

int main(int argc, char **argv)
{
  upc_init(&argc, &argv);
  upc_pts_t p = upc_all_alloc((size_t)THREADS, 64), q, mine = p;
  mine.thread = (uint32_t)MYTHREAD;
  p.thread = (uint32_t)((MYTHREAD + 1) % THREADS);
  q = upc_pts_add(p, 32, 0, 1);
  if (THREADS > 1) {
    remote(p);
    copies(p, q, 1);
    copies(upc_pts_add(mine, 32, 0, 1), p, 1);
  }
  upc_barrier();
  EXPECT_COUNT(__putsi2(mine, 5), LOCALS);
  EXPECT_COUNT(CHECK(__getsgsi3(mine, "there.upc", 1010) == 5), LOCALS);
  copies(mine, upc_pts_add(mine, 32, 0, 1), LOCALS);
  statements();
  upc_finalize();
  return failures != 0;
}
