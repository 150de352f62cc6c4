/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parallel files: open, close, pointers, and transfers of a node's own elements. Each node has a descriptor
 * of the system's. The shared pointer is a word in the memory of the first node. */
#include "xmp/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xmp/alone.h"
#include "xmp/context.h"

static int file_refuse(int error)
{
  errno = error;
  return -1;
}

int pst_xmp_file_most(struct pst_xmp_group *g, int value)
{
  const gasnetx_reduction_t most = {.type = GASNETX_TYPE_INT32, .op = GASNETX_OP_MAX, .size = sizeof value};
  if (g->size > 1) gasnetx_coll_allreduce(pst_xmp_group_team(g), &value, &value, 1, &most);
  return value;
}

static void group_tell(struct pst_xmp_group *g, void *data, size_t nbytes)
{
  if (g->size > 1) gasnetx_coll_broadcast(pst_xmp_group_team(g), data, 0, data, nbytes);
}

/* All nodes are done; errno stays. */
static void group_finish(struct pst_xmp_group *g)
{
  const int error = errno;
  pst_xmp_group_barrier(g);
  errno = error;
}

/* ---- open and close ---- */

struct mode {
  int reads, writes, creates, empties, at_end;
};

static int mode_parse(const char *text, struct mode *m)
{
  int r = 0, w = 0, a = 0, plus = 0;
  for (const char *c = text ? text : ""; *c; c++) {
    if (*c == 'r') r++;
    else if (*c == 'w') w++;
    else if (*c == 'a') a++;
    else if (*c == '+') plus++;
    else return -1;
  }
  if (r > 1 || w > 1 || a > 1 || plus > 1 || (w && a) || r + w + a == 0) return -1;
  *m = (struct mode){
      .reads = r || plus, .writes = w || a || plus, .creates = w || a, .empties = w && !r, .at_end = a};
  return 0;
}

/* The first node makes the file or empties it before the others open it. Returns 0 or errno. */
static int file_open_here(const char *name, const struct mode *m, int is_first, int *fd)
{
  int flags = (m->reads && m->writes ? O_RDWR : m->writes ? O_WRONLY : O_RDONLY) | O_CLOEXEC;
  if (is_first && m->creates) flags |= O_CREAT;
  if (is_first && m->empties) flags |= O_TRUNC;
  *fd = open(name, flags, 0666);
  return *fd < 0 ? errno : 0;
}

/* Negative: -errno of a node. */
static int file_open_everywhere(struct pst_xmp_group *g, const char *name, const struct mode *m)
{
  int fd = -1, error = 0;
  if (g->rank == 0) error = file_open_here(name, m, 1, &fd);
  group_tell(g, &error, sizeof error);
  if (error == 0 && g->rank != 0) error = file_open_here(name, m, 0, &fd);
  error = pst_xmp_file_most(g, error);
  if (error == 0) return fd;
  if (fd >= 0) close(fd);
  return -error;
}

long long pst_xmp_file_size(const xmp_file_t *f)
{
  struct stat s;
  return fstat(f->fd, &s) == 0 ? (long long)s.st_size : 0;
}

/* All nodes take a block, so that their heaps stay alike. */
static void shared_make(const char *call, xmp_file_t *f)
{
  f->block = pst_xmp_heap_take(call, NULL, sizeof *f->block);
  f->shared = f->block;
  f->shared_node = (gasnet_node_t)pst_xmp_set_node(&f->group->set, 0);
  if (f->group->rank == 0) gasnetx_atomic64(GASNETX_SET, f->shared_node, f->shared, (uint64_t)f->pointer, 0);
  group_tell(f->group, &f->shared, sizeof f->shared);
}

xmp_file_t *xmp_fopen_all(const char *fname, const char *mode)
{
  PST_XMP_ALONE("xmp_fopen_all");
  static const char call[] = "xmp_fopen_all";
  struct pst_xmp_group *g;
  struct mode m;
  xmp_file_t *f;
  int fd;
  pst_xmp_need_open(call);
  g = pst_xmp_executing();
  fd = fname && mode_parse(mode, &m) == 0 ? file_open_everywhere(g, fname, &m) : -EINVAL;
  if (fd < 0) {
    errno = -fd;
    return NULL;
  }
  f = pst_xmp_own_take_clear(call, 1, sizeof *f);
  f->fd = fd;
  f->reads = m.reads;
  f->writes = m.writes;
  f->group = pst_xmp_group_again(g);
  if (m.at_end) f->pointer = pst_xmp_file_size(f);
  shared_make(call, f);
  return f;
}

int xmp_fclose_all(xmp_file_t *f)
{
  PST_XMP_ALONE("xmp_fclose_all");
  int failed;
  if (!f) return 1;
  pst_xmp_group_barrier(f->group);
  failed = close(f->fd) != 0;
  failed = pst_xmp_file_most(f->group, failed);
  if (f->has_view) pst_xmp_parts_close(&f->view);
  pst_xmp_heap_give_back(f->block);
  pst_xmp_group_close(f->group);
  free(f);
  return failed ? 2 : 0;
}

int xmp_file_sync_all(xmp_file_t *f)
{
  PST_XMP_ALONE("xmp_file_sync_all");
  int error;
  if (!f) return file_refuse(EINVAL);
  error = pst_xmp_file_most(f->group, fsync(f->fd) == 0 || errno == EINVAL ? 0 : errno);
  return error ? file_refuse(error) : 0;
}

/* ---- pointers ---- */

/* Where the pointer comes to; negative: it cannot. */
static long long pointer_moved(long long now, long long end, long long offset, int whence)
{
  long long base, to;
  if (whence == SEEK_SET) base = 0;
  else if (whence == SEEK_CUR) base = now;
  else if (whence == SEEK_END) base = end;
  else return -1;
  return __builtin_add_overflow(base, offset, &to) ? -1 : to;
}

/* The end of what this node sees. */
static long long view_end(const xmp_file_t *f)
{
  return f->has_view ? f->view.owned * (long long)f->view.size : pst_xmp_file_size(f);
}

int xmp_fseek(xmp_file_t *f, long long offset, int whence)
{
  long long to;
  if (!f || (to = pointer_moved(f->pointer, view_end(f), offset, whence)) < 0) return file_refuse(EINVAL);
  f->pointer = to;
  return 0;
}

/* Behind the view's last element its end. */
long long xmp_ftell(xmp_file_t *f)
{
  pst_xmp_index_t k[PST_XMP_DIMENSIONS], more;
  long long j;
  if (!f) return file_refuse(EINVAL);
  if (!f->has_view) return f->pointer;
  j = f->pointer / (long long)f->view.size;
  if (j >= f->view.owned) return f->displacement + f->view.all * (long long)f->view.size;
  return f->displacement + pst_xmp_parts_element(&f->view, j, k, &more) * (long long)f->view.size +
      f->pointer % (long long)f->view.size;
}

static uint64_t shared_operate(
    const xmp_file_t *f, gasnetx_atomic_op_t op, uint64_t operand, uint64_t expected)
{
  return gasnetx_atomic64(op, f->shared_node, f->shared, operand, expected);
}

int xmp_fseek_shared_all(xmp_file_t *f, long long offset, int whence)
{
  PST_XMP_ALONE("xmp_fseek_shared_all");
  long long to = -1;
  if (!f) return file_refuse(EINVAL);
  pst_xmp_group_barrier(f->group);
  if (f->group->rank == 0) {
    to = pointer_moved((long long)shared_operate(f, GASNETX_GET, 0, 0), pst_xmp_file_size(f), offset, whence);
    if (to >= 0) shared_operate(f, GASNETX_SET, (uint64_t)to, 0);
  }
  group_tell(f->group, &to, sizeof to);
  return to < 0 ? file_refuse(EINVAL) : 0;
}

long long xmp_ftell_shared(xmp_file_t *f)
{
  return f ? (long long)shared_operate(f, GASNETX_GET, 0, 0) : file_refuse(EINVAL);
}

/* ---- transfers ---- */

static int transfer_is_possible(const xmp_file_t *f, const void *buffer, size_t size, size_t n, int writes)
{
  size_t nbytes;
  if (!f || __builtin_mul_overflow(size, n, &nbytes) || nbytes > SSIZE_MAX || (nbytes && !buffer))
    errno = EINVAL;
  else if (!(writes ? f->writes : f->reads)) errno = EBADF;
  else return 1;
  return 0;
}

/* [place, place + nbytes) of the file. */
static ssize_t bytes_move(const xmp_file_t *f, long long place, char *buffer, size_t nbytes, int writes)
{
  size_t done = 0;
  while (done < nbytes) {
    const ssize_t some = writes
        ? pwrite(f->fd, buffer + done, nbytes - done, (off_t)(place + (long long)done))
        : pread(f->fd, buffer + done, nbytes - done, (off_t)(place + (long long)done));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return -1;
    if (some == 0) break;
    done += (size_t)some;
  }
  return (ssize_t)done;
}

/* Bytes from the pointer on of what the node sees: a transfer may begin and end within an element. */
static ssize_t view_move(const char *call, const xmp_file_t *f, char *buffer, size_t nbytes, int writes)
{
  struct pst_xmp_batch *const b = pst_xmp_batch_open(call, f->fd, writes);
  const long long size = (long long)f->view.size, end = f->view.owned * size;
  long long at = f->pointer, stop = at + (long long)nbytes < end ? at + (long long)nbytes : end;
  while (at < stop) {
    pst_xmp_index_t k[PST_XMP_DIMENSIONS], more;
    const long long element = pst_xmp_parts_element(&f->view, at / size, k, &more), within = at % size,
                    run = more * size - within, some = run < stop - at ? run : stop - at;
    pst_xmp_batch_add(b, f->displacement + element * size + within, buffer, (size_t)some);
    buffer += some;
    at += some;
  }
  return pst_xmp_batch_close(b);
}

static ssize_t pointer_move(const char *call, xmp_file_t *f, void *buffer, size_t size, size_t n, int writes)
{
  ssize_t done;
  if (!transfer_is_possible(f, buffer, size, n, writes)) return -1;
  if (f->has_view) done = view_move(call, f, buffer, size * n, writes);
  else done = bytes_move(f, f->pointer, buffer, size * n, writes);
  if (done > 0) f->pointer += done;
  return done;
}

ssize_t xmp_fread(xmp_file_t *f, void *buffer, size_t size, size_t n)
{
  return pointer_move("xmp_fread", f, buffer, size, n, 0);
}

ssize_t xmp_fwrite(xmp_file_t *f, const void *buffer, size_t size, size_t n)
{
  return pointer_move("xmp_fwrite", f, (void *)(uintptr_t)buffer, size, n, 1);
}

ssize_t xmp_fread_all(xmp_file_t *f, void *buffer, size_t size, size_t n)
{
  PST_XMP_ALONE("xmp_fread_all");
  const ssize_t done = pointer_move("xmp_fread_all", f, buffer, size, n, 0);
  if (f) group_finish(f->group);
  return done;
}

ssize_t xmp_fwrite_all(xmp_file_t *f, const void *buffer, size_t size, size_t n)
{
  PST_XMP_ALONE("xmp_fwrite_all");
  const ssize_t done = pointer_move("xmp_fwrite_all", f, (void *)(uintptr_t)buffer, size, n, 1);
  if (f) group_finish(f->group);
  return done;
}

/* ---- at the shared pointer ---- */

static int shared_is_possible(const xmp_file_t *f, const void *buffer, size_t size, size_t n, int writes)
{
  if (!transfer_is_possible(f, buffer, size, n, writes)) return 0;
  if (f->has_view) errno = EINVAL;
  return !f->has_view;
}

/* A read takes no more than the file has, so that what is written later is read, too. */
ssize_t xmp_fread_shared(xmp_file_t *f, void *buffer, size_t size, size_t n)
{
  uint64_t found, at, some;
  if (!shared_is_possible(f, buffer, size, n, 0)) return -1;
  found = shared_operate(f, GASNETX_GET, 0, 0);
  do {
    const uint64_t end = (uint64_t)pst_xmp_file_size(f);
    at = found;
    some = at >= end ? 0 : size * n < end - at ? size * n : end - at;
    found = shared_operate(f, GASNETX_CSWAP, at + some, at);
  } while (found != at);
  return bytes_move(f, (long long)at, buffer, some, 0);
}

ssize_t xmp_fwrite_shared(xmp_file_t *f, const void *buffer, size_t size, size_t n)
{
  if (!shared_is_possible(f, buffer, size, n, 1)) return -1;
  return bytes_move(
      f, (long long)shared_operate(f, GASNETX_ADD, size * n, 0), (char *)(uintptr_t)buffer, size * n, 1);
}
