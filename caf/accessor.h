/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Accessors: for each reference to another image gfortran 15 and later compile a procedure that does it where
 * the coarray lies. A constructor registers them by hashes, which all images know alike. An image knows its
 * accessors by indices, which stay the same when a library that is loaded later registers more. */
#ifndef CAF_ACCESSOR_H
#define CAF_ACCESSOR_H

#include "caf/internal.h"

/* Of one file. The shapes that accessors have, of which the last two arguments are for characters:
 * `add`, values that the statement computed, such as subscripts; the number of the image that executes it;
 * `add` once more as if it were a coarray of that image, from which an accessor fetches what is allocatable
 * in it. A place is the coarray's address, or a descriptor of it. */
typedef void (*pst_caf_getter_fn)(void *add, const int *caller, void *dst, int32_t *moved, void *place,
    caf_token_t add_token, size_t offset, size_t *dst_length, const size_t *place_length);
typedef void (*pst_caf_putter_fn)(void *add, const int *caller, void *place, const void *src,
    caf_token_t add_token, size_t offset, const size_t *place_length, const size_t *src_length);
typedef void (*pst_caf_inquirer_fn)(
    void *add, const int *caller, int32_t *result, void *place, caf_token_t add_token, size_t offset);

struct pst_caf_accessor {
  int hash;
  int twice; /* another one has the hash, too */
  void (*run)(void);
};

/* Of the thread that executes the program. Ends the job where there is none. */
const struct pst_caf_accessor *pst_caf_accessor_at(const char *call, int index);
/* Any thread may ask. NULL: there is none, or there are two. */
void (*pst_caf_accessor_find(int hash))(void);

#endif
