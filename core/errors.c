/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
#include "gasnet.h"

static const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "the job is not initialised as far as this call needs"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "a resource is exhausted"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "an argument is invalid"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "the operation is not complete yet"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH", "the nodes entered different barriers"},
};

enum { ERRORS = sizeof errors / sizeof errors[0] };

const char *gasnet_ErrorName(int errval)
{
  for (int i = 0; i < ERRORS; i++)
    if (errors[i].code == errval) return errors[i].name;
  return "*unknown*";
}

const char *gasnet_ErrorDesc(int errval)
{
  for (int i = 0; i < ERRORS; i++)
    if (errors[i].code == errval) return errors[i].text;
  return "no error code of GASNet's";
}
