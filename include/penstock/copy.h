/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies to and from mapped memory, inlined into the client: what put and get of a mapped peer do. */
#ifndef PENSTOCK_COPY_H
#define PENSTOCK_COPY_H
#ifdef __cplusplus
extern "C" {
#endif

/* The library's copy, the fastest for any length. It is memcpy below PST_COPY_LARGE bytes. */
void pst_copy(void *__restrict__ dst, const void *__restrict__ src, size_t nbytes);
#define PST_COPY_LARGE ((size_t)1 << 20)
#define PST_COPY_SMALL 64

/* Words of any alignment, in objects of any type. */
typedef uint16_t pst_copy_2 __attribute__((__aligned__(1), __may_alias__));
typedef uint32_t pst_copy_4 __attribute__((__aligned__(1), __may_alias__));
typedef uint64_t pst_copy_8 __attribute__((__aligned__(1), __may_alias__));
typedef char pst_copy_16 __attribute__((__vector_size__(16), __aligned__(1), __may_alias__));

/* Copies the first word and the last, which overlap where n is less than two words. Both are loaded before
 * the first is stored. */
#define PST_COPY_ENDS(word, d, s, n) \
  do { \
    const word first_ = *(const word *)(s), last_ = *(const word *)((s) + (n) - sizeof(word)); \
    *(word *)(d) = first_; \
    *(word *)((d) + (n) - sizeof(word)) = last_; \
  } while (0)

/* More than PST_COPY_SMALL bytes. */
PST_INLINE void pst_copy_long(char *__restrict__ d, const char *__restrict__ s, size_t n)
{
  if (PST_LIKELY(n < PST_COPY_LARGE)) __builtin_memcpy(d, s, n);
  else pst_copy(d, s, n);
}

/* 0 to 15 bytes, but not 8. A word of 1, 2 or 4 bytes is stored once: a thread that polls it may overwrite it
 * as soon as it has changed, and a second store would undo that. */
PST_INLINE void pst_copy_words(char *d, const char *s, size_t n)
{
  if (n > 8) PST_COPY_ENDS(pst_copy_8, d, s, n);
  else if (n == 4) *(pst_copy_4 *)d = *(const pst_copy_4 *)s;
  else if (n > 4) PST_COPY_ENDS(pst_copy_4, d, s, n);
  else if (n == 2) *(pst_copy_2 *)d = *(const pst_copy_2 *)s;
  else if (n == 3) PST_COPY_ENDS(pst_copy_2, d, s, n);
  else if (n) *d = *s;
}

/* 16 to PST_COPY_SMALL bytes. */
PST_ALWAYS_INLINE void pst_copy_vectors(char *d, const char *s, size_t n)
{
  if (PST_LIKELY(n <= 32)) {
    PST_COPY_ENDS(pst_copy_16, d, s, n);
  } else {
    const pst_copy_16 second = *(const pst_copy_16 *)(s + 16), third = *(const pst_copy_16 *)(s + n - 32);
    PST_COPY_ENDS(pst_copy_16, d, s, n);
    *(pst_copy_16 *)(d + 16) = second;
    *(pst_copy_16 *)(d + n - 32) = third;
  }
}

/* For a length that the compiler does not know. 8 bytes are the most frequent, and their path takes no
 * branch. The asm hides the objects from the compiler, which would warn of the branches for lengths that an
 * object does not have. */
PST_ALWAYS_INLINE void pst_copy_any(void *__restrict__ dst, const void *__restrict__ src, size_t n)
{
  char *d = (char *)dst;
  const char *s = (const char *)src;
  __asm__("" : "+r"(d), "+r"(s));
  if (PST_UNLIKELY(n > PST_COPY_SMALL)) pst_copy_long(d, s, n);
  else if (PST_LIKELY(n == 8)) *(pst_copy_8 *)d = *(const pst_copy_8 *)s; /* once, as in pst_copy_words */
  else if (PST_LIKELY(n >= 16)) pst_copy_vectors(d, s, n);
  else pst_copy_words(d, s, n);
}

/* A short length that the compiler knows becomes loads and stores; aligned 1, 2, 4 and 8 bytes are a single
 * store in any case. */
PST_INLINE void pst_copy_inline(void *__restrict__ dst, const void *__restrict__ src, size_t n)
{
  if (__builtin_constant_p(n) && n <= PST_COPY_SMALL) __builtin_memcpy(dst, src, n);
  else pst_copy_any(dst, src, n);
}

#ifdef __cplusplus
}
#endif
#endif
