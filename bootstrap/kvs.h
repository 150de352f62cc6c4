/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the Penstock authors */
/* The key-value store of a foreign launcher (mpirun, mpiexec, srun): each process puts texts there, which all
 * can get after the next fence. One thread of a process at a time. */
#ifndef BOOTSTRAP_KVS_H
#define BOOTSTRAP_KVS_H
#include <stddef.h>

/* Calls return NULL, or what failed: a text that lasts until the next call. */
struct pst_kvs {
  const char *name; /* "PMIx", "PMI-1", "PMI-2" */
  unsigned rank, size;
  size_t value_max; /* bytes of a text, its end included */
  const char *(*put)(const char *key, const char *value);
  /* Returns when all processes have called; pst_kvs_late when `seconds` (or HUGE_VAL) have passed before. */
  const char *(*fence)(double seconds);
  const char *(*get)(unsigned rank, const char *key, char *value, size_t size);
  void (*abort)(int code); /* the launcher ends all processes; may return before it has */
  void (*leave)(void);     /* the launcher may see this process end */
};

extern const char pst_kvs_late[];

/* NULL where no such launcher has started this process. Fatal where its answers make no sense. */
const struct pst_kvs *pst_kvs_open(void);

/* Bytes of any number as texts in hexadecimal, in as many pieces as the launcher's limit asks for. */
const char *pst_kvs_put_bytes(const struct pst_kvs *k, const char *key, const void *bytes, size_t size);
const char *pst_kvs_get_bytes(
    const struct pst_kvs *k, unsigned rank, const char *key, void *bytes, size_t size);

/* The kinds of store; NULL where this process has not been started that way. */
const struct pst_kvs *pst_kvs_open_pmi(void);
const struct pst_kvs *pst_kvs_open_pmix(void);

/* The library of PMIx that is loaded under a launcher with PMIx; NULL where this was built without it. */
const char *pst_pmix_library(void);

#endif
