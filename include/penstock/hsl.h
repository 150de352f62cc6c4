/* Handler-safe locks: may be taken in handlers and in client code. GASNet specification 1.8, "Handler-safe locks". */
#ifndef PENSTOCK_HSL_H
#define PENSTOCK_HSL_H
#ifdef __cplusplus
extern "C" {
#endif

/* state: 0 free, 1 held, 2 held and somebody sleeps on it. The owner is kept by debug builds alone. */
typedef struct { int32_t pst_state; uint32_t pst_owner; } gasnet_hsl_t;
#define GASNET_HSL_INITIALIZER { 0, 0 }

void pst_hsl_lock(gasnet_hsl_t *hsl);
int pst_hsl_trylock(gasnet_hsl_t *hsl);
void pst_hsl_unlock(gasnet_hsl_t *hsl);
void pst_hsl_destroy(gasnet_hsl_t *hsl);

static inline void gasnet_hsl_init(gasnet_hsl_t *hsl)
{
  hsl->pst_state = 0;
  hsl->pst_owner = 0;
}

static inline void gasnet_hsl_destroy(gasnet_hsl_t *hsl) { pst_hsl_destroy(hsl); }

/* Handlers run inside the polls of client threads. With one thread nobody can poll while the lock is
 * held, so there is nothing to exclude, and the lock costs nothing. */
#if defined(GASNET_SEQ) && !defined(GASNET_DEBUG)
static inline void gasnet_hsl_lock(gasnet_hsl_t *hsl) { (void)hsl; }
static inline int gasnet_hsl_trylock(gasnet_hsl_t *hsl) { (void)hsl; return GASNET_OK; }
static inline void gasnet_hsl_unlock(gasnet_hsl_t *hsl) { (void)hsl; }
#else
static inline void gasnet_hsl_lock(gasnet_hsl_t *hsl) { pst_hsl_lock(hsl); }
/* GASNET_OK when the caller now holds the lock, else GASNET_ERR_NOT_READY. */
static inline int gasnet_hsl_trylock(gasnet_hsl_t *hsl) { return pst_hsl_trylock(hsl); }
static inline void gasnet_hsl_unlock(gasnet_hsl_t *hsl) { pst_hsl_unlock(hsl); }
#endif

/* Handlers never interrupt a thread here: they run when it polls. Must pair (checked by debug builds). */
void gasnet_hold_interrupts(void);
void gasnet_resume_interrupts(void);

#ifdef __cplusplus
}
#endif
#endif
