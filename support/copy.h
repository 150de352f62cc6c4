/* Contiguous copies and fills at the speed of the memory: below the cache size what libc does, above it
 * streaming stores or `rep movsb`, chosen at run time by CPU and measured size. */
#ifndef SUPPORT_COPY_H
#define SUPPORT_COPY_H
#include <stddef.h>
void pst_copy(void *restrict dst, const void *restrict src, size_t n);
/* From how many bytes on a copy goes past the caches. */
size_t pst_copy_large(void);
void pst_fill(void *dst, int byte, size_t n);
#endif
