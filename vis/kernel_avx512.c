/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Copies are wider than with AVX2. Transposes are those of AVX2, which move whole lines already. */
#if defined(__x86_64__)
#include "vis/kernel_tiles_avx2.h"

#define VEC_BYTES        64
#define TARGET           __attribute__((target("avx512f,avx2")))
#define TILES            {4, 8, tile_4_avx2}, {8, 8, tile_8_avx2},
#define STREAM(to, v)    _mm512_stream_si512((void *)(to), (__m512i)(v))
#define STREAM_FENCE()   _mm_sfence()
#define SHUFFLE(v, take) _mm_shuffle_epi8((__m128i)(v), (__m128i)(take))
#include "vis/kernel_body.h"

const struct pst_kernel_set pst_kernel_avx512 = {.small = {SMALL}, COMMON_KERNELS};
#endif
