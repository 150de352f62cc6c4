/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The operations of reductions for each type of C. Pure functions. */
#ifndef XMP_OPERATION_H
#define XMP_OPERATION_H

#include <gasnetx.h>
#include <penstock-xmp/xmp_translated.h>

/* What combines elements; of FIRSTMAX and its like what combines their values alone. NULL: C has no such
 * operation for the type. */
const gasnetx_reduction_t *pst_xmp_operation(enum pst_xmp_operation op, enum pst_xmp_type type);
/* Sets `count` elements to the value that changes nothing. -1: there is no such operation. */
int pst_xmp_operation_neutral(
    enum pst_xmp_operation op, enum pst_xmp_type type, void *elements, unsigned long count);
/* to[i] = to[i] OP from[i]: the operations that pst_xmp_operation has, but for FIRSTMAX and its like. */
void pst_xmp_operation_apply(
    enum pst_xmp_operation op, enum pst_xmp_type type, void *to, const void *from, unsigned long count);

/* -1, 0, 1: *a is less than, equal to, greater than *b, both of a type that has MAX. A value that is not a
 * number is less than all, if `low`, else greater: it never wins. */
int pst_xmp_operation_compare(enum pst_xmp_type type, const void *a, const void *b, int low);

unsigned long pst_xmp_type_size(enum pst_xmp_type type); /* 0: OTHER */
const char *pst_xmp_type_name(enum pst_xmp_type type);
const char *pst_xmp_operation_name(enum pst_xmp_operation op); /* as the program writes it */

/* Assigns as C does, `count` elements at distances of their sizes. Both types have a size. */
void pst_xmp_type_convert(
    enum pst_xmp_type to_type, void *to, enum pst_xmp_type from_type, const void *from, unsigned long count);

#endif
