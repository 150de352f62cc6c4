/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Sleeping until a message comes.
 *
 * A sleeper announces itself in `sleepers`, looks once more for work, and sleeps on its doorbell. A sender
 * stores its message, then loads `sleepers`. One of the two must see the other, which needs a full fence on
 * both sides between the store and the load. While no process of a job sleeps, senders are not to pay for
 * that: they look at `fences` between the two, and fence only when it is set. Before the first sleep of the
 * job a process sets it to ASKED and runs membarrier, which puts a fence into every process that is running
 * just then: a sender that has read 0 had stored its message before that fence, so everybody sees the message
 * from then on; one that reads later reads ASKED or more. Only then does `fences` become ON (release), and
 * only a process that has read ON (acquire) sleeps. membarrier interrupts every core, hence once a job and
 * not once a sleep. Several processes that find less than ON at once all run it, which does no harm. Where
 * the kernel has none, `fences` is ON from the start.
 *
 * There is one `fences` for the host: with one for each process, every process would write to the memory of
 * every other one.
 *
 * A thread that serves a message for another one of its process does the same with `taken` in place of the
 * message, and one that stores a word and rings does so with the word: a sleeper that was given a `watch`
 * looks at its words after the announcement. Either the ringer sees the announcement, or the sleeper sees
 * that the word is no longer what it was.
 *
 * The doorbell is read before the announcement: a ring after that changes it, and the futex call returns at
 * once.
 *
 * In a job with a network a sleeper also waits for the network's descriptor, and no system call waits for a
 * futex and a descriptor. In such a job each process's doorbell is a socket, whose address the kernel has
 * chosen and the neighbours know. A ring is a datagram. It stays until the sleeper takes it after the sleep,
 * and then looks for work. Its contents mean nothing: a datagram from a stranger wakes the sleeper in vain.
 * The time limit is not for lost wakes: it is for conditions that neither a message nor a ring makes true,
 * such as a word which a peer's plain put changes. */
#include <errno.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <stddef.h>

#include "conduits/smp/smp.h"
#include "support/futex.h"
#include "support/yield.h"

static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

enum { ASKED = 1, ON };

/* The kernel chooses a name that is not a file's: unix(7), autobind. */
static int open_bell(void)
{
  struct pst_smp_node *self = pst_smp.self;
  const struct sockaddr unnamed = {.sa_family = AF_UNIX};
  socklen_t size = sizeof self->bell;
  pst_smp.bell = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (pst_smp.bell < 0 || bind(pst_smp.bell, &unnamed, sizeof unnamed.sa_family) != 0 ||
      getsockname(pst_smp.bell, (struct sockaddr *)&self->bell, &size) != 0) {
    pst_warn("cannot make the socket that wakes a sleeper: %m%s", errno == EMFILE ? "; raise ulimit -n" : "");
    return PST_ERR_SYSTEM;
  }
  self->bell_size = size;
  return PST_OK;
}

/* Collective: no message is sent before all have returned. */
int pst_smp_sleep_open(int networked)
{
  if (membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0)
    atomic_store_explicit(&pst_smp.shared->fences, ON, memory_order_release);
  pst_smp.bell = -1;
  return networked ? open_bell() : PST_OK;
}

static void before_first_sleep(void)
{
  uint32_t nobody = 0;
  atomic_compare_exchange_strong(&pst_smp.shared->fences, &nobody, ASKED);
  atomic_thread_fence(memory_order_seq_cst);
  if (membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0)
    pst_fatal("membarrier, which the kernel has promised, fails: %m; senders might not see who sleeps");
  atomic_store_explicit(&pst_smp.shared->fences, ON, memory_order_release);
}

unsigned pst_smp_served(void)
{
  unsigned n = 0;
  for (int i = 0; i < PST_SMP_QUEUES; i++)
    n += (unsigned)atomic_load_explicit(&pst_smp.inbox[i].taken, memory_order_acquire);
  return n;
}

static int work_waits(int barrier, unsigned served, const struct pst_watch *watch)
{
  for (; watch; watch = watch->next)
    if (atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) return 1;
  if (pst_smp_served() != served) return 1;
  if (pst_smp_arrived()) return 1;
  return barrier && pst_smp_barrier_peek();
}

/* 1: the descriptor is readable. */
static int sleep_by_socket(unsigned microseconds, int descriptor)
{
  struct pollfd p[] = {{.fd = pst_smp.bell, .events = POLLIN},
      {.fd = descriptor, .events = POLLIN}}; /* ppoll ignores a descriptor less than 0 */
  const struct timespec most = {microseconds / 1000000, microseconds % 1000000 * 1000L};
  enum { RINGS = 64 }; /* more than a socket holds; bounded, for a stranger may send without end */
  char ring;
  if (ppoll(p, 2, &most, NULL) <= 0) return 0;
  for (int i = 0; i < RINGS && p[0].revents && recv(pst_smp.bell, &ring, sizeof ring, 0) >= 0; i++) {}
  return p[1].revents != 0;
}

int pst_smp_block(
    unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch, int descriptor)
{
  struct pst_smp_node *self = pst_smp.self;
  int readable = 0;
  uint32_t bell;
  if (atomic_load_explicit(&pst_smp.shared->fences, memory_order_acquire) != ON) before_first_sleep();
  bell = atomic_load_explicit(&self->doorbell, memory_order_acquire);
  atomic_fetch_add_explicit(&self->sleepers, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&pst_smp.shared->sleepers, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (work_waits(barrier, served, watch))
    pst_yield(); /* another thread may be serving it and need this core */
  else if (pst_smp.bell >= 0) readable = sleep_by_socket(microseconds, descriptor);
  else pst_futex_wait_shared(&self->doorbell, bell, (long)microseconds * 1000);
  atomic_fetch_sub_explicit(&pst_smp.shared->sleepers, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&self->sleepers, 1, memory_order_relaxed);
  return readable;
}

/* A socket that is full is readable, and one datagram is enough: a failure to send does no harm. */
void pst_smp_ring(struct pst_smp_node *node)
{
  atomic_fetch_add_explicit(&node->doorbell, 1, memory_order_release);
  if (node->bell_size)
    sendto(pst_smp.bell, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&node->bell,
        node->bell_size);
  else pst_futex_wake_shared(&node->doorbell);
}

PST_HOT int pst_smp_somebody_sleeps(void)
{
  pst_smp_fence_if_asked();
  return atomic_load_explicit(&pst_smp.shared->sleepers, memory_order_relaxed) != 0;
}

/* After a store that all nodes wait for. */
PST_HOT void pst_smp_ring_all(void)
{
  if (!pst_smp_somebody_sleeps()) return;
  for (unsigned i = 0; i < pst_smp.nodes; i++) pst_smp_notify(&pst_smp.shared->node[i]);
}

void pst_smp_ring_node(gasnet_node_t node) { pst_smp_notify(&pst_smp.shared->node[node - pst_smp.first]); }
