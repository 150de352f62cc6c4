/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "launch/variables.h"

const struct pst_launch_env pst_launch_env = {
    .hosts = {"GASNET_HOSTS", PST_STRING(NULL),
        .help = "The hosts on which gasnetrun starts processes, as host1:4,host2:4 with the most processes "
                "for each; where unset, the one where it runs."},
    .rsh = {"GASNET_RSH", PST_STRING(NULL),
        .help = "The command by which gasnetrun reaches a host: COMMAND HOST program. Where unset, ssh "
                "without asking for passwords."},
    .spawn_interface = {"GASNET_SPAWN_INTERFACE", PST_STRING(NULL),
        .help = "Network interfaces or addresses of the host where gasnetrun runs, by which the other hosts "
                "are to reach it, separated by commas; where unset, those that lead to them."},
    .gasp_tool = {"GASNET_GASP_TOOL", PST_STRING(NULL),
        .help = "A performance tool for programs of UPC, OpenSHMEM, XcalableMP and Fortran with coarrays: a "
                "shared library with GASP's "
                "functions; "
                "see penstock_gasp(7)."},
    .gasp_output = {"GASNET_GASP_OUTPUT", PST_STRING(NULL),
        .help = "Where Penstock's own performance tools write: a file, or a directory."},
};

PST_ENV_TABLE(launch);
