/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "xmp/file.h"

/* A read goes on over gaps that take less time than another call. */
enum { PIECES = 1024, GAP = 4096 };

struct pst_xmp_batch {
  int fd, writes;
  int ended, error;
  ssize_t done;
  long long place; /* of the first piece */
  size_t nbytes;   /* of all pieces */
  int n;
  struct iovec piece[PIECES];
  char gap[GAP]; /* what is read and not wanted */
};

struct pst_xmp_batch *pst_xmp_batch_open(const char *call, int fd, int writes)
{
  struct pst_xmp_batch *const b = pst_xmp_own_take(call, sizeof *b);
  b->fd = fd;
  b->writes = writes;
  b->ended = b->error = b->n = 0;
  b->done = 0;
  b->nbytes = 0;
  return b;
}

static int piece_is_gap(const struct pst_xmp_batch *b, int i) { return b->piece[i].iov_base == b->gap; }

/* Takes `moved` bytes off the pieces from number `first` on; returns the number of the first that is left. */
static int pieces_pass(struct pst_xmp_batch *b, int first, size_t moved)
{
  while (first < b->n) {
    struct iovec *const v = &b->piece[first];
    const size_t some = moved < v->iov_len ? moved : v->iov_len;
    if (!piece_is_gap(b, first)) b->done += (ssize_t)some;
    if (some < v->iov_len && !piece_is_gap(b, first)) v->iov_base = (char *)v->iov_base + some;
    v->iov_len -= some;
    moved -= some;
    if (v->iov_len) break;
    first++;
  }
  return first;
}

static void batch_flush(struct pst_xmp_batch *b)
{
  int first = 0;
  while (first < b->n && !b->ended) {
    const ssize_t moved = b->writes ? pwritev(b->fd, &b->piece[first], b->n - first, (off_t)b->place)
                                    : preadv(b->fd, &b->piece[first], b->n - first, (off_t)b->place);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) b->error = errno;
    if (moved <= 0) b->ended = 1;
    else first = pieces_pass(b, first, (size_t)moved);
    if (moved > 0) b->place += moved;
  }
  b->n = 0;
  b->nbytes = 0;
}

static void piece_add(struct pst_xmp_batch *b, void *memory, size_t nbytes)
{
  struct iovec *const last = b->n ? &b->piece[b->n - 1] : NULL;
  b->nbytes += nbytes;
  if (last && memory != b->gap && !piece_is_gap(b, b->n - 1) &&
      (char *)last->iov_base + last->iov_len == memory)
    last->iov_len += nbytes;
  else b->piece[b->n++] = (struct iovec){.iov_base = memory, .iov_len = nbytes};
}

void pst_xmp_batch_add(struct pst_xmp_batch *b, long long place, void *memory, size_t nbytes)
{
  long long gap = place - (b->place + (long long)b->nbytes);
  if (b->ended || nbytes == 0) return;
  if (b->n && (gap < 0 || gap > (b->writes ? 0 : GAP) || b->n > PIECES - 2)) batch_flush(b);
  if (b->n == 0) {
    b->place = place;
    gap = 0;
  }
  if (gap) piece_add(b, b->gap, (size_t)gap);
  piece_add(b, memory, nbytes);
}

ssize_t pst_xmp_batch_close(struct pst_xmp_batch *b)
{
  ssize_t done;
  int error;
  batch_flush(b);
  done = b->done;
  error = b->error;
  free(b);
  errno = error ? error : errno;
  return error ? -1 : done;
}
