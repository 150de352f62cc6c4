/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "support/variables.h"

const struct pst_support_env pst_support_env = {
    .verboseenv = {"GASNET_VERBOSEENV", PST_BOOL("no"),
        .help = "Print every variable that is consulted, with its value and whether that is the default, and "
                "the names that begin with GASNET_ and are none of these."},
    .spawn_verbose = {"GASNET_SPAWN_VERBOSE", PST_BOOL("no"),
        .help = "Tell what the launcher does, step by step."},
    .backtrace = {"GASNET_BACKTRACE", PST_BOOL("no"),
        .help = "A node that fails prints its stack after the message."},
    .freeze_on_error = {"GASNET_FREEZE_ON_ERROR", PST_BOOL("no"),
        .help = "A node that fails stops after its message and waits for a debugger."},
    .exittimeout = {"GASNET_EXITTIMEOUT", PST_SECONDS("2", 0, 86400),
        .help = "How long the other nodes have to end by themselves after one has left with code 0; after "
                "another code it is 0.3 s. Also how long a client's handler for SIGQUIT may take."},
    .tmpdir = {"GASNET_TMPDIR", PST_STRING(NULL),
        .help = "A directory in whose file system shared memory is made, as files without a name; where "
                "unset, memory that belongs to no file system (memfd)."},
};

PST_ENV_TABLE(support);
