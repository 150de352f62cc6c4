/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Semaphores: a word in the memory of the thread that waits. Posts add to the word; the thread itself counts
 * how much it has taken. */
#include <stdlib.h>

#include "upc/upc.h"

/* A semaphore's pointer: the word's thread and place. */
enum { THREAD_SHIFT = 40 };
struct sem {
  struct sem *next;
  uint64_t word, taken;
};
static struct sem *mine;

static upc_sem_t *sem_pointer(upc_const_pts_t p)
{
  return (upc_sem_t *)(uintptr_t)((uint64_t)p.thread << THREAD_SHIFT | p.address);
}
static upc_pts_t sem_word(const char *call, const upc_sem_t *sem)
{
  const uint64_t n = (uintptr_t)sem, address = n & (((uint64_t)1 << THREAD_SHIFT) - 1);
  pst_upc_need_open(call);
  if (n >> THREAD_SHIFT >= (uint64_t)THREADS || address == 0 || address % 64 || address >= pst_upc.heap)
    pst_upc_fatal(call, "%p is no semaphore", (const void *)sem);
  return (upc_pts_t){address, (uint32_t)(n >> THREAD_SHIFT), 0};
}

/* The link that leads to it in this thread's list; other threads' semaphores are not there. */
static struct sem **sem_find(const char *call, const upc_sem_t *sem)
{
  const upc_pts_t w = sem_word(call, sem);
  struct sem **p = &mine;
  while (*p && (*p)->word != w.address) p = &(*p)->next;
  if (!*p || w.thread != (unsigned)MYTHREAD)
    pst_upc_fatal(
        call, "%p is not a semaphore of this thread; it is for thread %u", (const void *)sem, w.thread);
  return p;
}

static upc_pts_t word_take(void)
{
  pst_upc_need_open("upc_sem_alloc");
  return pst_upc_own_take("upc_sem_alloc", sizeof(uint64_t));
}

upc_sem_t *upc_sem_alloc(void)
{
  const upc_pts_t p = word_take();
  struct sem *s = malloc(sizeof *s);
  if (!s) pst_upc_fatal("upc_sem_alloc", "out of memory");
  *(volatile uint64_t *)pst_upc_here(p) = 0;
  *s = (struct sem){.next = mine, .word = p.address};
  mine = s;
  return sem_pointer(p);
}

void upc_sem_free(upc_sem_t *sem)
{
  struct sem **p, *s;
  if (!sem) return;
  p = sem_find("upc_sem_free", sem);
  s = *p;
  *p = s->next;
  free(s);
  pst_upc_own_give_back(sem_word("upc_sem_free", sem));
}

static gasnetx_notify_t sem_notification(upc_const_pts_t word, size_t n)
{
  return (gasnetx_notify_t){.kind = GASNETX_NOTIFY_ADD, .word = pst_upc_address(word), .value = n};
}

void upc_sem_post(upc_sem_t *sem, size_t n)
{
  const upc_pts_t w = sem_word("upc_sem_post", sem);
  const gasnetx_notify_t post = sem_notification(w, n);
  gasnetx_put_notify_bulk(w.thread, NULL, NULL, 0, &post);
}

void upc_sem_wait(upc_sem_t *sem, size_t n)
{
  struct sem *s = *sem_find("upc_sem_wait", sem);
  gasnetx_wait_until(pst_upc_here(sem_word("upc_sem_wait", sem)), GASNETX_GE, s->taken + n);
  s->taken += n;
}

int upc_sem_try(upc_sem_t *sem, size_t n)
{
  struct sem *s = *sem_find("upc_sem_try", sem);
  if (!gasnetx_test_until(pst_upc_here(sem_word("upc_sem_try", sem)), GASNETX_GE, s->taken + n, NULL))
    return 0;
  s->taken += n;
  return 1;
}

/* ---- puts that post ---- */

static upc_pts_t put_target(const char *call, upc_const_pts_t dst, size_t nbytes, const upc_sem_t *sem)
{
  const upc_pts_t w = sem_word(call, sem);
  pst_upc_check(call, dst, nbytes);
  if (w.thread != dst.thread)
    pst_upc_fatal(call, "the memory is of thread %u, the semaphore of thread %u", dst.thread, w.thread);
  return w;
}

void upc_memput_signal(upc_pts_t dst, const void *src, size_t nbytes, upc_sem_t *sem, size_t n)
{
  const gasnetx_notify_t post = sem_notification(put_target("upc_memput_signal", dst, nbytes, sem), n);
  GASP_BEGIN(UPC, GASP_UPC_MEMPUT, &dst, src, nbytes);
  gasnetx_put_notify_bulk(dst.thread, pst_upc_address(dst), (void *)(uintptr_t)src, nbytes, &post);
  GASP_FINISH(UPC, GASP_UPC_MEMPUT, &dst, src, nbytes);
}

upc_handle_t upc_memput_signal_async(upc_pts_t dst, const void *src, size_t nbytes, upc_sem_t *sem, size_t n)
{
  const gasnetx_notify_t post = sem_notification(put_target("upc_memput_signal_async", dst, nbytes, sem), n);
  upc_handle_t h;
  GASP_BEGIN(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, nbytes);
  h = (upc_handle_t)gasnetx_put_notify_nb_bulk(
      dst.thread, pst_upc_address(dst), (void *)(uintptr_t)src, nbytes, &post);
  GASP_FINISH(UPC, GASP_UPC_NB_PUT_INIT, 1, &dst, src, nbytes, h);
  return h;
}

PST_UPC_ALIAS(sem_alloc);
PST_UPC_ALIAS(sem_free);
PST_UPC_ALIAS(sem_post);
PST_UPC_ALIAS(sem_wait);
PST_UPC_ALIAS(sem_try);
PST_UPC_ALIAS(memput_signal);
PST_UPC_ALIAS(memput_signal_async);
