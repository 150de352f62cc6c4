/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Names and versions that clients test or print. */
#ifndef PENSTOCK_VERSION_H
#define PENSTOCK_VERSION_H

#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNET_VERSION            GASNET_SPEC_VERSION_MAJOR

#if defined(GASNET_SEQ)
#define PST_THREADMODE_STR "SEQ"
#elif defined(GASNET_PARSYNC)
#define PST_THREADMODE_STR "PARSYNC"
#else
#define PST_THREADMODE_STR "PAR"
#endif
#if defined(GASNET_DEBUG)
#define PST_DEBUG_STR "debug"
#else
#define PST_DEBUG_STR "nodebug"
#endif

/* One library serves every conduit; a job chooses one when it starts. A client may be built for one with -I
 * PREFIX/include/smp-conduit: gasnet_core.h in it defines GASNET_CONDUIT_<NAME> and GASNET_CONDUIT_NAME. */
#if defined(__has_include)
#if __has_include(<gasnet_core.h>)
#include <gasnet_core.h>
#endif
#endif
#ifndef GASNET_CONDUIT_NAME
#define GASNET_CONDUIT_NAME PENSTOCK
#endif
#define PST_NAME_STR_(name)     #name
#define PST_NAME_STR(name)      PST_NAME_STR_(name)
#define GASNET_CONDUIT_NAME_STR PST_NAME_STR(GASNET_CONDUIT_NAME)
/* Every build can trace and count. */
#define GASNET_TRACE 1
#define GASNET_STATS 1

#define GASNET_CORE_NAME            GASNET_CONDUIT_NAME
#define GASNET_CORE_NAME_STR        GASNET_CONDUIT_NAME_STR
#define GASNET_CORE_VERSION         1.0
#define GASNET_CORE_VERSION_STR     "1.0"
#define GASNET_EXTENDED_NAME        REFERENCE
#define GASNET_EXTENDED_NAME_STR    "REFERENCE"
#define GASNET_EXTENDED_VERSION     1.0
#define GASNET_EXTENDED_VERSION_STR "1.0"

#define PST_VERSION_STR_(a, b, c) #a "." #b "." #c
#define PST_VERSION_STR(a, b, c)  PST_VERSION_STR_(a, b, c)
#define GASNET_CONFIG_STRING \
  "RELEASE=" PST_VERSION_STR(GASNET_RELEASE_VERSION_MAJOR, GASNET_RELEASE_VERSION_MINOR, \
      GASNET_RELEASE_VERSION_PATCH) ",SPEC=1.8,CONDUIT=" GASNET_CONDUIT_NAME_STR "-" GASNET_CORE_VERSION_STR \
                                    "/" GASNET_EXTENDED_NAME_STR "-" GASNET_EXTENDED_VERSION_STR \
                                    ",THREADMODEL=" PST_THREADMODE_STR \
                                    ",SEGMENT=FAST,PTR=64bit,noalign,pshm," PST_DEBUG_STR ",trace,stats"

#endif
