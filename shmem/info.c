/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include <string.h>

#include "shmem/internal.h"

void shmem_info_get_version(int *major, int *minor)
{
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char *name) { strcpy(name, SHMEM_VENDOR_STRING); }

/* ---- who is there: also after shmem_finalize ---- */

static inline void need_job(const char *call)
{
  if (!pst_shmem_job.pes) pst_shmem_not_open(call);
}

int _num_pes(void) { return need_job("_num_pes"), pst_shmem_job.pes; }
int _n_pes(void) { return need_job("_n_pes"), pst_shmem_job.pes; }
int shmem_n_pes(void) { return need_job("shmem_n_pes"), pst_shmem_job.pes; }
int _my_pe(void) { return need_job("_my_pe"), pst_shmem_job.me; }
int shmem_my_pe(void) { return need_job("shmem_my_pe"), pst_shmem_job.me; }

/* ---- caches are coherent ---- */

void shmem_set_cache_inv(void) {}
void shmem_set_cache_line_inv(void *target) { (void)target; }
void shmem_clear_cache_inv(void) {}
void shmem_clear_cache_line_inv(void *target) { (void)target; }
void shmem_udcflush(void) {}
void shmem_udcflush_line(void *target) { (void)target; }
