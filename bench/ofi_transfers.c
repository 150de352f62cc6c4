/* Contiguous transfers: one at a time, and many in flight. */
#include "ofi.h"
#include "raw_ofi.h"

#include <gasnet.h>

/* ---- 8 bytes ---- */

static void write_words(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_write(0, ofi.local, 8);
    raw_ofi_drain();
  }
}
static void read_words(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_read(0, ofi.local, 8);
    raw_ofi_drain();
  }
}
static void put_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_put(1, ofi.there, ofi.local, 8);
}
static void get_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_get(ofi.local, 1, ofi.there, 8);
}
static void put_lone(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_put_nbi(1, ofi.there, ofi.local, 8);
    gasnet_wait_syncnbi_puts();
  }
}

void ofi_measure_words(void)
{
  static const struct ofi_contest put = {"put_8", {write_words}, put_words, 1000}, get = {"get_8", {read_words}, get_words, 1000},
                                  lone = {"put_lone", {write_words}, put_lone, 1000};
  ofi_contest(&put);
  ofi_contest(&get);
  ofi_contest(&lone);
}

/* ---- 8 bytes, 1000 in flight ---- */

enum { A_SYNC = 1000 };

static void write_many(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_write((size_t)(i % A_SYNC) * 8, ofi.local + i % A_SYNC * 8, 8);
    if (i % A_SYNC == A_SYNC - 1) raw_ofi_drain();
  }
}
static void read_many(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_read((size_t)(i % A_SYNC) * 8, ofi.local + i % A_SYNC * 8, 8);
    if (i % A_SYNC == A_SYNC - 1) raw_ofi_drain();
  }
}
static void put_many(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_put_nbi(1, ofi.there + i % A_SYNC * 8, ofi.local + i % A_SYNC * 8, 8);
    if (i % A_SYNC == A_SYNC - 1) gasnet_wait_syncnbi_puts();
  }
}
static void get_many(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_get_nbi(ofi.local + i % A_SYNC * 8, 1, ofi.there + i % A_SYNC * 8, 8);
    if (i % A_SYNC == A_SYNC - 1) gasnet_wait_syncnbi_gets();
  }
}

void ofi_measure_many(void)
{
  static const struct ofi_contest put = {"nbi_put", {write_many}, put_many, 4 * A_SYNC},
                                  get = {"nbi_get", {read_many}, get_many, 4 * A_SYNC};
  ofi_contest(&put);
  ofi_contest(&get);
}

void ofi_measure_singly(void)
{
  static const struct ofi_contest put = {"nbi_put_singly", {write_many}, put_many, 4 * A_SYNC},
                                  get = {"nbi_get_singly", {read_many}, get_many, 4 * A_SYNC};
  ofi_contest(&put);
  ofi_contest(&get);
}

/* ---- large, several in flight, each with its own memory ---- */

static size_t nbytes;
static long several;

static size_t place(long i) { return (size_t)(i % several) * nbytes; }
static int last_of_some(long i) { return i % several == several - 1; }

static void write_large(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_write(place(i), ofi.local + place(i), nbytes);
    if (last_of_some(i)) raw_ofi_drain();
  }
}
static void read_large(long n)
{
  for (long i = 0; i < n; i++) {
    raw_ofi_read(place(i), ofi.local + place(i), nbytes);
    if (last_of_some(i)) raw_ofi_drain();
  }
}
static void put_large(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_put_nbi_bulk(1, ofi.there + place(i), ofi.local + place(i), nbytes);
    if (last_of_some(i)) gasnet_wait_syncnbi_puts();
  }
}
static void get_large(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_get_nbi_bulk(ofi.local + place(i), 1, ofi.there + place(i), nbytes);
    if (last_of_some(i)) gasnet_wait_syncnbi_gets();
  }
}

void ofi_measure_bulk(void)
{
  static const struct ofi_contest put_64 = {"put_64K", {write_large}, put_large, 512},
                                  get_64 = {"get_64K", {read_large}, get_large, 512},
                                  put_1 = {"put_1M", {write_large}, put_large, 48},
                                  get_1 = {"get_1M", {read_large}, get_large, 48};
  nbytes = 64 << 10;
  several = 32;
  ofi_contest(&put_64);
  ofi_contest(&get_64);
  nbytes = 1 << 20;
  several = 8;
  ofi_contest(&put_1);
  ofi_contest(&get_1);
}
