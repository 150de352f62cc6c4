/* Tiles of transposes in 16-byte registers. */
#ifndef VIS_KERNEL_TILES_SSE2_H
#define VIS_KERNEL_TILES_SSE2_H
#include <immintrin.h>
#include <stddef.h>

static inline __m128i load_16(const char *p) { return _mm_loadu_si128((const __m128i *)p); }

static inline void store_16(char *p, __m128i v, int stream)
{
  if (stream) _mm_stream_si128((__m128i *)p, v);
  else _mm_storeu_si128((__m128i *)p, v);
}

/* 8 by 2 of 8 bytes. */
static void tile_8_sse2(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream)
{
  __m128i a[8];
  for (int i = 0; i < 8; i++) a[i] = load_16(s + i * spitch);
  for (int i = 0; i < 4; i++) store_16(d + 16 * i, _mm_unpacklo_epi64(a[2 * i], a[2 * i + 1]), stream);
  for (int i = 0; i < 4; i++) store_16(d + dpitch + 16 * i, _mm_unpackhi_epi64(a[2 * i], a[2 * i + 1]), stream);
}

/* 16 by 4 of 4 bytes. */
static void tile_4_sse2(char *d, ptrdiff_t dpitch, const char *s, ptrdiff_t spitch, int stream)
{
  __m128i out[4][4];
  for (int i = 0; i < 4; i++) {
    const char *c = s + 4 * i * spitch;
    const __m128i a = load_16(c), b = load_16(c + spitch), e = load_16(c + 2 * spitch), f = load_16(c + 3 * spitch);
    const __m128i ab = _mm_unpacklo_epi32(a, b), ef = _mm_unpacklo_epi32(e, f);
    const __m128i ab2 = _mm_unpackhi_epi32(a, b), ef2 = _mm_unpackhi_epi32(e, f);
    out[0][i] = _mm_unpacklo_epi64(ab, ef);
    out[1][i] = _mm_unpackhi_epi64(ab, ef);
    out[2][i] = _mm_unpacklo_epi64(ab2, ef2);
    out[3][i] = _mm_unpackhi_epi64(ab2, ef2);
  }
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) store_16(d + j * dpitch + 16 * i, out[j][i], stream);
}

#endif
