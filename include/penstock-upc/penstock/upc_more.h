/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the proposal's appendix leaves open: the calls of gasnetx.h with pointers-to-shared. Their contracts
 * are in gasnetx.h. Sizes are in bytes where nothing else is said; _async forms return a handle. */
#ifndef PENSTOCK_UPC_MORE_H
#define PENSTOCK_UPC_MORE_H
#ifdef __cplusplus
extern "C" {
#endif

/* Item 9: rectangles of height rows of width bytes, and boxes of depth such planes. Pitch: bytes from a
 * row to the next; plane: bytes from a plane to the next. */
PST_UPC(void, memcpy_2d,
    (upc_pts_t dst, size_t dstpitch, upc_const_pts_t src, size_t srcpitch, size_t width, size_t height));
PST_UPC(upc_handle_t, memcpy_2d_async,
    (upc_pts_t dst, size_t dstpitch, upc_const_pts_t src, size_t srcpitch, size_t width, size_t height));
PST_UPC(void, memput_2d,
    (upc_pts_t dst, size_t dstpitch, const void *src, size_t srcpitch, size_t width, size_t height));
PST_UPC(upc_handle_t, memput_2d_async,
    (upc_pts_t dst, size_t dstpitch, const void *src, size_t srcpitch, size_t width, size_t height));
PST_UPC(void, memget_2d,
    (void *dst, size_t dstpitch, upc_const_pts_t src, size_t srcpitch, size_t width, size_t height));
PST_UPC(upc_handle_t, memget_2d_async,
    (void *dst, size_t dstpitch, upc_const_pts_t src, size_t srcpitch, size_t width, size_t height));
PST_UPC(void, memcpy_3d,
    (upc_pts_t dst, size_t dstpitch, size_t dstplane, upc_const_pts_t src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));
PST_UPC(upc_handle_t, memcpy_3d_async,
    (upc_pts_t dst, size_t dstpitch, size_t dstplane, upc_const_pts_t src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));
PST_UPC(void, memput_3d,
    (upc_pts_t dst, size_t dstpitch, size_t dstplane, const void *src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));
PST_UPC(upc_handle_t, memput_3d_async,
    (upc_pts_t dst, size_t dstpitch, size_t dstplane, const void *src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));
PST_UPC(void, memget_3d,
    (void *dst, size_t dstpitch, size_t dstplane, upc_const_pts_t src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));
PST_UPC(upc_handle_t, memget_3d_async,
    (void *dst, size_t dstpitch, size_t dstplane, upc_const_pts_t src, size_t srcpitch, size_t srcplane,
        size_t width, size_t height, size_t depth));

/* Items 3 and 8: elements of elemsz bytes, element (i0, i1, ...) at address + i0 * strides[0] + ...; signed
 * strides in any order: copies, transposes, reflects. */
PST_UPC(void, memcpy_any,
    (upc_pts_t dst, const ptrdiff_t dststrides[], upc_const_pts_t src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));
PST_UPC(upc_handle_t, memcpy_any_async,
    (upc_pts_t dst, const ptrdiff_t dststrides[], upc_const_pts_t src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));
PST_UPC(void, memput_any,
    (upc_pts_t dst, const ptrdiff_t dststrides[], const void *src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));
PST_UPC(upc_handle_t, memput_any_async,
    (upc_pts_t dst, const ptrdiff_t dststrides[], const void *src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));
PST_UPC(void, memget_any,
    (void *dst, const ptrdiff_t dststrides[], upc_const_pts_t src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));
PST_UPC(upc_handle_t, memget_any_async,
    (void *dst, const ptrdiff_t dststrides[], upc_const_pts_t src, const ptrdiff_t srcstrides[],
        size_t elemsz, const size_t count[], size_t dims));

/* Item 1: copies nelems elements from src on, of an array in blocks of srcblock elements, to dst, in an array
 * in blocks of dstblock. Any thread may call it. A private side is contiguous. */
PST_UPC(void, memcpy_reblock,
    (upc_pts_t dst, size_t dstblock, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz));
PST_UPC(upc_handle_t, memcpy_reblock_async,
    (upc_pts_t dst, size_t dstblock, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz));
PST_UPC(
    void, memput_reblock, (upc_pts_t dst, size_t dstblock, const void *src, size_t nelems, size_t elemsz));
PST_UPC(upc_handle_t, memput_reblock_async,
    (upc_pts_t dst, size_t dstblock, const void *src, size_t nelems, size_t elemsz));
PST_UPC(
    void, memget_reblock, (void *dst, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz));
PST_UPC(upc_handle_t, memget_reblock_async,
    (void *dst, upc_const_pts_t src, size_t srcblock, size_t nelems, size_t elemsz));

/* Item 2: every stride-th element, at least 1, from the pointer on, of an array in blocks, whichever threads
 * have them. The private side is contiguous. */
PST_UPC(void, memput_across,
    (upc_pts_t dst, size_t dstblock, size_t stride, const void *src, size_t nelems, size_t elemsz));
PST_UPC(upc_handle_t, memput_across_async,
    (upc_pts_t dst, size_t dstblock, size_t stride, const void *src, size_t nelems, size_t elemsz));
PST_UPC(void, memget_across,
    (void *dst, upc_const_pts_t src, size_t srcblock, size_t stride, size_t nelems, size_t elemsz));
PST_UPC(upc_handle_t, memget_across_async,
    (void *dst, upc_const_pts_t src, size_t srcblock, size_t stride, size_t nelems, size_t elemsz));

/* Item 4: semaphores. The thread that allocates one waits for it; any thread that has been given the pointer
 * posts to it. post adds n; wait takes n when there are as many; try: not 0 when it has taken n. Data put
 * before a post, by a complete call or by memput_signal itself, is visible after the wait. The pointers are
 * no addresses, and are the same on all threads. */
typedef struct upc_sem upc_sem_t;
typedef upc_sem_t bupc_sem_t;
PST_UPC(upc_sem_t *, sem_alloc, (void));
PST_UPC(void, sem_free, (upc_sem_t * sem));
PST_UPC(void, sem_post, (upc_sem_t * sem, size_t n));
PST_UPC(void, sem_wait, (upc_sem_t * sem, size_t n));
PST_UPC(int, sem_try, (upc_sem_t * sem, size_t n));
/* A put to memory of the thread that waits, and a post of n when all of it is there. */
PST_UPC(void, memput_signal, (upc_pts_t dst, const void *src, size_t nbytes, upc_sem_t *sem, size_t n));
PST_UPC(upc_handle_t, memput_signal_async,
    (upc_pts_t dst, const void *src, size_t nbytes, upc_sem_t *sem, size_t n));

#ifdef __cplusplus
}
#endif
#endif
