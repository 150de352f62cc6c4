/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "gasnetx.h"
#include "support/error.h"

static const struct pst_error_row errors[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "the job is not initialised as far as this call needs"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "a resource is exhausted"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "an argument is invalid"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "the operation is not complete yet"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH", "the nodes entered different barriers"},
    {GASNETX_ERR_NODE_LOST, "GASNETX_ERR_NODE_LOST", "it ended because a node is lost"},
    {GASNETX_ERR_NODE_LEFT, "GASNETX_ERR_NODE_LEFT", "it ended because a node begins no more collectives"},
    {0, "*unknown*", "no error code of GASNet's"},
};

const char *gasnet_ErrorName(int errval) { return PST_ERROR_FIND(errors, errval)->name; }
const char *gasnet_ErrorDesc(int errval) { return PST_ERROR_FIND(errors, errval)->text; }
