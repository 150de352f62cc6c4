/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* What code that gfortran compiled passes to its coarray library: the layouts of gcc 9 and later on 64 bits.
 */
#ifndef CAF_ABI_H
#define CAF_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- arrays ---- */

enum pst_caf_type {
  PST_CAF_INTEGER = 1,
  PST_CAF_LOGICAL,
  PST_CAF_REAL,
  PST_CAF_COMPLEX,
  PST_CAF_DERIVED,
  PST_CAF_CHARACTER,
  PST_CAF_CLASS
};
enum { PST_CAF_RANKS = 15 };

struct pst_caf_dim {
  ptrdiff_t stride; /* in spans */
  ptrdiff_t lower, upper;
};

/* Of an array, or of a scalar, whose rank is 0. A coarray's cobounds follow its bounds in dim. */
typedef struct pst_caf_descriptor {
  void *base;
  size_t offset;  /* of no use here */
  size_t element; /* bytes that are transferred */
  int version;
  signed char rank, type;
  short attribute;
  ptrdiff_t span; /* bytes from one element to the next one of stride 1; may be unset where the rank is 0 */
  struct pst_caf_dim dim[];
} gfc_descriptor_t;

_Static_assert(offsetof(gfc_descriptor_t, element) == 16 && offsetof(gfc_descriptor_t, rank) == 28 &&
        offsetof(gfc_descriptor_t, span) == 32 && offsetof(gfc_descriptor_t, dim) == 40,
    "the layout of gfortran's descriptors");

/* One that has its dimensions with it. */
union pst_caf_whole_descriptor {
  gfc_descriptor_t desc;
  char room[offsetof(gfc_descriptor_t, dim) + PST_CAF_RANKS * sizeof(struct pst_caf_dim)];
};

/* ---- coarrays ---- */

typedef struct pst_caf_token *caf_token_t;
typedef struct pst_caf_team *caf_team_t;

/* What is registered, and how its size counts. */
enum pst_caf_register {
  PST_CAF_STATIC,
  PST_CAF_ALLOCATABLE,
  PST_CAF_LOCK_STATIC, /* locks */
  PST_CAF_LOCK_ALLOCATABLE,
  PST_CAF_CRITICAL,
  PST_CAF_EVENT_STATIC, /* events */
  PST_CAF_EVENT_ALLOCATABLE,
  PST_CAF_COMPONENT_TOKEN,  /* of a component: no memory yet */
  PST_CAF_COMPONENT_MEMORY, /* of a component that has a token */
  PST_CAF_MAP_EXISTING
};
enum pst_caf_deregister { PST_CAF_FREE, PST_CAF_FREE_MEMORY };

/* ---- sections by vector subscripts ---- */

/* One for each dimension of the coarray, whose bounds the subscripts are in. */
typedef struct pst_caf_vector {
  size_t count; /* 0: a triplet */
  union {
    struct {
      void *subscript; /* [count] integers of a kind */
      int kind;
    } list;
    struct {
      ptrdiff_t lower, upper, stride;
    } triplet;
  } of;
} caf_vector_t;

_Static_assert(sizeof(caf_vector_t) == 32, "the layout of gfortran's vector subscripts");

/* ---- references to components that are allocatable or pointers: a chain ---- */

enum pst_caf_reference_type { PST_CAF_REF_COMPONENT, PST_CAF_REF_ARRAY, PST_CAF_REF_STATIC_ARRAY };
enum pst_caf_subscript {
  PST_CAF_SUBSCRIPTS_END,
  PST_CAF_VECTOR,
  PST_CAF_FULL,
  PST_CAF_RANGE,
  PST_CAF_SINGLE,
  PST_CAF_OPEN_END,
  PST_CAF_OPEN_START
};

typedef struct pst_caf_reference {
  struct pst_caf_reference *next;
  int type;
  size_t item_size; /* bytes of an element */
  union {
    struct {
      ptrdiff_t offset;
      ptrdiff_t token_offset; /* 0: neither allocatable nor a pointer */
    } component;
    struct {
      unsigned char mode[PST_CAF_RANKS]; /* enum pst_caf_subscript */
      int element_type;                  /* of static arrays */
      union pst_caf_ref_dim {
        struct {
          ptrdiff_t start, end, stride; /* static arrays: in elements, from the array's beginning */
        } range;
        struct {
          void *subscript;
          size_t count;
          int kind;
        } list;
      } dim[PST_CAF_RANKS];
    } array;
  } of;
} caf_reference_t;

_Static_assert(offsetof(caf_reference_t, of) == 24 &&
        offsetof(caf_reference_t, of.array.element_type) == 40 &&
        offsetof(caf_reference_t, of.array.dim) == 48,
    "the layout of gfortran's references");

/* ---- values of stat= (ISO_FORTRAN_ENV) ---- */

enum {
  PST_CAF_STAT_LOCKED = 1,
  PST_CAF_STAT_LOCKED_OTHER_IMAGE = 2,
  PST_CAF_STAT_NOT_LOCKED = 3, /* gfortran's STAT_UNLOCKED is 0, which would be success */
  PST_CAF_STAT_NEW_INDEX = 4,
  PST_CAF_STAT_STOPPED_IMAGE = 6000,
  PST_CAF_STAT_FAILED_IMAGE = 6001,
  PST_CAF_STAT_ALLOCATION = 5014
};

/* ---- functions ---- */

#define PST_CAF_STATUS int *stat, char *errmsg, size_t errmsg_len

void _gfortran_caf_init(int *argc, char ***argv);
void _gfortran_caf_finalize(void);

void _gfortran_caf_register(
    size_t size, int type, caf_token_t *token, gfc_descriptor_t *desc, PST_CAF_STATUS);
void _gfortran_caf_deregister(caf_token_t *token, int type, PST_CAF_STATUS);

/* gfortran 16 passes a team, or NULL for the current one, and the number of a team, or NULL. Earlier ones
 * pass integers in these places: how many teams above the current one; failed=, -1 where it is absent; -1. */
int _gfortran_caf_this_image(caf_team_t team);
int _gfortran_caf_num_images(caf_team_t team, int32_t *number);
int _gfortran_caf_image_status(int image, caf_team_t *team);
void _gfortran_caf_failed_images(gfc_descriptor_t *array, caf_team_t *team, int *kind);
void _gfortran_caf_stopped_images(gfc_descriptor_t *array, caf_team_t *team, int *kind);

void _gfortran_caf_sync_all(PST_CAF_STATUS);
void _gfortran_caf_sync_memory(PST_CAF_STATUS);
void _gfortran_caf_sync_images(int count, int images[], PST_CAF_STATUS);

void _gfortran_caf_stop_numeric(int code, bool quiet) __attribute__((noreturn));
void _gfortran_caf_stop_str(const char *text, size_t length, bool quiet) __attribute__((noreturn));
void _gfortran_caf_error_stop(int code, bool quiet) __attribute__((noreturn));
void _gfortran_caf_error_stop_str(const char *text, size_t length, bool quiet) __attribute__((noreturn));
void _gfortran_caf_fail_image(void) __attribute__((noreturn));

void _gfortran_caf_get(caf_token_t token, size_t offset, int image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, gfc_descriptor_t *dst, int src_kind, int dst_kind, bool may_overlap, int *stat);
void _gfortran_caf_send(caf_token_t token, size_t offset, int image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, gfc_descriptor_t *src, int dst_kind, int src_kind, bool may_overlap, int *stat,
    caf_team_t *team);
void _gfortran_caf_sendget(caf_token_t dst_token, size_t dst_offset, int dst_image, gfc_descriptor_t *dst,
    caf_vector_t *dst_vector, caf_token_t src_token, size_t src_offset, int src_image, gfc_descriptor_t *src,
    caf_vector_t *src_vector, int dst_kind, int src_kind, bool may_overlap, int *stat);

void _gfortran_caf_get_by_ref(caf_token_t token, int image, gfc_descriptor_t *dst, caf_reference_t *refs,
    int dst_kind, int src_kind, bool may_overlap, bool reallocatable, int *stat, int src_type);
void _gfortran_caf_send_by_ref(caf_token_t token, int image, gfc_descriptor_t *src, caf_reference_t *refs,
    int dst_kind, int src_kind, bool may_overlap, bool reallocatable, int *stat, int dst_type);
void _gfortran_caf_sendget_by_ref(caf_token_t dst_token, int dst_image, caf_reference_t *dst_refs,
    caf_token_t src_token, int src_image, caf_reference_t *src_refs, int dst_kind, int src_kind,
    bool may_overlap, int *dst_stat, int *src_stat, int dst_type, int src_type);
int _gfortran_caf_is_present(caf_token_t token, int image, caf_reference_t *refs);

/* gfortran 15 and later have these in place of the seven above. An accessor has one of three shapes
 * (caf/accessor.h). number: of a team. */
void _gfortran_caf_register_accessor(int hash, void (*accessor)(void));
void _gfortran_caf_register_accessors_finish(void);
int _gfortran_caf_get_remote_function_index(int hash);
void _gfortran_caf_get_from_remote(caf_token_t token, const gfc_descriptor_t *src, const size_t *src_length,
    int image, size_t size, void **data, size_t *length, gfc_descriptor_t *dst, bool reallocatable, int index,
    void *add, size_t add_size, int *stat, caf_team_t *team, int *number);
void _gfortran_caf_send_to_remote(caf_token_t token, gfc_descriptor_t *dst, const size_t *dst_length,
    int image, size_t size, const void *data, const size_t *length, const gfc_descriptor_t *src, int index,
    void *add, size_t add_size, int *stat, caf_team_t *team, int *number);
void _gfortran_caf_transfer_between_remotes(caf_token_t dst_token, gfc_descriptor_t *dst, size_t *dst_length,
    int dst_image, int dst_index, void *dst_add, size_t dst_add_size, caf_token_t src_token,
    const gfc_descriptor_t *src, const size_t *src_length, int src_image, int src_index, void *src_add,
    size_t src_add_size, size_t size, bool scalar, int *dst_stat, void *second, void *third, void *fourth,
    caf_team_t *src_team, int *src_number);
int32_t _gfortran_caf_is_present_on_remote(
    caf_token_t token, int image, int index, void *add, size_t add_size);

void _gfortran_caf_lock(caf_token_t token, size_t index, int image, int *acquired, PST_CAF_STATUS);
void _gfortran_caf_unlock(caf_token_t token, size_t index, int image, PST_CAF_STATUS);
void _gfortran_caf_event_post(caf_token_t token, size_t index, int image, PST_CAF_STATUS);
void _gfortran_caf_event_wait(caf_token_t token, size_t index, int until, PST_CAF_STATUS);
void _gfortran_caf_event_query(caf_token_t token, size_t index, int image, int *count, int *stat);

void _gfortran_caf_atomic_define(
    caf_token_t token, size_t offset, int image, void *value, int *stat, int type, int kind);
void _gfortran_caf_atomic_ref(
    caf_token_t token, size_t offset, int image, void *value, int *stat, int type, int kind);
void _gfortran_caf_atomic_cas(caf_token_t token, size_t offset, int image, void *old, void *compare,
    void *value, int *stat, int type, int kind);
void _gfortran_caf_atomic_op(int op, caf_token_t token, size_t offset, int image, void *value, void *old,
    int *stat, int type, int kind);

void _gfortran_caf_co_broadcast(gfc_descriptor_t *a, int source_image, PST_CAF_STATUS);
void _gfortran_caf_co_sum(gfc_descriptor_t *a, int result_image, PST_CAF_STATUS);
void _gfortran_caf_co_min(
    gfc_descriptor_t *a, int result_image, int *stat, char *errmsg, int length, size_t errmsg_len);
void _gfortran_caf_co_max(
    gfc_descriptor_t *a, int result_image, int *stat, char *errmsg, int length, size_t errmsg_len);
void _gfortran_caf_co_reduce(gfc_descriptor_t *a, void *(*function)(void *, void *), int flags,
    int result_image, int *stat, char *errmsg, int length, size_t errmsg_len);

/* As gfortran 16 calls them. Earlier ones pass nothing behind the team, which in change team and sync team is
 * the address of the variable, and NULL to the end of one. */
void _gfortran_caf_form_team(int number, caf_team_t *team, int *new_index, PST_CAF_STATUS);
void _gfortran_caf_change_team(caf_team_t team, PST_CAF_STATUS);
void _gfortran_caf_end_team(PST_CAF_STATUS);
void _gfortran_caf_sync_team(caf_team_t team, PST_CAF_STATUS);
int _gfortran_caf_team_number(caf_team_t team);
caf_team_t _gfortran_caf_get_team(int32_t *level); /* gfortran 16 */

void _gfortran_caf_random_init(bool repeatable, bool image_distinct);

#endif
