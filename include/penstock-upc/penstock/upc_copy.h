/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Block copies that are under way while the program goes on. Proposal, sections 2 to 4. While one is, its
 * source is not changed, and what is in its destination is not defined. */
#ifndef PENSTOCK_UPC_COPY_H
#define PENSTOCK_UPC_COPY_H
#ifdef __cplusplus
extern "C" {
#endif

/* Explicit handles: what these return is to be synchronised once, by the same thread. Section 2.2. */
PST_UPC(upc_handle_t, memcpy_async, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(upc_handle_t, memget_async, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(upc_handle_t, memput_async, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(upc_handle_t, memset_async, (upc_pts_t dst, int c, size_t n));

/* Wait for it; or: not 0 when it is complete, at once. It is dead then. Section 2.3. */
PST_UPC(void, waitsync, (upc_handle_t handle));
PST_UPC(int, trysync, (upc_handle_t handle));
/* For all, or at least one, of those in ph[0] ... that are not UPC_COMPLETE_HANDLE, which those that are
 * complete become. None: at once, not 0. Section 2.4. */
PST_UPC(void, waitsync_all, (upc_handle_t * ph, size_t numhandles));
PST_UPC(int, trysync_all, (upc_handle_t * ph, size_t numhandles));
PST_UPC(void, waitsync_some, (upc_handle_t * ph, size_t numhandles));
PST_UPC(int, trysync_some, (upc_handle_t * ph, size_t numhandles));

/* Implicit handle: all of these that the thread has begun outside access regions are synchronised together.
 * Section 3. */
PST_UPC(void, memcpy_asynci, (upc_pts_t dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memget_asynci, (void *dst, upc_const_pts_t src, size_t n));
PST_UPC(void, memput_asynci, (upc_pts_t dst, const void *src, size_t n));
PST_UPC(void, memset_asynci, (upc_pts_t dst, int c, size_t n));
PST_UPC(void, waitsynci, (void));
PST_UPC(int, trysynci, (void));

/* Those that are begun in between belong to the handle that end returns. Not nested, and without the two
 * calls above. Section 4. */
PST_UPC(void, begin_accessregion, (void));
PST_UPC(upc_handle_t, end_accessregion, (void));

#ifdef __cplusplus
}
#endif
#endif
