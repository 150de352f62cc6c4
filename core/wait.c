#include "core/wait.h"

#include <sched.h>

#include "core/job.h"

/* Steps without success after which a waiter begins to yield its core, then to sleep. */
static struct {
  unsigned spin, yield_every, block;
  int mode;
} policy = { 0, 1, ~0u, GASNET_WAIT_SPIN };
static unsigned processes = 1, cores = 1;

enum {
  EAGER = 128,
  SPIN_ALONE = 8192,      /* a core each: some 100 us before the first yield */
  SPIN_SHARED = 0,        /* the message that a waiter waits for comes from a process that needs this core */
  BLOCK_AFTER_YIELDS = 2000,
  SLEEP_FIRST = 1000, SLEEP_MOST = 16000 /* microseconds */
};

static void choose(int mode)
{
  const int shared = processes > cores;
  policy.mode = mode;
  policy.spin = shared ? SPIN_SHARED : SPIN_ALONE;
  policy.yield_every = shared ? 1 : 64;
  policy.block = mode == GASNET_WAIT_SPIN    ? ~0u
                 : mode == GASNET_WAIT_BLOCK ? 1
                                             : policy.spin + BLOCK_AFTER_YIELDS * policy.yield_every;
}

/* Where every process has a core, nobody else is served by sleeping. */
void pst_wait_open(unsigned nprocesses, unsigned ncores)
{
  processes = nprocesses;
  cores = ncores;
  choose(processes > cores ? GASNET_WAIT_SPINBLOCK : GASNET_WAIT_SPIN);
}

int gasnet_set_waitmode(int wait_mode)
{
  if (wait_mode < GASNET_WAIT_SPIN || wait_mode > GASNET_WAIT_SPINBLOCK) return GASNET_ERR_BAD_ARG;
  choose(wait_mode);
  return GASNET_OK;
}

/* The first looks follow each other at once: a message that is on its way comes within some 100 ns, and the
 * pause instruction alone costs up to 40 on some processors. */
static void relax(unsigned idle)
{
  if (idle < EAGER) return;
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

void pst_wait_pause(struct pst_wait *w)
{
  w->idle++;
  if (w->idle > policy.spin && w->idle % policy.yield_every == 0) sched_yield();
  else relax(w->idle);
}

/* Each sleep without success is longer, so that many idle processes cost little. */
static void sleep_a_while(struct pst_wait *w, int barrier)
{
  const unsigned sleeps = w->idle++ - policy.block;
  const unsigned us = sleeps < 16 ? SLEEP_FIRST + sleeps * SLEEP_FIRST : SLEEP_MOST;
  if (w->idle == 0) w->idle = policy.block;
  pst_job.conduit->block(us, barrier);
}

static inline void step(struct pst_wait *w, int barrier)
{
  if (pst_poll()) w->idle = 0;
  else if (w->idle >= policy.block) sleep_a_while(w, barrier);
  else pst_wait_pause(w);
}

void pst_wait_step(struct pst_wait *w) { step(w, 0); }
void pst_wait_barrier(struct pst_wait *w) { step(w, 1); }

void pst_wait_replies(struct pst_wait *w)
{
  if (pst_job.conduit->poll_replies()) w->idle = 0;
  else pst_wait_pause(w);
}

int gasnet_AMPoll(void)
{
  pst_poll();
  return GASNET_OK;
}
