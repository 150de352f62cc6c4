#include "conduits/net/call.h"

#include <signal.h>
#include <time.h>

/* How deep this thread is in: a library's call never leads to another, but a signal handler's may. */
static _Thread_local volatile sig_atomic_t depth;
static _Atomic unsigned under_way; /* of all threads; counted where there may be several */
static _Atomic int stopped;

/* Whether this is one of the calls that fail: about one in `room`, by chance, so that no pattern of calls fails for ever. */
static int is_refused(unsigned room)
{
  static _Atomic uint64_t calls;
  uint64_t x = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + ((uint64_t)pst_net.node << 32);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (x ^ (x >> 31)) % room == 0;
}

/* Counting comes before the look, as stopping comes before the look at the count: one of the two sees the other. */
static int enter(void)
{
  if (!pst_net.par) return !atomic_load_explicit(&stopped, memory_order_relaxed);
  atomic_fetch_add(&under_way, 1);
  if (!atomic_load(&stopped)) return 1;
  atomic_fetch_sub(&under_way, 1);
  return 0;
}

int pst_net_call_begin(void)
{
  if (!enter()) return 0;
  depth++;
  atomic_signal_fence(memory_order_seq_cst);
  return 1;
}

int pst_net_call_try(void)
{
  if (__builtin_expect(pst_net.refused != 0, 0) && is_refused(pst_net.refused)) return 0;
  return pst_net_call_begin();
}

static struct { void (*volatile end)(int sig); volatile sig_atomic_t sig; } asked;

void pst_net_call_end(void)
{
  atomic_signal_fence(memory_order_seq_cst);
  depth--;
  if (pst_net.par) atomic_fetch_sub_explicit(&under_way, 1, memory_order_release);
  if (__builtin_expect(asked.end != NULL, 0) && depth == 0) asked.end(asked.sig);
}

int pst_net_call_interrupted(void) { return depth != 0; }

int pst_net_call_defer(void (*end)(int sig), int sig)
{
  if (!depth) return 0;
  asked.sig = sig;
  asked.end = end;
  return 1;
}

int pst_net_call_deferred(void) { return asked.end != NULL; }

int pst_net_call_stop(double seconds)
{
  const struct timespec step = { .tv_nsec = 1000000 };
  if (depth) return 0;
  atomic_store(&stopped, 1);
  for (int i = 0; atomic_load(&under_way); i++) {
    if (i >= (int)(seconds * 1000)) return 0;
    nanosleep(&step, NULL);
  }
  return 1;
}
