/* Handler-safe locks: a futex word with the states of penstock/hsl.h. Acquire on taking, release on giving back. */
#include "core/hsl.h"

#include "core/amcheck.h"
#include "core/job.h"
#include "core/trace.h"
#include "support/futex.h"

enum { FREE, HELD, CONTENDED };

static _Thread_local struct {
  int held;       /* locks; counted by debug builds alone */
  int interrupts; /* gasnet_hold_interrupts without its resume */
} self;
static _Atomic uint32_t last_owner;
static _Thread_local uint32_t owner_id; /* 0 until this thread takes its first lock */

static _Atomic uint32_t *word(gasnet_hsl_t *hsl) { return (_Atomic uint32_t *)(void *)&hsl->pst_state; }

int pst_hsl_held(void) { return self.held; }

static uint32_t me(void)
{
  if (!owner_id) owner_id = atomic_fetch_add_explicit(&last_owner, 1, memory_order_relaxed) + 1;
  return owner_id;
}

static void check_lock(const char *call, const gasnet_hsl_t *hsl)
{
  if (hsl->pst_state != FREE && hsl->pst_owner == me()) pst_fatal("%s: this thread holds the lock already", call);
}

static void took(gasnet_hsl_t *hsl)
{
  if (!PST_DEBUG) return;
  hsl->pst_owner = me();
  self.held++;
}

/* Handlers are short and lock holders do not communicate: spin a little, then sleep. */
static void lock_slow(_Atomic uint32_t *w)
{
  enum { SPINS = 100 };
  for (int i = 0; i < SPINS; i++) {
    uint32_t free = FREE;
    if (atomic_compare_exchange_weak_explicit(w, &free, HELD, memory_order_acquire, memory_order_relaxed)) return;
  }
  while (atomic_exchange_explicit(w, CONTENDED, memory_order_acquire) != FREE)
    pst_futex_wait(w, CONTENDED, -1, FUTEX_PRIVATE_FLAG);
}

void pst_hsl_lock(gasnet_hsl_t *hsl)
{
  uint32_t free = FREE;
  if (PST_DEBUG) check_lock("gasnet_hsl_lock", hsl);
  PST_TRACE('L', "HSL_LOCK", -1, 0);
  if (!atomic_compare_exchange_strong_explicit(word(hsl), &free, HELD, memory_order_acquire, memory_order_relaxed))
    lock_slow(word(hsl));
  took(hsl);
}

int pst_hsl_trylock(gasnet_hsl_t *hsl)
{
  uint32_t free = FREE;
  if (PST_DEBUG) check_lock("gasnet_hsl_trylock", hsl);
  PST_TRACE('L', "HSL_TRYLOCK", -1, 0);
  if (!atomic_compare_exchange_strong_explicit(word(hsl), &free, HELD, memory_order_acquire, memory_order_relaxed))
    return GASNET_ERR_NOT_READY;
  took(hsl);
  return GASNET_OK;
}

static void check_unlock(gasnet_hsl_t *hsl)
{
  if (hsl->pst_state == FREE) pst_fatal("gasnet_hsl_unlock: the lock is not held");
  if (hsl->pst_owner != me()) pst_fatal("gasnet_hsl_unlock: another thread holds the lock");
  hsl->pst_owner = 0;
  self.held--;
}

void pst_hsl_unlock(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG) check_unlock(hsl);
  PST_TRACE('L', "HSL_UNLOCK", -1, 0);
  if (atomic_exchange_explicit(word(hsl), FREE, memory_order_release) == CONTENDED)
    pst_futex_wake(word(hsl), 1, FUTEX_PRIVATE_FLAG);
}

void pst_hsl_destroy(gasnet_hsl_t *hsl)
{
  if (PST_DEBUG && hsl->pst_state != FREE) pst_fatal("gasnet_hsl_destroy: the lock is held");
}

void gasnet_hold_interrupts(void)
{
  if (PST_DEBUG && self.interrupts) pst_fatal("gasnet_hold_interrupts: they are held already; the calls do not nest");
  self.interrupts++;
}

void gasnet_resume_interrupts(void)
{
  if (PST_DEBUG && !self.interrupts) pst_fatal("gasnet_resume_interrupts without gasnet_hold_interrupts");
  self.interrupts--;
}
