/* Caches are coherent. */
#include "shmem/internal.h"

void shmem_set_cache_inv(void) {}
void shmem_set_cache_line_inv(void *target) { (void)target; }
void shmem_clear_cache_inv(void) {}
void shmem_clear_cache_line_inv(void *target) { (void)target; }
void shmem_udcflush(void) {}
void shmem_udcflush_line(void *target) { (void)target; }
