/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* GASNet-1 interface (specification 1.8) of Penstock: job control, active messages, put and get,
 * barriers. The client says its thread mode by defining one of GASNET_SEQ, GASNET_PARSYNC, GASNET_PAR.
 * What the specification calls a node is one process of the job. */
#ifndef _INCLUDED_GASNET_H
#define _INCLUDED_GASNET_H
#define _GASNET_H

#if defined(_INCLUDED_GASNET_TOOLS_H) && !defined(PST_INTERNAL)
#error "gasnet.h must be included before gasnet_tools.h"
#endif

/* Clients rely on GASNet's header to include these. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>
#if defined(GASNET_PAR)
#include <pthread.h>
#include <time.h>
#endif

#include "gasnet_config.h"
#include "penstock/platform.h"
#include "penstock/internals.h"
#include "penstock/types.h"
#include "penstock/version.h"

#include "penstock/job.h"
#include "penstock/wait.h"
#include "penstock/hsl.h"
#include "penstock/am.h"
#include "penstock/sync.h"
#include "penstock/copy.h"
#include "penstock/rma.h"
#include "penstock/value.h"
#include "penstock/barrier.h"
#include "penstock/coll.h"

#endif
