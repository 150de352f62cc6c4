/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* A transfer's three forms, chosen at run time. */
#ifndef TESTS_MULTI_VIS_CALL_H
#define TESTS_MULTI_VIS_CALL_H

#include "common.h"

enum { VIS_BLOCKING, VIS_NB, VIS_NBI };

/* The call in the form that `how` says; its handle, if it has one. */
#define VIS_CALL(how, name, ...) \
  ((how) == VIS_NB           ? name##_nb_bulk(__VA_ARGS__) \
          : (how) == VIS_NBI ? (name##_nbi_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE) \
                             : (name##_bulk(__VA_ARGS__), GASNET_INVALID_HANDLE))

#endif
