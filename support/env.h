/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* Environment variables. Each layer that has some describes them in a table of its own, LAYER/variables.c.
 * The library, gasnet_info --env, the check of names and values and the manual use these tables. */
#ifndef SUPPORT_ENV_H
#define SUPPORT_ENV_H
#include <stddef.h>
#include <stdint.h>

enum pst_env_type {
  PST_ENV_TYPE_STRING, /* any text */
  PST_ENV_TYPE_BOOL,
  PST_ENV_TYPE_INT,     /* min..max */
  PST_ENV_TYPE_SECONDS, /* min..max */
  PST_ENV_TYPE_CHOICE,  /* one of `words` */
  PST_ENV_TYPE_SPECIAL  /* `check` decides, `legal` says what is right */
};

struct pst_variable {
  const char *name; /* with GASNET_ */
  enum pst_env_type type;
  const char *deflt;        /* NULL: unset */
  const char *legal;        /* SPECIAL: for messages */
  const char *const *words; /* NULL at its end */
  int64_t min, max;
  int (*check)(const char *value); /* 0 or PST_ERR_* */
  const char *help;                /* one or two sentences */
  int common;                      /* a job is refused where its nodes have different values */
};

/* ---- what a table is made of ---- */

#define PST_STRING(dflt)          .type = PST_ENV_TYPE_STRING, .deflt = dflt
#define PST_BOOL(dflt)            .type = PST_ENV_TYPE_BOOL, .deflt = dflt
#define PST_INT(dflt, lo, hi)     .type = PST_ENV_TYPE_INT, .deflt = dflt, .min = lo, .max = hi
#define PST_SECONDS(dflt, lo, hi) .type = PST_ENV_TYPE_SECONDS, .deflt = dflt, .min = lo, .max = hi
#define PST_CHOICE(dflt, ...) \
  .type = PST_ENV_TYPE_CHOICE, .deflt = dflt, .words = (const char *const[]) { __VA_ARGS__, NULL }
#define PST_SPECIAL(dflt, fn, text) .type = PST_ENV_TYPE_SPECIAL, .deflt = dflt, .check = fn, .legal = text

/* A layer's variables are the members of one constant structure, so that each has a name in C, as in
 * pst_core_env.am_only. This makes it a table for support/layers.c, which lists the layers' tables. */
struct pst_env_table {
  const struct pst_variable *variables;
  unsigned count;
};
#define PST_ENV_TABLE(layer) \
  const struct pst_env_table pst_##layer##_variables = { \
      (const struct pst_variable *)(const void *)&pst_##layer##_env, \
      sizeof pst_##layer##_env / sizeof(struct pst_variable)}

/* NULL after the last. */
extern const struct pst_env_table *const pst_env_tables[];

/* ---- all variables ---- */

/* The i-th of all layers; NULL after the last. */
const struct pst_variable *pst_env_at(unsigned i);
const struct pst_variable *pst_env_find(const char *name);
/* The known name that an unknown one ("GASNET_BARIER") seems to misspell, or NULL. */
const char *pst_env_nearest(const char *name);

/* Checks every variable that is set (fatal when bad) and warns once of each GASNET_ variable that seems to be
 * a known one misspelt. With GASNET_VERBOSEENV it warns of each unknown one and prints all. With `speak` 0,
 * for all nodes but node 0, it only checks values. */
void pst_env_check(int speak);

/* A checksum of the values of the variables that are common to all nodes, whose names it lists. */
uint64_t pst_env_common(char *names, size_t size);

/* ---- one variable ---- */

/* An empty value counts as unset. */
int pst_env_is_set(const struct pst_variable *v);

/* The value in force: what is set, else the default. A malformed value is fatal: the message names the
 * variable, the value and what is legal. Strings may be NULL when unset and without a default. */
const char *pst_env_string(const struct pst_variable *v);
int pst_env_bool(const struct pst_variable *v);
int64_t pst_env_int(const struct pst_variable *v);
double pst_env_double(const struct pst_variable *v);
/* The same, but a malformed value is false: for use while a fatal error is reported. */
int pst_env_is_true(const struct pst_variable *v);

/* The text in force, whether it is valid or not; may be NULL. */
const char *pst_env_text(const struct pst_variable *v);
/* 0 or PST_ERR_*, without a message. */
int pst_env_valid(const struct pst_variable *v, const char *value);
const char *pst_env_type_name(enum pst_env_type type);
/* "a whole number from 1 to 1024": what the messages and the manual say. Returns buf. */
const char *pst_env_legal(const struct pst_variable *v, char *buf, int size);
#endif
