/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "vis/variables.h"

const struct pst_parse_field pst_viscost_fields[PST_VISCOST_FIELDS] = {
    {"transfer", offsetof(struct pst_viscost, transfer), 0, PST_VISCOST_MOST},
    {"message", offsetof(struct pst_viscost, message), 0, PST_VISCOST_MOST},
    {"piece", offsetof(struct pst_viscost, piece), 0, PST_VISCOST_MOST},
    {"transfer_kb", offsetof(struct pst_viscost, transfer_kb), 0, PST_VISCOST_MOST},
    {"packed_kb", offsetof(struct pst_viscost, packed_kb), 0, PST_VISCOST_MOST},
    {"chunk", offsetof(struct pst_viscost, chunk), PST_VISCOST_CHUNK_LEAST, PST_VISCOST_CHUNK_MOST},
};

static int check_viscost(const char *text)
{
  struct pst_viscost ignored = {0};
  return pst_parse_fields(text, pst_viscost_fields, PST_VISCOST_FIELDS, &ignored);
}

const struct pst_vis_env pst_vis_env = {
    .coalesce = {"GASNET_COALESCE", PST_BOOL("yes"),
        .help = "Network conduits: small puts and gets with an implicit handle to one node travel together."},
    .cost = {"GASNET_VIS_COST", PST_SPECIAL(NULL, check_viscost, PST_VISCOST_LEGAL),
        .help = "Replaces constants by which vector, indexed and strided transfers to nodes that are not "
                "reached by load and store choose between packed messages and one transfer a piece; "
                "gasnet_info --vis-cost prints them."},
    .cpu = {"GASNET_VIS_CPU", PST_CHOICE("AUTO", "AUTO", "PORTABLE", "AVX2", "AVX512"),
        .help = "With which instructions strided transfers copy. AUTO, like one that the processor lacks, is "
                "the best that it has."},
};

PST_ENV_TABLE(vis);
