/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The forms of put and get, chosen at run time. */
#ifndef TESTS_MULTI_FORM_H
#define TESTS_MULTI_FORM_H

#include "common.h"

enum form { PLAIN, BULK, NB, NB_BULK, NBI, NBI_BULK, FORMS };

/* gasnet_put or gasnet_get in that form; its handle, if it has one. */
#define FORM_CALL(form, name, ...) \
  ((form) == PLAIN            ? (name(__VA_ARGS__), GASNET_INVALID_HANDLE) \
          : (form) == BULK    ? (name##_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE) \
          : (form) == NB      ? name##_nb(__VA_ARGS__) \
          : (form) == NB_BULK ? name##_nb_bulk(__VA_ARGS__) \
          : (form) == NBI     ? (name##_nbi(__VA_ARGS__), GASNET_INVALID_HANDLE) \
                              : (name##_nbi_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE))

#endif
