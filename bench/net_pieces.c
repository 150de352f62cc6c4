/* Faces of a cube and lists of words. */
#include "net.h"

#include <gasnet.h>
#include <gasnet_vis.h>

enum { SIDE = NET_SIDE, ROW = 8 * SIDE, PLANE = ROW * SIDE, ELEMENTS = NET_ELEMENTS, MOST = PLANE * SIDE / 8 };

/* Words at distances of a row, or rows at distances of a plane. */
static const size_t words[] = {8, SIDE, SIDE}, words_apart[] = {ROW, PLANE};
static const size_t rows[] = {ROW, SIDE}, rows_apart[] = {PLANE};

static void put_face_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_puts_bulk(1, net.there, words_apart, net.local, words_apart, words, 2);
}
static void get_face_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_gets_bulk(net.local, words_apart, 1, net.there, words_apart, words, 2);
}
static void put_face_rows(long n)
{
  for (long i = 0; i < n; i++) gasnet_puts_bulk(1, net.there, rows_apart, net.local, rows_apart, rows, 1);
}
static void get_face_rows(long n)
{
  for (long i = 0; i < n; i++) gasnet_gets_bulk(net.local, rows_apart, 1, net.there, rows_apart, rows, 1);
}

/* ---- */

static void *to[ELEMENTS], *from[ELEMENTS];

static uint64_t draw(uint64_t n)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

/* ELEMENTS different words of the first `among`, in random order. */
static void draw_words(void *list[ELEMENTS], char *memory, size_t among)
{
  static uint32_t all[MOST];
  for (uint32_t i = 0; i < among; i++) all[i] = i;
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    const size_t j = i + draw(among - i);
    const uint32_t word = all[j];
    all[j] = all[i];
    list[i] = memory + 8 * (size_t)word;
  }
}

static void put_list(long n)
{
  for (long i = 0; i < n / ELEMENTS; i++) gasnet_puti_bulk(1, ELEMENTS, to, 8, ELEMENTS, from, 8);
}

void net_measure_pieces(void)
{
  static const struct net_contest put_8 = {"face_put_8", put_face_words, 40},
                                  get_8 = {"face_get_8", get_face_words, 40},
                                  put_1K = {"face_put_1K", put_face_rows, 40},
                                  get_1K = {"face_get_1K", get_face_rows, 40},
                                  near = {"puti_8", put_list, 40L * ELEMENTS},
                                  far = {"puti_8_far", put_list, 40L * ELEMENTS};
  net_contest(&put_8);
  net_contest(&get_8);
  net_contest(&put_1K);
  net_contest(&get_1K);
  draw_words(to, net.there, 2 * ELEMENTS);
  draw_words(from, net.local, 2 * ELEMENTS);
  net_contest(&near);
  draw_words(to, net.there, MOST);
  draw_words(from, net.local, MOST);
  net_contest(&far);
}
