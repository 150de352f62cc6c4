/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The tool `otf2`: an archive in the Open Trace Format 2, which Vampir, Scalasca and others read. Each thread
 * is a location, each place that events come from is a region, and transfers are one-sided operations on one
 * window. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <otf2/otf2.h>

#include "gasp/tools/common.h"

static int archive_merge(struct pst_part *parts, unsigned threads, const char *output);
const struct pst_tool pst_tool = {
    .name = "otf2", .output = "penstock-otf2", .inside = NULL, .stream = 1, .merge = archive_merge};

enum { WINDOW, ALL_LOCATIONS = 0, ALL_THREADS, COMMUNICATOR = 0 };

/* A transfer that a SYNC of its handle completes. */
struct pending {
  uint64_t handle, id;
};

/* What is written of one thread. */
struct location {
  OTF2_EvtWriter *out;
  const uint32_t *region; /* by site */
  uint32_t *open;         /* regions that were entered */
  size_t depth, room;
  struct pending *pending;
  size_t waiting, space;
  uint64_t ids;
};

struct archive {
  OTF2_Archive *otf2;
  OTF2_GlobalDefWriter *out;
  uint32_t strings;
  int failed;
};

static void check(struct archive *a, OTF2_ErrorCode code)
{
  if (code != OTF2_SUCCESS && !a->failed++)
    pst_tool_say("cannot write the archive: %s", OTF2_Error_GetDescription(code));
}

/* ---- events ---- */

static void region_push(struct location *l, uint32_t region)
{
  if (l->depth == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->open = pst_tool_grow(l->open, l->room, sizeof *l->open);
  }
  l->open[l->depth++] = region;
}

static void enter(struct archive *a, struct location *l, uint32_t region, uint64_t time)
{
  check(a, OTF2_EvtWriter_Enter(l->out, NULL, time, region));
  region_push(l, region);
}

/* Regions must nest, but the client's own events need not: regions above are left, and entered again. */
static void leave(struct archive *a, struct location *l, uint32_t region, uint64_t time)
{
  size_t i = l->depth;
  while (i > 0 && l->open[i - 1] != region) i--;
  if (i == 0) return;
  for (size_t k = l->depth; k >= i; k--) check(a, OTF2_EvtWriter_Leave(l->out, NULL, time, l->open[k - 1]));
  memmove(l->open + i - 1, l->open + i, (l->depth - i) * sizeof *l->open);
  l->depth--;
  for (size_t k = i - 1; k < l->depth; k++) check(a, OTF2_EvtWriter_Enter(l->out, NULL, time, l->open[k]));
}

static int event_has_class(unsigned tag, enum pst_event_class class)
{
  const struct pst_event_info *info = pst_event_info(tag);
  return info && info->class == class;
}

static int event_fetches(unsigned tag)
{
  return tag == GASP_SHMEM_ATOMIC_FETCH || (tag >= GASP_CAF_ATOMIC_FETCH_ADD && tag <= GASP_CAF_ATOMIC_CAS);
}

/* An operation is an argument of SHMEM's events alone. */
static OTF2_RmaAtomicType atomic_type(unsigned tag, uint32_t op)
{
  const int shmem = tag < GASP_XMP_INIT;
  if (tag == GASP_CAF_ATOMIC_CAS || (shmem && op == GASP_SHMEM_OP_CSWAP))
    return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
  if (shmem && op == GASP_SHMEM_OP_SWAP) return OTF2_RMA_ATOMIC_TYPE_SWAP;
  return event_fetches(tag) ? OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD : OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
}

static void begin_atomic(struct archive *a, struct location *l, unsigned tag, const struct pst_part_event *e)
{
  check(a,
      OTF2_EvtWriter_RmaAtomic(l->out, NULL, e->time, WINDOW, e->peer, atomic_type(tag, e->op), e->bytes,
          event_fetches(tag) ? e->bytes : 0, l->ids));
}

static void begin_transfer(
    struct archive *a, struct location *l, unsigned tag, const struct pst_part_event *e)
{
  const uint64_t id = l->ids;
  if (event_has_class(tag, PST_EVENT_ATOMIC)) begin_atomic(a, l, tag, e);
  else if (e->get) check(a, OTF2_EvtWriter_RmaGet(l->out, NULL, e->time, WINDOW, e->peer, e->bytes, id));
  else check(a, OTF2_EvtWriter_RmaPut(l->out, NULL, e->time, WINDOW, e->peer, e->bytes, id));
}

static void postpone(struct location *l, uint64_t handle, uint64_t id)
{
  if (l->waiting == l->space) {
    l->space = l->space ? 2 * l->space : 64;
    l->pending = pst_tool_grow(l->pending, l->space, sizeof *l->pending);
  }
  l->pending[l->waiting++] = (struct pending){handle, id};
}

/* A transfer has a handle if it goes on after its call. */
static void end_transfer(struct archive *a, struct location *l, const struct pst_part_event *e)
{
  const uint64_t id = l->ids++;
  if (e->handle) postpone(l, e->handle, id);
  else check(a, OTF2_EvtWriter_RmaOpCompleteBlocking(l->out, NULL, e->time, WINDOW, id));
}

/* Completes the transfer with this handle; NULL: all transfers. */
static void complete(struct archive *a, struct location *l, const uint64_t *handle, uint64_t time)
{
  size_t kept = 0;
  for (size_t i = 0; i < l->waiting; i++) {
    const struct pending p = l->pending[i];
    if (handle && p.handle != *handle) l->pending[kept++] = p;
    else check(a, OTF2_EvtWriter_RmaOpCompleteNonBlocking(l->out, NULL, time, WINDOW, p.id));
  }
  l->waiting = kept;
}

static int transfers(const struct pst_site *site, const struct pst_part_event *e)
{
  return e->peer != PST_NOBODY && pst_event_transfers(site->tag);
}

/* No other event comes within a transfer's call, so its Start and End are adjacent. */
static void event_take(struct archive *a, struct location *l, unsigned kind, const struct pst_site *site,
    const struct pst_part_event *e)
{
  const uint32_t region = l->region[e->site];
  if (kind != PST_PART_END) {
    enter(a, l, region, e->time);
    if (transfers(site, e)) begin_transfer(a, l, site->tag, e);
  }
  if (kind == PST_PART_START) return;
  if (kind == PST_PART_END && transfers(site, e)) end_transfer(a, l, e);
  if (kind == PST_PART_END && event_has_class(site->tag, PST_EVENT_WAIT))
    check(a, OTF2_EvtWriter_RmaWaitChange(l->out, NULL, e->time, WINDOW));
  if (kind == PST_PART_END && site->tag == GASP_UPC_NB_SYNC) complete(a, l, &e->handle, e->time);
  leave(a, l, region, e->time);
}

static void write_events(struct archive *a, struct pst_part *part, const uint32_t *region)
{
  struct location l = {.out = OTF2_Archive_GetEvtWriter(a->otf2, part->head.thread), .region = region};
  union pst_part_body body;
  unsigned kind;
  if (!l.out) check(a, OTF2_ERROR_FILE_CAN_NOT_OPEN);
  while (l.out && (kind = pst_part_next(part, &body)))
    if (kind <= PST_PART_ATOMIC) event_take(a, &l, kind, &part->sites[body.event.site], &body.event);
  if (l.out) {
    complete(a, &l, NULL, part->end);
    while (l.depth) leave(a, &l, l.open[l.depth - 1], part->end);
  }
  free(l.open);
  free(l.pending);
}

/* ---- definitions ---- */

static uint32_t string_define(struct archive *a, const char *text)
{
  check(a, OTF2_GlobalDefWriter_WriteString(a->out, a->strings, text));
  return a->strings++;
}

static OTF2_RegionRole role_of(const struct pst_event_info *info)
{
  static const OTF2_RegionRole roles[] = {[PST_EVENT_OTHER] = OTF2_REGION_ROLE_WRAPPER,
      [PST_EVENT_EXIT] = OTF2_REGION_ROLE_BARRIER,
      [PST_EVENT_BARRIER] = OTF2_REGION_ROLE_BARRIER,
      [PST_EVENT_PUT] = OTF2_REGION_ROLE_RMA,
      [PST_EVENT_GET] = OTF2_REGION_ROLE_RMA,
      [PST_EVENT_COPY] = OTF2_REGION_ROLE_RMA,
      [PST_EVENT_SYNC] = OTF2_REGION_ROLE_RMA,
      [PST_EVENT_ALLOC] = OTF2_REGION_ROLE_ALLOCATE,
      [PST_EVENT_LOCK] = OTF2_REGION_ROLE_CRITICAL,
      [PST_EVENT_COLLECTIVE] = OTF2_REGION_ROLE_COLL_ALL2ALL,
      [PST_EVENT_FUNCTION] = OTF2_REGION_ROLE_FUNCTION,
      [PST_EVENT_CACHE] = OTF2_REGION_ROLE_WRAPPER,
      [PST_EVENT_ATOMIC] = OTF2_REGION_ROLE_RMA,
      [PST_EVENT_WAIT] = OTF2_REGION_ROLE_RMA};
  return info ? roles[info->class] : OTF2_REGION_ROLE_CODE;
}

/* Functions, memory and the client's own events belong to no model. OTF2 knows neither XcalableMP nor
 * coarrays. */
static OTF2_Paradigm paradigm_of(unsigned tag)
{
  if (tag >= GASP_XMP_INIT && tag < PST_GASP_TAGS) return OTF2_PARADIGM_UNKNOWN;
  if (tag >= GASP_SHMEM_INIT && tag < GASP_XMP_INIT) return OTF2_PARADIGM_SHMEM;
  return tag >= GASP_UPC_COLLECTIVE_EXIT && tag < GASP_SHMEM_INIT ? OTF2_PARADIGM_UPC : OTF2_PARADIGM_USER;
}

static void define_regions(struct archive *a, const struct pst_join *join)
{
  for (uint32_t i = 0; i < join->count; i++) {
    const struct pst_site *s = &join->sites[i];
    const struct pst_event_info *info = pst_event_info(s->tag);
    const uint32_t name = string_define(a, pst_site_name(s)), file = string_define(a, s->file),
                   line = s->line > 0 ? (uint32_t)s->line : 0;
    check(a,
        OTF2_GlobalDefWriter_WriteRegion(a->out, i, name, name, file, role_of(info), paradigm_of(s->tag),
            OTF2_REGION_FLAG_NONE, file, line, line));
  }
}

/* Adds a node of the tree for a new host. Returns the number of the thread's host. */
static uint32_t define_host(
    struct archive *a, const struct pst_part *parts, unsigned thread, uint32_t *host, uint32_t *hosts)
{
  for (unsigned t = 0; t < thread; t++)
    if (!parts[t].missing && strcmp(parts[t].head.host, parts[thread].head.host) == 0) return host[t];
  const uint32_t name = string_define(a, parts[thread].head.host), kind = string_define(a, "node"),
                 self = 1 + (*hosts)++;
  check(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->out, self, name, kind, 0));
  return self;
}

/* ViTE wants processes and their threads to have different names. */
static void define_location(struct archive *a, unsigned thread, uint32_t host, uint64_t events)
{
  char name[32];
  snprintf(name, sizeof name, "node %u", thread);
  const uint32_t process = string_define(a, name);
  snprintf(name, sizeof name, "thread %u", thread);
  const uint32_t text = string_define(a, name);
#if OTF2_VERSION_MAJOR >= 3
  check(a,
      OTF2_GlobalDefWriter_WriteLocationGroup(
          a->out, thread, process, OTF2_LOCATION_GROUP_TYPE_PROCESS, host, OTF2_UNDEFINED_LOCATION_GROUP));
#else
  check(a,
      OTF2_GlobalDefWriter_WriteLocationGroup(
          a->out, thread, process, OTF2_LOCATION_GROUP_TYPE_PROCESS, host));
#endif
  check(a,
      OTF2_GlobalDefWriter_WriteLocation(
          a->out, thread, text, OTF2_LOCATION_TYPE_CPU_THREAD, events, thread));
}

static void define_locations(
    struct archive *a, const struct pst_part *parts, unsigned threads, const uint64_t *events)
{
  uint32_t *host = pst_tool_grow(NULL, threads, sizeof *host), hosts = 0;
  const uint32_t job = string_define(a, "job"), machine = string_define(a, "machine");
  check(
      a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->out, 0, job, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (unsigned t = 0; t < threads; t++) {
    host[t] = parts[t].missing ? 0 : define_host(a, parts, t, host, &hosts);
    define_location(a, t, host[t], events[t]);
  }
  free(host);
}

/* A job has one model, which any event shows that is not UPC's. */
static OTF2_Paradigm job_paradigm(const struct pst_join *join)
{
  for (uint32_t i = 0; i < join->count; i++) {
    const OTF2_Paradigm paradigm = paradigm_of(join->sites[i].tag);
    if (paradigm == OTF2_PARADIGM_SHMEM || paradigm == OTF2_PARADIGM_UNKNOWN) return paradigm;
  }
  return OTF2_PARADIGM_UPC;
}

static void define_window(struct archive *a, unsigned threads, OTF2_Paradigm paradigm)
{
  uint64_t *members = pst_tool_grow(NULL, threads, sizeof *members);
  const uint32_t none = string_define(a, ""), all = string_define(a, "all threads"),
                 window = string_define(a, "shared memory");
  for (unsigned t = 0; t < threads; t++) members[t] = t;
  check(a,
      OTF2_GlobalDefWriter_WriteGroup(a->out, ALL_LOCATIONS, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm,
          OTF2_GROUP_FLAG_NONE, threads, members));
  check(a,
      OTF2_GlobalDefWriter_WriteGroup(a->out, ALL_THREADS, all, OTF2_GROUP_TYPE_COMM_GROUP, paradigm,
          OTF2_GROUP_FLAG_NONE, threads, members));
#if OTF2_VERSION_MAJOR >= 3
  check(a,
      OTF2_GlobalDefWriter_WriteComm(
          a->out, COMMUNICATOR, all, ALL_THREADS, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  check(a, OTF2_GlobalDefWriter_WriteRmaWin(a->out, WINDOW, window, COMMUNICATOR, OTF2_RMA_WIN_FLAG_NONE));
#else
  check(a, OTF2_GlobalDefWriter_WriteComm(a->out, COMMUNICATOR, all, ALL_THREADS, OTF2_UNDEFINED_COMM));
  check(a, OTF2_GlobalDefWriter_WriteRmaWin(a->out, WINDOW, window, COMMUNICATOR));
#endif
  free(members);
}

static void define_clock(struct archive *a, const struct pst_part *parts, unsigned threads)
{
  uint64_t first, last;
  pst_parts_span(parts, threads, &first, &last);
#if OTF2_VERSION_MAJOR >= 3
  check(a, OTF2_GlobalDefWriter_WriteClockProperties(a->out, 1000000000, first, last - first + 1, first));
#else
  check(a, OTF2_GlobalDefWriter_WriteClockProperties(a->out, 1000000000, first, last - first + 1));
#endif
}

static void define_all(struct archive *a, const struct pst_part *parts, unsigned threads,
    const struct pst_join *join, const uint64_t *events)
{
  a->out = OTF2_Archive_GetGlobalDefWriter(a->otf2);
  if (!a->out) {
    check(a, OTF2_ERROR_FILE_CAN_NOT_OPEN);
    return;
  }
  define_clock(a, parts, threads);
  string_define(a, ""); /* for things without a name */
  define_locations(a, parts, threads, events);
  define_window(a, threads, job_paradigm(join));
  define_regions(a, join);
}

/* ---- the archive ---- */

static OTF2_FlushType before_flush(
    void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
  (void)user, (void)type, (void)location, (void)caller, (void) final;
  return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
  (void)user, (void)type, (void)location;
  return pst_tool_now();
}

static void remove_in(const char *output, const char *name)
{
  char path[PATH_MAX];
  if ((size_t)snprintf(path, sizeof path, "%s/%s", output, name) < sizeof path) remove(path);
}

/* Like other output, an archive replaces an older one, which is these files and no others. */
static void remove_archive(const char *output)
{
  char path[PATH_MAX];
  const struct dirent *entry;
  remove_in(output, "traces.otf2");
  remove_in(output, "traces.def");
  if ((size_t)snprintf(path, sizeof path, "%s/traces", output) >= sizeof path) return;
  DIR *dir = opendir(path);
  while (dir && (entry = readdir(dir))) {
    const char *end = entry->d_name + strspn(entry->d_name, "0123456789");
    if (end > entry->d_name && (strcmp(end, ".evt") == 0 || strcmp(end, ".def") == 0))
      remove_in(path, entry->d_name);
  }
  if (dir) closedir(dir);
  remove(path);
}

/* One process writes everything, so the archive's collective calls have nobody to wait for. */
static int open_archive(struct archive *a, const char *output)
{
  static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
  remove_archive(output);
  a->otf2 = OTF2_Archive_Open(output, "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (!a->otf2) {
    pst_tool_say("cannot make an archive in %s", output);
    return -1;
  }
  check(a, OTF2_Archive_SetFlushCallbacks(a->otf2, &flush, NULL));
  check(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->otf2));
  check(a, OTF2_Archive_SetCreator(a->otf2, "Penstock"));
  return a->failed ? -1 : 0;
}

static void write_all_events(struct archive *a, struct pst_part *parts, unsigned threads,
    const struct pst_join *join, uint64_t *events)
{
  check(a, OTF2_Archive_OpenEvtFiles(a->otf2));
  for (unsigned t = 0; t < threads; t++) {
    events[t] = 0;
    if (parts[t].missing) continue;
    write_events(a, &parts[t], join->of[t]);
    OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter(a->otf2, t);
    if (!out) continue;
    check(a, OTF2_EvtWriter_GetNumberOfEvents(out, &events[t]));
    check(a, OTF2_Archive_CloseEvtWriter(a->otf2, out));
  }
  check(a, OTF2_Archive_CloseEvtFiles(a->otf2));
}

/* Each location has its own file of definitions. It is empty: the archive's numbers are used. */
static void write_local_definitions(struct archive *a, const struct pst_part *parts, unsigned threads)
{
  check(a, OTF2_Archive_OpenDefFiles(a->otf2));
  for (unsigned t = 0; t < threads; t++) {
    OTF2_DefWriter *out = parts[t].missing ? NULL : OTF2_Archive_GetDefWriter(a->otf2, t);
    if (out) check(a, OTF2_Archive_CloseDefWriter(a->otf2, out));
  }
  check(a, OTF2_Archive_CloseDefFiles(a->otf2));
}

static int archive_merge(struct pst_part *parts, unsigned threads, const char *output)
{
  struct archive a = {.failed = 0};
  struct pst_join join;
  uint64_t *events = pst_tool_grow(NULL, threads, sizeof *events);
  pst_join_make(&join, parts, threads);
  if (open_archive(&a, output) == 0) {
    write_all_events(&a, parts, threads, &join, events);
    write_local_definitions(&a, parts, threads);
    define_all(&a, parts, threads, &join, events);
  } else a.failed = 1;
  if (a.otf2) check(&a, OTF2_Archive_Close(a.otf2));
  pst_join_free(&join, threads);
  free(events);
  return a.failed ? -1 : 0;
}
