/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The host's memory handed on: once to each process that knows the secret; not to strangers, who change
 * nothing. And false first processes: they send no files, too many, or useless ones; no descriptor stays
 * open. */
#include "bootstrap/share.c"

#include <dirent.h>
#include <pthread.h>

#include "tests/unit/suite.h"

enum { LOCAL = 3 };

static struct pst_contact contact;
static int listener;
static struct pst_hostmem own;

static unsigned open_files(void)
{
  unsigned n = 0;
  DIR *d = opendir("/proc/self/fd");
  CU_ASSERT_FATAL(d != NULL);
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

static void make_own(void)
{
  const struct pst_part part = pst_part_single(LOCAL);
  const char *why = NULL;
  memset(&contact, 0, sizeof contact);
  CU_ASSERT_FATAL(pst_hostmem_create(&part, &own, &why) == PST_OK);
  CU_ASSERT_FATAL(pst_share_open(&listener, &contact) == NULL);
}

static void close_own(void)
{
  close(listener);
  close(own.control_fd);
  close(own.segment_fd);
  if (own.huge_fd >= 0) close(own.huge_fd);
}

static void *hand_out(void *why)
{
  *(const char **)why = pst_share_give(listener, &contact, &own, LOCAL, 20);
  return NULL;
}

/* Sends a stranger's `size` bytes; returns whether an answer came. */
static int is_answered(const void *bytes, size_t size)
{
  char answer[64];
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  CU_ASSERT_FATAL(fd >= 0 && first_connect(&contact, fd) == NULL);
  CU_ASSERT(size == 0 || send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size);
  if (size == 0) shutdown(fd, SHUT_WR);
  const ssize_t n = recv(fd, answer, sizeof answer, 0);
  close(fd);
  return n > 0;
}

static struct request right(uint32_t index)
{
  struct request k = {.index = index};
  memcpy(k.secret, contact.secret, sizeof k.secret);
  return k;
}

static void check_strangers(void)
{
  static const uint32_t wrong[] = {0, LOCAL, LOCAL + 1, PST_MAX_LOCAL, UINT32_MAX};
  const struct request k = right(1);
  for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const struct request w = right(wrong[i]);
    CU_ASSERT(!is_answered(&w, sizeof w));
  }
  CU_ASSERT(!is_answered(&k, 0) && !is_answered(&k, 1) && !is_answered(&k, sizeof k - 1));
  for (unsigned byte = 0; byte < sizeof k.secret; byte++) {
    struct request w = right(1);
    w.secret[byte] ^= 1;
    CU_ASSERT(!is_answered(&w, sizeof w));
  }
}

static void fetch(unsigned index, struct pst_hostmem *hm)
{
  CU_ASSERT_FATAL(pst_share_fetch(&contact, index, LOCAL, 5, hm) == NULL);
  CU_ASSERT(hm->state->magic == PST_JOBSTATE_MAGIC && hm->state->part.local == LOCAL);
  atomic_store(&hm->state->node[index].leaving, 0x5eed0000u + index);
  CU_ASSERT(atomic_load(&own.state->node[index].leaving) == 0x5eed0000u + index);
}

static void test_share(void)
{
  const char *why = "has not run";
  struct pst_hostmem hm[LOCAL];
  pthread_t t;
  make_own();
  CU_ASSERT_FATAL(pthread_create(&t, NULL, hand_out, &why) == 0);
  check_strangers();
  fetch(2, &hm[2]);
  CU_ASSERT(strstr(pst_share_fetch(&contact, 2, LOCAL, 5, &hm[0]), "refused") != NULL);
  check_strangers();
  fetch(1, &hm[1]);
  pthread_join(t, NULL);
  CU_ASSERT(why == NULL);
  close_own();
}

static void test_nobody_comes(void)
{
  make_own();
  CU_ASSERT(strstr(pst_share_give(listener, &contact, &own, LOCAL, 0.05), "process 1 of the 3") != NULL);
  CU_ASSERT(pst_share_give(listener, &contact, &own, 1, 0) == NULL);
  close_own();
  struct pst_hostmem hm;
  CU_ASSERT(strstr(pst_share_fetch(&contact, 1, LOCAL, 1, &hm), "cannot reach") != NULL);
}

/* ---- false first processes ---- */

struct liar {
  int file[20];
  unsigned files;
  int silent;
};

static void send_lie(int fd, const struct liar *l)
{
  union {
    char bytes[CMSG_SPACE(sizeof l->file)];
    struct cmsghdr align;
  } passed = {{0}};
  char byte = 0;
  struct iovec iov = {&byte, 1};
  struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
  if (l->files) {
    m.msg_control = passed.bytes;
    m.msg_controllen = CMSG_SPACE(l->files * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(l->files * sizeof(int));
    memcpy(CMSG_DATA(c), l->file, l->files * sizeof(int));
  }
  if (!l->silent) sendmsg(fd, &m, MSG_NOSIGNAL);
}

static void *lie(void *arg)
{
  struct request k;
  const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return NULL;
  if (recv(fd, &k, sizeof k, 0) > 0) send_lie(fd, arg);
  close(fd);
  return NULL;
}

static void try_liar(struct liar *l, const char *expected)
{
  struct pst_hostmem hm;
  pthread_t t;
  const unsigned before = open_files();
  CU_ASSERT_FATAL(pthread_create(&t, NULL, lie, l) == 0);
  const char *why = pst_share_fetch(&contact, 1, LOCAL, 5, &hm);
  pthread_join(t, NULL);
  CU_ASSERT(why && (!expected || strstr(why, expected)));
  CU_ASSERT(open_files() == before);
}

static void test_liars(void)
{
  struct liar l = {.silent = 1};
  make_own();
  try_liar(&l, "refused");
  l.silent = 0;
  try_liar(&l, "not handed out all files");
  for (unsigned i = 0; i < 20; i++) l.file[i] = STDIN_FILENO;
  l.files = 1;
  try_liar(&l, "not handed out all files");
  l.files = 2;
  try_liar(&l, NULL); /* useless files */
  l.files = 3;
  try_liar(&l, NULL);
  l.files = 20;
  try_liar(&l, "not handed out all files");
  close_own();
}

int main(void)
{
  const struct unit_test tests[] = {
      {"strangers and others", test_share}, {"nobody comes", test_nobody_comes}, {"liars", test_liars}};
  return RUN_SUITE("memory handed to the host's processes", tests);
}
