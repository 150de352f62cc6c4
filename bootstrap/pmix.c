/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* PMIx: Open MPI's mpirun, prun, srun --mpi=pmix. Its library is loaded only in a process that such a
 * launcher has started, so that no other program has to bring it up. */
#include "bootstrap/kvs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* What this process and its descendants know: the launcher's variables are inherited by programs that a node
 * starts, and those are no part of the job. */
#define JOINED_VARIABLE "PENSTOCK_PMIX"

static int started_by_pmix(void)
{
  const char *space = getenv("PMIX_NAMESPACE"), *rank = getenv("PMIX_RANK"),
             *joined = getenv(JOINED_VARIABLE);
  char here[320];
  if (!space || !*space || !rank || !*rank) return 0;
  snprintf(here, sizeof here, "%.256s.%.32s", space, rank);
  if (joined && strcmp(joined, here) == 0) return 0;
  setenv(JOINED_VARIABLE, here, 1);
  return 1;
}

#ifndef PST_HAVE_PMIX

const char *pst_pmix_library(void) { return NULL; }

const struct pst_kvs *pst_kvs_open_pmix(void)
{
  if (started_by_pmix())
    pst_fatal("this process was started by a launcher with PMIx, and this library was built without it: "
              "configure it where PMIx is "
              "installed (Debian: libpmix-dev), or start the job with gasnetrun; GASNET_PSHM_NODES=1 makes "
              "each process a job");
  return NULL;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <pmix.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "bootstrap/loop.h"

#define FUNCTIONS(X) \
  X(Init) X(Finalize) X(Abort) X(Put) X(Commit) X(Fence_nb) X(Get) X(Error_string) X(Register_event_handler)

const char *pst_pmix_library(void) { return PST_HAVE_PMIX; }

static struct {
#define X(f) __typeof__(&PMIx_##f) f;
  FUNCTIONS(X)
#undef X
} lib;

static pmix_proc_t me;
static struct pst_kvs pmix;

static const char *failed(const char *call, pmix_status_t status)
{
  return pst_why("%s: %s", call, lib.Error_string(status));
}

static void library_load(void)
{
  void *handle = dlopen(PST_HAVE_PMIX, RTLD_NOW);
  if (!handle)
    pst_fatal(
        "this process was started by a launcher with PMIx, and its library cannot be loaded: %s", dlerror());
#define X(f) \
  if (!(*(void **)&lib.f = dlsym(handle, "PMIx_" #f))) \
    pst_fatal("the library of PMIx is another than configure found: %s", dlerror());
  FUNCTIONS(X)
#undef X
}

/* ---- the key-value store ---- */

static const char *value_put(const char *key, const char *value)
{
  pmix_value_t v = {.type = PMIX_STRING};
  pmix_key_t name = {0};
  v.data.string = (char *)value; /* is copied */
  strncpy(name, key, sizeof name - 1);
  const pmix_status_t status = lib.Put(PMIX_GLOBAL, name, &v);
  return status == PMIX_SUCCESS ? NULL : failed("PMIx_Put", status);
}

/* PMIx answers in a thread of its own. `turn` tells this fence from one that was given up before. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t came;
  unsigned turn, done;
  pmix_status_t status;
} fencing = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fence_done(pmix_status_t status, void *turn)
{
  pthread_mutex_lock(&fencing.lock);
  fencing.done = (unsigned)(size_t)turn;
  fencing.status = status;
  pthread_cond_signal(&fencing.came);
  pthread_mutex_unlock(&fencing.lock);
}

static struct timespec time_after(double seconds)
{
  const double at = pst_loop_now() + (seconds < 1e9 ? seconds : 1e9);
  return (struct timespec){(time_t)at, (long)((at - (double)(time_t)at) * 1e9)};
}

static const char *fence_await(unsigned turn, double seconds)
{
  const struct timespec until = time_after(seconds);
  int late = 0;
  pthread_mutex_lock(&fencing.lock);
  while (fencing.done != turn && !late)
    late = pthread_cond_timedwait(&fencing.came, &fencing.lock, &until) == ETIMEDOUT;
  const pmix_status_t status = fencing.status;
  pthread_mutex_unlock(&fencing.lock);
  if (late) return pst_kvs_late;
  return status == PMIX_SUCCESS ? NULL : failed("PMIx_Fence", status);
}

static const char *fence_all(double seconds)
{
  static pmix_info_t collect;
  const unsigned turn = ++fencing.turn;
  pmix_status_t status = lib.Commit();
  if (status != PMIX_SUCCESS) return failed("PMIx_Commit", status);
  memset(&collect, 0, sizeof collect);
  strncpy(collect.key, PMIX_COLLECT_DATA, sizeof collect.key - 1);
  collect.value.type = PMIX_BOOL;
  collect.value.data.flag = true;
  status = lib.Fence_nb(NULL, 0, &collect, 1, fence_done, (void *)(size_t)turn);
  if (status == PMIX_OPERATION_SUCCEEDED) return NULL;
  return status == PMIX_SUCCESS ? fence_await(turn, seconds) : failed("PMIx_Fence", status);
}

static pmix_proc_t process(pmix_rank_t rank)
{
  pmix_proc_t p = me;
  p.rank = rank;
  return p;
}

static const char *value_get(unsigned rank, const char *key, char *text, size_t size)
{
  const pmix_proc_t p = process(rank);
  pmix_value_t *v = NULL;
  pmix_key_t name = {0};
  const char *why = NULL;
  strncpy(name, key, sizeof name - 1);
  const pmix_status_t status = lib.Get(&p, name, NULL, 0, &v);
  if (status == PMIX_ERR_NOT_FOUND)
    return "PMIx has no word of another process (a program can run once in a job)";
  if (status != PMIX_SUCCESS) return failed("PMIx_Get", status);
  if (!v || v->type != PMIX_STRING || !v->data.string || strlen(v->data.string) >= size)
    why = "PMIx_Get: no text, or one too long";
  else strcpy(text, v->data.string);
  if (v && v->type == PMIX_STRING) free(v->data.string);
  free(v);
  return why;
}

/* ---- the job ---- */

static void job_abort(int code) { lib.Abort(code, "", NULL, 0); }
static void job_leave(void) { lib.Finalize(NULL, 0); }

/* The launcher is gone, so no process would end this one if the job failed. */
static void launcher_lost(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[],
    size_t ninfo, pmix_info_t results[], size_t nresults, pmix_event_notification_cbfunc_fn_t done,
    void *data)
{
  (void)id, (void)status, (void)source, (void)info, (void)ninfo, (void)results, (void)nresults, (void)done,
      (void)data;
  dprintf(STDERR_FILENO, "penstock: rank %u has lost its launcher; it ends\n", me.rank);
  _exit(1);
}

static void watch_launcher(void)
{
  pmix_status_t code[] = {PMIX_ERR_LOST_CONNECTION};
  lib.Register_event_handler(code, 1, NULL, 0, launcher_lost, NULL, NULL);
}

/* Signals are for the client's threads: the one that PMIx starts takes none. */
static pmix_status_t library_init(void)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const pmix_status_t status = lib.Init(&me, NULL, 0);
  if (status == PMIX_SUCCESS) watch_launcher();
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return status;
}

static void job_ask_size(void)
{
  const pmix_proc_t job = process(PMIX_RANK_WILDCARD);
  pmix_value_t *v = NULL;
  const pmix_status_t status = lib.Get(&job, PMIX_JOB_SIZE, NULL, 0, &v);
  if (status != PMIX_SUCCESS)
    pst_fatal("the launcher does not say how many processes the job has: %s", lib.Error_string(status));
  if (v->type != PMIX_UINT32 || me.rank >= v->data.uint32)
    pst_fatal("PMIx says that this process has rank %u in a job of %u", me.rank,
        v->type == PMIX_UINT32 ? v->data.uint32 : 0);
  pmix.size = v->data.uint32;
  free(v);
}

const struct pst_kvs *pst_kvs_open_pmix(void)
{
  pthread_condattr_t monotonic;
  if (!started_by_pmix()) return NULL;
  library_load();
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&fencing.came, &monotonic);
  const pmix_status_t status = library_init();
  if (status != PMIX_SUCCESS)
    pst_fatal("this process was started by a launcher with PMIx (PMIX_RANK=%s) that does not answer: %s; "
              "GASNET_PSHM_NODES=1 makes it "
              "a job of its own",
        getenv("PMIX_RANK"), lib.Error_string(status));
  pmix = (struct pst_kvs){"PMIx", me.rank, 0, 4096, value_put, fence_all, value_get, job_abort, job_leave};
  job_ask_size();
  return &pmix;
}

#endif
