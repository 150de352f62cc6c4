/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Tiles of transposes in 32-byte registers. */
#ifndef VIS_KERNEL_TILES_AVX2_H
#define VIS_KERNEL_TILES_AVX2_H
#include <immintrin.h>
#include <stddef.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

AVX2_INLINE __m256i load_32(const char *p) { return _mm256_loadu_si256((const __m256i *)p); }

AVX2_INLINE void store_line(char *p, __m256i a, __m256i b, int stream)
{
  if (stream) {
    _mm256_stream_si256((__m256i *)p, a);
    _mm256_stream_si256((__m256i *)p + 1, b);
  } else {
    _mm256_storeu_si256((__m256i *)p, a);
    _mm256_storeu_si256((__m256i *)p + 1, b);
  }
}

/* 4 by 4 of 8 bytes. */
AVX2_INLINE void turn_8(__m256i out[4], const char *s, ptrdiff_t pitch)
{
  const __m256i a = load_32(s), b = load_32(s + pitch), c = load_32(s + 2 * pitch),
                e = load_32(s + 3 * pitch);
  const __m256i ab = _mm256_unpacklo_epi64(a, b), ce = _mm256_unpacklo_epi64(c, e);
  const __m256i ab2 = _mm256_unpackhi_epi64(a, b), ce2 = _mm256_unpackhi_epi64(c, e);
  out[0] = _mm256_permute2x128_si256(ab, ce, 0x20);
  out[1] = _mm256_permute2x128_si256(ab2, ce2, 0x20);
  out[2] = _mm256_permute2x128_si256(ab, ce, 0x31);
  out[3] = _mm256_permute2x128_si256(ab2, ce2, 0x31);
}

/* 8 by 8 of 8 bytes. A tile has whole lines of the source, too. */
AVX2 static void tile_8_avx2(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream)
{
  for (int half = 0; half < 2; half++, d += 4 * dpitch, s += 32) {
    __m256i left[4], right[4];
    turn_8(left, s, spitch);
    turn_8(right, s + 4 * spitch, spitch);
    for (int j = 0; j < 4; j++) store_line(d + j * dpitch, left[j], right[j], stream);
  }
}

/* 8 by 8 of 4 bytes. */
AVX2_INLINE void turn_4(__m256i out[8], const char *s, ptrdiff_t pitch)
{
  __m256i two[8], four[8];
  for (int i = 0; i < 4; i++) {
    const __m256i a = load_32(s + 2 * i * pitch), b = load_32(s + (2 * i + 1) * pitch);
    two[2 * i] = _mm256_unpacklo_epi32(a, b);
    two[2 * i + 1] = _mm256_unpackhi_epi32(a, b);
  }
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      four[4 * i + 2 * k] = _mm256_unpacklo_epi64(two[4 * i + k], two[4 * i + 2 + k]);
      four[4 * i + 2 * k + 1] = _mm256_unpackhi_epi64(two[4 * i + k], two[4 * i + 2 + k]);
    }
  for (int j = 0; j < 4; j++) {
    out[j] = _mm256_permute2x128_si256(four[j], four[4 + j], 0x20);
    out[4 + j] = _mm256_permute2x128_si256(four[j], four[4 + j], 0x31);
  }
}

/* 16 by 8 of 4 bytes. */
AVX2 static void tile_4_avx2(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream)
{
  __m256i left[8], right[8];
  turn_4(left, s, spitch);
  turn_4(right, s + 8 * spitch, spitch);
  for (int j = 0; j < 8; j++) store_line(d + j * dpitch, left[j], right[j], stream);
}

#endif
