/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The library's build defines PST_INTERNAL. Of the core interface only the types are needed here. */
#include <stdarg.h>
#include <stdio.h>

#include "gasnet_config.h"
#include "penstock/platform.h"
#ifndef PST_INTERNAL
#define PST_INTERNAL 1
#endif
#include "penstock/types.h"
#include "penstock/visformat.h"

/* Lists are shown whole up to this length, else this many entries in all, from both ends. */
#define SHOWN 16
#define ENTRY 64  /* "(0x0123456789abcdef,18446744073709551615), " and to spare */
#define FRAME 256 /* the words around the lists */

static size_t list_bufsz(size_t count) { return FRAME + ENTRY * (count < SHOWN ? count : SHOWN + 1); }

/* Text is appended at `at`. It fits, by the sizes above; `end` is for the case that one of them is wrong. */
struct text {
  char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void text_add(struct text *t, const char *fmt, ...)
{
  va_list args;
  if (t->at >= t->end) return;
  va_start(args, fmt);
  int n = vsnprintf(t->at, (size_t)(t->end - t->at), fmt, args);
  va_end(args);
  t->at = n < t->end - t->at ? t->at + n : t->end;
}

/* What stands before entry i: a comma, or dots for those in the middle that are left out. 1: the entry
 * follows. */
static int entry_begin(struct text *t, size_t i, size_t count)
{
  const int is_shown = count <= SHOWN || i < SHOWN / 2 || i >= count - SHOWN / 2;
  if (is_shown) text_add(t, "%s", i ? ", " : "");
  else if (i == SHOWN / 2) text_add(t, ", ...");
  return is_shown;
}

static void bounds_stretch(void **lowest, void **highest, void *addr, size_t len)
{
  uintptr_t first = (uintptr_t)addr, last = first + len - 1;
  if (first < (uintptr_t)*lowest) *lowest = addr;
  if (last > (uintptr_t)*highest) *highest = (void *)last;
}

static gasnett_memveclist_stats_t vec_stats(size_t count, const gasnet_memvec_t *list)
{
  gasnett_memveclist_stats_t s = {SIZE_MAX, 0, 0, (void *)UINTPTR_MAX, NULL};
  for (size_t i = 0; i < count; i++) {
    if (list[i].len < s.minsz) s.minsz = list[i].len;
    if (list[i].len > s.maxsz) s.maxsz = list[i].len;
    s.totalsz += list[i].len;
    if (list[i].len) bounds_stretch(&s.minaddr, &s.maxaddr, list[i].addr, list[i].len);
  }
  if (count == 0) s.minsz = 0;
  if (s.totalsz == 0) s.minaddr = s.maxaddr = NULL;
  return s;
}

size_t gasnett_format_memveclist_bufsz(size_t count) { return list_bufsz(count); }

gasnett_memveclist_stats_t gasnett_format_memveclist(char *buf, size_t count, gasnet_memvec_t const *list)
{
  gasnett_memveclist_stats_t s = vec_stats(count, list);
  struct text t = {buf, buf + list_bufsz(count)};
  text_add(&t, "%zu entries, totalsz=%zu, sz=[%zu..%zu], bounds=[%p..%p], list=[", count, (size_t)s.totalsz,
      s.minsz, s.maxsz, s.minaddr, s.maxaddr);
  for (size_t i = 0; i < count; i++)
    if (entry_begin(&t, i, count)) text_add(&t, "(%p,%zu)", list[i].addr, list[i].len);
  text_add(&t, "]");
  return s;
}

size_t gasnett_format_addrlist_bufsz(size_t count) { return list_bufsz(count); }

gasnett_addrlist_stats_t gasnett_format_addrlist(char *buf, size_t count, void *const *list, size_t len)
{
  gasnett_addrlist_stats_t s = {(void *)UINTPTR_MAX, NULL};
  for (size_t i = 0; i < count && len; i++) bounds_stretch(&s.minaddr, &s.maxaddr, list[i], len);
  if (count == 0 || len == 0) s.minaddr = s.maxaddr = NULL;
  struct text t = {buf, buf + list_bufsz(count)};
  text_add(&t, "%zu entries of %zu, totalsz=%zu, bounds=[%p..%p], list=[", count, len, count * len, s.minaddr,
      s.maxaddr);
  for (size_t i = 0; i < count; i++)
    if (entry_begin(&t, i, count)) text_add(&t, "%p", list[i]);
  text_add(&t, "]");
  return s;
}

size_t gasnett_format_strides_bufsz(size_t count) { return list_bufsz(count); }

char *gasnett_format_strides(char *buf, size_t count, const size_t *strides)
{
  struct text t = {buf, buf + list_bufsz(count)};
  text_add(&t, "[");
  for (size_t i = 0; i < count; i++)
    if (entry_begin(&t, i, count)) text_add(&t, "%zu", strides[i]);
  text_add(&t, "]");
  return buf;
}

size_t gasnett_format_putvgetv_bufsz(size_t dstcount, size_t srccount)
{
  return FRAME + list_bufsz(dstcount) + list_bufsz(srccount);
}

size_t gasnett_format_putvgetv(char *buf, uint32_t node, size_t dstcount, gasnet_memvec_t const dstlist[],
    size_t srccount, gasnet_memvec_t const srclist[])
{
  struct text t = {buf, buf + gasnett_format_putvgetv_bufsz(dstcount, srccount)};
  text_add(&t, "(%zu data bytes) node=%u, dst: ", (size_t)vec_stats(dstcount, dstlist).totalsz, node);
  uintptr_t total = gasnett_format_memveclist(t.at, dstcount, dstlist).totalsz;
  while (*t.at) t.at++;
  text_add(&t, ", src: ");
  gasnett_format_memveclist(t.at, srccount, srclist);
  return total;
}

size_t gasnett_format_putigeti_bufsz(size_t dstcount, size_t srccount)
{
  return FRAME + list_bufsz(dstcount) + list_bufsz(srccount);
}

size_t gasnett_format_putigeti(char *buf, uint32_t node, size_t dstcount, void *const dstlist[],
    size_t dstlen, size_t srccount, void *const srclist[], size_t srclen)
{
  struct text t = {buf, buf + gasnett_format_putigeti_bufsz(dstcount, srccount)};
  text_add(&t, "(%zu data bytes) node=%u, dst: ", dstcount * dstlen, node);
  gasnett_format_addrlist(t.at, dstcount, dstlist, dstlen);
  while (*t.at) t.at++;
  text_add(&t, ", src: ");
  gasnett_format_addrlist(t.at, srccount, srclist, srclen);
  return dstcount * dstlen;
}

static void text_add_strides(struct text *t, const char *name, size_t count, const size_t *list)
{
  text_add(t, ", %s=", name);
  gasnett_format_strides(t->at, count, list);
  while (*t->at) t->at++;
}

size_t gasnett_format_putsgets_bufsz(size_t stridelevels) { return FRAME + 3 * list_bufsz(stridelevels + 1); }

size_t gasnett_format_putsgets(char *buf, void *pstats, uint32_t node, void *dstaddr,
    const size_t dststrides[], void *srcaddr, const size_t srcstrides[], const size_t count[],
    size_t stridelevels)
{
  struct text t = {buf, buf + gasnett_format_putsgets_bufsz(stridelevels)};
  size_t total = 1;
  (void)pstats;
  for (size_t i = 0; i <= stridelevels; i++) total *= count[i];
  text_add(&t, "(%zu data bytes) node=%u, dst=%p, src=%p, stridelevels=%zu", total, node, dstaddr, srcaddr,
      stridelevels);
  text_add_strides(&t, "dststrides", stridelevels, dststrides);
  text_add_strides(&t, "srcstrides", stridelevels, srcstrides);
  text_add_strides(&t, "count", stridelevels + 1, count);
  return total;
}
