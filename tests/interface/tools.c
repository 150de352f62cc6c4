/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every name of the tools interface: alone (TOOLS_ALONE), or after gasnet.h. */
#ifndef TOOLS_ALONE
#include <gasnet.h>
#endif
#include <gasnet_tools.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#if GASNETT_PAGESIZE < 4096 || (1 << GASNETT_PAGESHIFT) != GASNETT_PAGESIZE || \
    GASNETT_CACHE_LINE_BYTES < 16 || GASNETT_MAX_THREADS < 1
#error "constants for #if"
#endif
#if GASNETT_SPEC_VERSION_MAJOR < 1 || GASNETT_SPEC_VERSION_MINOR < 0 || GASNETT_RELEASE_VERSION_MAJOR < 1 || \
    GASNETT_RELEASE_VERSION_MINOR < 0 || GASNETT_RELEASE_VERSION_PATCH < 0
#error "versions"
#endif
#if !defined(GASNETT_HAVE_ATOMIC_CAS) || !defined(GASNETT_HAVE_ATOMIC_ADD_SUB) || \
    !defined(GASNETT_HAVE_STRONGATOMIC_CAS) || !defined(GASNETT_HAVE_STRONGATOMIC_ADD_SUB)
#error "which atomics there are"
#endif

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)
static const char strings[] = GASNETT_CONFIG_STRING GASNETT_SYSTEM_TUPLE GASNETT_CONFIGURE_ARGS TEXT(
    GASNETT_THREAD_MODEL) TEXT(GASNETT_TIMER_CONFIG) TEXT(GASNETT_MEMBAR_CONFIG) TEXT(GASNETT_ATOMIC_CONFIG)
    TEXT(GASNETT_ATOMIC32_CONFIG) TEXT(GASNETT_ATOMIC64_CONFIG) TEXT(GASNETT_PTR_CONFIG)
        TEXT(GASNETT_DEBUG_CONFIG);

/* ---- attributes ---- */
GASNETT_BEGIN_EXTERNC
extern int declared_in_c(int) GASNETT_CONST;
int declared_in_c(int x) { return x; }
GASNETT_END_EXTERNC
GASNETT_EXTERNC int also_in_c(void);
int also_in_c(void) { return 0; }
GASNETT_IDENT(ident_of_this, "$interface: test $");
GASNETT_INLINE(one) int one(void) { return 1; }
GASNETT_ALWAYS_INLINE(two) int two(void) { return 2; }
GASNETT_PLEASE_INLINE(three) int three(void) { return 3; }
GASNETT_NEVER_INLINE(four, static int four(void)) { return 4; }
static int used GASNETT_USED, unused GASNETT_UNUSED;
static void ends(void) GASNETT_NORETURN;
static void ends(void) { exit(0); }
GASNETT_NORETURNP(ends)
static void *makes(size_t n) GASNETT_MALLOC GASNETT_WARN_UNUSED_RESULT;
static void *makes(size_t n) { return malloc(n); }
GASNETT_MALLOCP(makes)
static int pure(int x) GASNETT_PURE;
static int pure(int x) { return x; }
GASNETT_PUREP(pure)
GASNETT_CONSTP(pure)
static int often(void) GASNETT_HOT;
static int often(void) { return 0; }
static int seldom(void) GASNETT_COLD;
static int seldom(void) { return 0; }
static int old(void) GASNETT_DEPRECATED GASNETT_UNUSED;
static int old(void) { return 0; }
GASNETT_FORMAT_PRINTF(say, 1, 2, static void say(const char *fmt, ...));
static void say(const char *fmt, ...) { (void)fmt; }
GASNETT_FORMAT_PRINTF_FUNCPTR(sayer, 1, 2, static void (*sayer)(const char *fmt, ...));
#ifndef __cplusplus
GASNETT_TENTATIVE_EXTERN int tentative;
#endif

int use_attributes(int *GASNETT_RESTRICT p);
int use_attributes(int *GASNETT_RESTRICT p)
{
  void *m = makes(1);
  free(m);
  sayer = say;
  sayer("%d", 1);
  if (GASNETT_PREDICT_FALSE(!p)) ends();
  if (GASNETT_PREDICT_TRUE(p != NULL)) puts(GASNETT_CURRENT_FUNCTION);
  return one() + two() + three() + four() + used + pure(1) + often() + seldom() + gasnett_constant_p(3) +
      declared_in_c(1) + also_in_c();
}

/* ---- timers, fences ---- */
double use_timers(void);
double use_timers(void)
{
  gasnett_tick_t t = gasnett_ticks_now();
  if (t == GASNETT_TICK_MIN || t == GASNETT_TICK_MAX) t++;
  gasnett_local_wmb();
  gasnett_local_rmb();
  gasnett_local_mb();
  gasnett_weak_wmb();
  gasnett_weak_rmb();
  gasnett_weak_mb();
  gasnett_compiler_fence();
  int64_t us = gasnett_gettimeofday_us();
  return (double)gasnett_ticks_to_us(t) + (double)gasnett_ticks_to_ns(t) + gasnett_tick_granularityus() +
      gasnett_tick_overheadus() + (double)us;
}

/* ---- atomics ---- */
#define ALL_FLAGS \
  (GASNETT_ATOMIC_NONE | GASNETT_ATOMIC_REL | GASNETT_ATOMIC_ACQ | GASNETT_ATOMIC_ACQ_IF_TRUE | \
      GASNETT_ATOMIC_ACQ_IF_FALSE | GASNETT_ATOMIC_RMB_PRE | GASNETT_ATOMIC_RMB_POST | \
      GASNETT_ATOMIC_RMB_POST_IF_TRUE | GASNETT_ATOMIC_RMB_POST_IF_FALSE | GASNETT_ATOMIC_WMB_PRE | \
      GASNETT_ATOMIC_WMB_POST | GASNETT_ATOMIC_MB_PRE | GASNETT_ATOMIC_MB_POST)
#define FAMILY(name, value_t, signed_t) \
  static name##_t name##_static = name##_init(1); \
  int use_##name(name##_t *a); \
  int use_##name(name##_t *a) \
  { \
    value_t v = name##_read(a, ALL_FLAGS); \
    name##_set(a, v, GASNETT_ATOMIC_REL); \
    name##_increment(a, 0); \
    name##_decrement(a, 0); \
    v += name##_add(a, 2, 0) + name##_subtract(a, 1, 0) + name##_swap(a, 3, 0); \
    signed_t s = name##_signed(v); \
    return name##_decrement_and_test(a, 0) + \
        name##_compare_and_swap(&name##_static, 1, v, GASNETT_ATOMIC_ACQ) + (s < 0); \
  }
FAMILY(gasnett_atomic, gasnett_atomic_val_t, gasnett_atomic_sval_t)
FAMILY(gasnett_atomic32, uint32_t, int32_t)
FAMILY(gasnett_atomic64, uint64_t, int64_t)
FAMILY(gasnett_strongatomic, gasnett_strongatomic_val_t, gasnett_strongatomic_sval_t)
FAMILY(gasnett_strongatomic32, uint32_t, int32_t)
FAMILY(gasnett_strongatomic64, uint64_t, int64_t)
static const gasnett_atomic_val_t most = GASNETT_ATOMIC_MAX;
static const gasnett_atomic_sval_t range[2] = {GASNETT_ATOMIC_SIGNED_MIN, GASNETT_ATOMIC_SIGNED_MAX};

/* ---- locks ---- */
static gasnett_mutex_t mutex = GASNETT_MUTEX_INITIALIZER;
static gasnett_cond_t cond = GASNETT_COND_INITIALIZER;
static gasnett_rwlock_t rwlock = GASNETT_RWLOCK_INITIALIZER;
static gasnett_spinlock_t spinlock = GASNETT_SPINLOCK_INITIALIZER;
int use_locks(gasnett_mutex_t *m, gasnett_cond_t *c, gasnett_rwlock_t *l);
int use_locks(gasnett_mutex_t *m, gasnett_cond_t *c, gasnett_rwlock_t *l)
{
  gasnett_mutex_init(m);
  gasnett_mutex_assertunlocked(m);
  gasnett_mutex_lock(m);
  gasnett_mutex_assertlocked(m);
  gasnett_cond_init(c);
  gasnett_cond_signal(c);
  gasnett_cond_broadcast(c);
  gasnett_cond_wait(&cond, m);
  gasnett_cond_destroy(c);
  int r = gasnett_mutex_trylock(&mutex);
  gasnett_mutex_unlock(m);
  gasnett_mutex_destroy(m);
  gasnett_mutex_destroy_ignoreerr(&mutex);
  gasnett_rwlock_init(l);
  gasnett_rwlock_rdlock(l);
  gasnett_rwlock_assertrdlocked(l);
  gasnett_rwlock_unlock(l);
  gasnett_rwlock_wrlock(l);
  gasnett_rwlock_assertwrlocked(l);
  gasnett_rwlock_assertlocked(l);
  gasnett_rwlock_unlock(l);
  gasnett_rwlock_assertunlocked(l);
  r |= gasnett_rwlock_tryrdlock(&rwlock) | gasnett_rwlock_trywrlock(&rwlock);
  gasnett_rwlock_destroy(l);
  gasnett_spinlock_init(&spinlock);
  gasnett_spinlock_lock(&spinlock);
  gasnett_spinlock_unlock(&spinlock);
  r |= gasnett_spinlock_trylock(&spinlock);
  gasnett_spinlock_destroy(&spinlock);
  gasnett_spinloop_hint();
  return r;
}

GASNETT_THREADKEY_DECLARE(key);
GASNETT_THREADKEY_DEFINE(key);
void *use_keys(void *p);
void *use_keys(void *p)
{
  gasnett_threadkey_init(key);
  gasnett_threadkey_set(key, p);
  gasnett_threadkey_set_noinit(key, gasnett_threadkey_get(key));
  return gasnett_threadkey_get_noinit(key);
}

/* ---- environment and numbers ---- */
int64_t use_environment(char *buf, size_t n);
int64_t use_environment(char *buf, size_t n)
{
  gasnett_setenv("A", "1");
  gasnett_unsetenv("A");
  if (gasnett_verboseenv()) {
    gasnett_envstr_display("A", "1", 0);
    gasnett_envint_display("A", 1, 1, 1);
    gasnett_envdbl_display("A", 1.0, 1);
  }
  const char *s = gasnett_getenv("A"), *d = gasnett_getenv_withdefault("A", "2");
  return gasnett_getenv_yesno_withdefault("A", 1) + gasnett_getenv_int_withdefault("A", 1, 1024) +
      (int64_t)gasnett_getenv_dbl_withdefault("A", 0.5) + gasnett_parse_int("12K", 1) +
      gasnett_format_number(12, buf, n, 1)[0] + (s && d);
}

/* ---- host, signals, errors, backtraces ---- */
static int own_backtrace(int fd) { return fd < 0; }
#ifndef __cplusplus
gasnett_backtrace_type_t gasnett_backtrace_user = {
    "own", own_backtrace, 1}; /* a client may define it, with an initialiser */
#endif
static volatile int frozen;
static void handle(int sig) { (void)sig; }
uint64_t use_host(const char *p, size_t n);
uint64_t use_host(const char *p, size_t n)
{
  char copy[64];
  gasnett_sighandlerfn_t before = gasnett_reghandler(SIGUSR1, handle);
  gasnett_reghandler(SIGUSR1, before);
  gasnett_sched_yield();
  gasnett_set_affinity(0);
  gasnett_maximize_rlimits();
  gasnett_maximize_rlimit(RLIMIT_CORE, "RLIMIT_CORE");
  gasnett_flush_streams();
  gasnett_backtrace_init("prog");
  gasnett_print_backtrace(2);
  gasnett_print_backtrace_ifenabled(2);
  gasnett_freezeForDebuggerNow(&frozen, "frozen");
  gasnett_freezeForDebuggerErr();
  puts(gasnett_gethostname());
  puts(gasnett_current_loc);
  puts(gasnett_performance_warning_str());
  puts(gasnett_exe_name());
  puts(gasnett_release_version_str());
  puts(gasneti_gethostname());
  if (n == 3) gasnett_fatalerror("%d", 3);
  if (n == 6) gasnett_fatalerror_nopos("%d", gasnett_nsleep(1) + (int)gasnett_release_version());
  GASNETT_UNUSED_ARGS3(p, n, copy);
  if (n == 4) gasnett_killmyprocess(1);
  if (n == 5) gasnett_close_streams();
  return gasnett_getPhysMemSz(0) + gasnett_checksum(p, n) + (uint64_t)gasnett_cpu_count() +
      (uint64_t)gasnett_isLittleEndian() + gasnett_count0s(p, n) + gasnett_count0s_copy(copy, p, 64) +
      (uint64_t)gasnett_count0s_uint32_t(1) + (uint64_t)gasnett_count0s_uint64_t(1) +
      (uint64_t)gasnett_count0s_uintptr_t(1) + (uint64_t)own_backtrace(0) +
      (gasnett_backtrace_user.fnp != NULL);
}

/* ---- tracing, statistics ---- */
void use_trace(void);
void use_trace(void)
{
  const char *file;
  unsigned line;
  GASNETT_TRACE_SETSOURCELINE(__FILE__, __LINE__);
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  GASNETT_TRACE_FREEZESOURCELINE();
  GASNETT_TRACE_UNFREEZESOURCELINE();
  if (GASNETT_TRACE_ENABLED) GASNETT_TRACE_PRINTF("%d", 1);
  GASNETT_TRACE_PRINTF_FORCE("%s", "x");
  GASNETT_STATS_PRINTF("%d", 1);
  GASNETT_STATS_PRINTF_FORCE("%s", "x");
  GASNETT_STATS_DUMP(0);
  GASNETT_TRACE_SETMASK(GASNETT_TRACE_GETMASK());
  GASNETT_TRACE_SET_TRACELOCAL(GASNETT_TRACE_GET_TRACELOCAL());
  GASNETT_STATS_INIT(use_trace);
  GASNETT_STATS_SETMASK(GASNETT_STATS_GETMASK());
}

/* ---- memory, descriptions in text, diagnostics ---- */
static uintptr_t value_of(const void *p) { GASNETT_VALUE_RETURN(p, 4); }
size_t use_memory(char *p, size_t n);
size_t use_memory(char *p, size_t n)
{
  gasnett_heapstats_t stats;
  void *handlers = NULL;
  int count_of = 0;
  char *m = (char *)gasnett_malloc_aligned(64, n);
  GASNETT_FAST_ALIGNED_MEMCPY(m, p, n);
  GASNETT_FAST_UNALIGNED_MEMCPY(m, p, n);
  GASNETT_VALUE_ASSIGN(p, 7, 4);
  gasnett_free_aligned(m);
  gasnett_getheapstats(&stats);
#ifdef GASNET_DEBUGMALLOC
  char *d = (char *)gasnett_debug_realloc(gasnett_debug_malloc(1), 2);
  gasnett_debug_memcheck(d);
  gasnett_debug_memcheck_one();
  gasnett_debug_memcheck_all();
  gasnett_debug_free(d);
  gasnett_debug_free(gasnett_debug_calloc(1, 1));
  gasnett_debug_free(gasnett_debug_strdup("a"));
  gasnett_debug_free(gasnett_debug_strndup("a", 1));
#endif
  gasnett_diagnostic_gethandlers(&handlers, &count_of);
  return (size_t)value_of(p) + (size_t)gasnett_run_diagnostics(1, 1, NULL, NULL) +
      (gasnett_mmap(4096) != NULL);
}

size_t use_formats(char *buf, void *const *list, const size_t *strides, const size_t *count);
size_t use_formats(char *buf, void *const *list, const size_t *strides, const size_t *count)
{
  size_t n = gasnett_format_addrlist_bufsz(2) + gasnett_format_strides_bufsz(2) +
      gasnett_format_putigeti_bufsz(2, 2) + gasnett_format_putsgets_bufsz(2) +
      gasnett_format_memveclist_bufsz(2) + gasnett_format_putvgetv_bufsz(2, 2);
  (void)gasnett_format_addrlist(buf, 2, list, 8);
  gasnett_format_strides(buf, 2, strides);
  gasnett_format_putigeti(buf, 0, 2, list, 8, 2, list, 8);
  gasnett_format_putsgets(buf, NULL, 0, buf, strides, buf, strides, count, 1);
#ifndef TOOLS_ALONE
  gasnet_memvec_t v[1] = {{buf, 1}};
  (void)gasnett_format_memveclist(buf, 1, v);
  gasnett_format_putvgetv(buf, 0, 1, v, 1, v);
#endif
  return n;
}

int main(int argc, char **argv)
{
  gasnett_mutex_t m;
  gasnett_cond_t c;
  gasnett_rwlock_t l;
  gasnett_atomic64_t wide = gasnett_atomic64_init(3);
  if (argc < 1000) return 0;
  use_trace();
  return (int)strlen(strings) + use_attributes(&argc) + (int)use_timers() + use_locks(&m, &c, &l) +
      (use_keys(argv) != NULL) + (int)use_environment(argv[0], 1) + (int)use_host(argv[0], 1) +
      (int)use_memory(argv[0], 1) + (int)use_formats(argv[0], (void *const *)argv, NULL, NULL) +
      use_gasnett_atomic64(&wide) + (int)most + (int)range[0];
}
