/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The events of the headers gasp_upc.h, gasp_shmem.h, gasp_xmp.h, gasp_caf.h and gasp_c.h as data, and what
 * their arguments say. */
#include <string.h>

#include "gasp/tools/common.h"
#include "penstock/upc_types.h"

#define EVENT(tag, class, arguments) \
  { \
    GASP_##tag, #tag, PST_EVENT_##class, arguments, 0 \
  }
#define ATOMIC(tag, class, arguments) \
  { \
    GASP_##tag, #tag, PST_EVENT_##class, arguments, 1 \
  }

static const struct pst_event_info table[] = {
    EVENT(C_FUNC, FUNCTION, "f"),
    EVENT(C_MALLOC, ALLOC, "n|p"),
    EVENT(C_REALLOC, ALLOC, "pn|p"),
    EVENT(C_FREE, ALLOC, "p"),
    EVENT(UPC_COLLECTIVE_EXIT, EXIT, "i"),
    ATOMIC(UPC_NONCOLLECTIVE_EXIT, EXIT, "i"),
    EVENT(UPC_NOTIFY, BARRIER, "ii"),
    EVENT(UPC_WAIT, BARRIER, "ii"),
    EVENT(UPC_BARRIER, BARRIER, "ii"),
    EVENT(UPC_FENCE, OTHER, ""),
    EVENT(UPC_FORALL, OTHER, ""),
    EVENT(UPC_GLOBAL_ALLOC, ALLOC, "bn|P"),
    EVENT(UPC_ALL_ALLOC, ALLOC, "bn|P"),
    EVENT(UPC_ALLOC, ALLOC, "n|P"),
    EVENT(UPC_FREE, ALLOC, "P"),
    EVENT(UPC_GLOBAL_LOCK_ALLOC, LOCK, "|l"),
    EVENT(UPC_ALL_LOCK_ALLOC, LOCK, "|l"),
    EVENT(UPC_LOCK_FREE, LOCK, "l"),
    EVENT(UPC_LOCK, LOCK, "l"),
    EVENT(UPC_LOCK_ATTEMPT, LOCK, "l|i"),
    EVENT(UPC_UNLOCK, LOCK, "l"),
    EVENT(UPC_MEMCPY, COPY, "DSn"),
    EVENT(UPC_MEMGET, GET, "pSn"),
    EVENT(UPC_MEMPUT, PUT, "Dpn"),
    EVENT(UPC_MEMSET, PUT, "Din"),
    EVENT(UPC_GET, GET, "ipSn"),
    EVENT(UPC_PUT, PUT, "iDpn"),
    EVENT(UPC_NB_GET_INIT, GET, "ipSn|h"),
    EVENT(UPC_NB_PUT_INIT, PUT, "iDpn|h"),
    EVENT(UPC_NB_SYNC, SYNC, "h"),
    EVENT(UPC_NB_GET_DATA, OTHER, "h"),
    EVENT(UPC_NB_PUT_DATA, OTHER, "h"),
    ATOMIC(UPC_CACHE_MISS, CACHE, "nz"),
    ATOMIC(UPC_CACHE_HIT, CACHE, "n"),
    ATOMIC(UPC_CACHE_INVALIDATE, CACHE, "z"),
    EVENT(UPC_ALL_BROADCAST, COLLECTIVE, "DSni"),
    EVENT(UPC_ALL_SCATTER, COLLECTIVE, "DSni"),
    EVENT(UPC_ALL_GATHER, COLLECTIVE, "DSni"),
    EVENT(UPC_ALL_GATHER_ALL, COLLECTIVE, "DSni"),
    EVENT(UPC_ALL_EXCHANGE, COLLECTIVE, "DSni"),
    EVENT(UPC_ALL_PERMUTE, COLLECTIVE, "DSPni"),
    EVENT(UPC_ALL_REDUCE, COLLECTIVE, "DSizzpii"),
    EVENT(UPC_ALL_PREFIX_REDUCE, COLLECTIVE, "DSizzpii"),
    EVENT(PENSTOCK_NB_MEMCPY, COPY, "DSn|h"),
    EVENT(PENSTOCK_NB_MEMSET, PUT, "Din|h"),
    EVENT(PENSTOCK_VIS_COPY, PUT, "izznt"),
    EVENT(PENSTOCK_VIS_GET, GET, "izznt"),
    EVENT(PENSTOCK_VIS_PUT, PUT, "izznt"),
    EVENT(PENSTOCK_NB_VIS_COPY, PUT, "izznt|h"),
    EVENT(PENSTOCK_NB_VIS_GET, GET, "izznt|h"),
    EVENT(PENSTOCK_NB_VIS_PUT, PUT, "izznt|h"),
    EVENT(PENSTOCK_COPY, COPY, "iDSn"),
    ATOMIC(SHMEM_INIT, OTHER, "if"),
    EVENT(SHMEM_COLLECTIVE_EXIT, EXIT, "if"),
    ATOMIC(SHMEM_NONCOLLECTIVE_EXIT, EXIT, "if"),
    EVENT(SHMEM_PUT, PUT, "ppbntf"),
    EVENT(SHMEM_GET, GET, "ppbntf"),
    EVENT(SHMEM_IPUT, PUT, "ppddbntf"),
    EVENT(SHMEM_IGET, GET, "ppddbntf"),
    EVENT(SHMEM_P, PUT, "pntf"),
    EVENT(SHMEM_G, GET, "pntf"),
    EVENT(SHMEM_ATOMIC_FETCH, ATOMIC, "opntf"),
    EVENT(SHMEM_ATOMIC_UPDATE, ATOMIC, "opntf"),
    EVENT(SHMEM_WAIT, WAIT, "pzf"),
    EVENT(SHMEM_WAIT_UNTIL, WAIT, "pzif"),
    EVENT(SHMEM_FENCE, OTHER, "f"),
    EVENT(SHMEM_QUIET, SYNC, "f"),
    EVENT(SHMEM_BARRIER_ALL, BARRIER, "f"),
    EVENT(SHMEM_BARRIER, BARRIER, "af"),
    EVENT(SHMEM_REDUCE, COLLECTIVE, "ppbnaf"),
    EVENT(SHMEM_COLLECT, COLLECTIVE, "ppbnaf"),
    EVENT(SHMEM_FCOLLECT, COLLECTIVE, "ppbnaf"),
    EVENT(SHMEM_BROADCAST, COLLECTIVE, "ppbniaf"),
    EVENT(SHMEM_SET_LOCK, LOCK, "lf"),
    EVENT(SHMEM_CLEAR_LOCK, LOCK, "lf"),
    EVENT(SHMEM_TEST_LOCK, LOCK, "lf|i"),
    EVENT(SHMEM_MALLOC, ALLOC, "nf|p"),
    EVENT(SHMEM_ALIGN, ALLOC, "znf|p"),
    EVENT(SHMEM_REALLOC, ALLOC, "pnf|p"),
    EVENT(SHMEM_FREE, ALLOC, "pf"),
    ATOMIC(XMP_INIT, OTHER, "i"),
    EVENT(XMP_COLLECTIVE_EXIT, EXIT, "i"),
    ATOMIC(XMP_NONCOLLECTIVE_EXIT, EXIT, "i"),
    EVENT(XMP_TASK, OTHER, "ntp"),
    EVENT(XMP_TASKS, OTHER, "ntp"),
    EVENT(XMP_LOOP, OTHER, "ntp"),
    EVENT(XMP_ARRAY, OTHER, "ntp"),
    EVENT(XMP_REFLECT, COLLECTIVE, "ntp"),
    EVENT(XMP_REDUCE_SHADOW, COLLECTIVE, "ntp"),
    EVENT(XMP_GMOVE, COLLECTIVE, "ntp"),
    EVENT(XMP_BARRIER, BARRIER, "ntp"),
    EVENT(XMP_REDUCTION, COLLECTIVE, "ntp"),
    EVENT(XMP_BCAST, COLLECTIVE, "ntp"),
    EVENT(XMP_WAIT_ASYNC, SYNC, "ntp"),
    EVENT(XMP_PUT, PUT, "ntp"),
    EVENT(XMP_GET, GET, "ntp"),
    EVENT(XMP_ATOMIC_DEFINE, PUT, "ntp"),
    EVENT(XMP_ATOMIC_REF, GET, "ntp"),
    EVENT(XMP_SYNC_MEMORY, SYNC, "ntp"),
    EVENT(XMP_SYNC_ALL, BARRIER, "ntp"),
    EVENT(XMP_SYNC_IMAGE, SYNC, "ntp"),
    EVENT(XMP_SYNC_IMAGES_ALL, SYNC, "ntp"),
    EVENT(XMP_SYNC_IMAGES, SYNC, "ntp"),
    EVENT(XMP_POST, OTHER, "ntp"),
    EVENT(XMP_WAIT, WAIT, "ntp"),
    EVENT(XMP_LOCK, LOCK, "ntp"),
    EVENT(XMP_UNLOCK, LOCK, "ntp"),
    ATOMIC(CAF_INIT, OTHER, "i"),
    EVENT(CAF_COLLECTIVE_EXIT, EXIT, "i"),
    ATOMIC(CAF_NONCOLLECTIVE_EXIT, EXIT, "i"),
    EVENT(CAF_PUT, PUT, "nt"),
    EVENT(CAF_GET, GET, "nt"),
    EVENT(CAF_COPY, COPY, "nt"),
    EVENT(CAF_ALLOCATED, OTHER, "nt"),
    EVENT(CAF_ATOMIC_DEFINE, PUT, "nt"),
    EVENT(CAF_ATOMIC_REF, GET, "nt"),
    EVENT(CAF_ATOMIC_ADD, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_AND, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_OR, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_XOR, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_FETCH_ADD, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_FETCH_AND, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_FETCH_OR, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_FETCH_XOR, ATOMIC, "nt"),
    EVENT(CAF_ATOMIC_CAS, ATOMIC, "nt"),
    EVENT(CAF_SYNC_ALL, BARRIER, "nt"),
    EVENT(CAF_SYNC_IMAGES, SYNC, "nt"),
    EVENT(CAF_SYNC_MEMORY, SYNC, "nt"),
    EVENT(CAF_SYNC_TEAM, BARRIER, "nt"),
    EVENT(CAF_EVENT_POST, OTHER, "nt"),
    EVENT(CAF_EVENT_WAIT, WAIT, "nt"),
    EVENT(CAF_EVENT_QUERY, OTHER, "nt"),
    EVENT(CAF_LOCK, LOCK, "nt"),
    EVENT(CAF_UNLOCK, LOCK, "nt"),
    EVENT(CAF_CRITICAL, LOCK, "nt"),
    EVENT(CAF_END_CRITICAL, LOCK, "nt"),
    EVENT(CAF_CO_BROADCAST, COLLECTIVE, "nt"),
    EVENT(CAF_CO_SUM, COLLECTIVE, "nt"),
    EVENT(CAF_CO_MIN, COLLECTIVE, "nt"),
    EVENT(CAF_CO_MAX, COLLECTIVE, "nt"),
    EVENT(CAF_CO_REDUCE, COLLECTIVE, "nt"),
    EVENT(CAF_ALLOCATE, ALLOC, "nt"),
    EVENT(CAF_DEALLOCATE, ALLOC, "nt"),
    EVENT(CAF_FORM_TEAM, COLLECTIVE, "nt"),
    EVENT(CAF_CHANGE_TEAM, BARRIER, "nt"),
    EVENT(CAF_END_TEAM, BARRIER, "nt"),
};
#define COUNT (sizeof table / sizeof *table)

/* Numbers rise in the table's order, except those that later versions added. */
const struct pst_event_info *pst_event_info(unsigned tag)
{
  static unsigned char
      index[PST_GASP_TAGS]; /* by tag: 1 + the place in the table; several threads may write the same */
  if (tag >= sizeof index) return NULL;
  if (!index[tag])
    for (unsigned i = 0; i < COUNT; i++)
      if (table[i].tag == tag) index[tag] = (unsigned char)(i + 1);
  return index[tag] ? &table[index[tag] - 1] : NULL;
}

/* A pointer to this thread's own memory names no peer. */
static void take_pointer(struct pst_event *out, const void *ptr, unsigned thread, int get)
{
  upc_pts_t p;
  if (!ptr || out->peer != PST_NOBODY) return;
  memcpy(&p, ptr, sizeof p);
  if (p.thread == thread) return;
  out->peer = p.thread;
  out->get = (uint32_t)get;
}

static int is_transfer(enum pst_event_class class)
{
  return class == PST_EVENT_PUT || class == PST_EVENT_GET || class == PST_EVENT_COPY ||
      class == PST_EVENT_ATOMIC;
}

int pst_event_transfers(unsigned tag)
{
  const struct pst_event_info *info = pst_event_info(tag);
  return info && is_transfer(info->class);
}

static void take_thread(struct pst_event *out, int other, unsigned thread, int get)
{
  if (other < 0 || (unsigned)other == thread) return;
  out->peer = (uint32_t)other;
  out->get = (uint32_t)get;
}

/* Reads one argument for each letter, in the order of the letters. */
static void decode(const struct pst_event_info *info, const char *letters, unsigned thread, va_list *args,
    struct pst_event *out)
{
  uint64_t times = 1;
  const void *pointer;
  for (const char *c = letters; *c; c++) switch (*c) {
    case 'n': out->bytes = times * va_arg(*args, size_t); break;
    case 'b': times = va_arg(*args, size_t); break;
    case 'z': (void)va_arg(*args, size_t); break;
    case 'i': (void)va_arg(*args, int); break;
    case 't': take_thread(out, va_arg(*args, int), thread, info->class == PST_EVENT_GET); break;
    case 'd': (void)va_arg(*args, ptrdiff_t); break;
    case 'o': out->op = (uint32_t)va_arg(*args, int); break;
    case 'a':
      for (int i = 0; i < 3; i++) (void)va_arg(*args, int);
      break;
    case 'f': out->function = va_arg(*args, const char *); break;
    case 'h': out->handle = (uintptr_t)va_arg(*args, void *); break;
    case 'D':
    case 'S':
      pointer = va_arg(*args, const void *);
      if (is_transfer(info->class)) take_pointer(out, pointer, thread, *c == 'S');
      break;
    default: (void)va_arg(*args, void *); break;
    }
}

/* Start has the letters before the bar, End has all. */
static void letters_of(const struct pst_event_info *info, int end, char out[16])
{
  const char *bar = strchr(info->arguments, '|');
  size_t n = bar ? (size_t)(bar - info->arguments) : strlen(info->arguments);
  memcpy(out, info->arguments, n);
  out[n] = '\0';
  if (bar && end) strcpy(out + n, bar + 1);
}

void pst_event_decode(unsigned tag, gasp_evttype_t type, unsigned thread, va_list args, struct pst_event *out)
{
  const struct pst_event_info *info = pst_event_info(tag);
  char letters[16];
  va_list copy;
  *out = (struct pst_event){.peer = PST_NOBODY};
  if (!info) return;
  letters_of(info, type == GASP_END, letters);
  va_copy(copy, args);
  decode(info, letters, thread, &copy, out);
  va_end(copy);
}
