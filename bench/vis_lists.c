/* Lists of random pieces: each lies in a cell of its own, and the cells are visited in random order on both sides. */
#include "vis.h"

#include <gasnet.h>
#include <gasnet_vis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8192, PIECE = 40 };

static void *dst[N], *src[N], *to[N], *from[N];             /* for the library and for loops */
static gasnet_memvec_t dstv[N], srcv[N], tov[N], fromv[N];
static gasnet_memvec_t chopv[2 * N], common[2 * N][2];     /* equal pieces, and what both lists have in one piece */
static size_t chops, commons;

static uint64_t draw(uint64_t n)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

/* N different cells among `cells`, in random order. */
static void draw_cells(unsigned *cell, unsigned cells)
{
  unsigned *all = malloc(cells * sizeof *all);
  if (!all) gasnet_exit(1);
  for (unsigned i = 0; i < cells; i++) all[i] = i;
  for (unsigned i = 0; i < N; i++) {
    const unsigned j = i + (unsigned)draw(cells - i), t = all[i];
    cell[i] = all[i] = all[j];
    all[j] = t;
  }
  free(all);
}

/* least..most bytes each, in cells of `pitch`. get: from the neighbour. */
static void make(int get, unsigned pitch, unsigned cells, unsigned least, unsigned most)
{
  unsigned at[N], of[N];
  draw_cells(at, cells);
  draw_cells(of, cells);
  for (unsigned i = 0; i < N; i++) {
    const size_t len = least + draw((most - least) / 8 + 1) * 8, there = (size_t)at[i] * pitch, here = (size_t)of[i] * pitch;
    dst[i] = get ? vis.local + here : vis.remote + there;
    to[i] = get ? dst[i] : vis.mapped + there;
    src[i] = get ? vis.remote + there : vis.local + here;
    from[i] = get ? vis.mapped + there : src[i];
    dstv[i] = (gasnet_memvec_t){dst[i], len};
    srcv[i] = (gasnet_memvec_t){src[i], len};
    tov[i] = (gasnet_memvec_t){to[i], len};
    fromv[i] = (gasnet_memvec_t){from[i], len};
  }
}

static void loop_words(void) { vis_loop_list_8(to, from, N); }
static void loop_vector(void)
{
  for (unsigned i = 0; i < N; i++) memcpy(tov[i].addr, fromv[i].addr, tov[i].len);
}

static void puti(void) { gasnet_puti_bulk(1, N, dst, 8, N, src, 8); }
static void geti(void) { gasnet_geti_bulk(N, dst, 8, 1, N, src, 8); }
static void putv(void) { gasnet_putv_bulk(1, N, dstv, N, srcv); }
static void getv(void) { gasnet_getv_bulk(N, dstv, 1, N, srcv); }

/* ---- other pieces at the destination than at the source ---- */

static void make_chop(void)
{
  size_t total = 0, at = 0, within = 0;
  for (unsigned i = 0; i < N; i++) total += srcv[i].len;
  commons = 0;
  for (chops = 0; total; chops++) {
    const size_t len = total < PIECE ? total : PIECE, there = chops * 64;
    chopv[chops] = (gasnet_memvec_t){vis.remote + there, len};
    for (size_t done = 0, n; done < len; done += n, within += n) {
      if (within == srcv[at].len) {
        at++;
        within = 0;
      }
      n = srcv[at].len - within < len - done ? srcv[at].len - within : len - done;
      common[commons][0] = (gasnet_memvec_t){vis.mapped + there + done, n};
      common[commons++][1] = (gasnet_memvec_t){(char *)srcv[at].addr + within, n};
    }
    total -= len;
  }
}

static void loop_common(void)
{
  for (size_t i = 0; i < commons; i++) memcpy(common[i][0].addr, common[i][1].addr, common[i][0].len);
}

static void putv_chop(void) { gasnet_putv_bulk(1, chops, chopv, N, srcv); }

void vis_measure_lists(void)
{
  static const struct vis_contest puti_8 = {"puti_8", {loop_words}, puti}, geti_8 = {"geti_8", {loop_words}, geti},
    puti_far = {"puti_8_L3", {loop_words}, puti}, putv_8 = {"putv_8", {loop_vector}, putv},
    putv_64 = {"putv_8_64", {loop_vector}, putv}, getv_64 = {"getv_8_64", {loop_vector}, getv},
    chop = {"putv_chop", {loop_common}, putv_chop};
  make(0, 8, 2 * N, 8, 8);
  vis_contest(&puti_8);
  vis_contest(&putv_8);
  make(1, 8, 2 * N, 8, 8);
  vis_contest(&geti_8);
  make(0, 64, 64 * N, 8, 8);
  vis_contest(&puti_far);
  make(0, 64, 2 * N, 8, 64);
  vis_contest(&putv_64);
  make_chop();
  vis_contest(&chop);
  make(1, 64, 2 * N, 8, 64);
  vis_contest(&getv_64);
}
