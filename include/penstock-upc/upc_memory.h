/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The UPC library for programs in C: shared memory of all threads (processes) of a job, pointers to it, and
 * the calls of the proposal "Extending the UPC Memory Copy Library" 2.0. Each function upc_NAME exists under
 * the name bupc_NAME, too. A UPC compiler has the language's part and its pointers-to-shared itself. */
#ifndef _UPC_MEMORY_H
#define _UPC_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "penstock/upc_types.h"
#include "penstock/upc_language.h"
#include "penstock/upc_pointer.h"
#include "penstock/upc_copy.h"
#include "penstock/upc_lists.h"
#include "penstock/upc_more.h"
#include "penstock/upc_inst.h"

#endif
