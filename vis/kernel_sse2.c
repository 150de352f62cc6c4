/* x86-64 as it always is. */
#if defined(__x86_64__)
#include "vis/kernel_tiles_sse2.h"

#define WIDTH 16
#define TARGET
#define TILES { 4, 4, tile_4_sse2 }, { 8, 2, tile_8_sse2 },
#define STREAM(to, v) _mm_stream_si128((__m128i *)(to), (__m128i)(v))
#define STREAM_FENCE() _mm_sfence()
#include "vis/kernel_body.h"

const struct pst_kernel_set pst_kernel_sse2 = { .small = { SMALL }, COMMON_KERNELS };
#endif
