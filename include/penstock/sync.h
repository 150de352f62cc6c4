/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Completion of non-blocking operations. GASNet specification 1.8, "Extended API: synchronization". */
#ifndef PENSTOCK_SYNC_H
#define PENSTOCK_SYNC_H
#ifdef __cplusplus
extern "C" {
#endif

void pst_sync_wait(gasnet_handle_t handle);

/* Returns when the operation is complete; the handle is dead then. */
PST_INLINE void gasnet_wait_syncnb(gasnet_handle_t handle)
{
  if (handle != GASNET_INVALID_HANDLE) pst_sync_wait(handle);
  PST_SYNC_FENCE();
}

/* GASNET_OK when complete (the handle is dead then), else GASNET_ERR_NOT_READY. Serves messages; the _nopoll
 * forms do not. */
int gasnet_try_syncnb(gasnet_handle_t handle);
int gasnet_try_syncnb_nopoll(gasnet_handle_t handle);

/* Arrays: completed entries become GASNET_INVALID_HANDLE, and such entries are skipped. `some` succeeds when
 * at least one has completed now or none is valid, `all` when every one has completed. */
void gasnet_wait_syncnb_some(gasnet_handle_t *handles, size_t n);
void gasnet_wait_syncnb_all(gasnet_handle_t *handles, size_t n);
int gasnet_try_syncnb_some(gasnet_handle_t *handles, size_t n);
int gasnet_try_syncnb_all(gasnet_handle_t *handles, size_t n);
int gasnet_try_syncnb_some_nopoll(gasnet_handle_t *handles, size_t n);
int gasnet_try_syncnb_all_nopoll(gasnet_handle_t *handles, size_t n);

/* For the calling thread's implicit operations. Not allowed inside an access region. */
void gasnet_wait_syncnbi_gets(void);
void gasnet_wait_syncnbi_puts(void);
void gasnet_wait_syncnbi_all(void);
int gasnet_try_syncnbi_gets(void);
int gasnet_try_syncnbi_puts(void);
int gasnet_try_syncnbi_all(void);

/* Implicit operations between the two belong to the handle that end returns. Regions do not nest. */
void gasnet_begin_nbi_accessregion(void);
gasnet_handle_t gasnet_end_nbi_accessregion(void);

#ifdef __cplusplus
}
#endif
#endif
