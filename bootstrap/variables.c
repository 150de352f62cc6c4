/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "bootstrap/variables.h"

#include "bootstrap/jobstate.h"

const struct pst_bootstrap_env pst_bootstrap_env = {
    .pshm_nodes = {"GASNET_PSHM_NODES", PST_INT("1", 1, PST_MAX_LOCAL),
        .help = "How many nodes a program that was started without a launcher makes of itself."},
    .use_hugepages = {"GASNET_USE_HUGEPAGES", PST_BOOL("yes"),
        .help = "Put segments on huge pages where the host has reserved some; ordinary pages otherwise."},
    .catch_exit = {"GASNET_CATCH_EXIT", PST_BOOL("yes"),
        .help = "Leaving by exit() or by return from main ends the whole job, as gasnet_exit does."},
    .spawn_timeout = {"GASNET_SPAWN_TIMEOUT", PST_SECONDS("30", 1, 86400),
        .help = "How long all hosts together may take to start their processes."},
};

PST_ENV_TABLE(bootstrap);
