/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Start and end, PEs, what can be reached, memory, versions. */
#ifndef PENSTOCK_SHMEM_SETUP_H
#define PENSTOCK_SHMEM_SETUP_H
#include "penstock/shmem_base.h"

/* Of the interface, not of Penstock. */
#define SHMEM_MAJOR_VERSION  1
#define SHMEM_MINOR_VERSION  0
#define SHMEM_VENDOR_STRING  "Penstock"
#define SHMEM_MAX_NAME_LEN   64
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_MAX_NAME_LEN  SHMEM_MAX_NAME_LEN

#ifdef __cplusplus
extern "C" {
#endif

/* Joins the job, makes the symmetric heap, makes static and global variables symmetric. Called before all
 * other routines; further calls have no effect. npes is ignored. Section 7.1.1. */
void start_pes(int npes);
void shmem_init(void);
/* Waits until all PEs have called it or have returned from main, which does the same. */
void shmem_finalize(void);
/* Ends the whole job with this code. Any PE may call it. */
void shmem_global_exit(int status) __attribute__((__noreturn__));

/* The number of PEs, and this PE's number, from 0. Sections 7.2, 7.4; the others are further names in use. */
int _num_pes(void);
int _my_pe(void);
int _n_pes(void);
int shmem_n_pes(void);
int shmem_my_pe(void);

/* 1 or 0: whether routines reach pe, and addr on pe. Sections 7.6, 7.7. */
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void *addr, int pe);
/* Where to load and store pe's object directly, or null where that is not possible. Section 7.17. */
void *shmem_ptr(const void *target, int pe);

/* The symmetric heap. All PEs call these at the same point with the same arguments, and wait for each other.
 * Null: there is no room, the size is 0, or the PEs' arguments differ. Alignment: a power of two.
 * Sections 7.9 to 7.12. */
void *shmalloc(size_t size);
void *shmalign(size_t alignment, size_t size);
void *shmemalign(size_t alignment, size_t size);
void *shrealloc(void *ptr, size_t size);
void shfree(void *ptr);
void *shmem_malloc(size_t size);
void *shmem_align(size_t alignment, size_t size);
void *shmem_realloc(void *ptr, size_t size);
void *shmem_calloc(size_t count, size_t size); /* zeroed */
void shmem_free(void *ptr);

void shmem_info_get_version(int *major, int *minor);
void shmem_info_get_name(char *name); /* [SHMEM_MAX_NAME_LEN] */

/* Caches are coherent: these do nothing. Sections 7.63 to 7.68. */
void shmem_set_cache_inv(void);
void shmem_set_cache_line_inv(void *target);
void shmem_clear_cache_inv(void);
void shmem_clear_cache_line_inv(void *target);
void shmem_udcflush(void);
void shmem_udcflush_line(void *target);

#ifdef __cplusplus
}
#endif
#endif
