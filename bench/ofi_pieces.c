/* Faces of a cube and lists of words, against one write of the same bytes. */
#include "ofi.h"
#include "raw_ofi.h"

#include <gasnet.h>
#include <gasnet_vis.h>

enum { SIDE = OFI_SIDE, ROW = 8 * SIDE, PLANE = ROW * SIDE, FACE = 8 * SIDE * SIDE, ELEMENTS = 8192, MOST = PLANE * SIDE / 8 };

static void write_face(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_write(0, ofi.local, FACE);
    raw_ofi_drain();
  }
}

/* Words at distances of a row, or rows at distances of a plane. */
static const size_t words[] = {8, SIDE, SIDE}, words_apart[] = {ROW, PLANE};
static const size_t rows[] = {ROW, SIDE}, rows_apart[] = {PLANE};

static void put_face_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_puts_bulk(1, ofi.there, words_apart, ofi.local, words_apart, words, 2);
}
static void get_face_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_gets_bulk(ofi.local, words_apart, 1, ofi.there, words_apart, words, 2);
}
static void put_face_rows(long n)
{
  for (long i = 0; i < n; i++) gasnet_puts_bulk(1, ofi.there, rows_apart, ofi.local, rows_apart, rows, 1);
}
static void get_face_rows(long n)
{
  for (long i = 0; i < n; i++) gasnet_gets_bulk(ofi.local, rows_apart, 1, ofi.there, rows_apart, rows, 1);
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

static void write_list(long n)
{
  for (long i = 0; i < n / ELEMENTS; i++) {
    raw_ofi_write(0, ofi.local, 8 * ELEMENTS);
    raw_ofi_drain();
  }
}
static void put_list(long n)
{
  for (long i = 0; i < n / ELEMENTS; i++) gasnet_puti_bulk(1, ELEMENTS, to, 8, ELEMENTS, from, 8);
}

void ofi_measure_pieces(void)
{
  static const struct ofi_contest put_8 = {"face_put_8", {write_face}, put_face_words, 40},
                                  get_8 = {"face_get_8", {write_face}, get_face_words, 40},
                                  put_1K = {"face_put_1K", {write_face}, put_face_rows, 40},
                                  get_1K = {"face_get_1K", {write_face}, get_face_rows, 40},
                                  near = {"puti_8", {write_list}, put_list, 40L * ELEMENTS},
                                  far = {"puti_8_far", {write_list}, put_list, 40L * ELEMENTS};
  ofi_contest(&put_8);
  ofi_contest(&get_8);
  ofi_contest(&put_1K);
  ofi_contest(&get_1K);
  draw_words(to, ofi.there, 2 * ELEMENTS);
  draw_words(from, ofi.local, 2 * ELEMENTS);
  ofi_contest(&near);
  draw_words(to, ofi.there, MOST);
  draw_words(from, ofi.local, MOST);
  ofi_contest(&far);
}
