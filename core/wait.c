/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "core/wait.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/amcheck.h"
#include "core/job.h"
#include "support/yield.h"

/* After how many steps without success a waiter begins to yield its core, and to sleep. */
static struct {
  _Atomic unsigned spin, yield_every, block;
} policy = {0, 1, ~0u};

static inline unsigned setting_get(_Atomic unsigned *setting)
{
  return atomic_load_explicit(setting, memory_order_relaxed);
}
static void setting_set(_Atomic unsigned *setting, unsigned value)
{
  atomic_store_explicit(setting, value, memory_order_relaxed);
}

/* What the policy follows from. `threads` counts the living ones that have waited; under GASNET_PAR there may
 * be several. A thread that changes one of these holds the lock until it has changed the policy, too. */
static struct {
  pthread_mutex_t lock;
  unsigned processes, cores, threads;
  int mode;
} ground = {PTHREAD_MUTEX_INITIALIZER, 1, 1, 0, -1};

enum {
  EAGER = 64,
  SPIN_ALONE = 1024, /* a core each: some 100 us before the first yield */
  SPIN_SHARED = 0,   /* what a waiter waits for comes from a process that needs this core */
  YIELD_ALONE = 64,  /* a yield costs as much as several looks, and no other process wants the core */
  BLOCK_SHARED = 2000,
  BLOCK_ALONE = 16000, /* steps from the first yield to the first sleep */
  SLEEP_FIRST = 1000,
  SLEEP_MOST = 16000,  /* microseconds */
  SLEEP_NETWORK = 200, /* where the network wakes no sleeper, or another thread may serve what it wakes for */
  SLEEP_WOKEN = 4000   /* where it wakes one: libraries have timers, and only looks find lost peers */
};

enum { LOOKS_ALONE = 4 };
static unsigned looks_at_network = 1; /* in a step, after the first */

/* The limits above count steps of two looks. A step may have more looks here: this is how many such steps
 * have as many looks. */
static unsigned of_looks(unsigned steps) { return 2 * steps / (1 + looks_at_network); }

/* Under the lock. Where each thread has a core of its own, a sleep gives no other thread anything. */
static void policy_choose(void)
{
  const unsigned threads = ground.threads ? ground.threads : 1;
  const int shared = (uint64_t)ground.processes * threads > ground.cores;
  const int mode = ground.mode >= 0 ? ground.mode : shared ? GASNET_WAIT_SPINBLOCK : GASNET_WAIT_SPIN;
  const unsigned spin = shared ? SPIN_SHARED : of_looks(SPIN_ALONE),
                 block = spin + (shared ? BLOCK_SHARED : of_looks(BLOCK_ALONE));
  setting_set(&policy.spin, spin);
  setting_set(&policy.yield_every, shared ? 1 : of_looks(YIELD_ALONE));
  setting_set(&policy.block, mode == GASNET_WAIT_SPIN ? ~0u : mode == GASNET_WAIT_BLOCK ? 1 : block);
}

void pst_wait_open(unsigned processes, unsigned cores, unsigned near)
{
  if (near == 1) looks_at_network = LOOKS_ALONE;
  pthread_mutex_lock(&ground.lock);
  ground.processes = processes;
  ground.cores = cores;
  policy_choose();
  pthread_mutex_unlock(&ground.lock);
}

int gasnet_set_waitmode(int wait_mode)
{
  if (wait_mode < GASNET_WAIT_SPIN || wait_mode > GASNET_WAIT_SPINBLOCK) return GASNET_ERR_BAD_ARG;
  pthread_mutex_lock(&ground.lock);
  ground.mode = wait_mode;
  policy_choose();
  pthread_mutex_unlock(&ground.lock);
  return GASNET_OK;
}

static _Thread_local int counted;

static void add_threads(int change)
{
  pthread_mutex_lock(&ground.lock);
  ground.threads += (unsigned)change;
  policy_choose();
  pthread_mutex_unlock(&ground.lock);
}

/* A thread that ends no longer counts: else threads that come and go would make the others yield for good. */
static pthread_key_t counted_key;
static void uncount_thread(void *unused)
{
  (void)unused;
  add_threads(-1);
}
static void make_key(void)
{
  if (pthread_key_create(&counted_key, uncount_thread) != 0)
    pst_fatal("no thread keys left; the library needs one");
}

static void count_thread(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  counted = 1;
  pthread_once(&once, make_key);
  pthread_setspecific(counted_key, &counted);
  add_threads(1);
}

enum { LOOKS = 8 };

/* In a job with a network, looks at the network take the place of the pause between two looks at shared
 * memory. A thread that has waited for longer waits for another core, and each look takes the cache line from
 * the core that writes it: that made a round trip through UCX's queues a tenth to a fifth slower. Hence
 * pauses before these looks; nothing else keeps the processor from reading ahead. */
static int linger(unsigned idle, int barrier)
{
  enum { AT_ONCE = 4, PAUSES = 3 };
  int n = 0;
  if (!pst_job.network) return pst_job.host->linger(LOOKS, barrier);
  for (unsigned i = looks_at_network; i > 0 && n == 0; i--) {
    for (int p = idle > AT_ONCE ? PAUSES : 0; p > 0; p--) pst_spin_pause();
    n = pst_job.network->poll();
  }
  return n;
}

static int look_at(const struct pst_watch *watch)
{
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load_explicit(watch->word, memory_order_relaxed) != watch->seen) break;
    pst_spin_pause();
  }
  return 0;
}

static inline int is_time_to_yield(const struct pst_wait *w)
{
  return w->idle > setting_get(&policy.spin) && w->idle % setting_get(&policy.yield_every) == 0;
}

/* Looks for a short time where no other process needs the core, else gives the core away. Returns how many
 * messages were delivered. */
static inline int pause_a_while(struct pst_wait *w, int barrier, const struct pst_watch *watch)
{
  w->idle++;
  if (!is_time_to_yield(w)) return watch ? look_at(watch) : linger(w->idle, barrier);
  pst_yield();
  return 0;
}

/* Each sleep without success is longer, so that many idle processes cost little. Processes that must look
 * at a network sleep for so long that all their looks together take no more of a core than those of one
 * would. */
static unsigned sleep_length(unsigned sleeps, int woken)
{
  const unsigned turns = ground.processes > ground.cores ? ground.processes / ground.cores : 1,
                 look = turns * SLEEP_NETWORK;
  if (!pst_job.network) return sleeps < SLEEP_MOST / SLEEP_FIRST ? SLEEP_FIRST * (sleeps + 1) : SLEEP_MOST;
  return woken && !pst_job.par && look < SLEEP_WOKEN ? SLEEP_WOKEN : look;
}

int (*pst_wait_find_watch)(struct pst_watch *watch);

static _Atomic uint64_t told; /* what is done is stored before the count of it (release) */

void pst_wait_tell(void)
{
  atomic_fetch_add_explicit(&told, 1, memory_order_release);
  pst_job.host->ring(pst_mynode);
}

/* Another thread may have served a message since the caller looked at its condition, or told of something
 * else, which may have made the condition true: then the caller must look again instead of sleeping. A caller
 * that the network has woken must look again, too: it serves the puts and gets of other nodes, and there is
 * seldom only one. */
static void sleep_a_while(struct pst_wait *w, int barrier, const struct pst_watch *watch)
{
  struct pst_watch word;
  const int found = watch || !pst_wait_find_watch ? 0 : pst_wait_find_watch(&word);
  const struct pst_conduit *network = pst_job.network;
  const uint64_t seen = atomic_load_explicit(&told, memory_order_acquire);
  const unsigned here = pst_job.conduit->served(),
                 served = (unsigned)seen + here + (network ? network->served() : 0);
  if (served != w->seen) {
    w->seen = served;
    return;
  }
  if (found < 0) {
    pst_yield();
    return;
  }
  const struct pst_watch all = {&told, seen, found > 0 ? &word : watch};
  const int fd = network && network->net->arm ? network->net->arm() : PST_ERR_UNSUPPORTED;
  if (fd == PST_ERR_AGAIN) pst_yield(); /* to a thread that may be about to deliver it */
  else if (pst_job.host->block(
               sleep_length(w->idle++ - setting_get(&policy.block), fd >= 0), barrier, here, &all, fd))
    w->idle = 0;
}

_Thread_local unsigned pst_wait_unsent __attribute__((tls_model("initial-exec")));
void (*pst_wait_send)(void);
_Atomic pst_send_old_fn pst_wait_send_old, pst_wait_advance_behind;

static inline void wait_step(struct pst_wait *w, int barrier, const struct pst_watch *watch)
{
  pst_wait_offer();
  if (pst_job.par && __builtin_expect(!counted, 0)) count_thread();
  if (pst_poll()) w->idle = 0;
  else if (w->idle >= setting_get(&policy.block) && w->idle != ~0u) sleep_a_while(w, barrier, watch);
  else if (pause_a_while(w, barrier, watch)) w->idle = 0;
}

PST_HOT unsigned pst_wait_eager(void) { return setting_get(&policy.spin) ? EAGER : 0; }

/* Clients come here by GASNET_BLOCKUNTIL, the library by calls that are checked already. */
PST_HOT void pst_wait_step(struct pst_wait *w)
{
  pst_amcheck_client("GASNET_BLOCKUNTIL");
  wait_step(w, 0, NULL);
}
PST_HOT void pst_wait_barrier(struct pst_wait *w) { wait_step(w, 1, NULL); }
PST_HOT void pst_wait_word(struct pst_wait *w, const struct pst_watch *watch) { wait_step(w, 0, watch); }

void pst_wait_room(struct pst_wait *w)
{
  if (pst_poll()) w->idle = 0;
  else pause_a_while(w, 0, NULL);
}

/* Inside a handler: no other request may run. */
void pst_wait_replies(struct pst_wait *w)
{
  w->idle++;
  if (pst_poll_replies()) w->idle = 0;
  else if (is_time_to_yield(w)) pst_yield();
  else pst_spin_pause();
}

/* For programs that poll in loops of their own, and that do not know whether other processes need the
 * core. */
void pst_wait_poll(void)
{
  enum { IN_VAIN = 32 };
  static _Thread_local unsigned in_vain;
  pst_wait_offer();
  if (pst_poll()) in_vain = 0;
  else if (setting_get(&policy.spin) == SPIN_SHARED && ++in_vain % IN_VAIN == 0) pst_yield();
}

int gasnet_AMPoll(void)
{
  pst_amcheck_client("gasnet_AMPoll");
  pst_wait_poll();
  return GASNET_OK;
}
