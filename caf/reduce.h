/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What the reductions of gasnetx_coll_* are given for those of Fortran. */
#ifndef CAF_REDUCE_H
#define CAF_REDUCE_H

#include "caf/internal.h"

enum pst_caf_operation { PST_CAF_SUM, PST_CAF_MIN, PST_CAF_MAX };

/* Of elements that have no kernel: they last as long as the reduction is used. */
struct pst_caf_operands {
  enum pst_caf_operation op;
  size_t element;
  int kind; /* of characters */
};
/* length: of an element in characters; 0 where it is a number. Ends the job where the operation does not
 * exist for the array's elements. */
void pst_caf_reduction_make(const char *call, gasnetx_reduction_t *reduction,
    struct pst_caf_operands *operands, const gfc_descriptor_t *a, enum pst_caf_operation op, int length);

/* A function of the program. */
struct pst_caf_function {
  void *(*code)(void *, void *);
  size_t element, length;
};
/* flags: as gfortran passes them to co_reduce. */
void pst_caf_function_make(gasnetx_reduction_t *reduction, struct pst_caf_function *f,
    const gfc_descriptor_t *a, void *(*code)(void *, void *), int flags, int length);

#endif
