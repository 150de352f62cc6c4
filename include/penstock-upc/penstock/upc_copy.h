/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Block copies that go on while the program does. Proposal, sections 2 to 4. Until a copy is complete the
 * source must not be changed, and the contents of the destination are not defined. */
#ifndef PENSTOCK_UPC_COPY_H
#define PENSTOCK_UPC_COPY_H
#ifdef __cplusplus
extern "C" {
#endif

/* Explicit handles: the result is to be synchronised once, by the same thread. Section 2.2. */
PST_UPC(upc_handle_t, memcpy_async, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(upc_handle_t, memget_async, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(upc_handle_t, memput_async, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(upc_handle_t, memset_async, (upc_pts_t dst, int c, size_t n));

/* waitsync waits; trysync returns at once, not 0 when the transfer is complete. The handle is then invalid.
 * Section 2.3. */
PST_UPC(void, waitsync, (upc_handle_t handle));
PST_UPC(int, trysync, (upc_handle_t handle));
/* The same for all, or at least one, of the handles ph[0] ... that are not UPC_COMPLETE_HANDLE. Those that
 * are complete become UPC_COMPLETE_HANDLE. Where there are none, at once, not 0. Section 2.4. */
PST_UPC(void, waitsync_all, (upc_handle_t * ph, size_t numhandles));
PST_UPC(int, trysync_all, (upc_handle_t * ph, size_t numhandles));
PST_UPC(void, waitsync_some, (upc_handle_t * ph, size_t numhandles));
PST_UPC(int, trysync_some, (upc_handle_t * ph, size_t numhandles));

/* Implicit handle: all such transfers that the thread has begun outside access regions are synchronised
 * together. Section 3. */
PST_UPC(void, memcpy_asynci, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memget_asynci, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memput_asynci, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(void, memset_asynci, (upc_pts_t dst, int c, size_t n));
PST_UPC(void, waitsynci, (void));
PST_UPC(int, trysynci, (void));

/* Implicit transfers that begin between these two belong to the handle that the second returns. Regions do
 * not nest, and the two calls above are not allowed within. Section 4. */
PST_UPC(void, begin_accessregion, (void));
PST_UPC(upc_handle_t, end_accessregion, (void));

#ifdef __cplusplus
}
#endif
#endif
