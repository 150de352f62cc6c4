/* Sleeping until a message comes.
 *
 * A sleeper announces itself in `sleepers`, looks once more for work, and sleeps on its doorbell. A sender stores its
 * message, then loads `sleepers`. One of the two must see the other, which needs a full fence on both sides between
 * the store and the load. While nobody sleeps in a job, senders shall not pay for that: they look at `fences` between
 * the two, and fence only when it is set. Before its first sleep a process sets it for every node and runs
 * membarrier, which puts a fence into every process that is running just then: a sender that has read 0 had stored its message
 * before that fence, so the sleeper sees the message; one that reads later reads 1. membarrier interrupts every
 * core, hence once a process and not once a sleep. Where the kernel has none, `fences` is set from the start.
 *
 * A thread that serves a message for another one of its process does the same with `taken` in place of the message, and
 * one that stores a word and rings does so with the word: a sleeper that was given a `watch` looks at its word after the
 * announcement. Either the ringer sees the announcement, or the sleeper sees that the word is no longer what it was.
 *
 * The doorbell is read before the announcement: a ring after that changes it, and the futex call returns at once.
 * The time limit is not for lost wakes: it is for conditions that neither a message nor a ring makes
 * true, such as a word which a peer's plain put changes. */
#include <linux/membarrier.h>

#include "conduits/smp/smp.h"
#include "support/futex.h"
#include "support/yield.h"

static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

static _Atomic int everybody_fences;

static void ask_for_fences(void)
{
  for (unsigned i = 0; i < pst_smp.nodes; i++)
    atomic_store_explicit(&pst_smp.shared->node[i].fences, 1, memory_order_relaxed);
  atomic_store_explicit(&pst_smp.shared->fences, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
}

/* Collective: no message is sent before all have returned. */
void pst_smp_sleep_open(void)
{
  if (membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0) {
    ask_for_fences();
    everybody_fences = 1;
  }
}

static void before_first_sleep(void)
{
  ask_for_fences();
  membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
  atomic_store_explicit(&everybody_fences, 1, memory_order_release);
}

unsigned pst_smp_served(void)
{
  unsigned n = 0;
  for (int i = 0; i < PST_SMP_QUEUES; i++) n += (unsigned)atomic_load_explicit(&pst_smp.inbox[i].taken, memory_order_acquire);
  return n;
}

static int work_waits(int barrier, unsigned served, const struct pst_watch *watch)
{
  if (watch && atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) return 1;
  if (pst_smp_served() != served) return 1;
  if (pst_smp_arrived()) return 1;
  return barrier && pst_smp_barrier_peek();
}

void pst_smp_block(unsigned microseconds, int barrier, unsigned served, const struct pst_watch *watch)
{
  struct pst_smp_node *self = pst_smp.self;
  uint32_t bell;
  if (!atomic_load_explicit(&everybody_fences, memory_order_acquire)) before_first_sleep();
  bell = atomic_load_explicit(&self->doorbell, memory_order_acquire);
  atomic_fetch_add_explicit(&self->sleepers, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&pst_smp.shared->sleepers, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (!work_waits(barrier, served, watch)) pst_futex_wait_shared(&self->doorbell, bell, (long)microseconds * 1000);
  else pst_yield(); /* another thread may be serving it and need this core */
  atomic_fetch_sub_explicit(&pst_smp.shared->sleepers, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&self->sleepers, 1, memory_order_relaxed);
}

void pst_smp_ring(struct pst_smp_node *node)
{
  atomic_fetch_add_explicit(&node->doorbell, 1, memory_order_release);
  pst_futex_wake_shared(&node->doorbell);
}

/* After a store that all nodes wait for. */
PST_HOT void pst_smp_ring_all(void)
{
  pst_smp_fence_if(&pst_smp.shared->fences);
  if (atomic_load_explicit(&pst_smp.shared->sleepers, memory_order_relaxed) == 0) return;
  for (unsigned i = 0; i < pst_smp.nodes; i++) pst_smp_notify(&pst_smp.shared->node[i]);
}

void pst_smp_ring_node(gasnet_node_t node) { pst_smp_notify(&pst_smp.shared->node[node - pst_smp.first]); }
