/* Contiguous transfers: one at a time, and many in flight. */
#include "net.h"

#include <gasnet.h>

/* ---- 8 bytes ---- */

static void put_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_put(1, net.there, net.local, 8);
}
static void get_words(long n)
{
  for (long i = 0; i < n; i++) gasnet_get(net.local, 1, net.there, 8);
}
static void put_lone(long n)
{
  for (long i = 0; i < n; i++) {
    gasnet_put_nbi(1, net.there, net.local, 8);
    gasnet_wait_syncnbi_puts();
  }
}

void net_measure_words(void)
{
  static const struct net_contest put = {"put_8", put_words, 1000}, get = {"get_8", get_words, 1000},
                                  lone = {"put_lone", put_lone, 1000};
  net_contest(&put);
  net_contest(&get);
  net_contest(&lone);
}

/* ---- 8 bytes, 1000 in flight ---- */

static void put_many(long n)
{
  for (long left = n; left > 0; left -= NET_A_SYNC) {
    for (size_t at = 0; at < 8 * NET_A_SYNC; at += 8) gasnet_put_nbi(1, net.there + at, net.local + at, 8);
    gasnet_wait_syncnbi_puts();
  }
}
static void get_many(long n)
{
  for (long left = n; left > 0; left -= NET_A_SYNC) {
    for (size_t at = 0; at < 8 * NET_A_SYNC; at += 8) gasnet_get_nbi(net.local + at, 1, net.there + at, 8);
    gasnet_wait_syncnbi_gets();
  }
}

void net_measure_many(void)
{
  static const struct net_contest put = {"nbi_put", put_many, 4 * NET_A_SYNC},
                                  get = {"nbi_get", get_many, 4 * NET_A_SYNC};
  net_contest(&put);
  net_contest(&get);
}

void net_measure_singly(void)
{
  static const struct net_contest put = {"nbi_put_singly", put_many, 4 * NET_A_SYNC},
                                  get = {"nbi_get_singly", get_many, 4 * NET_A_SYNC};
  net_contest(&put);
  net_contest(&get);
}

/* ---- large, several in flight, each with its own memory ---- */

struct net_bulk net_bulk;

static void put_large(long n)
{
  const size_t nbytes = net_bulk.nbytes, end = nbytes * (size_t)net_bulk.several;
  for (long left = n; left > 0; left -= net_bulk.several) {
    for (size_t at = 0; at < end; at += nbytes) gasnet_put_nbi_bulk(1, net.there + at, net.local + at, nbytes);
    gasnet_wait_syncnbi_puts();
  }
}
static void get_large(long n)
{
  const size_t nbytes = net_bulk.nbytes, end = nbytes * (size_t)net_bulk.several;
  for (long left = n; left > 0; left -= net_bulk.several) {
    for (size_t at = 0; at < end; at += nbytes) gasnet_get_nbi_bulk(net.local + at, 1, net.there + at, nbytes);
    gasnet_wait_syncnbi_gets();
  }
}

void net_measure_bulk(void)
{
  static const struct net_contest put_64 = {"put_64K", put_large, 512},
                                  get_64 = {"get_64K", get_large, 512},
                                  put_1 = {"put_1M", put_large, 48},
                                  get_1 = {"get_1M", get_large, 48};
  net_bulk = (struct net_bulk){64 << 10, 32};
  net_contest(&put_64);
  net_contest(&get_64);
  net_bulk = (struct net_bulk){1 << 20, 8};
  net_contest(&put_1);
  net_contest(&get_1);
}
