/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The table of environment variables as data, for gasnet_info and the tests. */
#ifndef SUPPORT_ENV_TABLE_H
#define SUPPORT_ENV_TABLE_H
#include <stdint.h>
#include <stdio.h>
#include "support/env.h"

enum pst_env_type {
  PST_ENV_TYPE_STRING, /* any text */
  PST_ENV_TYPE_BOOL,
  PST_ENV_TYPE_INT,     /* min..max */
  PST_ENV_TYPE_SIZE,    /* bytes with a unit, min..max */
  PST_ENV_TYPE_SECONDS, /* min..max */
  PST_ENV_TYPE_CHOICE,  /* one of `words` */
  PST_ENV_TYPE_SPECIAL  /* `check` decides, `legal` says what is right */
};

struct pst_env_entry {
  const char *name; /* with GASNET_ */
  enum pst_env_type type;
  const char *deflt;        /* NULL: unset */
  const char *legal;        /* SPECIAL: for messages */
  const char *const *words; /* NULL at its end */
  int64_t min, max;
  int (*check)(const char *value); /* 0 or PST_ERR_* */
  const char *help;                /* one or two sentences */
};

const struct pst_env_entry *pst_env_entry(enum pst_env v);
const char *pst_env_type_name(enum pst_env_type type);
/* "an integer from 1 to 1024": what the messages and the manual say. Returns buf. */
const char *pst_env_legal(enum pst_env v, char *buf, int size);
/* The text in force: what is set, else the default; may be NULL. An empty value counts as unset. */
const char *pst_env_text(enum pst_env v);
/* 0 or PST_ERR_*, without a message. */
int pst_env_valid(enum pst_env v, const char *value);
int pst_env_try_bool(enum pst_env v, int *value);
/* The known name of which an unknown one seems to be a misspelling ("GASNET_BARIER"), or NULL. */
const char *pst_env_nearest(const char *name);
#endif
