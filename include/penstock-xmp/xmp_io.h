/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Parallel files. XcalableMP 1.4, section on input and output in C.
 *
 * Names that end in _all are called by all nodes of the executing set that opened the file, with the same
 * arguments but for buffers and their lengths; they return when all nodes are done. A file has one shared
 * pointer, and each node has a pointer of its own; both begin at 0, or with mode "a" at the end. All nodes
 * open the same file by the same name. `size` and `n` are bytes of an element, and elements. Transfers return
 * the bytes that this node has read or written, or a negative number; at the end of the file reads return
 * less. errno says why something failed. */
#ifndef PENSTOCK_XMP_IO_H
#define PENSTOCK_XMP_IO_H

#include <stdio.h>
#include <sys/types.h>

#include <xmp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pst_xmp_file xmp_file_t;
typedef struct pst_xmp_file_range xmp_range_t;

/* mode: "r" reads a file that exists; "w" writes a file that is new or emptied; "a" writes at its end; "rw"
 * reads and writes a file that is created where there is none, and keeps what it has; "ra" does the same at
 * its end. With a "+", "r" writes, too, "w" and "a" read, too. NULL on all nodes if one cannot open it. */
xmp_file_t *xmp_fopen_all(const char *fname, const char *mode);
/* 0; 1: f is NULL; 2: a node could not close the file, which is closed nevertheless. */
int xmp_fclose_all(xmp_file_t *f);

/* The node's own pointer, in bytes: of the file, or with a view of what the node sees of it. whence:
 * SEEK_SET, SEEK_CUR, SEEK_END, which is the end of the file, or of the view. 0, or negative. */
int xmp_fseek(xmp_file_t *f, long long offset, int whence);
/* The shared pointer, which counts bytes of the file. */
int xmp_fseek_shared_all(xmp_file_t *f, long long offset, int whence);
#define xmp_fseek_shared xmp_fseek_shared_all
/* In bytes from the beginning of the file; negative: an error. */
long long xmp_ftell(xmp_file_t *f);
long long xmp_ftell_shared(xmp_file_t *f);
/* What any node has written is on the disk, and other nodes read it. 0, or negative. */
int xmp_file_sync_all(xmp_file_t *f);

/* At the node's own pointer, which moves on; the node's elements are `n` in a row, or lie where the view
 * says. */
ssize_t xmp_fread_all(xmp_file_t *f, void *buffer, size_t size, size_t n);
ssize_t xmp_fwrite_all(xmp_file_t *f, const void *buffer, size_t size, size_t n);
/* The same without the other nodes. */
ssize_t xmp_fread(xmp_file_t *f, void *buffer, size_t size, size_t n);
ssize_t xmp_fwrite(xmp_file_t *f, const void *buffer, size_t size, size_t n);
/* At the shared pointer, in the order in which nodes come. Not with a view. */
ssize_t xmp_fread_shared(xmp_file_t *f, void *buffer, size_t size, size_t n);
ssize_t xmp_fwrite_shared(xmp_file_t *f, const void *buffer, size_t size, size_t n);

/* A part of a global array, whose elements lie in the file one after the other in the array's order, the last
 * dimension fastest, from the node's own pointer on, which must be the same on all nodes and moves behind
 * them. range NULL: the whole array. Not with a view. */
ssize_t xmp_fread_darray_all(xmp_file_t *f, xmp_desc_t array, xmp_range_t *range);
ssize_t xmp_fwrite_darray_all(xmp_file_t *f, xmp_desc_t array, xmp_range_t *range);

/* From now on the file consists, for each node, of those elements of the part of the array that it owns: the
 * array's part begins at byte `displacement` of the file. The node's pointer becomes 0. 0, or negative. */
int xmp_file_set_view_all(xmp_file_t *f, long long displacement, xmp_desc_t array, xmp_range_t *range);
/* No view from now on; the pointer is at the displacement. */
int xmp_file_clear_view_all(xmp_file_t *f, long long displacement);

/* A range of n dimensions, which are all indices of an array until they are set. Dimensions count from 1, and
 * indices as in the program; the step may be negative, but not 0. Errors end the job. */
xmp_range_t *xmp_allocate_range(int n);
void xmp_set_range(xmp_range_t *range, int dim, int lower, int length, int step);
void xmp_free_range(xmp_range_t *range);

#ifdef __cplusplus
}
#endif
#endif
