/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Calls the functions that code from UPC compilers calls: every type by value, own and other threads' memory,
 * relaxed, strict and with places; blocks and copies; a flag handed on by strict accesses; statements; static
 * shared data. Runs with any number of threads. */
#include "compiler.h"

/* ---- static shared data, as compilers lay it out ---- */

#define SHARED __attribute__((section("upc_shared"), used))
extern char __upc_shared_start[];
static SHARED uint64_t first = 0x0123456789abcdefu;
static SHARED uint32_t table[5] = {2, 3, 5, 7, 11};
static SHARED struct {
  char guard0[8];
  uint64_t cells[24];
  char guard1[8];
} area = {"<guard<", {0}, ">guard>"};
static SHARED uint32_t flag, payload[64];

static upc_pts_t shared(const void *object, int thread)
{
  return (upc_pts_t){(uint64_t)((const char *)object - __upc_shared_start), (uint32_t)(thread % THREADS), 0};
}

static void statics(int thread)
{
  static const uint32_t primes[5] = {2, 3, 5, 7, 11};
  CHECK(shared(&first, 0).address >= 256);
  CHECK(__getdi2(shared(&first, thread)) == 0x0123456789abcdefu);
  for (int i = 0; i < 5; i++) CHECK(__getsi2(shared(&table[i], thread)) == primes[i]);
}

/* ---- all types ---- */

/* Two values: one whose bits show what is missing, another so that each put is a change. */
#define TYPE(name, type) \
  static void type_##name(int thread) \
  { \
    const upc_pts_t p = shared(area.cells, thread); \
    const type a = (type)(sizeof(type) < 4 ? 0x5c : 16777213), b = (type)(a - 2); \
    upc_barrier(__LINE__); \
    __put##name##2(p, a); \
    CHECK(__get##name##2(p) == a); \
    __puts##name##2(p, b); \
    CHECK(__gets##name##2(p) == b); \
    __putg##name##4(p, a, __FILE__, __LINE__); \
    CHECK(__getg##name##3(p, __FILE__, __LINE__) == a); \
    __putsg##name##4(p, b, __FILE__, __LINE__); \
    CHECK(__getsg##name##3(p, __FILE__, __LINE__) == b); \
    guards(thread); \
    upc_barrier(__LINE__); \
  }

static void guards(int thread)
{
  char guard[8];
  __getblk3(guard, shared(area.guard0, thread), 8);
  CHECK(!strcmp(guard, "<guard<"));
  __getblk3(guard, shared(area.guard1, thread), 8);
  CHECK(!strcmp(guard, ">guard>"));
}

PST_UPC_SCALARS(TYPE)

#define CALL(name, type) type_##name(thread);
static void types(int thread) { PST_UPC_SCALARS(CALL) }

/* All bits of the widest whole numbers. */
static void bits(int thread)
{
  const upc_pts_t p = shared(area.cells, thread);
  upc_barrier(__LINE__);
  __putdi2(p, UINT64_MAX - 5);
  CHECK(__getdi2(p) == UINT64_MAX - 5);
#if defined(__SIZEOF_INT128__)
  const pst_upc_ti_t wide = (pst_upc_ti_t)0x0f1e2d3c4b5a6978u << 64 | 0x8796a5b4c3d2e1f0u;
  __putti2(p, wide);
  CHECK(__getti2(p) == wide);
#endif
  guards(thread);
  upc_barrier(__LINE__);
}

/* ---- blocks ---- */

#define BYTES sizeof area.cells
typedef void (*get_fn)(void *, upc_const_pts_t, size_t);
typedef void (*put_fn)(upc_pts_t, const void *, size_t);
typedef void (*copy_fn)(upc_pts_t, upc_const_pts_t, size_t);

static void getg(void *d, upc_const_pts_t s, size_t n) { __getgblk5(d, s, n, __FILE__, __LINE__); }
static void getsg(void *d, upc_const_pts_t s, size_t n) { __getsgblk5(d, s, n, __FILE__, __LINE__); }
static void putg(upc_pts_t d, const void *s, size_t n) { __putgblk5(d, s, n, __FILE__, __LINE__); }
static void putsg(upc_pts_t d, const void *s, size_t n) { __putsgblk5(d, s, n, __FILE__, __LINE__); }
static void copyg(upc_pts_t d, upc_const_pts_t s, size_t n) { __copygblk5(d, s, n, __FILE__, __LINE__); }
static void copysg(upc_pts_t d, upc_const_pts_t s, size_t n) { __copysgblk5(d, s, n, __FILE__, __LINE__); }
static const get_fn gets_[] = {__getblk3, __getsblk3, getg, getsg};
static const put_fn puts_[] = {__putblk3, __putsblk3, putg, putsg};
static const copy_fn copies[] = {__copyblk3, __copysblk3, copyg, copysg};

static void fill(unsigned char *data, unsigned seed)
{
  for (size_t i = 0; i < BYTES; i++) data[i] = (unsigned char)(seed * 37 + i * 11);
}

static void blocks(int thread)
{
  unsigned char out[BYTES], in[BYTES];
  for (unsigned k = 0; k < 4; k++) {
    upc_barrier(__LINE__);
    fill(out, (unsigned)MYTHREAD * 4 + k);
    puts_[k](shared(area.cells, thread), out, BYTES);
    gets_[k](in, shared(area.cells, thread), BYTES);
    CHECK(!memcmp(in, out, BYTES));
    guards(thread);
    upc_barrier(__LINE__);
  }
}

/* From the memory of one thread to the next thread's; with enough threads neither is this one. */
static void copy(void)
{
  const upc_pts_t source = shared(area.cells, MYTHREAD + 1), half = shared(area.cells + 12, MYTHREAD + 2);
  unsigned char out[BYTES], in[BYTES / 2];
  for (unsigned k = 0; k < 4; k++) {
    upc_barrier(__LINE__);
    fill(out, (unsigned)MYTHREAD + k);
    __putblk3(source, out, BYTES / 2);
    copies[k](half, source, BYTES / 2);
    __getblk3(in, half, BYTES / 2);
    CHECK(!memcmp(in, out, BYTES / 2));
    copies[k](source, source, BYTES / 2);
    guards(MYTHREAD + 2);
    upc_barrier(__LINE__);
  }
}

/* ---- order ---- */

/* A token goes round by strict writes; its strict reader must see the relaxed writes before it. */
static void handoff(int rounds)
{
  upc_barrier(__LINE__);
  for (int r = 1; r <= rounds; r++) {
    if (MYTHREAD > 0 || r > 1) {
      const uint32_t want = (uint32_t)(MYTHREAD > 0 ? r : r - 1);
      while (__getssi2(shared(&flag, MYTHREAD)) != want) continue;
      for (int i = 0; i < 64; i++) CHECK(__getsi2(shared(&payload[i], MYTHREAD)) == want * 64 + (uint32_t)i);
    }
    for (int i = 0; i < 64; i++) __putsi2(shared(&payload[i], MYTHREAD + 1), (uint32_t)(r * 64 + i));
    __putssi2(shared(&flag, MYTHREAD + 1), (uint32_t)r);
  }
  upc_barrier(__LINE__);
}

/* ---- the rest ---- */

static void statements(void)
{
  __upc_barrier(INT_MIN);
  __upc_notify(7);
  __upc_wait(7);
  __upc_notifyg(INT_MIN, __FILE__, __LINE__);
  __upc_waitg(INT_MIN, __FILE__, __LINE__);
  __upc_barrierg(-3, __FILE__, __LINE__);
  __upc_fence();
  __upc_fenceg(__FILE__, __LINE__);
}

static void addresses(void)
{
  CHECK(__getaddr(UPC_PTS_NULL) == NULL);
  const uint64_t *mine = __getaddr(shared(&first, MYTHREAD));
  CHECK(mine && mine != &first && *mine == first);
  for (int t = 0; t < THREADS; t++)
    if (upc_castable(shared(&table[4], t))) CHECK(*(uint32_t *)__getaddr(shared(&table[4], t)) == 11);
}

int main(int argc, char **argv)
{
  upc_init(&argc, &argv);
  for (int t = 0; t < 2; t++) {
    statics(MYTHREAD + t);
    types(MYTHREAD + t);
    bits(MYTHREAD + t);
    blocks(MYTHREAD + t);
  }
  copy();
  handoff(50);
  statements();
  addresses();
  upc_finalize();
  return failures != 0;
}
