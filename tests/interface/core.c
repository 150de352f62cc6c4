/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Every name of the core and extended interface that gasnet.h offers, used as its documentation says. It is
 * compiled in each thread mode, as C and as C++, without a warning, and linked; it is not run. Names may be
 * functions or macros: none is used by its address. */
#include <gasnet.h>

/* ---- usable in #if ---- */
#if !defined(_INCLUDED_GASNET_H) || !defined(_GASNET_H)
#error "the include guards that clients test"
#endif
#if GASNET_SEQ + 0 != 1 && GASNET_PARSYNC + 0 != 1 && GASNET_PAR + 0 != 1
#error "the thread mode is redefined to 1"
#endif
#if GASNET_SPEC_VERSION_MAJOR != 1 || GASNET_SPEC_VERSION_MINOR < 8 || GASNET_VERSION < 1
#error "specification version"
#endif
#if GASNET_RELEASE_VERSION_MAJOR < 1 || \
    (GASNET_RELEASE_VERSION_MAJOR == 1 && GASNET_RELEASE_VERSION_MINOR < 18) || \
    GASNET_RELEASE_VERSION_PATCH < 0
#error "release version"
#endif
#if GASNET_ALIGNED_SEGMENTS != 0 && GASNET_ALIGNED_SEGMENTS != 1
#error "GASNET_ALIGNED_SEGMENTS"
#endif
#if !GASNET_PSHM || !GASNET_SEGMENT_FAST || defined(GASNET_SEGMENT_LARGE) || \
    defined(GASNET_SEGMENT_EVERYTHING)
#error "shared memory, segment FAST"
#endif
#if SIZEOF_GASNET_REGISTER_VALUE_T != 8 || GASNET_PAGESIZE < 4096 || GASNET_MAXNODES < 256 || \
    !GASNET_NULL_ARGV_OK
#error "sizes"
#endif
#if defined(GASNET_DEBUG) == defined(GASNET_NDEBUG)
#error "GASNET_DEBUG xor GASNET_NDEBUG"
#endif
#if (defined(PLATFORM_ARCH_32) && PLATFORM_ARCH_32) || !PLATFORM_ARCH_64 || !defined(HAVE_PTHREAD_H) || \
    !defined(HAVE_MMAP) || SIZEOF_INT != 4
#error "platform"
#endif
#if defined(__x86_64__) && !PLATFORM_ARCH_X86_64
#error "PLATFORM_ARCH_X86_64"
#endif
#if defined(__linux__) && !PLATFORM_OS_LINUX
#error "PLATFORM_OS_LINUX"
#endif
#if GASNET_OK != 0 || GASNET_ERR_NOT_INIT != 10001 || GASNET_ERR_RESOURCE != 10002 || \
    GASNET_ERR_BAD_ARG != 10003 || GASNET_ERR_NOT_READY != 10004 || GASNET_ERR_BARRIER_MISMATCH != 10005
#error "return codes"
#endif
#if GASNET_BARRIERFLAG_ANONYMOUS != 1 || GASNET_BARRIERFLAG_MISMATCH != 2 || \
    GASNET_BARRIERFLAG_IMAGES != 4 || GASNET_BARRIERFLAG_UNNAMED != 9
#error "barrier flags"
#endif
#if GASNET_WAIT_SPIN != 0 || GASNET_WAIT_BLOCK != 1 || GASNET_WAIT_SPINBLOCK != 2
#error "wait modes"
#endif

/* ---- what the header brings along ---- */
size_t brought(const char *s);
size_t brought(const char *s)
{
  ptrdiff_t d = 0;
  uint64_t u = 0;
  int n = s ? snprintf(NULL, 0, "%" PRIu64, u) : 0;
  free(malloc(1));
  return strlen(s) + (size_t)d + (size_t)n;
}

/* ---- types ---- */
#define SAME(a, b) ((void)sizeof(char[sizeof(a) == sizeof(b) ? 1 : -1]))
struct types { /* as members: a type that is a macro for something else would show */
  gasnet_node_t node;
  gasnet_handler_t handler;
  gasnet_handlerarg_t arg;
  gasnet_token_t token;
  gasnet_handle_t handle;
  gasnet_valget_handle_t valget;
  gasnet_register_value_t value;
  gasnet_handlerentry_t entry;
  gasnet_seginfo_t seg;
  gasnet_nodeinfo_t info;
  gasnet_memvec_t vec;
  gasnet_hsl_t hsl;
  gasnet_threadinfo_t thread;
  gasnet_image_t image;
  gasnet_team_handle_t team;
  gasnet_coll_fn_entry_t fn;
};
size_t use_types(struct types *t);
size_t use_types(struct types *t)
{
  static gasnet_handle_t none; /* zero bits */
  SAME(t->node, uint32_t);
  SAME(t->handler, uint8_t);
  SAME(t->arg, int32_t);
  SAME(t->handle, void *);
  SAME(t->value, uintptr_t);
  SAME(t->token, void *);
  t->seg.addr = NULL;
  t->seg.size = (uintptr_t)1;
  t->info.host = t->info.supernode = t->node;
  t->info.offset = 0;
  t->vec.addr = NULL;
  t->vec.len = 1;
  t->entry.index = 200;
  t->entry.fnptr = NULL;
  return (none == GASNET_INVALID_HANDLE) + (t->handle != GASNET_INVALID_HANDLE) + (gasnet_handlerarg_t)-1 +
      (size_t)!t->team;
}

/* ---- strings ---- */
const char *use_strings(void);
const char *use_strings(void)
{
  static const char all[] = GASNET_CONFIG_STRING GASNET_CONDUIT_NAME_STR GASNET_CORE_NAME_STR
      GASNET_CORE_VERSION_STR GASNET_EXTENDED_NAME_STR GASNET_EXTENDED_VERSION_STR _STRINGIFY(
          GASNET_CONDUIT_NAME) _STRINGIFY(GASNET_CORE_NAME) _STRINGIFY(GASNET_CORE_VERSION)
          _STRINGIFY(GASNET_EXTENDED_NAME) _STRINGIFY(GASNET_EXTENDED_VERSION)
              _STRINGIFY(PLATFORM_COMPILER_FAMILYNAME);
  const char *compiler = PLATFORM_COMPILER_VERSION_STR;
  if_pf(!compiler) return NULL;
  if_pt(compiler) return all;
  return compiler;
}

/* ---- job ---- */
static void short_handler(gasnet_token_t t) { (void)t; }
static void medium_handler(gasnet_token_t t, void *buf, size_t n, gasnet_handlerarg_t a)
{
  (void)t;
  (void)buf;
  (void)n;
  (void)a;
}

/* How C clients fill their tables: functions of any signature as they are, or through a cast. */
#ifdef __cplusplus
#define HANDLER(f) (void (*)()) f
#else
#define HANDLER(f) f
#endif
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ < 8)
#define ANY_SIGNATURE(f) (void (*)()) f
#else
#define ANY_SIGNATURE(f) HANDLER(f)
#endif

int use_job(int *argc, char ***argv);
int use_job(int *argc, char ***argv)
{
  gasnet_handlerentry_t table[] = {{200, ANY_SIGNATURE(short_handler)}, {0, ANY_SIGNATURE(medium_handler)}};
  gasnet_seginfo_t seg[2];
  gasnet_nodeinfo_t info[2];
  int r = gasnet_init(argc, argv);
  r |= gasnet_attach(
      table, 2, gasnet_getMaxLocalSegmentSize() < gasnet_getMaxGlobalSegmentSize() ? 0 : GASNET_PAGESIZE, 0);
  r |= gasnet_getSegmentInfo(seg, 2) | gasnet_getNodeInfo(info, 2) |
      gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK);
  if (gasnet_getenv("HOME") && gasnet_mynode() < gasnet_nodes()) gasnet_frozen = 0;
  puts(gasnet_ErrorName(r));
  puts(gasnet_ErrorDesc(r));
  if (r) gasnet_exit(r);
  return table[1].index;
}

static void hook(void *addr, uintptr_t size)
{
  (void)addr;
  (void)size;
}
void use_hooks(void);
void use_hooks(void)
{
  gasnet_client_attach_hook = hook;
  gasnet_max_segsize = (uint64_t)1 << 30;
}

/* ---- messages ---- */
#define N0
#define N1           , 1
#define N2           N1, 2
#define N3           N2, 3
#define N4           N3, 4
#define N5           N4, 5
#define N6           N5, 6
#define N7           N6, 7
#define N8           N7, 8
#define N9           N8, 9
#define N10          N9, 10
#define N11          N10, 11
#define N12          N11, 12
#define N13          N12, 13
#define N14          N13, 14
#define N15          N14, 15
#define N16          N15, 16
#define CALL(f, ...) f(__VA_ARGS__)
#define MESSAGES(M) \
  int use_messages##M(gasnet_node_t to, gasnet_token_t t, void *src, size_t n, void *dst); \
  int use_messages##M(gasnet_node_t to, gasnet_token_t t, void *src, size_t n, void *dst) \
  { \
    return CALL(gasnet_AMRequestShort##M, to, 200 N##M) | \
        CALL(gasnet_AMRequestMedium##M, to, 200, src, n N##M) | \
        CALL(gasnet_AMRequestLong##M, to, 200, src, n, dst N##M) | \
        CALL(gasnet_AMRequestLongAsync##M, to, 200, src, n, dst N##M) | \
        CALL(gasnet_AMReplyShort##M, t, 200 N##M) | CALL(gasnet_AMReplyMedium##M, t, 200, src, n N##M) | \
        CALL(gasnet_AMReplyLong##M, t, 200, src, n, dst N##M) | \
        CALL(gasnet_AMRequestShort, to, 200, M N##M) | \
        CALL(gasnet_AMRequestMedium, to, 200, src, n, M N##M) | \
        CALL(gasnet_AMRequestLong, to, 200, src, n, dst, M N##M) | \
        CALL(gasnet_AMRequestLongAsync, to, 200, src, n, dst, M N##M) | \
        CALL(gasnet_AMReplyShort, t, 200, M N##M) | CALL(gasnet_AMReplyMedium, t, 200, src, n, M N##M) | \
        CALL(gasnet_AMReplyLong, t, 200, src, n, dst, M N##M); \
  }
MESSAGES(0)
MESSAGES(1)
MESSAGES(2)
MESSAGES(3)
MESSAGES(4)
MESSAGES(5)
MESSAGES(6)
MESSAGES(7)
MESSAGES(8)
MESSAGES(9)
MESSAGES(10)
MESSAGES(11)
MESSAGES(12)
MESSAGES(13)
MESSAGES(14)
MESSAGES(15)
MESSAGES(16)

static volatile int flag;
size_t use_polls(gasnet_token_t t);
size_t use_polls(gasnet_token_t t)
{
  gasnet_node_t src;
  if (gasnet_AMGetMsgSource(t, &src) != GASNET_OK || gasnet_AMPoll() != GASNET_OK) return 0;
  if (src) GASNET_BLOCKUNTIL(flag == 1); /* one statement */
  else GASNET_BLOCKUNTIL(flag);
  return gasnet_AMMaxArgs() + gasnet_AMMaxMedium() + gasnet_AMMaxLongRequest() + gasnet_AMMaxLongReply();
}

static gasnet_hsl_t fixed = GASNET_HSL_INITIALIZER;
int use_locks(gasnet_hsl_t *l);
int use_locks(gasnet_hsl_t *l)
{
  gasnet_hsl_init(l);
  gasnet_hsl_lock(l);
  gasnet_hsl_unlock(l);
  int r = gasnet_hsl_trylock(&fixed);
  gasnet_hsl_unlock(&fixed);
  gasnet_hsl_destroy(l);
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  return r;
}

/* ---- put, get, sync ---- */
void use_blocking(gasnet_node_t n, void *far, void *here, size_t len);
void use_blocking(gasnet_node_t n, void *far, void *here, size_t len)
{
  GASNET_BEGIN_FUNCTION();
  gasnet_put(n, far, here, len);
  gasnet_put_bulk(n, far, here, len);
  gasnet_get(here, n, far, len);
  gasnet_get_bulk(here, n, far, len);
  gasnet_memset(n, far, 0, len);
  gasnet_put_val(n, far, 1, 8);
  gasnet_put_val(n, far, gasnet_get_val(n, far, 4), 4);
}

int use_explicit(gasnet_node_t n, void *far, void *here, size_t len);
int use_explicit(gasnet_node_t n, void *far, void *here, size_t len)
{
  gasnet_handle_t h[] = {gasnet_put_nb(n, far, here, len), gasnet_put_nb_bulk(n, far, here, len),
      gasnet_get_nb(here, n, far, len), gasnet_get_nb_bulk(here, n, far, len),
      gasnet_memset_nb(n, far, 0, len), gasnet_put_nb_val(n, far, 1, 2)};
  gasnet_valget_handle_t v = gasnet_get_nb_val(n, far, 1);
  int r = gasnet_try_syncnb(h[0]) | gasnet_try_syncnb_some(h, 6) | gasnet_try_syncnb_all(h, 6);
  r |= gasnet_try_syncnb_nopoll(h[0]) | gasnet_try_syncnb_some_nopoll(h, 6) |
      gasnet_try_syncnb_all_nopoll(h, 6);
  gasnet_wait_syncnb(h[0]);
  gasnet_wait_syncnb_some(h, 6);
  gasnet_wait_syncnb_all(h, 6);
  return r + (int)gasnet_wait_syncnb_valget(v);
}

int use_implicit(gasnet_node_t n, void *far, void *here, size_t len);
int use_implicit(gasnet_node_t n, void *far, void *here, size_t len)
{
  gasnet_begin_nbi_accessregion();
  gasnet_put_nbi(n, far, here, len);
  gasnet_put_nbi_bulk(n, far, here, len);
  gasnet_get_nbi(here, n, far, len);
  gasnet_get_nbi_bulk(here, n, far, len);
  gasnet_handle_t h = gasnet_end_nbi_accessregion();
  gasnet_memset_nbi(n, far, 0, len);
  gasnet_put_nbi_val(n, far, 1, 8);
  gasnet_wait_syncnb(h);
  gasnet_wait_syncnbi_gets();
  gasnet_wait_syncnbi_puts();
  gasnet_wait_syncnbi_all();
  return gasnet_try_syncnbi_gets() | gasnet_try_syncnbi_puts() | gasnet_try_syncnbi_all();
}

int use_barriers(void);
int use_barriers(void)
{
  int id;
  gasnet_barrier_notify(3, 0);
  int r = gasnet_barrier_try(3, 0) | gasnet_barrier_wait(3, 0) |
      gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED);
  return r | gasnet_barrier_result(&id);
}

/* GASNET_POST_THREADINFO as a block's last declaration, and nested. */
void use_threadinfo(gasnet_threadinfo_t given);
void use_threadinfo(gasnet_threadinfo_t given)
{
  int before = given != NULL;
  GASNET_POST_THREADINFO(given);
  {
    GASNET_POST_THREADINFO(GASNET_GET_THREADINFO());
    if (before) puts("");
  }
  {
    GASNET_BEGIN_FUNCTION();
    gasnet_threadinfo_t t = GASNET_GET_THREADINFO();
    (void)t;
  }
}

/* ---- collectives, from gasnet.h alone ---- */
void use_collectives(void *dst, void *src, size_t n);
void use_collectives(void *dst, void *src, size_t n)
{
  gasnet_coll_init(0, 0, 0, 0, 0);
  gasnet_coll_broadcast(
      GASNET_TEAM_ALL, dst, 0, src, n, GASNET_COLL_LOCAL | GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
}

/* Calls everything, so that the linker must find everything. */
int main(int argc, char **argv)
{
  if (argc < 1000) return 0;
  char *p = argv[0];
  struct types t;
  memset(&t, 0, sizeof t);
  use_hooks();
  use_collectives(p, p, 1);
  use_threadinfo(NULL);
  use_blocking(0, p, p, 1);
  return (int)(brought(p) + use_types(&t) + strlen(use_strings()) + use_polls(NULL)) + use_job(&argc, &argv) +
      use_locks(&t.hsl) + use_explicit(0, p, p, 1) + use_implicit(0, p, p, 1) + use_barriers() +
      use_messages0(0, NULL, p, 1, p) + use_messages16(0, NULL, p, 1, p);
}
