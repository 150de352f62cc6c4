/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* OpenSHMEM 1.0: puts, gets, atomic operations, waits, barriers, collectives and locks on symmetric objects.
 * These are blocks of the symmetric heap, and the static and global variables of the program. A PE is a
 * process of the job. Programs are compiled with oshcc, or pkg-config openshmem. <mpp/shmem.h> is the same
 * header. */
#ifndef PENSTOCK_SHMEM_H
#define PENSTOCK_SHMEM_H

/* The document's first program prints and includes no other header. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "penstock/shmem_base.h"
#include "penstock/shmem_setup.h"
#include "penstock/shmem_rma.h"
#include "penstock/shmem_atomic.h"
#include "penstock/shmem_sync.h"
#include "penstock/shmem_collective.h"
#include "penstock/shmem_inst.h"

#endif
