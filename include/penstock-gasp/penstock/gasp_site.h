/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The place in the source of the next call: code compiled with upccc --inst sets it before each call that
 * causes events. */
#ifndef PENSTOCK_GASP_SITE_H
#define PENSTOCK_GASP_SITE_H
#ifdef __cplusplus
extern "C" {
#endif

extern int pst_gasp_on; /* is there a tool? */

/* Sets the place of this thread's next call. file stays for ever. line -1: no events (#pragma pupc off). */
void pst_gasp_set_site(const char *file, int line, int column);

/* Exchanges the place of the next call with this. */
struct pst_gasp_site {
  const char *file;
  int line, column;
};
void pst_gasp_swap_site(struct pst_gasp_site *site);

/* These functions cause no events of functions. */
#define PST_GASP_INLINE __attribute__((no_instrument_function)) static inline
PST_GASP_INLINE void pst_gasp_here(const char *file, int line, int column)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_set_site(file, line, column);
}

/* GCC does not know the column. */
#if defined(__has_builtin)
#if __has_builtin(__builtin_COLUMN)
#define PST_GASP_COLUMN ((int)__builtin_COLUMN())
#endif
#endif
#ifndef PST_GASP_COLUMN
#define PST_GASP_COLUMN 0
#endif

/* PST_GASP_AT(file, line, call): the call, with its place. Calls among its arguments may be made in the same
 * way: each restores the place that it found. C++ has no such expressions outside functions, so there the
 * place is set before the arguments are evaluated. */
#ifdef __cplusplus
#define PST_GASP_AT(file, line, ...) (pst_gasp_here(file, line, PST_GASP_COLUMN), __VA_ARGS__)
#else
PST_GASP_INLINE struct pst_gasp_site pst_gasp_enter(const char *file, int line, int column)
{
  struct pst_gasp_site site = {0, 0, 0};
  if (__builtin_expect(pst_gasp_on, 0)) {
    site.file = file;
    site.line = line;
    site.column = column;
    pst_gasp_swap_site(&site);
  }
  return site;
}
PST_GASP_INLINE void pst_gasp_leave(struct pst_gasp_site *before)
{
  if (__builtin_expect(pst_gasp_on, 0)) pst_gasp_swap_site(before);
}
#define PST_GASP_NAME_(a, b) a##b
#define PST_GASP_NAME(a, b)  PST_GASP_NAME_(a, b)
#define PST_GASP_AT(file, line, ...) \
  __extension__({ \
    __attribute__((cleanup(pst_gasp_leave), unused)) struct pst_gasp_site PST_GASP_NAME( \
        pst_gasp_before_, __COUNTER__) = pst_gasp_enter(file, line, PST_GASP_COLUMN); \
    __VA_ARGS__; \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
