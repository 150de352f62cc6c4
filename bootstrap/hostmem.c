/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The files without a name that the processes of one host share. They are made with close-on-exec
 * set, so that nothing a client starts before it joins can keep the job's memory alive; only
 * pst_hostmem_describe, the last step before an exec into the job, opens them for inheritance. */
#include "bootstrap/hostmem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bootstrap/children.h"
#include "bootstrap/control.h"
#include "bootstrap/variables.h"
#include "support/env.h"
#include "support/error.h"
#include "support/variables.h"

enum { STATE_VERSION = 5, LAUNCH_FIELDS = 6 };

static int refuse(int err, const char **why, const char *text)
{
  *why = text;
  return err;
}

/* Descriptors 0 to 2 stay free: they are the standard streams, even in a process that was started without. */
static int above_standard(int fd)
{
  if (fd < 0 || fd > 2) return fd;
  int up = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  int saved = errno;
  close(fd);
  errno = saved;
  return up;
}

static int open_anonymous(const char *name, const char *dir)
{
  if (dir) return above_standard(open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  return above_standard(memfd_create(name, MFD_CLOEXEC));
}

static int open_error(const char *dir, const char **why)
{
  const char *advice = errno == EMFILE || errno == ENFILE ? "; raise the limit of open files (ulimit -n)"
      : errno == EOPNOTSUPP || errno == EISDIR
      ? "; this file system has no unnamed files, choose another GASNET_TMPDIR"
      : "";
  *why = dir ? pst_why("cannot make a file in GASNET_TMPDIR '%.160s': %m%s", dir, advice)
             : pst_why("cannot make shared memory: %m%s", advice);
  return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? PST_ERR_NOMEM : PST_ERR_SYSTEM;
}

/* Growing a file past the limit raises SIGXFSZ, whose default action would end the process. */
static int size_allowed(size_t size)
{
  struct rlimit lim;
  return getrlimit(RLIMIT_FSIZE, &lim) != 0 || lim.rlim_cur == RLIM_INFINITY || size <= lim.rlim_cur;
}

/* In a named file system the pages are reserved now: one that fills up later would show as SIGBUS. */
static int reserve(int fd, const char *dir, size_t size, const char **why)
{
  struct statvfs vfs;
  if (fstatvfs(fd, &vfs) == 0 && vfs.f_blocks && (unsigned long long)vfs.f_bavail * vfs.f_frsize < size) {
    return refuse(PST_ERR_NOMEM, why,
        pst_why("the control memory needs %zu KiB, GASNET_TMPDIR '%.160s' has %llu KiB free", size >> 10, dir,
            (unsigned long long)vfs.f_bavail * vfs.f_frsize >> 10));
  }
  if (fallocate(fd, 0, 0, (off_t)size) == 0 || errno == EOPNOTSUPP || errno == ENOSYS) return PST_OK;
  return refuse(PST_ERR_NOMEM, why,
      pst_why("cannot reserve %zu KiB of control memory in GASNET_TMPDIR '%.160s': %m", size >> 10, dir));
}

static int size_control(int fd, const char *dir, size_t size, const char **why)
{
  if (!size_allowed(size)) {
    return refuse(PST_ERR_NOMEM, why,
        pst_why("the control memory needs %zu KiB, the file size limit is lower (ulimit -f)", size >> 10));
  }
  if (dir) {
    int err = reserve(fd, dir, size, why);
    if (err) return err;
  }
  if (ftruncate(fd, (off_t)size) == 0) return PST_OK;
  return refuse(PST_ERR_NOMEM, why, pst_why("cannot size the control memory to %zu KiB: %m", size >> 10));
}

static int map_control(struct pst_hostmem *hm, size_t size, const char **why)
{
  void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, hm->control_fd, 0);
  if (at == MAP_FAILED) {
    return refuse(PST_ERR_NOMEM, why, pst_why("cannot map %zu KiB of control memory: %m", size >> 10));
  }
  hm->state = at;
  hm->control_size = size;
  return PST_OK;
}

static void state_begin(struct pst_jobstate *st, const struct pst_part *part, int bell)
{
  st->magic = PST_JOBSTATE_MAGIC;
  st->version = STATE_VERSION;
  st->part = *part;
  st->bell = bell;
}

/* Huge pages are asked for, not required: a host without any in its pool serves ordinary ones. */
static int open_huge(void)
{
  if (!pst_env_bool(&pst_bootstrap_env.use_hugepages)) return -1;
  return above_standard(memfd_create("penstock-huge", MFD_CLOEXEC | MFD_HUGETLB | MFD_HUGE_2MB));
}

static int part_is_possible(const struct pst_part *p)
{
  return p->local >= 1 && p->local <= PST_MAX_LOCAL && p->hosts >= 1 && p->hosts <= PST_MAX_HOSTS &&
      p->host < p->hosts && p->nodes <= PST_MAX_LOCAL * p->hosts && p->local <= p->nodes &&
      p->first <= p->nodes - p->local && (p->hosts > 1 || p->nodes == p->local);
}

static int open_files(const char *dir, size_t control_size, struct pst_hostmem *hm, const char **why)
{
  int err;
  hm->control_fd = open_anonymous("penstock-control", dir);
  if (hm->control_fd < 0) return open_error(dir, why);
  err = size_control(hm->control_fd, dir, control_size, why);
  if (err) goto close_control;
  hm->segment_fd = open_anonymous("penstock-segment", dir);
  if (hm->segment_fd >= 0) return PST_OK;
  err = open_error(dir, why);
close_control:
  close(hm->control_fd);
  return err;
}

int pst_hostmem_create(const struct pst_part *part, struct pst_hostmem *hm, const char **why)
{
  struct pst_hostmem made = {-1, -1, -1, -1, NULL, 0};
  if (!part_is_possible(part)) {
    return refuse(PST_ERR_RANGE, why,
        pst_why("%u processes on one host; 1 to %d are possible", part->local, PST_MAX_LOCAL));
  }
  const char *dir = pst_env_string(&pst_support_env.tmpdir);
  if (dir && !*dir) dir = NULL;
  int err = open_files(dir, pst_control_size(part), &made, why);
  if (err) return err;
  err = map_control(&made, pst_control_size(part), why);
  if (err) goto close_files;
  if (part->hosts > 1) {
    made.bell_fd = above_standard(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (made.bell_fd < 0) {
      err = open_error(NULL, why);
      goto unmap;
    }
  }
  state_begin(made.state, part, made.bell_fd);
  made.huge_fd = open_huge();
  *hm = made;
  return PST_OK;
unmap:
  munmap(made.state, made.control_size);
close_files:
  close(made.segment_fd);
  close(made.control_fd);
  return err;
}

static void set_inherited(int fd, int inherited)
{
  int flags = fd < 0 ? -1 : fcntl(fd, F_GETFD);
  if (flags >= 0) fcntl(fd, F_SETFD, inherited ? flags & ~FD_CLOEXEC : flags | FD_CLOEXEC);
}

void pst_hostmem_describe(const struct pst_hostmem *hm, unsigned rank, char text[96])
{
  snprintf(
      text, 96, "1:%u:%u:%d:%d:%d", rank, hm->state->part.local, hm->control_fd, hm->segment_fd, hm->huge_fd);
  set_inherited(hm->control_fd, 1);
  set_inherited(hm->segment_fd, 1);
  set_inherited(hm->huge_fd, 1);
  set_inherited(hm->bell_fd, 1);
}

/* Digits only (strtol would take blanks and signs), with -1 where `none` is allowed. */
static int parse_field(const char **at, int last, int none, int *value)
{
  const char *p = *at;
  long v = 0;
  if (none && p[0] == '-' && p[1] == '1') {
    v = -1;
    p += 2;
  } else {
    if (*p < '0' || *p > '9') return PST_ERR_INVALID;
    for (; *p >= '0' && *p <= '9'; p++)
      if ((v = v * 10 + (*p - '0')) > 1 << 30) return PST_ERR_RANGE;
  }
  if (*p != (last ? '\0' : ':')) return PST_ERR_INVALID;
  *at = last ? p : p + 1;
  *value = (int)v;
  return PST_OK;
}

/* field: version, rank, nodes, control, segment, huge */
static int parse_launch(const char *text, int field[LAUNCH_FIELDS], const char **why)
{
  for (int i = 0; i < LAUNCH_FIELDS; i++) {
    int last = i == LAUNCH_FIELDS - 1;
    int err = parse_field(&text, last, last, &field[i]);
    if (err) return refuse(err, why, PST_LAUNCH_VARIABLE " is malformed; it is set by gasnetrun only");
  }
  if (field[0] != 1)
    return refuse(PST_ERR_UNSUPPORTED, why, PST_LAUNCH_VARIABLE " was set by another version of gasnetrun");
  if (field[2] < 1 || field[2] > PST_MAX_LOCAL || field[1] >= field[2])
    return refuse(
        PST_ERR_RANGE, why, PST_LAUNCH_VARIABLE " names an impossible node; it is set by gasnetrun only");
  if (field[3] < 3 || field[4] < 3 || (field[5] >= 0 && field[5] < 3) || field[3] == field[4] ||
      field[3] == field[5] || field[4] == field[5])
    return refuse(
        PST_ERR_RANGE, why, PST_LAUNCH_VARIABLE " names impossible files; it is set by gasnetrun only");
  return PST_OK;
}

/* A descriptor number from the environment may by now be anything that this process has open. */
static int file_is_ours(int fd, off_t *size)
{
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) return 0;
  int flags = fcntl(fd, F_GETFL);
  *size = st.st_size;
  return flags >= 0 && (flags & O_ACCMODE) == O_RDWR;
}

static int file_is_huge(int fd)
{
  struct statfs fs;
  return fstatfs(fd, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC;
}

/* Whether it is this job's memory is known only when it is mapped. */
static int check_files(const struct pst_hostmem *hm, off_t *control, const char **why)
{
  off_t other;
  if (!file_is_ours(hm->control_fd, control) || !file_is_ours(hm->segment_fd, &other))
    return refuse(PST_ERR_INVALID, why,
        "the job's shared memory is not open here (" PST_LAUNCH_VARIABLE
        " was inherited from another program)");
  if (hm->huge_fd >= 0 && (!file_is_ours(hm->huge_fd, &other) || !file_is_huge(hm->huge_fd)))
    return refuse(PST_ERR_INVALID, why, "the job's huge page memory is not open here");
  if ((size_t)*control < sizeof(struct pst_jobstate))
    return refuse(PST_ERR_INVALID, why,
        "the job's control memory has another size: gasnetrun and library differ in version");
  return PST_OK;
}

static int is_bell(int fd)
{
  char name[64], target[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(name, target, sizeof target);
  return n >= 20 && memcmp(target, "anon_inode:[eventfd]", 20) == 0;
}

static int take_place(struct pst_hostmem *hm, unsigned rank, unsigned nodes, const char **why)
{
  struct pst_jobstate *st = hm->state;
  if (st->magic != PST_JOBSTATE_MAGIC || st->version != STATE_VERSION || !part_is_possible(&st->part) ||
      st->part.local != nodes)
    return refuse(PST_ERR_INVALID, why,
        "the control memory is not this job's: gasnetrun and library differ in version");
  if (hm->control_size != pst_control_size(&st->part))
    return refuse(PST_ERR_INVALID, why,
        "the job's control memory has another size: gasnetrun and library differ in version");
  if (st->part.hosts > 1 && st->bell >= 0 && !is_bell(st->bell))
    return refuse(PST_ERR_INVALID, why,
        "the way to the supervisor of this host was closed by the program that started this one");
  /* the place is taken at once: of two processes that a shell script starts in one place, the second is
   * refused */
  if (atomic_exchange(&st->node[rank].joined, 1))
    return refuse(PST_ERR_RANGE, why,
        "another process has already joined the job in this place (a program can run once in a job)");
  hm->bell_fd = st->part.hosts > 1 ? st->bell : -1;
  return PST_OK;
}

int pst_hostmem_adopt(const char *text, unsigned *rank, struct pst_hostmem *hm, const char **why)
{
  int field[LAUNCH_FIELDS];
  int err = parse_launch(text, field, why);
  if (err) return err;
  struct pst_hostmem got = {field[3], field[4], field[5], -1, NULL, 0};
  off_t size;
  err = check_files(&got, &size, why);
  if (err) return err;
  err = map_control(&got, (size_t)size, why);
  if (err) return err;
  err = take_place(&got, (unsigned)field[1], (unsigned)field[2], why);
  if (err) {
    munmap(got.state, got.control_size);
    return err;
  }
  /* from here on a program that this one starts is not part of the job */
  set_inherited(got.control_fd, 0);
  set_inherited(got.segment_fd, 0);
  set_inherited(got.huge_fd, 0);
  set_inherited(got.bell_fd, 0);
  pst_children_adopted();
  *hm = got;
  *rank = (unsigned)field[1];
  return PST_OK;
}
