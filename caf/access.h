/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* References to other images by accessors: here, where a coarray's memory is mapped, or at its owner. */
#ifndef CAF_ACCESS_H
#define CAF_ACCESS_H

#include "caf/accessor.h"

/* What an accessor works on. */
struct pst_caf_access {
  const char *call;
  const struct pst_caf_token *token; /* of the coarray */
  gasnet_node_t node;                /* where it lies */
  const gfc_descriptor_t *desc;      /* of it, as this image has it; NULL: its place is its address */
  const size_t *length;              /* characters of an element of it; NULL: it has none */
  const struct pst_caf_accessor *accessor;
  void *add;
  size_t add_size;
};

/* What a getter stores into. A scalar: *data has the address of memory for it, and gets the address where it
 * is. An array: desc; without `reallocatable` its memory has the right size. */
struct pst_caf_got {
  void **data;
  size_t size;    /* of a scalar, or of one of its characters */
  size_t *length; /* of characters, which the accessor may store; or NULL */
  gfc_descriptor_t *desc;
  int reallocatable;
};

/* What a putter takes: a scalar, or an array. */
struct pst_caf_given {
  const void *data;
  size_t size;
  const size_t *length;
  const gfc_descriptor_t *desc;
};

static inline size_t pst_caf_scalar_bytes(size_t size, const size_t *length)
{
  return length ? size * *length : size;
}

/* An array whose elements lie one behind the other, from its base on. */
size_t pst_caf_packed_bytes(const gfc_descriptor_t *desc);
size_t pst_caf_descriptor_bytes(const gfc_descriptor_t *desc);
/* The same elements at `base`, packed, with lower bounds of 1. */
void pst_caf_array_pack(
    union pst_caf_whole_descriptor *packed, const gfc_descriptor_t *desc, void *base, const char *call);
/* got->desc = an array that is packed. */
void pst_caf_array_store(const struct pst_caf_got *got, const gfc_descriptor_t *packed, const char *call);

/* ---- at the owner (owner.c) ---- */

/* 0: the owner is lost. */
int pst_caf_owner_get(const struct pst_caf_access *a, const struct pst_caf_got *got);
int pst_caf_owner_put(const struct pst_caf_access *a, const struct pst_caf_given *given);
/* one: bytes of the coarray's one element, see below; 0: it is an array. */
int pst_caf_owner_inquire(const struct pst_caf_access *a, size_t one, int32_t *result);

/* An accessor that runs for another image wants something of the data that came with it, which is
 * allocatable: it is there already, or the image is told to send it, and this does not return. */
struct pst_caf_run;
void pst_caf_run_get(struct pst_caf_run *run, const struct pst_caf_access *a, const struct pst_caf_got *got);

/* Where an accessor that inquires finds a coarray of one element, which the caller frees. */
void *pst_caf_inquiry_place(const void *memory, size_t element);

#endif
