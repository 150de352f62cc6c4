/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "extended/variables.h"

const struct pst_extended_env pst_extended_env = {
    .barrier = {"GASNET_BARRIER",
        PST_CHOICE("AUTO", "AUTO", "DISSEM", "AMDISSEM", "RDMADISSEM", "AMCENTRAL", "SHARED"),
        .help = "How barriers are made: AUTO and SHARED in shared memory; the others, names that GASNet "
                "users know, by dissemination over active messages."},
};

PST_ENV_TABLE(extended);
