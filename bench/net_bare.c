/* Series of the bare program that rows are compared with, whatever its library. */
#include "net.h"
#include "raw.h"

/* ---- one at a time ---- */

static void write_each(long n, size_t nbytes)
{
  for (long i = 0; i < n; i++) {
    raw_write(0, net.local, nbytes);
    raw_drain();
  }
}
static void read_each(long n, size_t nbytes)
{
  for (long i = 0; i < n; i++) {
    raw_read(0, net.local, nbytes);
    raw_drain();
  }
}

void net_write_words(long n) { write_each(n, 8); }
void net_read_words(long n) { read_each(n, 8); }
void net_write_face(long n) { write_each(n, NET_FACE); }
void net_read_face(long n) { read_each(n, NET_FACE); }
void net_write_list(long n) { write_each(n / NET_ELEMENTS, 8 * NET_ELEMENTS); }

/* ---- several in flight, each with its own memory ---- */

static void write_some(long n, long some, size_t nbytes)
{
  const size_t end = (size_t)some * nbytes;
  for (long left = n; left > 0; left -= some) {
    for (size_t at = 0; at < end; at += nbytes) raw_write(at, net.local + at, nbytes);
    raw_drain();
  }
}
static void read_some(long n, long some, size_t nbytes)
{
  const size_t end = (size_t)some * nbytes;
  for (long left = n; left > 0; left -= some) {
    for (size_t at = 0; at < end; at += nbytes) raw_read(at, net.local + at, nbytes);
    raw_drain();
  }
}

void net_write_many(long n) { write_some(n, NET_A_SYNC, 8); }
void net_read_many(long n) { read_some(n, NET_A_SYNC, 8); }
void net_write_large(long n) { write_some(n, net_bulk.several, net_bulk.nbytes); }
void net_read_large(long n) { read_some(n, net_bulk.several, net_bulk.nbytes); }

/* ---- messages there and back ---- */

static void pass(long n, size_t nbytes, char way)
{
  static char mine[RAW_MESSAGE_MOST]; /* received into it as well: it says the way of the next */
  mine[0] = way;
  for (long i = 0; i < n; i++) {
    raw_pass(mine, nbytes);
    raw_receive(mine);
  }
  raw_drain();
}

void net_pass_short(long n) { pass(n, NET_SHORT, 0); }
void net_pass_short_2(long n) { pass(n, NET_SHORT, 1); }
void net_pass_short_3(long n) { pass(n, NET_SHORT, 2); }
void net_pass_medium(long n) { pass(n, NET_MEDIUM, 0); }
void net_pass_medium_2(long n) { pass(n, NET_MEDIUM, 1); }
void net_pass_medium_3(long n) { pass(n, NET_MEDIUM, 2); }
